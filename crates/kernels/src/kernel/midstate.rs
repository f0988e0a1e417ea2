//! A hash function with a prefix already absorbed: start, midstate and streaming hasher in one.

use super::Kernel;
use super::function::HashFunction;
use super::message::{self, wipe};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Maximum size of a block in bytes: the rate of SHAKE128.
pub(crate) const MAX_BLOCK: usize = 168;

/// A hash function that has absorbed a prefix.
///
/// Whole blocks are absorbed into the state; the rest is pending. A value can be the start of a
/// hash, the midstate that many hashes share ([`many`](crate::many)), or a streaming hasher
/// ([`update`](Self::update), [`finish`](Self::finish)) of constant size. It is zeroised on drop.
///
/// ```
/// use hasten_kernels::{Kernels, Midstate};
/// let sha256 = Kernels::best().sha256;
/// let mut digest = [0; 32];
/// Midstate::sha256().with(sha256, b"a").finish(sha256, b"bc", &mut digest);
/// assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
#[derive(Clone)]
pub struct Midstate<H: HashFunction> {
    pub(crate) state: H::State,
    pub(crate) absorbed: u64,
    pending: [u8; MAX_BLOCK],
    filled: usize,
    pub(crate) block_len: usize,
    pub(crate) mark: u8,
}

impl<H: HashFunction> Midstate<H> {
    /// Returns the start with this state, block length and first byte of padding.
    pub(crate) const fn start(state: H::State, block_len: usize, mark: u8) -> Self {
        Self { state, absorbed: 0, pending: [0; MAX_BLOCK], filled: 0, block_len, mark }
    }

    /// Absorbs `bytes`.
    pub fn update<K: Kernel<H> + ?Sized>(&mut self, kernel: &K, mut bytes: &[u8]) {
        while self.filled + bytes.len() >= self.block_len {
            let (now, later) = bytes.split_at(self.block_len - self.filled);
            self.pending[self.filled..self.block_len].copy_from_slice(now);
            let block = &self.pending[..self.block_len];
            H::absorb(kernel, core::slice::from_mut(&mut self.state), block, self.block_len);
            wipe(&mut self.pending[..self.block_len], 0);
            self.absorbed += self.block_len as u64;
            (self.filled, bytes) = (0, later);
        }
        self.pending[self.filled..self.filled + bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }

    /// Absorbs `bytes` and returns the midstate. This moves the state, and a moved state leaves a
    /// copy behind. Use [`update`](Self::update) to absorb secrets, once the state is in its final
    /// place.
    #[must_use]
    pub fn with<K: Kernel<H> + ?Sized>(mut self, kernel: &K, bytes: &[u8]) -> Self {
        self.update(kernel, bytes);
        self
    }

    /// Writes the digest of all absorbed bytes followed by `tail`. `self` is unchanged.
    ///
    /// # Panics
    /// If `out` is longer than a digest (32 or 64 bytes; SHA-3 and SHAKE: one rate).
    pub fn finish<K: Kernel<H> + ?Sized>(&self, kernel: &K, tail: &[u8], out: &mut [u8]) {
        let n = out.len();
        message::many(kernel, self, tail, out, n);
    }

    /// Returns the bytes that were absorbed but are not yet part of the state.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        &self.pending[..self.filled]
    }

    /// Returns the number of bytes absorbed, pending ones included.
    #[must_use]
    pub const fn absorbed(&self) -> u64 {
        self.absorbed + self.filled as u64
    }

    /// Returns the state after the whole blocks.
    #[must_use]
    pub const fn state(&self) -> &H::State {
        &self.state
    }

    /// Returns the size of a block in bytes; for a sponge, the rate.
    #[must_use]
    pub const fn block_len(&self) -> usize {
        self.block_len
    }

    /// Returns the first byte of the padding: 0x80, or for a sponge the bits of its domain and the
    /// first bit of pad10*1.
    #[must_use]
    pub const fn mark(&self) -> u8 {
        self.mark
    }

    /// Returns the compressions (permutations) that hashing `len` further bytes takes.
    #[must_use]
    pub const fn cost(&self, len: usize) -> u64 {
        (self.filled + len + H::PADDING).div_ceil(self.block_len) as u64
    }

    /// Returns true if a key of `n` bytes completes a block and the state fits into n bytes. A
    /// prepared key is then a midstate (see [`prepare_keys`](crate::prepare_keys)).
    #[must_use]
    pub const fn keeps_state(&self, n: usize) -> bool {
        matches!(H::DIGEST, Some(digest) if digest == n)
            && (self.filled + n).is_multiple_of(self.block_len)
    }

    /// Returns the size of the longest digest in bytes.
    pub(crate) fn digest_len(&self) -> usize {
        H::DIGEST.unwrap_or(self.block_len)
    }
}

impl<H: HashFunction> Zeroize for Midstate<H> {
    fn zeroize(&mut self) {
        wipe(core::slice::from_mut(&mut self.state), H::ZERO);
        wipe(&mut self.pending, 0);
    }
}

impl<H: HashFunction> Drop for Midstate<H> {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<H: HashFunction> ZeroizeOnDrop for Midstate<H> {}
