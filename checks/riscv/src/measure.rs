//! Runs a verification and prints the resources it used.

use crate::heap;
use crate::machine::{Serial, end, instructions, stack_pointer};
use core::fmt::Write;

/// Pattern that the unused stack is filled with.
const PAINT: u32 = 0xa5a5_5a5a;

/// Number of bytes below the stack pointer that are not painted: the frame of the painting
/// function.
const MARGIN: usize = 256;

unsafe extern "C" {
    static _code_start: u8;
    static _constants_start: u8;
    static _constants_end: u8;
    static mut _stack_low: u32;
}

/// Creates a key, runs `verify` on the message, prints one line of JSON, and ends: with status 0 if
/// the message verified and the message without its first byte did not.
pub fn measure<K>(
    alg: &str,
    key: impl FnOnce() -> Option<K>,
    verify: impl Fn(&K, &[u8]) -> bool,
    message: &[u8],
) -> ! {
    let from = stack_pointer();
    paint(from - MARGIN);
    let Some(key) = key() else { end(false) };
    let before = instructions();
    let good = verify(&key, message);
    let used = instructions().wrapping_sub(before);
    let good = good && !verify(&key, &message[1..]);
    report(alg, [from - lowest_touched(), heap::peak(), used as usize, good.into()]);
    end(good)
}

fn report(alg: &str, [stack, heap, instructions, good]: [usize; 4]) {
    let (code, constants) = sizes();
    let line = writeln!(
        Serial,
        "{{\"alg\":\"{alg}\",\"good\":{},\"code_bytes\":{code},\"constant_bytes\":{constants},\
         \"stack_bytes\":{stack},\"heap_bytes\":{heap},\"instructions\":{instructions}}}",
        good == 1
    );
    line.unwrap_or_else(|_| end(false));
}

fn sizes() -> (usize, usize) {
    let at = |symbol: *const u8| symbol as usize;
    let middle = at(&raw const _constants_start);
    (middle - at(&raw const _code_start), at(&raw const _constants_end) - middle)
}

#[inline(never)]
fn paint(below: usize) {
    let mut word = &raw mut _stack_low;
    while (word as usize) < below {
        // SAFETY: the stack grows downwards, and nothing uses the part from its low end up to here.
        unsafe { word.write_volatile(PAINT) };
        word = word.wrapping_add(1);
    }
}

/// Returns the lowest address of the stack that was written to.
fn lowest_touched() -> usize {
    let mut word = &raw const _stack_low;
    // SAFETY: the frame of this function is not painted, so the scan ends on the stack.
    while unsafe { word.read_volatile() } == PAINT {
        word = word.wrapping_add(1);
    }
    word as usize
}
