//! Keccak's state in the refined stage with SHAKE: put a state, permute it, get it back.

use crate::words::{AS_WORDS, GIVEN, go, put_pair};
use core::arch::asm;

/// Puts each lane of a state.
macro_rules! put_lanes {
    ($state:expr, $($lane:literal)*) => {
        $(put_pair::<$lane, AS_WORDS>($state[$lane] as u32, ($state[$lane] >> 32) as u32);)*
    };
}

#[inline(always)]
fn put(state: &[u64; 25]) {
    put_lanes!(state, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
}

/// Permutes a state (FIPS 202, section 3.3 (KECCAK-p[b, nr])). Leaves zeros in the unit, because a
/// state reveals the absorbed data.
pub fn permute(state: &mut [u64; 25]) {
    put(state);
    go::<GIVEN>();
    let (rows, _) = state.as_chunks_mut();
    let [a, b, c, d, e] = rows else { unreachable!("25 lanes are five rows") };
    (*a, *b, *c) = (get_lanes::<0>(), get_lanes::<10>(), get_lanes::<20>());
    (*d, *e) = (get_lanes::<30>(), get_lanes::<40>());
    put(&[0; 25]);
}

/// Returns five lanes from word `FROM` on, once a permutation is done.
///
/// The instructions follow a `nop` and each other, like those of [`get`](crate::words::get).
#[inline(always)]
fn get_lanes<const FROM: u32>() -> [u64; 5] {
    let mut words = [0_u32; 10];
    // SAFETY: the caller of `permute` has a unit with SHAKE. The unit does not access memory.
    unsafe {
        asm!("nop",
            ".insn r 0x0b, 2, {from}, {0}, x0, x0", ".insn r 0x0b, 2, {from} + 1, {1}, x0, x0",
            ".insn r 0x0b, 2, {from} + 2, {2}, x0, x0", ".insn r 0x0b, 2, {from} + 3, {3}, x0, x0",
            ".insn r 0x0b, 2, {from} + 4, {4}, x0, x0", ".insn r 0x0b, 2, {from} + 5, {5}, x0, x0",
            ".insn r 0x0b, 2, {from} + 6, {6}, x0, x0", ".insn r 0x0b, 2, {from} + 7, {7}, x0, x0",
            ".insn r 0x0b, 2, {from} + 8, {8}, x0, x0", ".insn r 0x0b, 2, {from} + 9, {9}, x0, x0",
            out(reg) words[0], out(reg) words[1], out(reg) words[2], out(reg) words[3],
            out(reg) words[4], out(reg) words[5], out(reg) words[6], out(reg) words[7],
            out(reg) words[8], out(reg) words[9],
            from = const FROM, options(nomem, nostack, preserves_flags));
    }
    let (lanes, _) = words.as_chunks::<2>();
    core::array::from_fn(|i| u64::from(lanes[i][1]) << 32 | u64::from(lanes[i][0]))
}
