//! The seam: three object-safe traits whose unit is a batch, and [`Kernel`], which sees them alike.

use crate::chain::{self, Masked, Rule, Span};
use crate::message::Messages;
use crate::midstate::State;

/// State of SHA-256: eight 32-bit words (FIPS 180-4, section 5.3.3 (SHA-256)).
pub type State256 = [u32; 8];
/// State of SHA-512: eight 64-bit words (FIPS 180-4, section 5.3.5 (SHA-512)).
pub type State512 = [u64; 8];
/// State of Keccak-f\[1600\]: lane (x, y) at `x + 5y` (FIPS 202, section 3.1.2 (Converting Strings to State Arrays)).
pub type State1600 = [u64; 25];

/// The SHA-256 compression function, many states at a time.
pub trait Sha256: Sync {
    /// Name of the backend, as [`Kernels::named`](crate::Kernels::named) takes it.
    fn name(&self) -> &'static str;

    /// How many states one step advances: a hint for batch sizes, never a condition.
    fn lanes(&self) -> usize;

    /// Absorbs `blocks[i]` into `states[i]`, for every i (FIPS 180-4, section 6.2.2 (SHA-256 Hash Computation)).
    ///
    /// # Panics
    /// If the two slices differ in length.
    fn compress(&self, states: &mut [State256], blocks: &[[u8; 64]]);

    /// Advances every chain; see [`chain`](crate::chain).
    ///
    /// # Panics
    /// If `values` is not n bytes for each span, or a row that is needed is missing.
    fn chains(&self, rule: &Rule<'_, State256>, spans: &[Span], values: &mut [u8]) {
        chain::advance(ViaSha256(self), rule, spans, values);
    }

    /// Fills the rows of every step of every span; see [`chain`](crate::chain).
    ///
    /// # Panics
    /// If `rows` is too short for a row that is asked for.
    fn rows(&self, rule: &Masked<'_, State256>, spans: &[Span], rows: &mut [u8]) {
        chain::fill_rows(ViaSha256(self), rule, spans, rows);
    }

    /// Hashes messages of one length; see [`many`](crate::many).
    fn digests(&self, messages: &Messages<'_, State256>, out: &mut [u8], n: usize) {
        messages.plainly(ViaSha256(self), out, n);
    }
}

/// The SHA-512 compression function, many states at a time.
pub trait Sha512: Sync {
    /// Name of the backend, as [`Kernels::named`](crate::Kernels::named) takes it.
    fn name(&self) -> &'static str;

    /// How many states one step advances: a hint for batch sizes, never a condition.
    fn lanes(&self) -> usize;

    /// Absorbs `blocks[i]` into `states[i]`, for every i (FIPS 180-4, section 6.4.2 (SHA-512 Hash Computation)).
    ///
    /// # Panics
    /// If the two slices differ in length.
    fn compress(&self, states: &mut [State512], blocks: &[[u8; 128]]);

    /// As [`Sha256::chains`].
    fn chains(&self, rule: &Rule<'_, State512>, spans: &[Span], values: &mut [u8]) {
        chain::advance(ViaSha512(self), rule, spans, values);
    }

    /// As [`Sha256::rows`].
    fn rows(&self, rule: &Masked<'_, State512>, spans: &[Span], rows: &mut [u8]) {
        chain::fill_rows(ViaSha512(self), rule, spans, rows);
    }

    /// Hashes messages of one length; see [`many`](crate::many).
    fn digests(&self, messages: &Messages<'_, State512>, out: &mut [u8], n: usize) {
        messages.plainly(ViaSha512(self), out, n);
    }
}

/// The permutation Keccak-f\[1600\], many states at a time.
pub trait Keccak: Sync {
    /// Name of the backend, as [`Kernels::named`](crate::Kernels::named) takes it.
    fn name(&self) -> &'static str;

    /// How many states one step advances: a hint for batch sizes, never a condition.
    fn lanes(&self) -> usize;

    /// Permutes every state (FIPS 202, section 3.3 (KECCAK-p[b, nr])).
    fn permute(&self, states: &mut [State1600]);

    /// As [`Sha256::chains`].
    fn chains(&self, rule: &Rule<'_, State1600>, spans: &[Span], values: &mut [u8]) {
        chain::advance(ViaKeccak(self), rule, spans, values);
    }

    /// As [`Sha256::rows`].
    fn rows(&self, rule: &Masked<'_, State1600>, spans: &[Span], rows: &mut [u8]) {
        chain::fill_rows(ViaKeccak(self), rule, spans, rows);
    }

    /// As [`Sha256::digests`].
    fn digests(&self, messages: &Messages<'_, State1600>, out: &mut [u8], n: usize) {
        messages.plainly(ViaKeccak(self), out, n);
    }
}

/// One of the three kernels, seen as "absorb a block into each state".
///
/// What is written over `Kernel` is written once for all hash functions. Its values are
/// [`ViaSha256`], [`ViaSha512`] and [`ViaKeccak`] around a reference out of a
/// [`Kernels`](crate::Kernels).
pub trait Kernel: Copy + Send + Sync {
    /// The state of one hash.
    type State: State;

    /// As [`Sha256::lanes`].
    fn lanes(self) -> usize;

    /// Absorbs one block into each state. `blocks` is flat, `block_len` bytes for each state.
    ///
    /// # Panics
    /// If `blocks` is not `states.len()` times `block_len` bytes, or `block_len` is not the
    /// kernel's own (for Keccak: not a multiple of 8 under 200).
    fn absorb(self, states: &mut [Self::State], blocks: &[u8], block_len: usize);

    /// As [`Sha256::chains`].
    fn chains(self, rule: &Rule<'_, Self::State>, spans: &[Span], values: &mut [u8]);

    /// As [`Sha256::rows`].
    fn rows(self, rule: &Masked<'_, Self::State>, spans: &[Span], rows: &mut [u8]);

    /// As [`Sha256::digests`].
    fn digests(self, messages: &Messages<'_, Self::State>, out: &mut [u8], n: usize);
}

/// SHA-256 as a [`Kernel`].
pub struct ViaSha256<'k, K: ?Sized = dyn Sha256 + 'k>(pub &'k K);
/// SHA-512 as a [`Kernel`].
pub struct ViaSha512<'k, K: ?Sized = dyn Sha512 + 'k>(pub &'k K);
/// Keccak-f\[1600\] as a [`Kernel`].
pub struct ViaKeccak<'k, K: ?Sized = dyn Keccak + 'k>(pub &'k K);

macro_rules! copy {
    ($($via:ident)*) => {$(
        impl<K: ?Sized> Clone for $via<'_, K> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<K: ?Sized> Copy for $via<'_, K> {}
    )*};
}
copy!(ViaSha256 ViaSha512 ViaKeccak);

/// The parts of [`Kernel`] that only forward.
macro_rules! forward {
    ($state:ty) => {
        type State = $state;

        fn lanes(self) -> usize {
            self.0.lanes()
        }

        fn chains(self, rule: &Rule<'_, $state>, spans: &[Span], values: &mut [u8]) {
            self.0.chains(rule, spans, values);
        }

        fn rows(self, rule: &Masked<'_, $state>, spans: &[Span], rows: &mut [u8]) {
            self.0.rows(rule, spans, rows);
        }

        fn digests(self, messages: &Messages<'_, $state>, out: &mut [u8], n: usize) {
            self.0.digests(messages, out, n);
        }
    };
}

impl<K: Sha256 + ?Sized> Kernel for ViaSha256<'_, K> {
    forward!(State256);

    fn absorb(self, states: &mut [State256], blocks: &[u8], block_len: usize) {
        assert!(block_len == 64 && blocks.len() == 64 * states.len());
        self.0.compress(states, blocks.as_chunks().0);
    }
}

impl<K: Sha512 + ?Sized> Kernel for ViaSha512<'_, K> {
    forward!(State512);

    fn absorb(self, states: &mut [State512], blocks: &[u8], block_len: usize) {
        assert!(block_len == 128 && blocks.len() == 128 * states.len());
        self.0.compress(states, blocks.as_chunks().0);
    }
}

impl<K: Keccak + ?Sized> Kernel for ViaKeccak<'_, K> {
    forward!(State1600);

    fn absorb(self, states: &mut [State1600], blocks: &[u8], block_len: usize) {
        assert_eq!(states.len() * block_len, blocks.len());
        for (state, block) in states.iter_mut().zip(blocks.chunks_exact(block_len)) {
            for (lane, bytes) in state.iter_mut().zip(block.as_chunks().0) {
                *lane ^= u64::from_le_bytes(*bytes);
            }
        }
        self.0.permute(states);
    }
}
