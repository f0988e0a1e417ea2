//! Key generation. Its progress can be stored, so that an interrupted generation continues.

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

/// Maximum memory of a thread for the leaves that it computes at a time, in bytes for each byte of
/// a one-time signature. A test checks the bound.
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
    /// The caller must store the seed if the key is to be loaded again, and overwrite it in memory.
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

    /// Returns the size in bytes of the row that is stored with a key of `set`.
    pub const fn row_bytes(set: &Set) -> usize {
        set.n << (set.h - cut(set.h))
    }

    /// Returns the maximum heap size in bytes for generating a key of `set` on `threads` threads:
    /// the row in progress, the nodes above it in the returned signer, and the chains that each
    /// thread computes.
    pub const fn most_bytes(set: &Set, threads: usize) -> usize {
        5 * Self::row_bytes(set) + (threads + 1) * set.ots_bytes() * PER_THREAD
    }

    /// Continues from the output of [`partial`](Self::partial). The nodes are not checked: the
    /// caller must make sure that they were stored without change.
    ///
    /// # Errors
    /// [`Error::BadCache`] if there are too many nodes, or an incomplete one.
    pub fn resume(&mut self, partial: &[u8]) -> Result<(), Error> {
        let set = self.tall.hashes.set;
        if partial.len() > Self::row_bytes(set) || !partial.len().is_multiple_of(set.n) {
            return Err(Error::BadCache);
        }
        self.build = Build::from(partial.to_vec());
        Ok(())
    }

    /// Returns the finished nodes of the row. They are public.
    pub fn partial(&self) -> &[u8] {
        self.build.row()
    }

    /// Computes the missing nodes on `threads` threads (without the feature `std`: on this one).
    /// Calls `watch` every few milliseconds with the number of finished leaves; `watch` may stop
    /// the generation.
    ///
    /// # Errors
    /// [`Error::Stopped`] if `watch` stopped it; another call continues.
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
