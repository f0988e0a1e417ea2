//! The instructions of the unit's generic stage, which move words into and out of a compression.
//! The ROM of `rtl/soc` uses them too.

use core::arch::asm;

/// Eight words of a state, a value or half a block.
pub type Words = [u32; 8];

/// Starting state of a compression: the state put before, H(0), or the last digest.
pub const GIVEN: u32 = 0;
pub const INITIAL: u32 = 1;
pub const DIGEST: u32 = 2;

/// First pair of the unit's registers for the state and for each half of a block.
pub const STATE: u32 = 0;
pub const FIRST_HALF: u32 = 4;
pub const SECOND_HALF: u32 = 8;

/// Words are transferred unchanged, or as the bytes of little-endian memory.
pub const AS_WORDS: u32 = 0;
pub const AS_BYTES: u32 = 64;

/// The second half of a block that ends a message of 96 bytes.
pub const END_OF_96: Words = [1 << 31, 0, 0, 0, 0, 0, 0, 8 * 96];

/// The second half of the padding block after a message of 128 bytes. `BIT` is its first half.
pub const END_OF_128: Words = [0, 0, 0, 0, 0, 0, 0, 8 * 128];
pub const BIT: Words = [1 << 31, 0, 0, 0, 0, 0, 0, 0];

macro_rules! put {
    ($variant:expr, $first:expr, $second:expr) => {
        // SAFETY: a value of `Generic` guarantees that the unit exists. It does not access memory.
        unsafe {
            asm!(".insn r 0x0b, 0, {variant}, x0, {0}, {1}", in(reg) $first, in(reg) $second,
                variant = const $variant, options(nomem, nostack, preserves_flags));
        }
    };
}

/// Puts eight words into the register pairs from `PLACE` on.
#[inline(always)]
pub fn put<const PLACE: u32, const FORM: u32>(words: &Words) {
    put!(PLACE + FORM, words[0], words[1]);
    put!(PLACE + FORM + 1, words[2], words[3]);
    put!(PLACE + FORM + 2, words[4], words[5]);
    put!(PLACE + FORM + 3, words[6], words[7]);
}

/// Puts two words into the register pair `PLACE`.
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

/// Compresses the block that was put.
#[inline(always)]
pub fn go<const FROM: u32>() {
    // SAFETY: as for `put`.
    unsafe {
        asm!(".insn r 0x0b, 1, {from}, x0, x0, x0", from = const FROM,
            options(nomem, nostack, preserves_flags));
    }
}

/// Returns the digest, once it is ready.
///
/// The instructions follow a `nop` and each other: an instruction that holds EX for long must not
/// come before one that writes a register (rtl/asip/chain_unit_front.sv).
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

/// Reads eight words from bytes in memory order.
#[inline(always)]
pub fn load(bytes: &[u8]) -> Words {
    let bytes = bytes.as_chunks().0;
    core::array::from_fn(|i| u32::from_le_bytes(bytes[i]))
}

/// Writes eight words as bytes in memory order.
#[inline(always)]
pub fn store(words: &Words, bytes: &mut [u8]) {
    for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_le_bytes();
    }
}

/// Returns the XOR of two values.
#[inline(always)]
pub fn xor(a: &Words, b: &Words) -> Words {
    core::array::from_fn(|i| a[i] ^ b[i])
}
