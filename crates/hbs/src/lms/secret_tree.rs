//! The secret side of one LMS tree: RFC 8554, Appendix A (Pseudorandom Key Generation).
//!
//! Differs: SP 800-208, section 6.1 (LMS and HSS Random Number Generation Requirements) requires
//! that C, and I and SEED of every tree, come from a random bit generator. Here C, and I and SEED
//! of lower trees, are derived from SEED of the highest tree. `Prepared::finish_with_rng` takes C
//! from a generator.

use super::tree::{HEAD, Public};
use crate::hash::over;
use crate::one_time::{self, OneTime, Secrets};
use crate::params::domain::RANDOMIZER;
use crate::params::{LMS_ID_BYTES, Set};
use crate::secret::Secret;
use crate::tree::{Position, Shape, Tree};
use alloc::sync::Arc;
use hasten_kernels::grid::{Grid, Numbered, Tail};
use hasten_kernels::{HashFunction, Kernels, numbered};

/// One LMS tree with its secrets.
struct Private<'k, H: HashFunction> {
    public: Public<'k, H>,
    seed: Secret,
}

/// Returns the tree of `set`, derived from I ‖ SEED, 16 + n bytes.
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
    /// Hashes I ‖ u32str(q) ‖ u16str(i) ‖ u8str(0xff) ‖ SEED for the heads of a grid.
    fn derive(&self, mut grid: Grid, out: &mut [u8]) {
        grid.head[HEAD - 1] = 0xff;
        let (prefix, tail) = (&self.public.start, Tail::Same(&self.seed));
        let messages = Numbered { prefix, head_len: HEAD, grid: &grid, tail };
        numbered(self.public.kernel, &messages, out, self.n());
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
        for (q, out) in one_time::runs(leaves, out, self.public.set.ots_bytes()) {
            self.derive(self.public.chains_from(q), out);
        }
    }

    fn randomizer(&self, index: u64, out: &mut [u8]) {
        let mut grid = self.public.chains_from(index as u32);
        grid.column.first = RANDOMIZER.into();
        self.derive(grid, out);
    }
}
