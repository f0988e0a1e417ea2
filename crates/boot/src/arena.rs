//! The heap of one call: blocks in the caller's buffer, one over the other. A block that is given
//! back is taken again where it is large enough; the highest ones make room.
//!
//! Each block has a word in front: where the block below it begins, and whether it is in use. The
//! last bit of that word is free, for every block begins at a multiple of `UNIT`.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering, Ordering::Relaxed};

/// Blocks begin at multiples of this, and no type that the verifiers keep there wants more.
const UNIT: usize = 16;
/// The word in front of a block.
const WORD: usize = size_of::<usize>();
/// The least that is split off a free block, in bytes.
const LEAST: usize = 4 * UNIT;
/// No block.
const NONE: usize = !1;

/// The heap of the library. One call at a time has it.
#[global_allocator]
static HEAP: Heap = Heap {
    taken: AtomicBool::new(false),
    low: AtomicUsize::new(0),
    high: AtomicUsize::new(0),
    top: AtomicUsize::new(0),
    last: AtomicUsize::new(NONE),
};

struct Heap {
    taken: AtomicBool,
    /// The first address that may be used, and the first that may not.
    low: AtomicUsize,
    high: AtomicUsize,
    /// The first address that is free, and where the highest block begins.
    top: AtomicUsize,
    last: AtomicUsize,
}

/// Runs `body` with its heap in `len` bytes at `buffer`; nothing if another call has the heap.
///
/// # Safety
/// The bytes can be written, and nobody else uses them until this returns. Nothing that `body`
/// allocates outlives it.
pub unsafe fn within<R>(buffer: *mut u8, len: usize, body: impl FnOnce() -> R) -> Option<R> {
    if HEAP.taken.swap(true, Ordering::Acquire) {
        return None;
    }
    HEAP.lend(buffer as usize, len);
    let result = body();
    HEAP.lend(0, 0);
    HEAP.taken.store(false, Ordering::Release);
    Some(result)
}

impl Heap {
    fn lend(&self, low: usize, len: usize) {
        let set = |place: &AtomicUsize, to| place.store(to, Relaxed);
        set(&self.low, low);
        set(&self.high, low.saturating_add(len));
        set(&self.top, low);
        set(&self.last, NONE);
    }

    /// Returns the bytes that a new highest block would have, if there is room.
    fn on_top(&self, size: usize) -> Option<(usize, usize)> {
        let front = self.top.load(Relaxed).checked_add(WORD)?;
        let begin = front.checked_next_multiple_of(UNIT)?;
        let end = begin.checked_add(size)?;
        (end <= self.high.load(Relaxed)).then_some((begin, end))
    }

    /// Returns the blocks, highest first, each with the one above it.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut next = (NONE, self.last.load(Relaxed));
        core::iter::from_fn(move || {
            let found = next;
            (found.1 != NONE).then(|| {
                next = (found.1, below(found.1));
                found
            })
        })
    }

    /// Returns the smallest free block of at least `size` bytes, with the one above it. The highest
    /// block is in use.
    fn hole(&self, size: usize) -> Option<(usize, usize)> {
        let room = |&(above, at): &(usize, usize)| above - WORD - at;
        let fits = |hole: &(usize, usize)| !is_used(hole.1) && room(hole) >= size;
        self.blocks().filter(fits).min_by_key(room)
    }

    /// Takes a free block, and makes a free block of what is not needed.
    fn fill(&self, (above, at): (usize, usize), size: usize) -> usize {
        set_word(at, below(at), true);
        let rest = (at + size + WORD).next_multiple_of(UNIT);
        if rest + LEAST <= above - WORD {
            set_word(rest, at, false);
            set_word(above, rest, is_used(above));
        }
        at
    }

    /// Gives back the highest blocks that are not in use, and makes one of free neighbours.
    fn merge(&self) {
        while let Some((_, last)) = self.blocks().next().filter(|(_, last)| !is_used(*last)) {
            self.top.store(last - WORD, Relaxed);
            self.last.store(below(last), Relaxed);
        }
        while let Some((above, at)) = self.blocks().find(|(_, at)| self.is_over_free(*at)) {
            set_word(above, below(at), is_used(above));
        }
    }

    fn is_over_free(&self, at: usize) -> bool {
        !is_used(at) && below(at) != NONE && !is_used(below(at))
    }
}

/// Returns where the block below begins.
fn below(begin: usize) -> usize {
    word(begin) & !1
}

fn is_used(begin: usize) -> bool {
    word(begin) & 1 == 1
}

fn word(begin: usize) -> usize {
    // SAFETY: a block of the heap begins there, so its word lies in front, at a multiple of its
    // size.
    unsafe { *((begin - WORD) as *const usize) }
}

fn set_word(begin: usize, below: usize, used: bool) {
    // SAFETY: a block of the heap begins there or is about to, and the place in front is its own.
    unsafe { *((begin - WORD) as *mut usize) = below | usize::from(used) };
}

// SAFETY: every block lies in the buffer and overlaps no other; `within` lets one call in.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > UNIT {
            return core::ptr::null_mut();
        }
        if let Some(hole) = self.hole(layout.size()) {
            return self.fill(hole, layout.size()) as *mut u8;
        }
        let Some((begin, end)) = self.on_top(layout.size()) else { return core::ptr::null_mut() };
        set_word(begin, self.last.load(Relaxed), true);
        self.last.store(begin, Relaxed);
        self.top.store(end, Relaxed);
        begin as *mut u8
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        set_word(block as usize, below(block as usize), false);
        self.merge();
    }
}
