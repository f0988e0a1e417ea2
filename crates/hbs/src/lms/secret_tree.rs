//! The secret side of one LMS tree: RFC 8554, Appendix A (Pseudorandom Key Generation).
//!
//! Differs: SP 800-208, section 6.1 (LMS and HSS Random Number Generation Requirements) wants C,
//! and I and SEED of every tree, from a random bit generator; here C, and I and SEED of lower
//! trees, are derived from SEED of the highest tree. `Prepared::finish_with_rng` takes C from a
//! generator.

use super::tree::Public;
use crate::hash::over;
use crate::one_time::{self, OneTime, Secrets};
use crate::params::domain::RANDOMIZER;
use crate::params::{LMS_ID_BYTES, Set};
use crate::secret::Secret;
use crate::tree::{Position, Shape, Tree};
use alloc::sync::Arc;
use alloc::vec::Vec;
use hasten_kernels::{HashFunction, Kernels, many};
use zeroize::Zeroize;

/// One LMS tree with its secrets.
struct Private<'k, H: HashFunction> {
    public: Public<'k, H>,
    seed: Secret,
}

/// Returns the tree of `set` from I ‖ SEED, 16 + n bytes.
pub(crate) fn private<'k>(
    set: &'static Set,
    seed: &[u8],
    kernels: Kernels<'k>,
) -> Arc<dyn Secrets<'k> + 'k> {
    let (id, seed) = seed.split_at(LMS_ID_BYTES);
    over!(set.hash, kernels, |kernel, start| {
        let public = Public::new(set, id, kernel, start);
        Arc::new(Private { public, seed: Secret::copy(seed) })
    })
}

impl<'k, H: HashFunction> Private<'k, H> {
    /// Hashes I ‖ u32str(q) ‖ u16str(i) ‖ u8str(0xff) ‖ SEED for every q and i.
    fn derive(&self, places: impl Iterator<Item = (u32, u16)>, out: &mut [u8]) {
        let mut inputs = Vec::with_capacity(out.len() / self.n() * (LMS_ID_BYTES + 7 + self.n()));
        for (q, i) in places {
            inputs.extend(self.public.front(q, i));
            inputs.push(0xff);
            inputs.extend(&*self.seed);
        }
        many(self.public.kernel, &self.public.start, &inputs, out, self.n());
        inputs.zeroize();
    }

    /// Computes the secret elements of `leaves`.
    fn expand(&self, leaves: &[u32], out: &mut [u8]) {
        let chains = 0..self.public.set.len() as u16;
        let places = leaves.iter().flat_map(|q| chains.clone().map(move |i| (*q, i)));
        self.derive(places, out);
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
        self.public.join(&[], at, pairs, out);
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
        self.derive([(index as u32, RANDOMIZER)].into_iter(), out);
    }
}
