//! Keccak-f\[1600\] (FIPS 202, section 3.2 (Step Mappings) and section 3.3 (KECCAK-p[b, nr])).

use super::template::ROW;
use super::{HashFunction, Keccak, Rounds, Which, Words};
use crate::Kernels;
use crate::kernel::Kernel;
use crate::word::Round;
use crate::word::vector::{Vector, columns, from_columns};

impl HashFunction for Keccak {
    type State = [u64; 25];
    type Block = ();

    const WHICH: Which = Which::Keccak;
    const ZERO: [u64; 25] = [0; 25];
    const PADDING: usize = 1;
    const DIGEST: Option<usize> = None;

    fn write(state: &[u64; 25], out: &mut [u8]) {
        for (bytes, word) in out.chunks_mut(8).zip(state) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }

    fn read(bytes: &[u8]) -> [u64; 25] {
        let mut state = Self::ZERO;
        for (word, bytes) in state.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        state
    }

    fn close(block: &mut [u8], _len: u64) {
        block[block.len() - 1] |= 0x80;
    }

    fn block_bytes((): &()) -> &[u8] {
        &[]
    }

    fn kernel<'k>(kernels: &Kernels<'k>) -> &'k dyn Kernel<Self> {
        kernels.keccak
    }

    fn absorb<K: Kernel<Self> + ?Sized>(
        kernel: &K,
        states: &mut [[u64; 25]],
        blocks: &[u8],
        block_len: usize,
    ) {
        assert_eq!(states.len() * block_len, blocks.len());
        for (state, block) in states.iter_mut().zip(blocks.chunks_exact(block_len)) {
            for (lane, bytes) in state.iter_mut().zip(block.as_chunks().0) {
                *lane ^= u64::from_le_bytes(*bytes);
            }
        }
        kernel.compress(states, no_blocks(states.len()));
    }
}

impl dyn Kernel<Keccak> + '_ {
    /// Permutes every state (FIPS 202, section 3.3 (KECCAK-p[b, nr])).
    pub fn permute(&self, states: &mut [[u64; 25]]) {
        self.compress(states, no_blocks(states.len()));
    }
}

/// Returns the blocks of a permutation: an empty one for each state.
fn no_blocks(states: usize) -> &'static [()] {
    // A slice of zero-sized elements can have any length.
    const NONE: &[()] = &[(); usize::MAX];
    &NONE[..states]
}

impl Rounds for Keccak {
    type Lane = u64;
    type Vector<B: Words> = B::U64;
    type Wide<V: Copy> = [V; 25];
    type Words<V: Copy> = [V];
    type WideBlock<V: Copy> = [V; 0];
    type Prepared<V: Vector<Lane = u64>> = [V; 25];
    const BIG_ENDIAN: bool = false;

    #[inline(always)]
    fn fill<V: Copy>(word: V) -> [V; 25] {
        [word; 25]
    }

    #[inline(always)]
    fn words<V: Copy>(block: &[V]) -> &[V] {
        block
    }

    #[inline(always)]
    fn absorb_words<V: Round<Lane = u64>>(state: &mut [V; 25], block: &[V]) {
        for (lane, word) in state.iter_mut().zip(block) {
            *lane = lane.xor(*word);
        }
        permute(state);
    }

    #[inline(always)]
    fn unprepared<V: Vector<Lane = u64>>() -> [V; 25] {
        [V::splat_zero(); 25]
    }

    /// Stores the state before the block.
    #[inline(always)]
    fn prepare<V, const HOLES: u32, const FRESH: bool>(
        to: &mut [V; 25],
        start: &[V; 25],
        _block: &[V],
    ) where
        V: Vector<Lane = u64> + Round,
    {
        *to = *start;
    }

    /// Computes one row of the last round. The other words of `state` stay as they are.
    #[inline(always)]
    fn fill_in<V, const HOLES: u32, const FRESH: bool>(
        state: &mut [V; 25],
        from: &[V; 25],
        block: &[V],
    ) where
        V: Vector<Lane = u64> + Round,
    {
        let mut a = if FRESH { *from } else { *state };
        for (lane, word) in a.iter_mut().zip(block) {
            *lane = lane.xor(*word);
        }
        state[..ROW].copy_from_slice(&permute_to_row(&mut a));
    }

    #[inline(always)]
    fn transpose_states<V: Vector<Lane = u64>>(states: &[[u64; 25]]) -> [V; 25] {
        columns(states)
    }

    #[inline(always)]
    fn restore_states<V: Vector<Lane = u64>>(wide: &[V; 25], states: &mut [[u64; 25]]) {
        from_columns(wide, states);
    }

    #[inline(always)]
    fn transpose_blocks<V: Vector<Lane = u64>>(_blocks: &[()]) -> [V; 0] {
        []
    }
}

/// Permutes the state of every lane.
#[inline(always)]
pub(crate) fn permute<W: Round<Lane = u64>>(a: &mut [W; 25]) {
    for [even, odd] in RC.as_chunks().0 {
        let e = round(a, *even);
        *a = round(&e, *odd);
    }
}

/// Permutes the state of every lane and returns the first row of the result.
#[inline(always)]
fn permute_to_row<W: Round<Lane = u64>>(a: &mut [W; 25]) -> [W; ROW] {
    let [whole @ .., before, last] = &RC;
    for [even, odd] in whole.as_chunks().0 {
        let e = round(a, *even);
        *a = round(&e, *odd);
    }
    let a = round(a, *before);
    let mut row = first_row(&a, &theta(&a));
    let before_chi = row;
    chi(&mut row, 0, before_chi);
    row[0] = row[0].xor(W::splat(*last));
    row
}

/// Computes one round: theta, rho, pi, chi, iota.
///
/// Rho and pi move lane (x, y), rotated, to (y, 2x + 3y). The result is computed row by row, so
/// that only five lanes and the five columns of theta have to be in registers.
#[inline(always)]
fn round<W: Round<Lane = u64>>(a: &[W; 25], rc: u64) -> [W; 25] {
    let d = theta(a);
    let mut e = *a;
    chi(&mut e, 0, first_row(a, &d));
    chi(
        &mut e,
        5,
        [
            a[3].xor_then_rotl::<28, 36>(d[3]),
            a[9].xor_then_rotl::<20, 44>(d[4]),
            a[10].xor_then_rotl::<3, 61>(d[0]),
            a[16].xor_then_rotl::<45, 19>(d[1]),
            a[22].xor_then_rotl::<61, 3>(d[2]),
        ],
    );
    chi(
        &mut e,
        10,
        [
            a[1].xor_then_rotl::<1, 63>(d[1]),
            a[7].xor_then_rotl::<6, 58>(d[2]),
            a[13].xor_then_rotl::<25, 39>(d[3]),
            a[19].xor_then_rotl::<8, 56>(d[4]),
            a[20].xor_then_rotl::<18, 46>(d[0]),
        ],
    );
    chi(
        &mut e,
        15,
        [
            a[4].xor_then_rotl::<27, 37>(d[4]),
            a[5].xor_then_rotl::<36, 28>(d[0]),
            a[11].xor_then_rotl::<10, 54>(d[1]),
            a[17].xor_then_rotl::<15, 49>(d[2]),
            a[23].xor_then_rotl::<56, 8>(d[3]),
        ],
    );
    chi(
        &mut e,
        20,
        [
            a[2].xor_then_rotl::<62, 2>(d[2]),
            a[8].xor_then_rotl::<55, 9>(d[3]),
            a[14].xor_then_rotl::<39, 25>(d[4]),
            a[15].xor_then_rotl::<41, 23>(d[0]),
            a[21].xor_then_rotl::<2, 62>(d[1]),
        ],
    );
    e[0] = e[0].xor(W::splat(rc));
    e
}

/// Returns the first row after theta, rho and pi.
#[inline(always)]
fn first_row<W: Round>(a: &[W; 25], d: &[W; 5]) -> [W; 5] {
    [
        a[0].xor(d[0]),
        a[6].xor_then_rotl::<44, 20>(d[1]),
        a[12].xor_then_rotl::<43, 21>(d[2]),
        a[18].xor_then_rotl::<21, 43>(d[3]),
        a[24].xor_then_rotl::<14, 50>(d[4]),
    ]
}

/// Computes the row at `at` from the lanes that rho and pi moved there (FIPS 202, section 3.2.4
/// (Specification of χ)).
#[inline(always)]
fn chi<W: Round>(e: &mut [W], at: usize, [b0, b1, b2, b3, b4]: [W; 5]) {
    e[at] = b0.chi(b1, b2);
    e[at + 1] = b1.chi(b2, b3);
    e[at + 2] = b2.chi(b3, b4);
    e[at + 3] = b3.chi(b4, b0);
    e[at + 4] = b4.chi(b0, b1);
}

/// Returns the words that theta adds to each column
/// (FIPS 202, section 3.2.1 (Specification of θ)).
#[inline(always)]
fn theta<W: Round>(a: &[W; 25]) -> [W; 5] {
    let c = [column(a, 0), column(a, 1), column(a, 2), column(a, 3), column(a, 4)];
    [
        c[4].xor_rotl::<1, 63>(c[1]),
        c[0].xor_rotl::<1, 63>(c[2]),
        c[1].xor_rotl::<1, 63>(c[3]),
        c[2].xor_rotl::<1, 63>(c[4]),
        c[3].xor_rotl::<1, 63>(c[0]),
    ]
}

/// Returns the parity of column x.
#[inline(always)]
fn column<W: Round>(a: &[W; 25], x: usize) -> W {
    W::xor3(W::xor3(a[x], a[x + 5], a[x + 10]), a[x + 15], a[x + 20])
}

/// The round constants (FIPS 202, section 3.2.5 (Specification of ι)).
const RC: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];
