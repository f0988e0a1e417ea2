//! The three hash functions as types: their states, blocks and padding.

use super::{Kernel, Kernels};

/// The name of a hash function as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// Keccak-f\[1600\].
    Keccak,
}

/// One of [`Sha256`], [`Sha512`] and [`Keccak`], as a type. Sealed: there are three.
///
/// A type of this trait has no values. It says over which state and block a
/// [`Kernel`] works, and how a message is padded.
pub trait HashFunction: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The state of one hash.
    type State: Copy + Send + Sync;
    /// The block that one compression absorbs into one state: `()` for a permutation.
    type Block: Copy + Send + Sync;

    /// The name of the function.
    const WHICH: Which;
    /// A state whose words are all zero.
    const ZERO: Self::State;
    /// Bytes that padding takes at least.
    const PADDING: usize;
    /// Bytes of the digest, where that is the whole state and so can hold a midstate.
    const DIGEST: Option<usize>;

    /// Writes the first `out.len()` bytes of a state.
    fn write(state: &Self::State, out: &mut [u8]);

    /// Returns the state whose first bytes are `bytes`; the others are zero.
    fn read(bytes: &[u8]) -> Self::State;

    /// Completes the last block of a message of `len` bytes.
    fn close(block: &mut [u8], len: u64);

    /// Returns the bytes of a block: none for a permutation.
    fn block_bytes(block: &Self::Block) -> &[u8];

    /// Returns the kernel of a bundle that computes this function.
    fn kernel<'k>(kernels: &Kernels<'k>) -> &'k dyn Kernel<Self>;

    /// Absorbs one block into each state. `blocks` is flat, `block_len` bytes for each state.
    ///
    /// # Panics
    /// If `blocks` is not `states.len()` times `block_len` bytes, or `block_len` is not the
    /// function's own (for Keccak: not a multiple of 8 under 200).
    fn absorb<K: Kernel<Self> + ?Sized>(
        kernel: &K,
        states: &mut [Self::State],
        blocks: &[u8],
        block_len: usize,
    );
}

/// SHA-256 (FIPS 180-4, section 6.2 (SHA-256)).
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

/// SHA-512 (FIPS 180-4, section 6.4 (SHA-512)).
#[derive(Clone, Copy, Debug)]
pub enum Sha512 {}

/// Keccak-f\[1600\] (FIPS 202, section 3.3 (KECCAK-p[b, nr])), the permutation of SHA-3 and SHAKE.
#[derive(Clone, Copy, Debug)]
pub enum Keccak {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Sha256 {}
    impl Sealed for super::Sha512 {}
    impl Sealed for super::Keccak {}
}
