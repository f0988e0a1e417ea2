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

pub(crate) use unit;

/// Waits until no more than `left` jobs are under way.
pub fn wait(left: u32) {
    // SAFETY: a value of `Refined` says that the unit is there.
    unsafe {
        asm!(".insn r 0x0b, 7, 0, {0}, {1}, x0", out(reg) _, in(reg) left,
            options(nostack, preserves_flags));
    }
}

/// Sets the mode, and the seed that KEY and mask are computed with.
pub fn set(mode: u32, seed: &[u32; 8]) {
    // SAFETY: the unit reads eight words.
    unsafe { unit!(3, 0, mode, seed.as_ptr()) };
}

/// Compresses a block into a state, by pointers that are multiples of 4. `FLAGS` are those of the
/// instruction.
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
