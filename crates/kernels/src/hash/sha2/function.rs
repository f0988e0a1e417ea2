//! SHA-256 and SHA-512 as hash functions, which differ only in their sizes.

use crate::Kernels;
use crate::hash::{HashFunction, Rounds, Sha256, Sha512, Which, Words, sha2};
use crate::kernel::Kernel;
use crate::word::Round;
use crate::word::vector::{Vector, columns, from_columns};

/// Implements a hash function of SHA-2, given its word, its block size and least padding in bytes.
macro_rules! hash_function {
    ($hash:ident, $kernel:ident: word $word:ident, vector $vector:ident,
     block $block:literal, padding $padding:literal) => {
        impl HashFunction for $hash {
            type State = [$word; 8];
            type Block = [u8; $block];

            const WHICH: Which = Which::$hash;
            const ZERO: [$word; 8] = [0; 8];
            const PADDING: usize = $padding;
            const DIGEST: Option<usize> = Some(size_of::<[$word; 8]>());

            fn write(state: &[$word; 8], out: &mut [u8]) {
                let (whole, rest) = out.as_chunks_mut();
                for (bytes, word) in whole.iter_mut().zip(state) {
                    *bytes = word.to_be_bytes();
                }
                if let Some(word) = state.get(whole.len()) {
                    rest.copy_from_slice(&word.to_be_bytes()[..rest.len()]);
                }
            }

            fn read(bytes: &[u8]) -> [$word; 8] {
                let mut state = Self::ZERO;
                for (word, bytes) in state.iter_mut().zip(bytes.as_chunks().0) {
                    *word = $word::from_be_bytes(*bytes);
                }
                state
            }

            fn close(block: &mut [u8], len: u64) {
                sha2::close(block, len);
            }

            fn block_bytes(block: &[u8; $block]) -> &[u8] {
                block
            }

            fn kernel<'k>(kernels: &Kernels<'k>) -> &'k dyn Kernel<Self> {
                kernels.$kernel
            }

            fn absorb<K: Kernel<Self> + ?Sized>(
                kernel: &K,
                states: &mut [[$word; 8]],
                blocks: &[u8],
                block_len: usize,
            ) {
                assert!(block_len == $block && blocks.len() == $block * states.len());
                kernel.compress(states, blocks.as_chunks().0);
            }
        }

        impl Rounds for $hash {
            type Lane = $word;
            type Vector<B: Words> = B::$vector;
            type Wide<V: Copy> = [V; 8];
            type Words<V: Copy> = [V; 16];
            type WideBlock<V: Copy> = [V; 16];
            type Prepared<V: Vector<Lane = $word>> = sha2::Prepared<V>;
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
            fn absorb_words<V: Round<Lane = $word>>(state: &mut [V; 8], block: &[V; 16]) {
                sha2::compress::<Self, V>(state, *block);
            }

            #[inline(always)]
            fn unprepared<V: Vector<Lane = $word>>() -> sha2::Prepared<V> {
                sha2::Prepared::blank()
            }

            #[inline(always)]
            fn prepare<V, const HOLES: u32, const FRESH: bool>(
                to: &mut sha2::Prepared<V>,
                start: &[V; 8],
                block: &[V; 16],
            ) where
                V: Vector<Lane = $word> + Round,
            {
                sha2::prepare::<Self, V, HOLES, FRESH>(to, start, block);
            }

            #[inline(always)]
            fn fill_in<V, const HOLES: u32, const FRESH: bool>(
                state: &mut [V; 8],
                from: &sha2::Prepared<V>,
                block: &[V; 16],
            ) where
                V: Vector<Lane = $word> + Round,
            {
                sha2::fill_in::<Self, V, HOLES, FRESH>(state, from, block);
            }

            #[inline(always)]
            fn transpose_states<V: Vector<Lane = $word>>(states: &[[$word; 8]]) -> [V; 8] {
                columns(states)
            }

            #[inline(always)]
            fn restore_states<V: Vector<Lane = $word>>(wide: &[V; 8], states: &mut [[$word; 8]]) {
                from_columns(wide, states);
            }

            #[inline(always)]
            fn transpose_blocks<V: Vector<Lane = $word>>(blocks: &[[u8; $block]]) -> [V; 16] {
                sha2::transpose_blocks(blocks)
            }
        }
    };
}

hash_function!(Sha256, sha256: word u32, vector U32, block 64, padding 9);
hash_function!(Sha512, sha512: word u64, vector U64, block 128, padding 17);
