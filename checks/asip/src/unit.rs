//! The instructions of the unit's refined stage; the ROM of `rtl/soc` has them too.

use core::arch::asm;

/// The bits of funct7 that `hash` takes.
pub const PAIR: u32 = 1;
pub const PADDED: u32 = 2;
pub const FROM_BYTES: u32 = 4;
pub const TO_STATE: u32 = 8;

/// The bits of funct7 that `chain` takes.
pub const BY_ROWS: u32 = 1;
pub const APART: u32 = 2;
pub const COPIED: u32 = 4;

/// The modes of the lanes (chain_pkg).
pub const XMSS_N32: u32 = 0;
pub const XMSS_N24: u32 = 1;
pub const LMS_N32: u32 = 2;
pub const LMS_N24: u32 = 3;

/// An instruction of the unit: funct3, funct7, rs1, rs2.
macro_rules! unit {
    ($which:literal, $variant:expr, $first:expr, $second:expr) => {
        asm!(".insn r 0x0b, {which}, {variant}, x0, {0}, {1}", in(reg) $first, in(reg) $second,
            which = const $which, variant = const $variant, options(nostack, preserves_flags))
    };
}

/// Waits until no more than `left` jobs are under way.
pub fn wait(left: u32) {
    // SAFETY: a value of `Refined` says that the unit is there.
    unsafe {
        asm!(".insn r 0x0b, 7, 0, {0}, {1}, x0", out(reg) _, in(reg) left,
            options(nostack, preserves_flags));
    }
}

/// The modes of the lanes with SHAKE; those of n = 24 have the same number in both.
pub const SHAKE_N32: u32 = 0;
pub const SHAKE256_N24: u32 = 1;
pub const SHAKE256_N32: u32 = 2;

/// A seed that no job needs.
pub static NONE: Head = Head([0; 32]);

/// Sets the mode, and the seed that KEY and mask are computed with: 32 bytes from a multiple of 4
/// on, a state of SHA-256, or with SHAKE a value.
pub fn set<T>(mode: u32, seed: &T) {
    const { assert!(size_of::<T>() == 32 && align_of::<T>() >= 4) };
    // SAFETY: the unit reads eight words.
    unsafe { unit!(3, 0, mode, &raw const *seed) };
}

/// Sets where rows of 64 bytes are. Returns false, with nothing done, if the unit cannot take them.
pub fn set_rows(rows: &[u8]) -> bool {
    let good = rows.len() <= MOST_ROWS * 64 && are_words(&[rows.as_ptr()]);
    if good {
        // SAFETY: the unit only notes where the rows are.
        unsafe { unit!(3, 1, rows.as_ptr(), 0) };
    }
    good
}

/// The most rows that the unit counts.
const MOST_ROWS: usize = 1024;

/// Compresses a block into a state, by pointers that are multiples of 4. `FLAGS` are those of the
/// instruction; with `PAIR` the mode is one of n = 32.
///
/// # Safety
/// Until the job is done nobody else uses what `state`, `block` and `target` point to, which are
/// 32, 64 (or with `PADDED` 32) and 32 bytes.
pub unsafe fn hash<const FLAGS: u32>(state: *const u8, block: *const u8, target: *mut u8) {
    // SAFETY: the caller says so.
    unsafe {
        unit!(3, 2, 0, target);
        unit!(5, FLAGS, state, block);
    }
}

/// Advances the value at `value` as [`way`] says, in its place, or with `APART` to `target`. With
/// `BY_ROWS` its rows are those that were set, else `head` is what comes before it in the mode that
/// was set. With `COPIED` it goes to `target` as it is. `FLAGS` are those of the instruction.
///
/// # Safety
/// The pointers are multiples of 4, those that are not used anything. Until the job is done nobody
/// else uses what they point to, nor rows.
pub unsafe fn chain<const FLAGS: u32>(
    way: u32,
    value: *const u8,
    head: *const u8,
    target: *mut u8,
) {
    // SAFETY: the caller says so.
    unsafe {
        unit!(3, 2, way, target);
        unit!(4, FLAGS, value, head);
    }
}

/// Returns the first step of a chain, its steps and the row of its step 0 as one word: less than
/// 256, 256 and 1,024.
pub const fn way(from: u32, steps: u32, row: u32) -> u32 {
    from | steps << 8 | row << 16
}

/// Hashes the pair at `pair` with its row to `target`.
///
/// # Safety
/// The pointers are multiples of 4, to 64, 96 and 32 bytes. Until the job is done nobody else uses
/// them.
pub unsafe fn node(pair: *const u8, row: *const u8, target: *mut u8) {
    // SAFETY: the caller says so.
    unsafe {
        unit!(3, 2, 0, target);
        unit!(6, 0, pair, row);
    }
}

/// Makes the row of the node with the address at `head`.
///
/// # Safety
/// The pointers are multiples of 4, to 32 and 96 bytes. Until the job is done nobody else uses
/// them.
pub unsafe fn node_row(head: *const u8, row: *mut u8) {
    // SAFETY: the caller says so.
    unsafe {
        unit!(3, 2, 0, row);
        unit!(6, 1, head, 0);
    }
}

/// Returns true if all of these are multiples of 4.
pub fn are_words(places: &[*const u8]) -> bool {
    places.iter().all(|place| place.addr().is_multiple_of(4))
}

/// A head where the unit can read it.
#[repr(align(16))]
#[derive(Clone, Copy)]
pub struct Head(pub [u8; 32]);

/// A block where the unit can read it.
#[repr(align(16))]
#[derive(Clone, Copy)]
pub struct Block(pub [u8; 64]);
