//! Key generation, in units that survive a kill.

use super::check;
use super::signer::LimitedSigner;
use super::tall::Tall;
use crate::Error;
use crate::params::Set;
use crate::scrub;
use crate::secret::Secret;
use crate::slhdsa::hashes::Hashes;
use crate::tree::build::{Build, Progress};
use crate::tree::traversal::cut;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use hasten_kernels::Kernels;

/// Leaves that a thread holds at a time, and all that goes with them, in bytes for each chain of a
/// node. A test checks the bound.
const PER_THREAD: usize = 1 << 8;

/// A key for a limited number of signatures that is being generated.
pub struct LimitedGeneration<'k> {
    kernels: Kernels<'k>,
    seed: Secret,
    tall: Tall<'k>,
    build: Build,
}

impl<'k> LimitedGeneration<'k> {
    /// Begins a key of `set` from SK.seed ‖ SK.prf ‖ PK.seed, n random bytes each.
    ///
    /// The caller keeps the seed if the key is to be loaded again, and overwrites it.
    ///
    /// # Errors
    /// [`Error::UnknownSet`] if the set has no limit, [`Error::BadSeed`] for a wrong length.
    pub fn new(set: &'static Set, seed: &[u8], kernels: Kernels<'k>) -> Result<Self, Error> {
        check(set)?;
        if seed.len() != set.seed_bytes() {
            return Err(Error::BadSeed);
        }
        let hashes = Hashes::new(&kernels, set, &seed[2 * set.n..]);
        let tall = Tall { hashes, sk_seed: Secret::copy(&seed[..set.n]) };
        Ok(Self { kernels, seed: Secret::copy(seed), tall, build: Build::from(Vec::new()) })
    }

    /// Returns the bytes of the row that a key of `set` keeps.
    pub const fn row_bytes(set: &Set) -> usize {
        set.n << (set.h - cut(set.h))
    }

    /// Returns the most bytes of heap that generating a key of `set` on `threads` threads takes:
    /// the row in the making, the nodes above it in the signer that is returned, and the chains
    /// that each thread computes.
    pub const fn most_bytes(set: &Set, threads: usize) -> usize {
        5 * Self::row_bytes(set) + (threads + 1) * set.ots_bytes() * PER_THREAD
    }

    /// Continues from the output of [`partial`](Self::partial). The nodes are not checked: whoever
    /// stores them makes sure that they come back unchanged.
    ///
    /// # Errors
    /// [`Error::BadCache`] if there are too many, or parts of one.
    pub fn resume(&mut self, partial: &[u8]) -> Result<(), Error> {
        let set = self.tall.hashes.set;
        if partial.len() > Self::row_bytes(set) || !partial.len().is_multiple_of(set.n) {
            return Err(Error::BadCache);
        }
        self.build = Build::from(partial.to_vec());
        Ok(())
    }

    /// Returns the nodes of the row that are done. They are public.
    pub fn partial(&self) -> &[u8] {
        self.build.row()
    }

    /// Computes the missing nodes on `threads` threads (without the feature `std`: on this one).
    /// Calls `watch` every few milliseconds with the number of leaves done; `watch` may stop it.
    ///
    /// # Errors
    /// [`Error::Stopped`] if it did; calling again goes on.
    pub fn run(
        &mut self,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<LimitedSigner<'k>, Error> {
        scrub::deep(|| {
            self.build.run(&self.tall, threads, watch)?;
            let set = self.tall.hashes.set;
            LimitedSigner::of_row(set, &self.seed, self.build.row(), None, 0, self.kernels)
        })
    }
}

impl fmt::Debug for LimitedGeneration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LimitedGeneration({})", self.tall.hashes.set.name)
    }
}
