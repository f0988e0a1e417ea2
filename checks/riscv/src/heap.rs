//! A heap that grows upwards and can free only its topmost block. It counts the bytes in use.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

unsafe extern "C" {
    static mut _heap_low: u8;
    static mut _heap_high: u8;
}

/// The only heap of the program.
struct Heap {
    top: AtomicUsize,
    alive: AtomicUsize,
    peak: AtomicUsize,
}

#[global_allocator]
static HEAP: Heap =
    Heap { top: AtomicUsize::new(0), alive: AtomicUsize::new(0), peak: AtomicUsize::new(0) };

// SAFETY: every block lies in the heap, above all live blocks. The program has one thread.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let low = &raw mut _heap_low as usize;
        let start = (low + self.top.load(Relaxed)).next_multiple_of(layout.align());
        let end = start + layout.size();
        if end > &raw mut _heap_high as usize {
            return core::ptr::null_mut();
        }
        self.top.store(end - low, Relaxed);
        self.alive.store(self.alive.load(Relaxed) + layout.size(), Relaxed);
        self.peak.store(self.peak.load(Relaxed).max(self.alive.load(Relaxed)), Relaxed);
        start as *mut u8
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let offset = block as usize - &raw mut _heap_low as usize;
        if offset + layout.size() == self.top.load(Relaxed) {
            self.top.store(offset, Relaxed);
        }
        self.alive.store(self.alive.load(Relaxed) - layout.size(), Relaxed);
    }
}

/// Returns the maximum number of bytes in use at once.
pub(crate) fn peak() -> usize {
    HEAP.peak.load(Relaxed)
}
