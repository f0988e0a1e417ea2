//! A hash function with a prefix already absorbed: start, midstate and streaming hasher in one.

mod truncated;

use crate::kernel::{Kernel, State256, State512, State1600};
use crate::message::{self, wipe};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The longest block: the rate of SHAKE128.
pub(crate) const MAX_BLOCK: usize = 168;

/// A state, with what its padding rule needs. Sealed: there are three.
pub trait State: Send + Sync + Copy + sealed::Sealed {
    /// All words zero.
    const ZERO: Self;
    /// Bytes that padding takes at least.
    const PADDING: usize;
    /// Bytes of the digest, where that is the whole state and so can hold a midstate.
    const DIGEST: Option<usize>;

    /// Writes the first `out.len()` bytes of the state.
    fn write(&self, out: &mut [u8]);
    /// The state whose first bytes are `bytes`; the others are zero.
    fn read(bytes: &[u8]) -> Self;
    /// Completes the last block of a message of `len` bytes.
    fn close(block: &mut [u8], len: u64);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::State256 {}
    impl Sealed for super::State512 {}
    impl Sealed for super::State1600 {}
}

macro_rules! words {
    ($word:ty, $to:ident, $from:ident) => {
        fn write(&self, out: &mut [u8]) {
            const BYTES: usize = size_of::<$word>();
            for (bytes, word) in out.chunks_mut(BYTES).zip(self) {
                bytes.copy_from_slice(&word.$to()[..bytes.len()]);
            }
        }

        fn read(bytes: &[u8]) -> Self {
            let mut state = Self::ZERO;
            for (word, bytes) in state.iter_mut().zip(bytes.as_chunks().0) {
                *word = <$word>::$from(*bytes);
            }
            state
        }
    };
}

macro_rules! big_endian {
    ($state:ty, $word:ty, $padding:literal) => {
        impl State for $state {
            const ZERO: Self = [0; 8];
            const PADDING: usize = $padding;
            const DIGEST: Option<usize> = Some(size_of::<Self>());
            words!($word, to_be_bytes, from_be_bytes);

            fn close(block: &mut [u8], len: u64) {
                let at = block.len() - 8;
                block[at..].copy_from_slice(&(len * 8).to_be_bytes());
            }
        }
    };
}

big_endian!(State256, u32, 9);
big_endian!(State512, u64, 17);

impl State for State1600 {
    const ZERO: Self = [0; 25];
    const PADDING: usize = 1;
    const DIGEST: Option<usize> = None;
    words!(u64, to_le_bytes, from_le_bytes);

    fn close(block: &mut [u8], _len: u64) {
        block[block.len() - 1] |= 0x80;
    }
}

/// A hash function that has absorbed a prefix.
///
/// Whole blocks are in the state, the rest is pending. It is the start of a hash, the midstate
/// that many hashes share ([`many`](crate::message::many)), and a streaming hasher
/// ([`update`](Self::update), [`finish`](Self::finish)) of constant size. Zeroised on drop.
///
/// ```
/// use hasten_kernels::{Kernels, Midstate, ViaSha256};
/// let sha256 = ViaSha256(Kernels::best().sha256);
/// let mut digest = [0; 32];
/// Midstate::sha256().with(sha256, b"a").finish(sha256, b"bc", &mut digest);
/// assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
#[derive(Clone)]
pub struct Midstate<S: State> {
    pub(crate) state: S,
    pub(crate) absorbed: u64,
    pending: [u8; MAX_BLOCK],
    filled: usize,
    pub(crate) block_len: usize,
    pub(crate) mark: u8,
}

impl Midstate<State256> {
    /// SHA-256 (FIPS 180-4, section 6.2 (SHA-256)).
    #[must_use]
    pub const fn sha256() -> Self {
        Self::start(crate::hash::sha256::INITIAL, 64, 0x80)
    }
}

impl Midstate<State512> {
    /// SHA-512 (FIPS 180-4, section 6.4 (SHA-512)).
    #[must_use]
    pub const fn sha512() -> Self {
        Self::start(crate::hash::sha512::INITIAL, 128, 0x80)
    }
}

impl Midstate<State1600> {
    /// SHA3-256 (FIPS 202, section 6.1 (SHA-3 Hash Functions)).
    #[must_use]
    pub const fn sha3_256() -> Self {
        Self::sponge(136, 0x06)
    }

    /// SHA3-512 (FIPS 202, section 6.1 (SHA-3 Hash Functions)).
    #[must_use]
    pub const fn sha3_512() -> Self {
        Self::sponge(72, 0x06)
    }

    /// SHAKE128 (FIPS 202, section 6.2 (SHA-3 Extendable-Output Functions)).
    #[must_use]
    pub const fn shake128() -> Self {
        Self::sponge(168, 0x1f)
    }

    /// SHAKE256 (FIPS 202, section 6.2 (SHA-3 Extendable-Output Functions)).
    #[must_use]
    pub const fn shake256() -> Self {
        Self::sponge(136, 0x1f)
    }

    /// A sponge of `rate` bytes whose padding begins with the byte `domain`
    /// (FIPS 202, section 5.1 (Specification of pad10*1) and appendix B.2 (Hexadecimal Form of Padding Bits)).
    ///
    /// # Panics
    /// If `rate` is 0, above 168 or no multiple of 8.
    #[must_use]
    pub const fn sponge(rate: usize, domain: u8) -> Self {
        assert!(rate > 0 && rate <= MAX_BLOCK && rate.is_multiple_of(8));
        Self::start([0; 25], rate, domain)
    }
}

impl<S: State> Midstate<S> {
    const fn start(state: S, block_len: usize, mark: u8) -> Self {
        Self { state, absorbed: 0, pending: [0; MAX_BLOCK], filled: 0, block_len, mark }
    }

    /// Absorbs `bytes`.
    pub fn update<K: Kernel<State = S>>(&mut self, kernel: K, mut bytes: &[u8]) {
        while self.filled + bytes.len() >= self.block_len {
            let (now, later) = bytes.split_at(self.block_len - self.filled);
            self.pending[self.filled..self.block_len].copy_from_slice(now);
            let block = &self.pending[..self.block_len];
            kernel.absorb(core::slice::from_mut(&mut self.state), block, self.block_len);
            wipe(&mut self.pending[..self.block_len], 0);
            self.absorbed += self.block_len as u64;
            (self.filled, bytes) = (0, later);
        }
        self.pending[self.filled..self.filled + bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }

    /// [`update`](Self::update), for building. It moves the state, and what moves leaves a copy
    /// behind: a secret is absorbed by `update`, where the state is to stay.
    #[must_use]
    pub fn with<K: Kernel<State = S>>(mut self, kernel: K, bytes: &[u8]) -> Self {
        self.update(kernel, bytes);
        self
    }

    /// The digest of what was absorbed, then `tail`; `self` stays as it is.
    ///
    /// # Panics
    /// If `out` is longer than a digest (32 or 64 bytes; SHA-3 and SHAKE: one rate).
    pub fn finish<K: Kernel<State = S>>(&self, kernel: K, tail: &[u8], out: &mut [u8]) {
        let n = out.len();
        message::many(kernel, self, tail, out, n);
    }

    /// Bytes absorbed, but not yet part of the state.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        &self.pending[..self.filled]
    }

    /// The state after the whole blocks.
    #[must_use]
    pub const fn state(&self) -> &S {
        &self.state
    }

    /// Bytes in one block: the rate, for a sponge.
    #[must_use]
    pub const fn block_len(&self) -> usize {
        self.block_len
    }

    /// Compressions (permutations) that hashing `len` further bytes takes.
    #[must_use]
    pub const fn cost(&self, len: usize) -> u64 {
        (self.filled + len + S::PADDING).div_ceil(self.block_len) as u64
    }

    /// Whether a key of `n` bytes completes a block and the state fits into n bytes, so that a
    /// prepared key is a midstate (see [`prepare_keys`](crate::message::prepare_keys)).
    #[must_use]
    pub const fn keeps_state(&self, n: usize) -> bool {
        matches!(S::DIGEST, Some(digest) if digest == n)
            && (self.filled + n).is_multiple_of(self.block_len)
    }

    /// Longest digest.
    pub(crate) fn digest_len(&self) -> usize {
        S::DIGEST.unwrap_or(self.block_len)
    }
}

impl<S: State> Zeroize for Midstate<S> {
    fn zeroize(&mut self) {
        wipe(core::slice::from_mut(&mut self.state), S::ZERO);
        wipe(&mut self.pending, 0);
    }
}

impl<S: State> Drop for Midstate<S> {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl<S: State> ZeroizeOnDrop for Midstate<S> {}
