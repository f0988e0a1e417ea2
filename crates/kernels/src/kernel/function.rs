//! The three hash functions as types: their states, blocks and padding.

use super::{Kernel, Kernels};

/// A hash function, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// SHA-256.
    Sha256,
    /// SHA-512.
    Sha512,
    /// Keccak-f\[1600\].
    Keccak,
}

/// A hash function, as a type: one of [`Sha256`], [`Sha512`] and [`Keccak`]. The trait is sealed.
///
/// These types have no values. They define the state and block that a [`Kernel`] works on, and the
/// padding of a message.
pub trait HashFunction: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The state of one hash.
    type State: Copy + Send + Sync;
    /// The block that one compression absorbs into one state: `()` for a permutation.
    type Block: Copy + Send + Sync;

    /// The name of the function.
    const WHICH: Which;
    /// A state whose words are all zero.
    const ZERO: Self::State;
    /// Minimum size of the padding in bytes.
    const PADDING: usize;
    /// Size of the digest in bytes, if the digest is the whole state and can therefore store a
    /// midstate.
    const DIGEST: Option<usize>;

    /// Writes the first `out.len()` bytes of a state.
    fn write(state: &Self::State, out: &mut [u8]);

    /// Returns the state whose first bytes are `bytes`; the others are zero.
    fn read(bytes: &[u8]) -> Self::State;

    /// Writes the end of the padding into the last block of a message of `len` bytes.
    fn close(block: &mut [u8], len: u64);

    /// Returns the bytes of a block: none for a permutation.
    fn block_bytes(block: &Self::Block) -> &[u8];

    /// Returns the kernel of a bundle that computes this function.
    fn kernel<'k>(kernels: &Kernels<'k>) -> &'k dyn Kernel<Self>;

    /// Absorbs one block into each state. `blocks` is flat, `block_len` bytes for each state. For
    /// Keccak, `block_len` is the rate, a multiple of 8 below 200.
    ///
    /// # Panics
    /// If `blocks` is not `states.len()` times `block_len` bytes. For SHA-256 and SHA-512, also if
    /// `block_len` is not the size of their blocks.
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
