//! The functions, constants and initial values of SHA-256 (FIPS 180-4, section 4.1 (Functions),
//! section 4.2 (Constants) and section 5.3.3 (SHA-256)).

use super::sha2::{self, Variant};
use super::{HashFunction, Rounds, Which, Words};
use crate::Kernels;
use crate::kernel::Kernel;
use crate::lanes::vector::{Vector, columns, from_columns};
use crate::lanes::word::Round;

/// SHA-256 (FIPS 180-4, section 6.2 (SHA-256)).
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

impl Sha256 {
    /// The state before the first block.
    pub const INITIAL: [u32; 8] = INITIAL;

    /// The constants of the rounds.
    pub const ROUND_CONSTANTS: [u32; 64] = K;
}

impl HashFunction for Sha256 {
    type State = [u32; 8];
    type Block = [u8; 64];

    const WHICH: Which = Which::Sha256;
    const ZERO: [u32; 8] = [0; 8];
    const PADDING: usize = 9;
    const DIGEST: Option<usize> = Some(size_of::<[u32; 8]>());

    fn write(state: &[u32; 8], out: &mut [u8]) {
        for (bytes, word) in out.chunks_mut(size_of::<u32>()).zip(state) {
            bytes.copy_from_slice(&word.to_be_bytes()[..bytes.len()]);
        }
    }

    fn read(bytes: &[u8]) -> [u32; 8] {
        let mut state = Self::ZERO;
        for (word, bytes) in state.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        state
    }

    fn close(block: &mut [u8], len: u64) {
        sha2::close(block, len);
    }

    fn block_bytes(block: &[u8; 64]) -> &[u8] {
        block
    }

    fn kernel<'k>(kernels: &Kernels<'k>) -> &'k dyn Kernel<Self> {
        kernels.sha256
    }

    fn absorb<K: Kernel<Self> + ?Sized>(
        kernel: &K,
        states: &mut [[u32; 8]],
        blocks: &[u8],
        block_len: usize,
    ) {
        assert!(block_len == 64 && blocks.len() == 64 * states.len());
        kernel.compress(states, blocks.as_chunks().0);
    }
}

impl Rounds for Sha256 {
    type Lane = u32;
    type Vector<B: Words> = B::U32;
    type Wide<V: Copy> = [V; 8];
    type Words<V: Copy> = [V; 16];
    type WideBlock<V: Copy> = [V; 16];
    type Prepared<V: Vector<Lane = u32>> = sha2::Prepared<V>;
    const BIG_ENDIAN: bool = true;

    #[inline(always)]
    fn fill<V: Copy>(word: V) -> [V; 8] {
        [word; 8]
    }

    #[inline(always)]
    fn words<V: Copy>(block: &[V]) -> &[V; 16] {
        &block.as_chunks().0[0]
    }

    #[inline(always)]
    fn absorb_words<V: Round<Lane = u32>>(state: &mut [V; 8], block: &[V; 16]) {
        sha2::compress::<Self, V>(state, *block);
    }

    #[inline(always)]
    fn unprepared<V: Vector<Lane = u32>>() -> sha2::Prepared<V> {
        sha2::Prepared::blank()
    }

    #[inline(always)]
    fn prepare<V, const HOLES: u32, const FRESH: bool>(
        to: &mut sha2::Prepared<V>,
        start: &[V; 8],
        block: &[V; 16],
    ) where
        V: Vector<Lane = u32> + Round,
    {
        sha2::prepare::<Self, V, HOLES, FRESH>(to, start, block);
    }

    #[inline(always)]
    fn fill_in<V, const HOLES: u32, const FRESH: bool>(
        state: &mut [V; 8],
        from: &sha2::Prepared<V>,
        block: &[V; 16],
    ) where
        V: Vector<Lane = u32> + Round,
    {
        sha2::fill_in::<Self, V, HOLES, FRESH>(state, from, block);
    }

    #[inline(always)]
    fn transpose_states<V: Vector<Lane = u32>>(states: &[[u32; 8]]) -> [V; 8] {
        columns(states)
    }

    #[inline(always)]
    fn restore_states<V: Vector<Lane = u32>>(wide: &[V; 8], states: &mut [[u32; 8]]) {
        from_columns(wide, states);
    }

    #[inline(always)]
    fn transpose_blocks<V: Vector<Lane = u32>>(blocks: &[[u8; 64]]) -> [V; 16] {
        sha2::transpose_blocks(blocks)
    }
}

impl<W: Round<Lane = u32>> Variant<W> for Sha256 {
    const ROUNDS: usize = 64;
    const K: &'static [u32] = &K;

    #[inline(always)]
    fn sum0(x: W) -> W {
        W::xor3(x.rotl::<30, 2>(), x.rotl::<19, 13>(), x.rotl::<10, 22>())
    }

    #[inline(always)]
    fn sum1(x: W) -> W {
        W::xor3(x.rotl::<26, 6>(), x.rotl::<21, 11>(), x.rotl::<7, 25>())
    }

    #[inline(always)]
    fn mix0(x: W) -> W {
        W::xor3(x.rotl::<25, 7>(), x.rotl::<14, 18>(), x.shr::<3>())
    }

    #[inline(always)]
    fn mix1(x: W) -> W {
        W::xor3(x.rotl::<15, 17>(), x.rotl::<13, 19>(), x.shr::<10>())
    }
}

/// FIPS 180-4, section 5.3.3 (SHA-256).
pub(crate) const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// FIPS 180-4, section 4.2.2 (SHA-224 and SHA-256 Constants).
pub(crate) const K: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];
