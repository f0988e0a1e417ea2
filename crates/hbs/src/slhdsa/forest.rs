//! FORS trees that are too tall to keep in memory: FIPS 205, Algorithm 16 (fors_sign), streaming.
//!
//! A tree is cut into units of at most 2^12 leaves. A unit is hashed to its root at once, so that
//! lanes stay full, and is then dropped. Threads take the units of all trees in order. The roots of
//! the units of a tree are kept until the tree is complete: 64 KiB for 2^24 leaves of 16 bytes. In
//! addition, a thread keeps the leaves of one unit. Every node is hashed once.

use super::address::KeyPair;
use super::fors::{self, Shape};
use super::hashes::Hashes;
use super::message::Selection;
use crate::Error;
use crate::secret::Secret;
use crate::tree::build::Progress;
use crate::tree::units::in_order;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// Height of a unit.
const UNIT: u32 = 12;
/// Number of secret elements in memory at a time.
const TILE: usize = 256;

/// The FORS trees of one key pair.
pub(super) struct Forest<'f, 'k> {
    pub shape: Shape,
    pub hashes: &'f Hashes<'k>,
    pub sk_seed: &'f [u8],
    pub key: KeyPair,
}

/// The kept part of a unit: its root. The unit with the chosen leaf also has the secret element and
/// the path up to the root.
struct Unit {
    root: Vec<u8>,
    opened: Vec<u8>,
}

impl Forest<'_, '_> {
    /// Returns the height of a unit.
    fn cut(&self) -> u32 {
        self.shape.a.min(UNIT)
    }

    /// Writes the FORS signature for the chosen leaves, and returns the FORS public key.
    ///
    /// # Errors
    /// [`Error::Stopped`] if `watch` stopped it. `watch` is called after every unit.
    pub fn sign(
        &self,
        chosen: &Selection,
        threads: usize,
        signature: &mut [u8],
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<u8>, Error> {
        let (n, each) = (self.hashes.set.n, 1 << (self.shape.a - self.cut()));
        let mut parts = signature.chunks_exact_mut((1 + self.shape.a as usize) * n);
        let (mut roots, mut row, mut opened) = (Vec::new(), Vec::new(), Vec::new());
        let (mut done, total) = (0, u64::from(self.shape.k) << self.shape.a);
        let mut take = |unit: Unit| {
            row.extend(unit.root);
            opened.extend(unit.opened);
            if row.len() == each * n {
                let tree = (roots.len() / n) as u32;
                self.complete(chosen, tree, &mut row, &mut opened);
                roots.append(&mut row);
                // There are as many parts as trees.
                parts.next().into_iter().for_each(|part| part.copy_from_slice(&opened));
                opened.clear();
            }
            done += 1 << self.cut();
            watch(Progress { done, total })
        };
        let units = 0..self.shape.k * each as u32;
        in_order(threads, units, &|unit| self.unit(chosen, unit), &mut take)?;
        Ok(self.shape.compress(self.hashes, &[self.key], &roots))
    }

    /// Hashes a unit. Units are numbered across all trees.
    fn unit(&self, chosen: &Selection, unit: u32) -> Unit {
        let (n, cut) = (self.hashes.set.n, self.cut());
        let first = unit << cut;
        let leaf = chosen.fors(self.shape.a, first >> self.shape.a)
            + (first >> self.shape.a << self.shape.a);
        let here = (leaf >> cut == unit).then(|| (leaf - first) as usize);
        let (mut row, mut opened) = (vec![0; n << cut], Vec::new());
        let mut secrets = Secret::zero(TILE.min(1 << cut) * n);
        for (tile, leaves) in row.chunks_mut(secrets.len()).enumerate() {
            let start = tile * TILE;
            fors::secrets(
                self.hashes,
                (self.sk_seed, self.key),
                first + start as u32,
                &mut secrets,
            );
            fors::leaves(self.hashes, self.key, first + start as u32, &secrets, leaves);
            if let Some(at) = here.and_then(|at| at.checked_sub(start)).filter(|at| *at < TILE) {
                opened.extend_from_slice(&secrets[at * n..][..n]);
            }
        }
        self.climb((0, first), &mut row, here, &mut opened);
        Unit { root: row, opened }
    }

    /// Hashes the roots of a tree's units to the root of the tree, and completes its path.
    fn complete(&self, chosen: &Selection, tree: u32, row: &mut Vec<u8>, opened: &mut Vec<u8>) {
        let (a, cut) = (self.shape.a, self.cut());
        let here = chosen.fors(a, tree) >> cut;
        self.climb((cut, tree << (a - cut)), row, Some(here as usize), opened);
    }

    /// Hashes a row of nodes to its root. The first node has height `height` and index `first`.
    /// Appends the siblings on the way from node `here` of the row to `path`.
    fn climb(
        &self,
        (mut height, mut first): (u32, u32),
        row: &mut Vec<u8>,
        mut here: Option<usize>,
        path: &mut Vec<u8>,
    ) {
        let n = self.hashes.set.n;
        let mut above = vec![0; row.len() / 2];
        while row.len() > n {
            if let Some(at) = &mut here {
                path.extend_from_slice(&row[(*at ^ 1) * n..][..n]);
                *at /= 2;
            }
            (height, first) = (height + 1, first / 2);
            above.truncate(row.len() / 2);
            fors::parents(self.hashes, self.key, (height, first), row, &mut above);
            row.truncate(above.len());
            row.copy_from_slice(&above);
        }
    }
}
