//! The heap of one call: blocks in the caller's buffer, one above the other. A freed block is
//! reused if it is large enough. Freed blocks at the top make room for new ones.
//!
//! Each block has a word in front of it: the address of the block below, and whether this block is
//! in use. The last bit of that word is free, because every block begins at a multiple of `UNIT`.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering, Ordering::Relaxed};

/// Alignment of blocks. No type that the verifiers allocate needs more.
const UNIT: usize = 16;
/// Size of the word in front of a block.
const WORD: usize = size_of::<usize>();
/// Minimum size of a block that is split off a free block, in bytes.
const LEAST: usize = 4 * UNIT;
/// Stands for no block.
const NONE: usize = !1;

/// The heap of the library. It belongs to one call at a time.
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
    /// The first address that may be used, and the first one after the buffer.
    low: AtomicUsize,
    high: AtomicUsize,
    /// The first free address, and the address of the highest block.
    top: AtomicUsize,
    last: AtomicUsize,
}

/// Runs `body` with its heap in `len` bytes at `buffer`. Returns `None` if another call has the
/// heap.
///
/// # Safety
/// The bytes must be writable, and nobody else may use them until this returns. Nothing that `body`
/// allocates may outlive it.
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

    /// Returns the start and end that a new block at the top would have, if there is room.
    fn on_top(&self, size: usize) -> Option<(usize, usize)> {
        let front = self.top.load(Relaxed).checked_add(WORD)?;
        let begin = front.checked_next_multiple_of(UNIT)?;
        let end = begin.checked_add(size)?;
        (end <= self.high.load(Relaxed)).then_some((begin, end))
    }

    /// Returns the blocks, highest first, each with the block above it.
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

    /// Returns the smallest free block of at least `size` bytes, with the block above it. The
    /// highest block is always in use.
    fn hole(&self, size: usize) -> Option<(usize, usize)> {
        let room = |&(above, at): &(usize, usize)| above - WORD - at;
        let fits = |hole: &(usize, usize)| !is_used(hole.1) && room(hole) >= size;
        self.blocks().filter(fits).min_by_key(room)
    }

    /// Takes a free block, and splits off the part that is not needed.
    fn fill(&self, (above, at): (usize, usize), size: usize) -> usize {
        set_word(at, below(at), true);
        let rest = (at + size + WORD).next_multiple_of(UNIT);
        if rest + LEAST <= above - WORD {
            set_word(rest, at, false);
            set_word(above, rest, is_used(above));
        }
        at
    }

    /// Frees the unused blocks at the top, and merges free neighbours.
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

/// Returns the address of the block below.
fn below(begin: usize) -> usize {
    word(begin) & !1
}

fn is_used(begin: usize) -> bool {
    word(begin) & 1 == 1
}

fn word(begin: usize) -> usize {
    // SAFETY: a block of the heap begins here, so its word is in front of it, aligned to its size.
    unsafe { *((begin - WORD) as *const usize) }
}

fn set_word(begin: usize, below: usize, used: bool) {
    // SAFETY: a block of the heap begins or will begin here, and the word in front belongs to it.
    unsafe { *((begin - WORD) as *mut usize) = below | usize::from(used) };
}

// SAFETY: every block lies in the buffer and overlaps no other. `within` admits one call at a time.
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
