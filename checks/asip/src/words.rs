//! The instructions of the unit's generic stage, words into a compression and out of it; the ROM of
//! `rtl/soc` has them too.

use core::arch::asm;

/// Eight words of a state, a value or half a block.
pub type Words = [u32; 8];

/// Where a compression starts from: what was put, H(0), or the last digest.
pub const GIVEN: u32 = 0;
pub const INITIAL: u32 = 1;
pub const DIGEST: u32 = 2;

/// The pairs of the unit's registers where these begin.
pub const STATE: u32 = 0;
pub const FIRST_HALF: u32 = 4;
pub const SECOND_HALF: u32 = 8;

/// Words go as they are, or as the bytes of a memory that begins with the lowest.
pub const AS_WORDS: u32 = 0;
pub const AS_BYTES: u32 = 64;

/// The second half of a block that ends a message of 96 bytes.
pub const END_OF_96: Words = [1 << 31, 0, 0, 0, 0, 0, 0, 8 * 96];

/// The second half of the block behind a message of 128 bytes; the first one begins with the bit.
pub const END_OF_128: Words = [0, 0, 0, 0, 0, 0, 0, 8 * 128];
pub const BIT: Words = [1 << 31, 0, 0, 0, 0, 0, 0, 0];

macro_rules! put {
    ($variant:expr, $first:expr, $second:expr) => {
        // SAFETY: a value of `Generic` says that the unit is there; it has no memory.
        unsafe {
            asm!(".insn r 0x0b, 0, {variant}, x0, {0}, {1}", in(reg) $first, in(reg) $second,
                variant = const $variant, options(nomem, nostack, preserves_flags));
        }
    };
}

/// Puts eight words to the pairs from `PLACE` on.
#[inline(always)]
pub fn put<const PLACE: u32, const FORM: u32>(words: &Words) {
    put!(PLACE + FORM, words[0], words[1]);
    put!(PLACE + FORM + 1, words[2], words[3]);
    put!(PLACE + FORM + 2, words[4], words[5]);
    put!(PLACE + FORM + 3, words[6], words[7]);
}

/// Puts the pair of words `PLACE`.
#[allow(dead_code, reason = "the ROM of rtl/soc puts pairs")]
#[inline(always)]
pub fn put_pair<const PLACE: u32, const FORM: u32>(first: u32, second: u32) {
    put!(PLACE + FORM, first, second);
}

/// Puts the last two words of the first half of a block.
#[inline(always)]
pub fn put_last<const FORM: u32>(six: u32, seven: u32) {
    put!(FIRST_HALF + FORM + 3, six, seven);
}

/// Compresses what was put.
#[inline(always)]
pub fn go<const FROM: u32>() {
    // SAFETY: as for `put`.
    unsafe {
        asm!(".insn r 0x0b, 1, {from}, x0, x0, x0", from = const FROM,
            options(nomem, nostack, preserves_flags));
    }
}

/// Returns the digest, once it is there.
///
/// The instructions follow a `nop` and each other: none that holds EX for long may come before one
/// that writes a register (rtl/asip/chain_unit_front.sv).
#[inline(always)]
pub fn get<const FORM: u32>() -> Words {
    let mut words = [0; 8];
    // SAFETY: as for `put`.
    unsafe {
        asm!("nop",
            ".insn r 0x0b, 2, {form}, {0}, x0, x0", ".insn r 0x0b, 2, {form} + 1, {1}, x0, x0",
            ".insn r 0x0b, 2, {form} + 2, {2}, x0, x0", ".insn r 0x0b, 2, {form} + 3, {3}, x0, x0",
            ".insn r 0x0b, 2, {form} + 4, {4}, x0, x0", ".insn r 0x0b, 2, {form} + 5, {5}, x0, x0",
            ".insn r 0x0b, 2, {form} + 6, {6}, x0, x0", ".insn r 0x0b, 2, {form} + 7, {7}, x0, x0",
            out(reg) words[0], out(reg) words[1], out(reg) words[2], out(reg) words[3],
            out(reg) words[4], out(reg) words[5], out(reg) words[6], out(reg) words[7],
            form = const FORM, options(nomem, nostack, preserves_flags));
    }
    words
}

/// Reads eight words as the bytes lie.
#[inline(always)]
pub fn load(bytes: &[u8]) -> Words {
    let bytes = bytes.as_chunks().0;
    core::array::from_fn(|i| u32::from_le_bytes(bytes[i]))
}

/// Writes eight words as their bytes lie.
#[inline(always)]
pub fn store(words: &Words, bytes: &mut [u8]) {
    for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_le_bytes();
    }
}

/// Returns the sum of two values.
#[inline(always)]
pub fn xor(a: &Words, b: &Words) -> Words {
    core::array::from_fn(|i| a[i] ^ b[i])
}
