//! From a seed to a signer, for every stateful scheme.

use crate::Error;
use crate::key::PublicKey;
use crate::key::Sectors;
use crate::key::layered_key::{Grown, Multi, Trees};
use crate::key::next_tree::Seedling;
use crate::key::upper_signature;
use crate::one_time::Secrets;
use crate::params::{Scheme, Set};
use crate::scrub;
use crate::signer::Signer;
use crate::signer::permit::Account;
use crate::tree::build::{Build, Progress};
use crate::tree::traversal::{Leaves, Traversal, cut};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use hasten_kernels::Kernels;

/// The most that a thread holds of the leaves it computes, for each byte of a node.
const PER_THREAD_PER_BYTE: usize = 1 << 13;

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
    /// LMS I ‖ SEED, 16 and n, for HSS those of the highest tree. The caller keeps the seed, if the key is to be loaded again, and
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
        scrub::deep(|| Self::begin(set, seeds, kernels))
    }

    fn begin(set: &'static Set, seeds: &Sectors<'_>, kernels: Kernels<'k>) -> Result<Self, Error> {
        let (trees, public_seed) = seeds.trees(set, |seed| trees(set, seed, kernels))?;
        let layer = |layer| (trees(layer, 0), Build::from(Vec::new()));
        let layers = (0..set.d).map(layer).collect();
        Ok(Self { set, trees, public_seed: public_seed.to_vec(), layers })
    }

    /// The most bytes of heap that generating a key of `set` on `threads` threads takes, the signer
    /// that comes of it included: eight times the rows of nodes that are kept, and what each thread
    /// computes at a time. A test holds it to that.
    pub const fn most_bytes(set: &Set, threads: usize) -> usize {
        let (mut layer, mut rows) = (0, 0);
        while layer < set.d {
            rows += row_bytes(set.layer(layer));
            layer += 1;
        }
        8 * rows + (threads + 1) * set.n * PER_THREAD_PER_BYTE
    }

    /// Goes on from what [`partial`](Self::partial) gave before. The nodes are taken as they are:
    /// whoever stores them checks that they come back unchanged.
    ///
    /// # Errors
    /// [`Error::BadCache`] if there are too many, or parts of one.
    pub fn resume(&mut self, partial: &[u8]) -> Result<(), Error> {
        let (mut rest, mut builds) = (partial, Vec::new());
        for layer in 0..self.set.d {
            let set = self.set.layer(layer);
            let part;
            (part, rest) = rest.split_at(row_bytes(set).min(rest.len()));
            if !part.len().is_multiple_of(set.n) {
                return Err(Error::BadCache);
            }
            builds.push(Build::from(part.to_vec()));
        }
        if !rest.is_empty() {
            return Err(Error::BadCache);
        }
        self.layers.iter_mut().zip(builds).for_each(|((_, build), new)| *build = new);
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
        scrub::deep(|| self.run_now(threads, watch))
    }

    fn run_now(
        &mut self,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Signer<'k>, Error> {
        let total = self.layers.iter().map(|(tree, _)| 1 << tree.height()).sum();
        let mut done = 0;
        for (tree, build) in &mut self.layers {
            build.run(&**tree, threads, &mut |p| watch(Progress { done: done + p.done, total }))?;
            done += 1 << tree.height();
        }
        let grown: Vec<Grown<'k>> = self.layers.iter_mut().map(first_tree).collect();
        let root = grown.last().map_or(&[][..], |top| top.traversal.root());
        let public = PublicKey::new(self.set, root, &self.public_seed);
        let uppers = vec![Vec::new(); grown.len()];
        let (trees, root) = (self.trees.clone(), public.root());
        let forest = Multi::new(self.set, trees, grown, uppers, Vec::new(), root)?;
        Ok(Signer::new(self.set, forest, public, 0))
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

/// A key from its seed and what [`Signer::to_cache`] gave, able to sign from
/// the next index of `account` on; what
/// [`Signer::to_leaves`] gave may follow in `cache`.
///
/// # Errors
/// [`Error::BadCache`] if the nodes do not lead to the root of `public`, or not to the leaves
/// that the seed gives near that index; [`Error::BadSeed`] if the seed is not this key's.
pub fn load<'k>(
    public: &PublicKey,
    seed: &[u8],
    cache: &[u8],
    account: &dyn Account,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    load_sectors(public, &Sectors::one(seed), cache, account, kernels)
}

/// As [`load`], with the seeds of the sectors at hand: it signs with these only.
///
/// # Errors
/// As [`load`].
pub fn load_sectors<'k>(
    public: &PublicKey,
    seeds: &Sectors<'_>,
    cache: &[u8],
    account: &dyn Account,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    if public.levels().is_some() {
        return Err(Error::UnknownSet);
    }
    load_levels(public.set(), public, seeds, cache, account, kernels)
}

/// As [`load_sectors`], for any set: a public key of HSS does not name the sets of its lower levels.
///
/// # Errors
/// As [`load`]; [`Error::BadKey`] if `public` is not of `set`.
pub fn load_levels<'k>(
    set: &'static Set,
    public: &PublicKey,
    seeds: &Sectors<'_>,
    cache: &[u8],
    account: &dyn Account,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    load_with_growth(set, public, seeds, (cache, &[]), account, kernels)
}

/// As [`load_levels`], with what [`Signer::growth`] gave: the trees that follow, as far as they
/// were made, so that nobody makes them again. It is taken as it is: whoever stores it checks that it
/// comes back unchanged. What does not fit is left aside.
///
/// # Errors
/// As [`load_levels`].
pub fn load_with_growth<'k>(
    set: &'static Set,
    public: &PublicKey,
    seeds: &Sectors<'_>,
    kept: (&[u8], &[u8]),
    account: &dyn Account,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    let next = account.next_index();
    scrub::deep(|| load_now(set, public, seeds, kept, next, kernels))
}

fn load_now<'k>(
    set: &'static Set,
    public: &PublicKey,
    seeds: &Sectors<'_>,
    (cache, growth): (&[u8], &[u8]),
    next: u64,
    kernels: Kernels<'k>,
) -> Result<Signer<'k>, Error> {
    let (trees, public_seed) = seeds.trees(set, |seed| trees(set, seed, kernels))?;
    if *public != PublicKey::new(set, public.root(), public.seed()) {
        return Err(Error::BadKey);
    }
    if public_seed != public.seed() {
        return Err(Error::BadSeed);
    }
    let nodes = (0..set.d).map(|layer| kept_bytes(set, layer)).sum();
    let (cache, leaves) = cache.split_at_checked(nodes).ok_or(Error::BadCache)?;
    let leaves = read_leaves(set, leaves)?;
    let next = next.min(set.capacity());
    let index = seeds.nearest(set, next.min(set.capacity() - 1));
    let (mut rest, mut below) = (cache, index);
    let (mut grown, mut uppers) = (Vec::new(), Vec::new());
    let mut nexts = seedlings(set, &trees, growth).unwrap_or_default();
    for layer in 0..set.d {
        let (kept, place) = (rest.split_at(kept_bytes(set, layer)), set.place_in(layer, below));
        let leaves = leaves.get(layer as usize);
        let made = nexts.iter().position(|(at, next)| (*at, next.number()) == (layer, place.0));
        let made = made.map(|at| nexts.swap_remove(at).1);
        let (tree, upper) = regrow(set, &trees, layer, (kept.0, leaves, made), place)?;
        (rest, below) = (kept.1, place.0);
        grown.push(tree);
        uppers.push(upper);
    }
    let forest = Multi::new(set, trees, grown, uppers, nexts, public.root())?;
    Ok(Signer::new(set, forest, public.clone(), next))
}

/// The trees that follow, by layer, out of what [`Signer::growth`] gave; `None` if that is not whole.
fn seedlings<'k>(
    set: &Set,
    trees: &Trees<'k>,
    mut growth: &[u8],
) -> Option<Vec<(u32, Seedling<'k>)>> {
    let mut made = Vec::new();
    for layer in 0..set.d - 1 {
        let (number, rest) = growth.split_first_chunk()?;
        let number = u64::from_be_bytes(*number);
        growth = rest;
        if number < set.trees(layer) {
            let (next, rest) = Seedling::resume(trees(layer, number), number, growth)?;
            growth = rest;
            made.push((layer, next));
        }
    }
    growth.is_empty().then_some(made)
}

/// Tree `number` of `layer` at `leaf`, out of what was kept of that layer if it is of that tree,
/// and the voucher for it, if that was kept; otherwise out of what was `made` of it while it followed.
fn regrow<'k>(
    set: &Set,
    trees: &Trees<'k>,
    layer: u32,
    (kept, leaves, made): (&[u8], Option<&Leaves<'_>>, Option<Seedling<'k>>),
    (number, leaf): (u64, u32),
) -> Result<(Grown<'k>, Vec<u8>), Error> {
    let (kept_number, kept) = kept.split_first_chunk().ok_or(Error::BadCache)?;
    let kept_number = u64::from_be_bytes(*kept_number);
    if kept_number >= set.trees(layer) {
        return Err(Error::BadCache);
    }
    let tree = trees(layer, number);
    if kept_number != number {
        let made = made.unwrap_or_else(|| Seedling::new(tree, number));
        return Ok((made.finish(), Vec::new()));
    }
    let (row, upper) = kept.split_at(row_bytes(set.layer(layer)));
    let traversal = match leaves {
        Some(leaves) => Traversal::with_leaves(&*tree, row, leaf, leaves),
        None => Traversal::new(&*tree, row, leaf, None),
    };
    Ok((Grown { number, tree, traversal }, upper.to_vec()))
}

/// What follows the nodes in a cache: the leaves of every layer, or nothing.
fn read_leaves<'l>(set: &Set, mut bytes: &'l [u8]) -> Result<Vec<Leaves<'l>>, Error> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let layers = (0..set.d).map(|layer| set.layer(layer));
    let leaves = layers.map(|set| Leaves::read(&mut bytes, set.n, set.tree_height())).collect();
    if bytes.is_empty() { leaves } else { None }.ok_or(Error::BadCache)
}

/// The tree that a build has completed.
fn first_tree<'k>((tree, build): &mut (Arc<dyn Secrets<'k> + 'k>, Build)) -> Grown<'k> {
    let first = build.take_first();
    let traversal = Traversal::new(&**tree, build.row(), 0, first);
    Grown { number: 0, tree: tree.clone(), traversal }
}

/// Bytes of the row of nodes at the cut of a tree.
const fn row_bytes(set: &Set) -> usize {
    set.n << (set.tree_height() - cut(set.tree_height()))
}

/// Bytes that a cache holds of a layer.
fn kept_bytes(set: &Set, layer: u32) -> usize {
    let upper = if layer + 1 < set.d { upper_signature::bytes(set, layer) } else { 0 };
    8 + row_bytes(set.layer(layer)) + upper
}

/// The secret trees of a seed, and the part of the seed that is public.
pub(crate) fn trees<'k, 's>(
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
        Scheme::Hss { .. } => Ok((crate::hss::trees(set, seed, kernels), &seed[..crate::lms::ID])),
        Scheme::SlhDsa { .. } => Err(Error::UnknownSet),
    }
}
