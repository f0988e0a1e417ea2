//! Checks that a job overwrites the stack it used.

use core::arch::asm;
use core::hint::black_box;

/// Bytes of stack that are examined.
const LOOKED_AT: usize = 48 << 10;

const MARK: u32 = 0x5ac3_1e87;

/// Number of zero words that an overwritten stack must end with.
const END: usize = 64;

/// Runs a job that overwrites its stack, and returns whether it went no deeper: the lowest words
/// written are zero.
#[inline(never)]
pub fn is_overwritten<T>(job: impl FnOnce() -> T) -> (T, bool) {
    let top = here();
    // SAFETY: the words lie below the stack in use, above the heap.
    let words = unsafe {
        let low = top.sub(LOOKED_AT / 4);
        for i in 0..LOOKED_AT / 4 {
            low.add(i).write_volatile(MARK);
        }
        low
    };
    let done = black_box(job());
    // SAFETY: as before.
    let word = |i: usize| unsafe { words.add(i).read_volatile() };
    let lowest = (0..LOOKED_AT / 4).find(|i| word(*i) != MARK);
    let clean = lowest.is_some_and(|low| (low..low + END).all(|i| word(i) == 0));
    (done, clean)
}

/// Returns the stack pointer.
#[inline(always)]
fn here() -> *mut u32 {
    let here: *mut u32;
    // SAFETY: reads a register.
    unsafe { asm!("mv {0}, sp", out(reg) here, options(nomem, nostack, preserves_flags)) };
    here
}
