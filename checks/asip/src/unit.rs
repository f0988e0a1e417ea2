//! The instructions of the unit's refined stage; the ROM of `rtl/soc` has them too.

use core::arch::asm;

/// The bits of funct7 that `hash` takes.
pub const PAIR: u32 = 1;
pub const PADDED: u32 = 2;
pub const FROM_BYTES: u32 = 4;
pub const TO_STATE: u32 = 8;

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

/// Advances the value at `value` in its place by `steps` steps from step `from` on, without rows.
///
/// # Safety
/// Both numbers are less than 256. The pointers are multiples of 4, to a value and to what comes
/// before it in the mode that was set. Until the job is done nobody else uses them.
#[allow(dead_code, reason = "the ROM of rtl/soc orders such chains")]
pub unsafe fn chain(from: u32, steps: u32, value: *mut u8, head: *const u8) {
    // SAFETY: the caller says so.
    unsafe {
        unit!(3, 2, from | steps << 8, 0);
        unit!(4, 0, value, head);
    }
}

/// Copies the value at `value` to `target`, as long as values are in the mode that was set.
///
/// # Safety
/// The pointers are multiples of 4, to values. Until the job is done nobody else uses them.
#[allow(dead_code, reason = "the ROM of rtl/soc copies no values")]
pub unsafe fn copy(value: *const u8, target: *mut u8) {
    // SAFETY: the caller says so.
    unsafe {
        unit!(3, 2, 0, target);
        unit!(4, 4, value, 0);
    }
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
#[repr(align(8))]
#[derive(Clone, Copy)]
pub struct Head(pub [u8; 32]);

/// A block where the unit can read it.
#[repr(align(8))]
#[derive(Clone, Copy)]
pub struct Block(pub [u8; 64]);
