//! Key generation, for every stateful scheme.

use super::stateful::Signer;
use crate::Error;
use crate::key::active_tree::ActiveTree;
use crate::key::from_seed::trees;
use crate::key::layered_key::{LayeredKey, row_bytes};
use crate::key::{PublicKey, Sectors};
use crate::one_time::{Secrets, Trees};
use crate::params::Set;
use crate::scrub;
use crate::tree::build::{Build, Progress};
use crate::tree::traversal::Traversal;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use hasten_kernels::Kernels;

/// Maximum memory of a thread for the leaves it computes, in bytes for each byte of a node.
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
    /// Begins a key of `set` from random bytes: for XMSS SK_SEED ‖ SK_PRF ‖ PUB_SEED, n bytes each;
    /// for LMS I ‖ SEED, 16 and n bytes; for HSS those of the highest tree.
    ///
    /// The caller must store the seed if the key is to be loaded again, and overwrite it in memory.
    ///
    /// # Errors
    /// [`Error::BadSeed`] for a wrong length, [`Error::UnknownSet`] if the set's keys have no
    /// state.
    pub fn new(set: &'static Set, seed: &[u8], kernels: Kernels<'k>) -> Result<Self, Error> {
        Self::of_sectors(set, &Sectors::one(seed), kernels)
    }

    /// Begins a key from the seeds of all its sectors.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::BadSeed`] if a seed is missing or has another public part.
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

    /// Keeps every node of the lowest tree that is computed from now on: 2^(h + 1) - 1 nodes, n
    /// bytes each, in addition to [`most_bytes`](Self::most_bytes). The signer then prepares paths
    /// in that tree without hashing. Nodes are public.
    pub fn keep_nodes(&mut self) {
        self.layers[0].1.keep();
    }

    /// Returns the maximum heap size in bytes for generating a key of `set` on `threads` threads.
    ///
    /// It is eight times the size of the kept rows of nodes, plus the nodes that each thread
    /// computes at a time. It includes the returned signer. A test checks the bound.
    pub const fn most_bytes(set: &Set, threads: usize) -> usize {
        let (mut layer, mut rows) = (0, 0);
        while layer < set.d {
            rows += row_bytes(set.layer(layer));
            layer += 1;
        }
        8 * rows + (threads + 1) * set.n * PER_THREAD_PER_BYTE
    }

    /// Continues from the output of [`partial`](Self::partial). The nodes are not checked: the
    /// caller must make sure that they were stored without change.
    ///
    /// # Errors
    /// [`Error::BadCache`] if there are too many nodes, or an incomplete one.
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

    /// Returns the finished nodes. They are public.
    pub fn partial(&self) -> Vec<u8> {
        self.layers.iter().flat_map(|(_, build)| build.row()).copied().collect()
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
        let active: Vec<ActiveTree<'k>> = self.layers.iter_mut().map(first_tree).collect();
        let root = active.last().map_or(&[][..], |top| top.traversal.root());
        let public = PublicKey::new(self.set, root, &self.public_seed);
        let uppers = vec![Vec::new(); active.len()];
        let (trees, root) = (self.trees.clone(), public.root());
        let key = LayeredKey::new(self.set, trees, active, uppers, Vec::new(), root)?;
        Ok(Signer::new(self.set, key, public, 0))
    }
}

impl fmt::Debug for KeyGeneration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyGeneration({})", self.set.name)
    }
}

/// Generates a key of `set` from its seed, on one thread.
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

/// Returns the tree that a build has completed, at its first leaf.
fn first_tree<'k>((tree, build): &mut (Arc<dyn Secrets<'k> + 'k>, Build)) -> ActiveTree<'k> {
    let kept = build.take_kept();
    let first = kept.as_ref().map(|kept| kept[0].clone()).or_else(|| build.take_first());
    let mut traversal = Traversal::new(&**tree, build.row(), 0, first);
    kept.into_iter().for_each(|kept| traversal.keep(kept));
    ActiveTree { number: 0, tree: tree.clone(), traversal }
}
