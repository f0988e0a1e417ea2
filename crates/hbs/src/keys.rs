//! From a seed to a signer, for every stateful scheme.

use crate::Error;
use crate::build::{Build, Progress};
use crate::forest::Single;
use crate::ladder::Signer;
use crate::onetime::Secrets;
use crate::params::{Scheme, Set};
use crate::public_key::PublicKey;
use crate::traversal::{Traversal, cut};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use hasten_kernels::Kernels;

/// A key that is being generated.
pub struct KeyGeneration<'k> {
    set: &'static Set,
    tree: Arc<dyn Secrets<'k> + 'k>,
    public_seed: Vec<u8>,
    build: Build,
}

impl<'k> KeyGeneration<'k> {
    /// Begins a key of `set` from random bytes: for XMSS SK_SEED ‖ SK_PRF ‖ PUB_SEED, n each, for
    /// LMS I ‖ SEED, 16 and n. The caller keeps the seed, if the key is to be loaded again, and
    /// overwrites it.
    ///
    /// # Errors
    /// [`Error::BadSeed`] for a wrong length, [`Error::UnknownSet`] if the set's keys have no
    /// state.
    pub fn new(set: &'static Set, seed: &[u8], kernels: Kernels<'k>) -> Result<Self, Error> {
        let (tree, public_seed) = secrets(set, seed, kernels)?;
        Ok(Self { set, tree, public_seed: public_seed.to_vec(), build: Build::from(Vec::new()) })
    }

    /// Goes on from what [`partial`](Self::partial) gave before. The nodes are taken as they are:
    /// whoever stores them checks that they come back unchanged.
    ///
    /// # Errors
    /// [`Error::BadCache`] if there are too many, or parts of one.
    pub fn resume(&mut self, partial: &[u8]) -> Result<(), Error> {
        if partial.len() > row_bytes(self.set) || !partial.len().is_multiple_of(self.set.n) {
            return Err(Error::BadCache);
        }
        self.build = Build::from(partial.to_vec());
        Ok(())
    }

    /// The nodes that are done; public.
    pub fn partial(&self) -> &[u8] {
        self.build.row()
    }

    /// Computes what is missing on `threads` threads (without the feature `std`: on this one).
    /// `watch` hears how many leaves are done, every few milliseconds, and may break off.
    ///
    /// # Errors
    /// [`Error::Stopped`] if it did; calling again goes on.
    pub fn run(
        &mut self,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Signer<'k>, Error> {
        self.build.run(&*self.tree, threads, watch)?;
        let first = self.build.take_first();
        let traversal = Traversal::new(&*self.tree, self.build.row(), 0, first);
        let public = PublicKey::new(self.set, traversal.root(), &self.public_seed);
        let forest = Single::new(self.tree.clone(), traversal, public.root())?;
        Ok(Signer::new(forest, public, 0))
    }
}

impl fmt::Debug for KeyGeneration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyGeneration({})", self.set.name)
    }
}

/// A key of `set` from its seed, on one thread.
///
/// # Errors
/// As [`KeyGeneration::new`].
pub fn generate<'k>(
    set: &'static Set,
    seed: &[u8],
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    KeyGeneration::new(set, seed, kernels)?.run(1, &mut |_| ControlFlow::Continue(()))
}

/// A key from its seed and what [`Signer::to_cache`] gave, able to sign from index `next` on.
///
/// # Errors
/// [`Error::BadCache`] if the nodes do not lead to the root of `public`, or not to the leaves
/// that the seed gives near `next`; [`Error::BadSeed`] if the seed is not this key's.
pub fn load<'k>(
    public: &PublicKey,
    seed: &[u8],
    cache: &[u8],
    next: u64,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    let (tree, public_seed) = secrets(public.set(), seed, kernels)?;
    if public_seed != public.seed() {
        return Err(Error::BadSeed);
    }
    if cache.len() != row_bytes(public.set()) {
        return Err(Error::BadCache);
    }
    let next = next.min(public.set().capacity());
    let leaf = next.min(public.set().capacity() - 1) as u32;
    let traversal = Traversal::new(&*tree, cache, leaf, None);
    Ok(Signer::new(Single::new(tree, traversal, public.root())?, public.clone(), next))
}

/// Bytes of the row of nodes at the cut.
const fn row_bytes(set: &Set) -> usize {
    set.n << (set.h - cut(set.h))
}

/// The secret tree of a seed, and the part of the seed that is public.
fn secrets<'k, 's>(
    set: &'static Set,
    seed: &'s [u8],
    kernels: Kernels<'k>,
) -> Result<(Arc<dyn Secrets<'k> + 'k>, &'s [u8]), Error> {
    if seed.len() != set.seed_bytes() {
        return Err(Error::BadSeed);
    }
    match set.scheme {
        Scheme::Xmss => Ok((crate::xmss::secrets(set, seed, kernels), &seed[2 * set.n..])),
        Scheme::Lms { .. } => {
            Ok((crate::lms::secrets(set, seed, kernels), &seed[..crate::lms::ID]))
        }
        Scheme::SlhDsa { .. } => Err(Error::UnknownSet),
    }
}
