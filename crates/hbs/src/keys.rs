//! From a seed to a signer, for every stateful scheme.

use crate::Error;
use crate::build::{Build, Progress};
use crate::ladder::Signer;
use crate::multi::{Grown, Multi, Trees};
use crate::onetime::Secrets;
use crate::params::{Scheme, Set};
use crate::public_key::PublicKey;
use crate::sectors::Sectors;
use crate::seedling::Seedling;
use crate::traversal::{Traversal, cut};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use hasten_kernels::Kernels;

/// A key that is being generated.
pub struct KeyGeneration<'k> {
    set: &'static Set,
    trees: Trees<'k>,
    public_seed: Vec<u8>,
    /// The first tree of every layer, lowest first.
    layers: Vec<(Arc<dyn Secrets<'k> + 'k>, Build)>,
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
        Self::of_sectors(set, &Sectors::one(seed), kernels)
    }

    /// As [`new`](Self::new), from the seeds of all sectors.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::BadSeed`] if a seed is missing, or has another public part.
    pub fn of_sectors(
        set: &'static Set,
        seeds: &Sectors<'_>,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        if !seeds.is_whole() {
            return Err(Error::BadSeed);
        }
        let (trees, public_seed) = seeds.trees(set, |seed| trees(set, seed, kernels))?;
        let layer = |layer| (trees(layer, 0), Build::from(Vec::new()));
        let layers = (0..set.d).map(layer).collect();
        Ok(Self { set, trees, public_seed: public_seed.to_vec(), layers })
    }

    /// Goes on from what [`partial`](Self::partial) gave before. The nodes are taken as they are:
    /// whoever stores them checks that they come back unchanged.
    ///
    /// # Errors
    /// [`Error::BadCache`] if there are too many, or parts of one.
    pub fn resume(&mut self, partial: &[u8]) -> Result<(), Error> {
        let row = row_bytes(self.set);
        if partial.len() > row * self.layers.len() || !partial.len().is_multiple_of(self.set.n) {
            return Err(Error::BadCache);
        }
        for ((_, build), part) in self.layers.iter_mut().zip(partial.chunks(row)) {
            *build = Build::from(part.to_vec());
        }
        Ok(())
    }

    /// The nodes that are done; public.
    pub fn partial(&self) -> Vec<u8> {
        self.layers.iter().flat_map(|(_, build)| build.row()).copied().collect()
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
        let leaves = 1 << self.set.tree_height();
        let total = leaves * self.layers.len() as u64;
        for (layer, (tree, build)) in (0..).zip(&mut self.layers) {
            let done = layer * leaves;
            build.run(&**tree, threads, &mut |p| watch(Progress { done: done + p.done, total }))?;
        }
        let grown: Vec<Grown<'k>> = self.layers.iter_mut().map(first_tree).collect();
        let root = grown.last().map_or(&[][..], |top| top.traversal.root());
        let public = PublicKey::new(self.set, root, &self.public_seed);
        let uppers = vec![Vec::new(); grown.len()];
        let forest = Multi::new(self.set, self.trees.clone(), grown, uppers, public.root())?;
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
    load_sectors(public, &Sectors::one(seed), cache, next, kernels)
}

/// As [`load`], with the seeds of the sectors at hand: it signs with these only.
///
/// # Errors
/// As [`load`].
pub fn load_sectors<'k>(
    public: &PublicKey,
    seeds: &Sectors<'_>,
    cache: &[u8],
    next: u64,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    let set = public.set();
    let (trees, public_seed) = seeds.trees(set, |seed| trees(set, seed, kernels))?;
    if public_seed != public.seed() {
        return Err(Error::BadSeed);
    }
    if cache.len() != cache_bytes(set) {
        return Err(Error::BadCache);
    }
    let next = next.min(set.capacity());
    let index = seeds.nearest(set, next.min(set.capacity() - 1));
    let kept = (0..set.d).zip(cache.chunks(8 + row_bytes(set) + upper_bytes(set)));
    let (mut grown, mut uppers) = (Vec::new(), Vec::new());
    for (layer, kept) in kept {
        let (tree, upper) = regrow(set, &trees, layer, kept, index)?;
        grown.push(tree);
        uppers.push(upper);
    }
    Ok(Signer::new(Multi::new(set, trees, grown, uppers, public.root())?, public.clone(), next))
}

/// The tree of `layer` that signs `index`, out of what was kept of that layer if it is of that
/// tree, and the signature of its root, if that was kept.
fn regrow<'k>(
    set: &Set,
    trees: &Trees<'k>,
    layer: u32,
    kept: &[u8],
    index: u64,
) -> Result<(Grown<'k>, Vec<u8>), Error> {
    let (number, leaf) = set.place(index >> (set.tree_height() * layer));
    let (kept_number, kept) = kept.split_first_chunk().ok_or(Error::BadCache)?;
    let kept_number = u64::from_be_bytes(*kept_number);
    if kept_number >= set.trees(layer) {
        return Err(Error::BadCache);
    }
    let tree = trees(layer, number);
    if kept_number != number {
        return Ok((Seedling::new(tree, number).finish(), Vec::new()));
    }
    let (row, upper) = kept.split_at(row_bytes(set));
    let traversal = Traversal::new(&*tree, row, leaf, None);
    Ok((Grown { number, tree, traversal }, upper.to_vec()))
}

/// The tree that a build has completed.
fn first_tree<'k>((tree, build): &mut (Arc<dyn Secrets<'k> + 'k>, Build)) -> Grown<'k> {
    let first = build.take_first();
    let traversal = Traversal::new(&**tree, build.row(), 0, first);
    Grown { number: 0, tree: tree.clone(), traversal }
}

/// Bytes of the row of nodes at the cut.
const fn row_bytes(set: &Set) -> usize {
    set.n << (set.tree_height() - cut(set.tree_height()))
}

/// Bytes of a layer's signature of the root below.
const fn upper_bytes(set: &Set) -> usize {
    set.ots_bytes() + set.path_bytes()
}

/// Bytes of a cache.
const fn cache_bytes(set: &Set) -> usize {
    let d = set.d as usize;
    d * (8 + row_bytes(set)) + (d - 1) * upper_bytes(set)
}

/// The secret trees of a seed, and the part of the seed that is public.
fn trees<'k, 's>(
    set: &'static Set,
    seed: &'s [u8],
    kernels: Kernels<'k>,
) -> Result<(Trees<'k>, &'s [u8]), Error> {
    if seed.len() != set.seed_bytes() {
        return Err(Error::BadSeed);
    }
    match set.scheme {
        Scheme::Xmss | Scheme::XmssMt => {
            Ok((crate::xmss::trees(set, seed, kernels), &seed[2 * set.n..]))
        }
        Scheme::Lms { .. } => Ok((crate::lms::trees(set, seed, kernels), &seed[..crate::lms::ID])),
        Scheme::SlhDsa { .. } => Err(Error::UnknownSet),
    }
}
