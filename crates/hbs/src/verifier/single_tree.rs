//! Prepared verification for keys without HSS levels. The verifier expects the next index.

use super::level::VerifierLevel;
use super::node_cache::NodeCache;
use crate::Error;
use crate::counted::Arc;
use crate::key::PublicKey;
use crate::key::signature::Parts;
use crate::one_time::OneTime;
use crate::one_time::auth_path::{self, LeafRows, chain_ends, follow_auth_path};
use crate::params::Set;
use crate::verifier::Verifier;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// Maximum number of announcements that wait for their messages. If there are more, the one with
/// the lowest index is dropped.
pub const MOST_PENDING: usize = 16;

/// Returns the size in bytes of an announcement: index, path and one-time public key.
pub(super) const fn announce_bytes(set: &Set) -> usize {
    set.index_bytes() + set.above_bytes() + set.ots_bytes()
}

/// A verifier that prepares for the signature it expects.
pub(super) struct SingleTreeVerifier<'k> {
    verifier: Verifier<'k>,
    level: VerifierLevel,
    expected: u64,
    /// The number of the lowest tree in use, and the tree.
    tree: (u64, Arc<dyn OneTime<'k> + 'k>),
    rows: Option<(u64, LeafRows)>,
    known: NodeCache,
    /// A buffer for the pairs of a path.
    pairs: Vec<u8>,
    /// The number of the tree whose nodes are known, and the upper signatures that lead from its
    /// root to that of the key.
    upper: Option<(u64, Vec<u8>)>,
    announced: BTreeMap<u64, Announced>,
}

/// A one-time key that was authenticated before its message.
struct Announced {
    path: Vec<u8>,
    ends: Vec<u8>,
}

impl<'k> SingleTreeVerifier<'k> {
    /// Returns a verifier at `level` that expects index `expected` first.
    pub fn new(verifier: Verifier<'k>, level: VerifierLevel, expected: u64) -> Self {
        let tree = (0, verifier.tree(0, 0));
        let known = NodeCache::new(tree.1.height(), tree.1.n());
        let pairs = vec![0; 2 * verifier.public_key().set().path_bytes()];
        let (rows, upper, announced) = (None, None, BTreeMap::new());
        let mut watch =
            Self { verifier, level, expected, tree, rows, known, pairs, upper, announced };
        watch.prepare();
        watch
    }

    /// Returns the public key.
    pub const fn public_key(&self) -> &PublicKey {
        self.verifier.public_key()
    }

    /// Returns the index that the verifier is prepared for.
    pub const fn expected(&self) -> u64 {
        self.expected
    }

    /// Prepares for the expected index. Call it when a message has been processed. Without this
    /// call, verification is correct, but as slow as without preparation.
    pub fn prepare(&mut self) {
        let set = self.public_key().set();
        if self.level == VerifierLevel::None || self.expected >= set.capacity() {
            self.rows = None;
            return;
        }
        if self.rows.as_ref().is_none_or(|(at, _)| *at != self.expected) {
            let (number, leaf) = set.place(self.expected);
            self.enter(number);
            self.rows = Some((self.expected, LeafRows::all(&*self.tree.1, leaf)));
        }
    }

    /// Returns the number of announcements that wait for their messages.
    pub fn pending(&self) -> usize {
        self.announced.len()
    }

    /// Accepts an announcement after checking that its one-time key and path lead to the root.
    ///
    /// # Errors
    /// [`Error::BadAnnouncement`] if they do not, if the index has passed, or below level
    /// `ots-key`. The announcement is then not kept.
    pub fn announce(&mut self, announcement: &[u8]) -> Result<(), Error> {
        let set = self.public_key().set();
        let right = announcement.len() == announce_bytes(set);
        if self.level < VerifierLevel::OtsKey || !right {
            return Err(Error::BadAnnouncement);
        }
        let (index, rest) = announcement.split_at(set.index_bytes());
        let index = index.iter().fold(0, |i, b| i << 8 | u64::from(*b));
        if index >= set.capacity() || index < self.expected {
            return Err(Error::BadAnnouncement);
        }
        let (path, ends) = rest.split_at(set.above_bytes());
        self.authenticate(index, set.place(index), (&mut ends.to_vec(), path))
            .map_err(|_| Error::BadAnnouncement)?;
        if self.announced.len() == MOST_PENDING && !self.announced.contains_key(&index) {
            self.announced.pop_first();
        }
        self.announced.insert(index, Announced { path: path.to_vec(), ends: ends.to_vec() });
        Ok(())
    }

    /// Verifies `signature` of `message`. A good signature moves the expected index past its own.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if the signature is wrong in any way; the prepared data are then
    /// kept.
    pub fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        let parts = self.verifier.split(signature)?;
        let mut digest = [0; 64];
        let digest = &mut digest[..self.public_key().set().n];
        self.verifier.digest(&parts, message, digest);
        self.check(&parts, digest)?;
        self.pass(parts.index);
        Ok(())
    }

    fn check(&mut self, parts: &Parts<'_>, digest: &[u8]) -> Result<(), Error> {
        let place = self.public_key().set().place(parts.index);
        self.enter(place.0);
        let tree = &*self.tree.1;
        let mut ends = match &mut self.rows {
            Some((at, rows)) if *at == parts.index => {
                rows.chain_ends(tree, place.1, (digest, parts.ots))
            }
            _ => chain_ends(tree, place.1, digest, parts.ots),
        };
        let verdict = match self.announced.get(&parts.index) {
            Some(known) if known.ends == ends && known.path == parts.path => Ok(()),
            Some(_) => Err(Error::BadSignature),
            None => self.authenticate(parts.index, place, (&mut ends, parts.path)),
        };
        if let Some((_, rows)) = &mut self.rows {
            rows.keep(ends);
        }
        verdict
    }

    /// Moves the expected index past `index`, and drops announcements that have passed.
    fn pass(&mut self, index: u64) {
        self.expected = self.expected.max(index + 1);
        self.announced = self.announced.split_off(&self.expected);
    }

    /// Puts tree `number` of the lowest layer into use.
    fn enter(&mut self, number: u64) {
        if self.tree.0 != number {
            self.tree = (number, self.verifier.tree(0, number));
        }
    }

    /// Checks that the chain ends of an index lead along `above` to the root, or to a node that is
    /// known to lead there. `number` and `leaf` are the tree and the leaf of the index.
    fn authenticate(
        &mut self,
        index: u64,
        (number, leaf): (u64, u32),
        (ends, above): (&mut Vec<u8>, &[u8]),
    ) -> Result<(), Error> {
        let set = self.public_key().set();
        let (path, upper) = above.split_at(set.path_bytes());
        self.enter(number);
        let mut pairs = core::mem::take(&mut self.pairs);
        let led = self.lead((index, leaf), ends, (path, &mut pairs), upper);
        if let Some(levels) = led {
            self.known.learn(leaf, &pairs[..2 * set.n * levels], path);
            self.upper = Some((number, upper.to_vec()));
        }
        self.pairs = pairs;
        led.map(drop).ok_or(Error::BadSignature)
    }

    /// If the chain ends lead along the path and `upper` to the root, returns the number of levels
    /// up to the first known pair. `pairs` receives the pairs of these levels.
    fn lead(
        &self,
        (index, leaf): (u64, u32),
        ends: &mut Vec<u8>,
        (path, pairs): (&[u8], &mut [u8]),
        upper: &[u8],
    ) -> Option<usize> {
        let rows = self.rows.as_ref().filter(|(at, _)| *at == index).map(|(_, rows)| rows);
        let (leaf_rows, path_rows) = rows.map_or((&[][..], &[][..]), |r| (&r.leaf, &r.path));
        let (number, tree) = (self.tree.0, &*self.tree.1);
        let mut node = tree.leaf(leaf_rows, leaf, ends);
        let known = self.known_above(number, upper);
        let height = tree.height() as usize;
        if known.is_none() && tree.climb(path_rows, leaf, (path, pairs), &mut node) {
            return self.verifier.leads(number, node, upper).then_some(height);
        }
        let made = if rows.is_none() { auth_path::path_rows(tree, leaf) } else { Vec::new() };
        let path_rows = if rows.is_none() { &made } else { path_rows };
        let mut levels = 0;
        let mut see = |level, pair: &[u8]| {
            levels = level as usize + 1;
            let met = known.and_then(|known| known.meets(level, leaf, pair, path));
            met.map_or(ControlFlow::Continue(()), ControlFlow::Break)
        };
        let met = follow_auth_path(tree, path_rows, leaf, node, (path, pairs), &mut see);
        let good = match met {
            ControlFlow::Break(met) => met,
            ControlFlow::Continue(root) => self.verifier.leads(number, root, upper),
        };
        good.then_some(levels)
    }

    /// Returns the known nodes, if they are nodes of tree `number` and its root was verified with
    /// `upper`.
    fn known_above(&self, number: u64, upper: &[u8]) -> Option<&NodeCache> {
        let (at, known) = self.upper.as_ref()?;
        let same = *at == number && known == upper;
        (same && self.level >= VerifierLevel::NodeCache).then_some(&self.known)
    }
}
