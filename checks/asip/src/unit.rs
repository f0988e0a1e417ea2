//! The instructions of the unit's refined stage. The ROM of `rtl/soc` uses them too.

use core::arch::asm;

/// Flags of `hash`, in funct7.
pub const PAIR: u32 = 1;
pub const PADDED: u32 = 2;
pub const FROM_BYTES: u32 = 4;
pub const TO_STATE: u32 = 8;

/// Flags of `chain`, in funct7.
pub const BY_ROWS: u32 = 1;
pub const APART: u32 = 2;
pub const COPIED: u32 = 4;

/// Modes of the lanes (chain_pkg).
pub const XMSS_N32: u32 = 0;
pub const XMSS_N24: u32 = 1;
pub const LMS_N32: u32 = 2;
pub const LMS_N24: u32 = 3;

/// Emits an instruction of the unit: funct3, funct7, rs1, rs2.
macro_rules! unit {
    ($which:literal, $variant:expr, $first:expr, $second:expr) => {
        asm!(".insn r 0x0b, {which}, {variant}, x0, {0}, {1}", in(reg) $first, in(reg) $second,
            which = const $which, variant = const $variant, options(nostack, preserves_flags))
    };
}

/// Waits until no more than `left` jobs are under way.
pub fn wait(left: u32) {
    // SAFETY: a value of `Refined` guarantees that the unit exists.
    unsafe {
        asm!(".insn r 0x0b, 7, 0, {0}, {1}, x0", out(reg) _, in(reg) left,
            options(nostack, preserves_flags));
    }
}

/// Modes of the lanes with SHAKE. Those of n = 24 have the same number in both.
pub const SHAKE_N32: u32 = 0;
pub const SHAKE256_N24: u32 = 1;
pub const SHAKE256_N32: u32 = 2;

/// A seed that no job needs.
pub static NONE: Head = Head([0; 32]);

/// Sets the mode, and the seed for KEY and mask: 32 bytes aligned to 4, which are a state of
/// SHA-256, or a value with SHAKE.
pub fn set<T>(mode: u32, seed: &T) {
    const { assert!(size_of::<T>() == 32 && align_of::<T>() >= 4) };
    // SAFETY: the unit reads eight words.
    unsafe { unit!(3, 0, mode, &raw const *seed) };
}

/// Sets the address of rows of 64 bytes. Returns false and does nothing if the unit cannot take
/// them.
pub fn set_rows(rows: &[u8]) -> bool {
    let good = rows.len() <= MOST_ROWS * 64 && are_words(&[rows.as_ptr()]);
    if good {
        // SAFETY: the unit only notes where the rows are.
        unsafe { unit!(3, 1, rows.as_ptr(), 0) };
    }
    good
}

/// Maximum number of rows that the unit can address.
const MOST_ROWS: usize = 1024;

/// Compresses a block into a state, by pointers that are multiples of 4. `FLAGS` are the flags of
/// the instruction. With `PAIR` the mode must be one of n = 32.
///
/// # Safety
/// `state`, `block` and `target` must point to 32, 64 (or with `PADDED` 32) and 32 bytes. Nobody
/// else may use that memory until the job is done.
pub unsafe fn hash<const FLAGS: u32>(state: *const u8, block: *const u8, target: *mut u8) {
    // SAFETY: the caller guarantees it.
    unsafe {
        unit!(3, 2, 0, target);
        unit!(5, FLAGS, state, block);
    }
}

/// Advances the value at `value` along the chain that [`way`] encodes. The result replaces the
/// value, or with `APART` goes to `target`. With `BY_ROWS` the chain uses the rows set before.
/// Otherwise `head` is hashed before the value, in the mode set before. With `COPIED` the value
/// goes to `target` unchanged. `FLAGS` are the flags of the instruction.
///
/// # Safety
/// The pointers in use must be multiples of 4. Nobody else may use their memory or the rows until
/// the job is done.
pub unsafe fn chain<const FLAGS: u32>(
    way: u32,
    value: *const u8,
    head: *const u8,
    target: *mut u8,
) {
    // SAFETY: the caller guarantees it.
    unsafe {
        unit!(3, 2, way, target);
        unit!(4, FLAGS, value, head);
    }
}

/// Packs the first step of a chain, its number of steps, and the row of its step 0 into one word.
/// They must be less than 256, 256 and 1,024.
pub const fn way(from: u32, steps: u32, row: u32) -> u32 {
    from | steps << 8 | row << 16
}

/// Hashes the pair at `pair` with its row, and writes the node to `target`.
///
/// # Safety
/// The pointers must be multiples of 4, to 64, 96 and 32 bytes. Nobody else may use that memory
/// until the job is done.
pub unsafe fn node(pair: *const u8, row: *const u8, target: *mut u8) {
    // SAFETY: the caller guarantees it.
    unsafe {
        unit!(3, 2, 0, target);
        unit!(6, 0, pair, row);
    }
}

/// Computes the row of the node whose address is at `head`.
///
/// # Safety
/// The pointers must be multiples of 4, to 32 and 96 bytes. Nobody else may use that memory until
/// the job is done.
pub unsafe fn node_row(head: *const u8, row: *mut u8) {
    // SAFETY: the caller guarantees it.
    unsafe {
        unit!(3, 2, 0, row);
        unit!(6, 1, head, 0);
    }
}

/// Returns true if all pointers are multiples of 4.
pub fn are_words(places: &[*const u8]) -> bool {
    places.iter().all(|place| place.addr().is_multiple_of(4))
}

/// A head, aligned for the unit.
#[repr(align(16))]
#[derive(Clone, Copy)]
pub struct Head(pub [u8; 32]);

/// A block, aligned for the unit.
#[repr(align(16))]
#[derive(Clone, Copy)]
pub struct Block(pub [u8; 64]);
