//! Preparation of messages in small steps: session trees, and slots of them.

use super::error::Error;
use super::identity::Identity;
use super::session_tree::{Next, SessionTree};
use super::slot::Slot;
use crate::format::{Header, Kind, MOST_BYTES};
use crate::signed_keys::Identity as Verifies;
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::{fmt, mem};
use hasten_hbs::{LeafVerifier, PublicKey, Set, SignerLevel, params::Scheme};
use hasten_kernels::Kernels;

/// Result of one step of preparation.
#[derive(Debug)]
#[must_use = "dropped, its one-time key is lost"]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are slots")]
pub enum Made<'k> {
    /// A message that waits for its payload.
    Slot(Slot<'k>),
    /// The announcement of a tree, which comes before all slots of that tree. It must be sent
    /// repeatedly, because a receiver without it cannot open messages of that tree.
    Announcement(Arc<[u8]>),
    /// A part of the next tree.
    Part,
    /// Nothing is left to prepare. If a slot was requested, the identity is used up.
    Nothing,
}

/// Prepares session trees and their slots. Each call of [`step`](Self::step) is short: it computes
/// the leaves of a small subtree, one slot, or one signature of the identity.
pub struct Preparer<'k> {
    identity: Box<dyn Identity + 'k>,
    verifies: Verifies<'k>,
    set: &'static Set,
    level: SignerLevel,
    kernels: Kernels<'k>,
    now: Option<SessionTree<'k>>,
    next: Next<'k>,
    /// Number of the first tree.
    session: Option<u64>,
    sequence: u64,
    /// Number of trees that the identity can still sign.
    trees: u64,
    /// True if slots accept several messages.
    batches: bool,
    /// True if announcements include the leaves.
    leaves: bool,
}

impl<'k> Preparer<'k> {
    /// Returns a preparer for session trees of `set` under `identity`. Nothing is computed and no
    /// index is used yet.
    ///
    /// # Errors
    /// `NoSessions` for a set that is not of LMS, or an identity without a level for session trees;
    /// `Identity` if its public key cannot be read.
    pub fn new(
        identity: impl Identity + 'k,
        set: &'static Set,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        let verifies = Verifies::new(&identity.public_key()?, kernels).ok_or(Error::NoSessions)?;
        if !matches!(set.scheme, Scheme::Lms { .. }) {
            return Err(Error::NoSessions);
        }
        let trees = identity.remaining();
        let (identity, now, next) = (Box::new(identity), None, Next::Nothing);
        let (session, sequence, batches, leaves) = (None, 0, false, false);
        let level = SignerLevel::ChainTable;
        Ok(Self {
            identity,
            verifies,
            set,
            level,
            kernels,
            now,
            next,
            session,
            sequence,
            trees,
            batches,
            leaves,
        })
    }

    /// Announces each tree with all of its leaves. Its messages then carry no path, and their
    /// receivers need not hash one.
    ///
    /// # Errors
    /// `LongLeaves` for a set whose leaves do not fit into a datagram.
    pub fn with_leaves(mut self) -> Result<Self, Error> {
        let leaves = LeafVerifier::leaves_bytes(self.set).unwrap_or(usize::MAX);
        let front = 20 + self.public_key().set().signature_bytes() + self.set.public_key_bytes();
        let needs = leaves.saturating_add(front);
        if needs > MOST_BYTES {
            return Err(Error::LongLeaves { needs });
        }
        self.leaves = true;
        Ok(self)
    }

    /// Makes slots that accept one message or several. The sequence number of a message, and
    /// therefore its header, is then unknown until it is sealed.
    #[must_use]
    pub fn for_batches(mut self) -> Self {
        self.batches = true;
        self
    }

    /// Prepares messages to this level instead of [`SignerLevel::ChainTable`]. A lower level needs
    /// less memory and less time before the message, and more time after it arrives.
    #[must_use]
    pub const fn at_level(mut self, level: SignerLevel) -> Self {
        self.level = level;
        self
    }

    /// Ends the use of the identity.
    ///
    /// # Errors
    /// `Identity` if the status of the key could not be written.
    pub fn close(self) -> Result<(), Error> {
        self.identity.close().map_err(Error::Identity)
    }

    /// Returns the public key of the identity.
    pub const fn public_key(&self) -> &PublicKey {
        self.verifies.key()
    }

    /// Returns the set of the session trees.
    pub const fn set(&self) -> &'static Set {
        self.set
    }

    /// Returns the number of messages that can still be prepared before the identity is used up.
    pub fn remaining(&self) -> u64 {
        let whole = self.trees.saturating_mul(self.set.capacity());
        let next = if let Next::Signed(tree) = &self.next { tree.left() } else { 0 };
        whole + self.now.as_ref().map_or(0, SessionTree::left) + next
    }

    /// Does a small piece of work, and makes a slot if `want_slot` is set and no other work is due.
    /// The next tree grows along with the use of this one: it is complete and signed when half of
    /// this one is used.
    ///
    /// # Errors
    /// `Identity` if the identity cannot sign the next tree, `Randomness`, `Forked`.
    pub fn step(&mut self, want_slot: bool) -> Result<Made<'k>, Error> {
        if self.now.as_ref().is_none_or(|tree| tree.left() == 0) && !self.change_trees() {
            return if self.is_last() { Ok(Made::Nothing) } else { self.further() };
        }
        let (used, all) = (self.now.as_ref().map_or(0, SessionTree::used), self.set.capacity());
        let due = if want_slot { (2 * used).min(all) } else { all };
        if !self.is_last() && (self.next.leaves() < due || self.must_sign(used)) {
            return self.further();
        }
        if want_slot { self.slot().map(Made::Slot) } else { Ok(Made::Nothing) }
    }

    /// Returns true if no tree follows.
    const fn is_last(&self) -> bool {
        self.trees == 0 && !matches!(self.next, Next::Signed(_))
    }

    /// Returns true if the next tree is to be signed now. That is not before half of this one is
    /// used, so that a crash seldom costs two indices.
    const fn must_sign(&self, used: u64) -> bool {
        matches!(self.next, Next::Grown(_)) && 2 * used >= self.set.capacity()
    }

    /// Starts to use the next tree, if it is signed. Returns true if it did.
    fn change_trees(&mut self) -> bool {
        match mem::replace(&mut self.next, Next::Nothing) {
            Next::Signed(tree) => {
                self.session.get_or_insert(tree.number);
                self.now = Some(tree);
                true
            }
            other => {
                self.next = other;
                false
            }
        }
    }

    /// Continues the preparation of the next tree by one step.
    fn further(&mut self) -> Result<Made<'k>, Error> {
        let (next, made) = match mem::replace(&mut self.next, Next::Nothing) {
            Next::Nothing => (Next::begin(self.set, self.kernels)?, Made::Part),
            growing @ Next::Growing(..) => (growing.grow()?, Made::Part),
            Next::Grown(signer) => {
                let (by, leaves) = (&mut *self.identity, self.leaves);
                let tree = SessionTree::sign(signer, by, &self.verifies, leaves)?;
                self.trees = self.identity.remaining();
                let made = Made::Announcement(tree.announcement.clone());
                (Next::Signed(tree), made)
            }
            signed @ Next::Signed(_) => (signed, Made::Nothing),
        };
        self.next = next;
        Ok(made)
    }

    /// Prepares the next message.
    fn slot(&mut self) -> Result<Slot<'k>, Error> {
        let tree = self.now.as_mut().ok_or(Error::Ended)?;
        let next = if let Next::Signed(next) = &self.next { next.digest } else { [0; 8] };
        let session = self.session.unwrap_or(tree.number);
        let (kind, sequence) = (Kind::of(self.leaves, false), self.sequence);
        let header = Header { kind, session, tree: tree.number, sequence, next };
        // A session with too many messages ends here. The identity has far fewer indices.
        let prepared = tree.prepare(self.level)?;
        let slot = Slot::new(prepared, header, self.set).ok_or(Error::Ended)?;
        self.sequence += 1;
        Ok(if self.batches { slot } else { slot.at(sequence) })
    }
}

impl fmt::Debug for Preparer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Preparer({}, sequence {})", self.set.name, self.sequence)
    }
}
