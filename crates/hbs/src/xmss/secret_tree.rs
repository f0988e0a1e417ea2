//! The secret side of one XMSS tree: secret elements, leaves, the randomizer.

use super::hashes::{led, separated};
use super::tree::Public;
use crate::hash::over;
use crate::one_time::{self, OneTime, Secrets};
use crate::params::Set;
use crate::tree::Place;
use crate::tree::{Position, Shape, Tree};
use alloc::sync::Arc;
use hasten_kernels::grid::{Numbered, Tail};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate, numbered};

/// Offset of an index in toByte(index, 32). The bytes before it are zero.
const INDEX_AT: usize = 24;

/// One XMSS tree with its secrets.
struct Private<'k, H: HashFunction> {
    public: Public<'k, H>,
    /// The state after toByte(4, pad) ‖ SK_SEED ‖ PUB_SEED, and the first `keygen_lead` bytes,
    /// which are the same in every address of the tree.
    keygen: Midstate<H>,
    keygen_lead: usize,
    /// The state after toByte(3, pad) ‖ SK_PRF, and the first `prf_lead` bytes, which are the same
    /// in every index.
    prf: Midstate<H>,
    prf_lead: usize,
}

/// The parts of an XMSS seed.
#[derive(Clone, Copy)]
pub(crate) struct Seeds<'s> {
    pub sk_seed: &'s [u8],
    pub sk_prf: &'s [u8],
    pub pub_seed: &'s [u8],
}

/// Returns the tree of `set` at `place` with its secrets.
pub(crate) fn private<'k>(
    set: &'static Set,
    place: Place,
    kernels: Kernels<'k>,
    seeds: Seeds<'_>,
) -> Arc<dyn Secrets<'k> + 'k> {
    over!(set.hash, kernels, |kernel, start| Arc::new(Private::new(
        set, place, kernel, start, seeds
    )))
}

impl<'k, H: HashFunction> Private<'k, H> {
    fn new(
        set: &'static Set,
        place: Place,
        kernel: &'k dyn Kernel<H>,
        start: Midstate<H>,
        seeds: Seeds<'_>,
    ) -> Self {
        let keygen = separated(kernel, &start, set, 4).with(kernel, seeds.sk_seed);
        let keygen = keygen.with(kernel, seeds.pub_seed);
        let (keygen, keygen_lead) = led(kernel, keygen, &place.to_bytes());
        let prf = separated(kernel, &start, set, 3).with(kernel, seeds.sk_prf);
        let (prf, prf_lead) = led(kernel, prf, &[0; INDEX_AT]);
        let public = Public::new(set, place, kernel, start, seeds.pub_seed);
        Self { public, keygen, keygen_lead, prf, prf_lead }
    }

    /// Computes the secret elements of `leaves`, by PRF_keygen of SP 800-208, section 6.2 (XMSS and
    /// XMSS^MT Random Number Generation Requirements).
    fn expand(&self, leaves: &[u32], out: &mut [u8]) {
        let set = self.public.set;
        for (first, out) in one_time::runs(leaves, out, set.ots_bytes()) {
            let (grid, head_len) = self.public.chains_from(first, self.keygen_lead);
            let tail = Tail::Same(&[]);
            let messages = Numbered { prefix: &self.keygen, head_len, grid: &grid, tail };
            numbered(self.public.hashes.kernel, &messages, out, set.n);
        }
    }
}

impl<H: HashFunction> Shape for Private<'_, H> {
    fn n(&self) -> usize {
        self.public.n()
    }

    fn height(&self) -> u32 {
        self.public.height()
    }
}

impl<H: HashFunction> Tree for Private<'_, H> {
    fn leaves(&self, indices: &[u32], out: &mut [u8]) {
        one_time::leaves(self, indices, out);
    }

    fn nodes(&self, at: &[Position], pairs: &[u8], out: &mut [u8]) {
        self.public.join(&self.public.node_rows(at), at, pairs, out);
    }
}

impl<'k, H: HashFunction> Secrets<'k> for Private<'k, H> {
    fn public(&self) -> &(dyn OneTime<'k> + 'k) {
        &self.public
    }

    fn elements(&self, leaves: &[u32], out: &mut [u8]) {
        self.expand(leaves, out);
    }

    fn randomizer(&self, index: u64, out: &mut [u8]) {
        let mut place = [0; 32];
        place[INDEX_AT..].copy_from_slice(&index.to_be_bytes());
        self.prf.finish(self.public.hashes.kernel, &place[self.prf_lead..], out);
    }
}
