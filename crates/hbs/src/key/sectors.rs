//! Sectors: parts of one key with seeds of their own.
//!
//! Sectorization as RFC 10033 describes it: the highest tree is cut into 2^s subtrees whose leaves
//! come from independent seeds. Their roots are interior nodes of the one tree, so the public key
//! and the size of a signature are the same as for a key with one seed. In a key of several layers,
//! a sector consists of its leaves of the highest tree and of all trees below them. All seeds of a
//! key share their public part (PUB_SEED, or I). A holder of one sector's seed and of the public
//! nodes can sign with that sector and with no other.

use crate::Error;
use crate::one_time::Trees;
use crate::one_time::{OneTime, Secrets};
use crate::params::{LMS_ID_BYTES, Scheme, Set};
use crate::tree::traversal::cut;
use crate::tree::{Position, Shape, Tree};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// The available seeds of a key, by sector. `Debug` shows the sector numbers, but no seeds.
#[derive(Clone)]
pub struct Sectors<'s> {
    count: u32,
    here: Vec<(u32, &'s [u8])>,
}

impl<'s> Sectors<'s> {
    /// Returns the seed of a key with one sector.
    pub fn one(seed: &'s [u8]) -> Self {
        Self { count: 1, here: vec![(0, seed)] }
    }

    /// Returns the seeds of a key with `count` sectors. `here` has the numbers and the seeds of the
    /// available ones.
    ///
    /// # Errors
    /// [`Error::BadSeed`] if no seed is given, a sector occurs twice, or its number is not below
    /// `count`.
    pub fn of(count: u32, here: Vec<(u32, &'s [u8])>) -> Result<Self, Error> {
        let twice =
            |(at, (sector, _)): (usize, &(u32, _))| here[..at].iter().any(|(s, _)| s == sector);
        let good = !here.is_empty() && here.iter().all(|(sector, _)| *sector < count);
        if good && !here.iter().enumerate().any(twice) {
            Ok(Self { count, here })
        } else {
            Err(Error::BadSeed)
        }
    }

    /// Copies the public part of seed `from` to `to`. The seeds of all sectors of a key share this
    /// part.
    ///
    /// # Errors
    /// [`Error::BadSeed`] for a wrong length.
    pub fn share(set: &Set, from: &[u8], to: &mut [u8]) -> Result<(), Error> {
        if [from.len(), to.len()] != [set.seed_bytes(); 2] {
            return Err(Error::BadSeed);
        }
        let public = match set.scheme {
            Scheme::Xmss | Scheme::XmssMt | Scheme::SlhDsa { .. } => 2 * set.n..3 * set.n,
            Scheme::Lms { .. } | Scheme::Hss { .. } => 0..LMS_ID_BYTES,
        };
        to[public.clone()].copy_from_slice(&from[public]);
        Ok(())
    }

    /// Returns true if no seed is missing.
    pub(crate) fn is_whole(&self) -> bool {
        self.here.len() == self.count as usize
    }

    fn fits(&self, set: &Set) -> bool {
        let countable = self.count == 1 || set.h < u64::BITS;
        countable && self.count.is_power_of_two() && self.count <= most_sectors(set)
    }

    /// Returns the index nearest to `index` whose seed is available. An index at or before `index`
    /// is preferred.
    pub(crate) fn nearest(&self, set: &Set, index: u64) -> u64 {
        let size = set.capacity() / u64::from(self.count);
        let ends = self.here.iter().map(|(sector, _)| (u64::from(*sector) + 1) * size - 1);
        let within = self.here.iter().any(|(sector, _)| u64::from(*sector) == index / size);
        let before = ends.clone().filter(|end| *end < index).max();
        if within { index } else { before.or(ends.min()).unwrap_or(index) }
    }

    /// Returns the trees of the key, combined from all sectors, and the public part of the seeds.
    /// `make` returns both for one seed.
    ///
    /// # Errors
    /// The errors of `make`; [`Error::BadSeed`] if `set` cannot have this number of sectors, or the
    /// seeds do not share their public part.
    pub(crate) fn trees<'k>(
        &self,
        set: &'static Set,
        make: impl Fn(&'s [u8]) -> Result<(Trees<'k>, &'s [u8]), Error>,
    ) -> Result<(Trees<'k>, &'s [u8]), Error> {
        if !self.fits(set) {
            return Err(Error::BadSeed);
        }
        let mut parts: Vec<Option<Trees<'k>>> = vec![None; self.count as usize];
        let (any, public) = make(self.here[0].1)?;
        for (sector, seed) in &self.here {
            let (trees, same) = make(seed)?;
            if same != public {
                return Err(Error::BadSeed);
            }
            parts[*sector as usize] = Some(trees);
        }
        Ok(if self.count == 1 { (any, public) } else { (joined(set, any, parts), public) })
    }
}

impl fmt::Debug for Sectors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let here: Vec<u32> = self.here.iter().map(|(sector, _)| *sector).collect();
        write!(f, "Sectors({here:?} of {})", self.count)
    }
}

/// Returns the maximum number of sectors of a key of `set`. A sector consists of whole subtrees
/// below the cut of the highest tree.
///
/// A key with a signature limit has one sector.
pub const fn most_sectors(set: &Set) -> u32 {
    if set.limit.is_some() {
        return 1;
    }
    let height = highest(set).tree_height();
    1 << (height - cut(height))
}

/// Returns the set of the highest tree.
const fn highest(set: &Set) -> &Set {
    set.layer(set.d - 1)
}

/// Returns the leaf of the highest tree above tree `number` of `layer`, which is not the highest.
fn highest_leaf(set: &Set, layer: u32, number: u64) -> u32 {
    (layer + 1..set.d).fold((number, 0), |(number, _), above| set.place_in(above, number)).1
}

/// Combines the trees of the sectors: each tree comes from the sector it is in, the highest tree
/// from all sectors.
fn joined<'k>(set: &'static Set, any: Trees<'k>, parts: Vec<Option<Trees<'k>>>) -> Trees<'k> {
    let shift = highest(set).tree_height() - parts.len().ilog2();
    Arc::new(move |layer, number| {
        let grow = |trees: &Option<Trees<'k>>| trees.as_ref().map(|trees| trees(layer, number));
        if layer + 1 == set.d {
            let any = any(layer, number);
            return Arc::new(Joined { any, shift, parts: parts.iter().map(grow).collect() });
        }
        let sector = highest_leaf(set, layer, number) >> shift;
        let missing = || Joined { any: any(layer, number), shift: 31, parts: vec![None] };
        grow(&parts[sector as usize]).unwrap_or_else(|| Arc::new(missing()))
    })
}

/// A tree whose leaves come from the seeds of several sectors, some of which may be missing.
struct Joined<'k> {
    /// The tree for public data. It is made from one of the seeds.
    any: Arc<dyn Secrets<'k> + 'k>,
    parts: Vec<Option<Arc<dyn Secrets<'k> + 'k>>>,
    /// Height of the subtree of a sector.
    shift: u32,
}

impl<'k> Joined<'k> {
    fn part(&self, leaf: u32) -> Option<&(dyn Secrets<'k> + 'k)> {
        self.parts.get((leaf >> self.shift) as usize)?.as_deref()
    }

    /// Calls `each` for every sector with its leaves and their part of the output. The output for
    /// leaves of a missing sector is left unchanged; callers check [`Tree::has`] before.
    fn split(
        &self,
        leaves: &[u32],
        out: &mut [u8],
        each: impl Fn(&(dyn Secrets<'k> + 'k), &[u32], &mut [u8]),
    ) {
        let size = out.len() / leaves.len().max(1);
        let mut rest = out;
        for run in leaves.chunk_by(|a, b| a >> self.shift == b >> self.shift) {
            let (now, later) = rest.split_at_mut(run.len() * size);
            if let Some(part) = self.part(run[0]) {
                each(part, run, now);
            }
            rest = later;
        }
    }
}

impl Shape for Joined<'_> {
    fn n(&self) -> usize {
        self.any.n()
    }

    fn height(&self) -> u32 {
        self.any.height()
    }
}

impl Tree for Joined<'_> {
    fn leaves(&self, indices: &[u32], out: &mut [u8]) {
        self.split(indices, out, |part, run, out| part.leaves(run, out));
    }

    fn nodes(&self, at: &[Position], pairs: &[u8], out: &mut [u8]) {
        self.any.nodes(at, pairs, out);
    }

    fn has(&self, leaf: u32) -> bool {
        self.part(leaf).is_some()
    }
}

impl<'k> Secrets<'k> for Joined<'k> {
    fn public(&self) -> &(dyn OneTime<'k> + 'k) {
        self.any.public()
    }

    fn elements(&self, leaves: &[u32], out: &mut [u8]) {
        self.split(leaves, out, |part, run, out| part.elements(run, out));
    }

    fn randomizer(&self, index: u64, out: &mut [u8]) {
        if let Some(part) = u32::try_from(index).ok().and_then(|leaf| self.part(leaf)) {
            part.randomizer(index, out);
        }
    }
}
