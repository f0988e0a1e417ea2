//! The receiving side.
//!
//! Each datagram is checked in this order: its form, its session and tree, its position in the
//! window, and only then its signature. A forged message costs at most one verification by a
//! session tree. A forged announcement costs at most one verification by the identity, and
//! [`Subscriber::allow`] limits the number of these.

use crate::batch::Batched;
use crate::format::{Announced, Digest, Header, Kind, digest, read_announcement};
use crate::signed_keys::{Identity, SignedKeys};
use crate::trees::{Tree, Trees};
use crate::window::{Place, Window};
use crate::{HEADER_BYTES, Refusal};
use core::fmt;
use hasten_hbs::PublicKey;
use hasten_kernels::Kernels;

/// A message that the identity's holder has signed. It is delivered only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified<'d> {
    /// The payload.
    pub payload: &'d [u8],
    /// The session, which is one run of the publisher.
    pub session: u64,
    /// Number of messages in the session before this one.
    pub sequence: u64,
    /// Number of the tree that signed it.
    pub tree: u64,
    /// Number of messages between this one and the newest before it that have not arrived yet.
    /// Those that arrive later, within the window, are delivered then.
    pub missed: u64,
}

/// Content of a valid datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'d> {
    /// A message.
    Message(Verified<'d>),
    /// An announcement of an unknown tree, or of the leaves of a known tree.
    NewTree(u64),
    /// An announcement that was received before.
    Repeated,
}

/// One run of the publisher, as received so far.
struct Session {
    number: u64,
    window: Window,
}

/// The receiving side of a channel. It keeps a few trees and one window, whatever it receives.
pub struct Subscriber<'k> {
    identity: Identity<'k>,
    trees: Trees<'k>,
    session: Option<Session>,
    /// Trees and sessions with a lower number have ended.
    floor: u64,
    /// Digest of the next tree's announcement, from the newest message that has one.
    next: Option<Digest>,
    /// Number of announcements of unknown trees that may still be verified.
    allowed: u32,
    /// Number of messages of earlier sessions that have not arrived.
    lost: u64,
}

impl<'k> Subscriber<'k> {
    /// Returns a subscriber to the publisher with this identity: an HSS public key whose levels
    /// include that of the session trees, or an XMSS or XMSS^MT public key.
    ///
    /// Returns `None` for any other key, and for an HSS key with only one level, which cannot sign
    /// session trees.
    pub fn new(identity: &PublicKey, kernels: Kernels<'k>) -> Option<Self> {
        let (identity, trees) = (Identity::new(identity, kernels)?, Trees::default());
        let (session, floor, next, lost) = (None, 0, None, 0);
        Some(Self { identity, trees, session, floor, next, allowed: u32::MAX, lost })
    }

    /// Refuses everything that was signed by trees before `tree`. A subscriber that was away uses
    /// this with the newest tree of which it delivered a message, so that older messages cannot be
    /// shown to it.
    #[must_use]
    pub fn not_before(mut self, tree: u64) -> Self {
        self.floor = tree;
        self
    }

    /// Limits the number of announcements of unknown trees that are verified until the next call of
    /// this. Initially there is no limit. An announcement that a verified message has named is not
    /// counted, so a flood of forged announcements delays only a subscriber that joins late, or the
    /// publisher's next run.
    pub fn allow(&mut self, count: u32) {
        self.allowed = count;
    }

    /// Returns the number of the newest tree that the identity is known to have signed. The tree
    /// may have been announced ahead of its use, so use the tree of a delivered message
    /// ([`Verified::tree`]) for [`not_before`](Self::not_before).
    pub fn newest_tree(&self) -> Option<u64> {
        self.trees.newest()
    }

    /// Returns the number of lost messages: they were sent after the first message that was
    /// received, and can no longer be delivered.
    pub fn lost(&self) -> u64 {
        self.lost + self.session.as_ref().map_or(0, |session| session.window.lost())
    }

    /// Processes a datagram.
    ///
    /// # Errors
    /// The reason why the datagram is refused. Nothing of it is then kept.
    pub fn open<'d>(&mut self, datagram: &'d [u8]) -> Result<Event<'d>, Refusal> {
        match (Header::read(datagram), read_announcement(datagram)) {
            (Some(header), _) => self.message(&header, datagram).map(Event::Message),
            (None, Some(announced)) => self.announcement(&announced, datagram),
            (None, None) => Err(Refusal::Malformed),
        }
    }

    fn message<'d>(
        &mut self,
        header: &Header,
        datagram: &'d [u8],
    ) -> Result<Verified<'d>, Refusal> {
        self.expects(header)?;
        let tree = self.trees.get(header.tree).ok_or(Refusal::UnknownTree)?;
        if header.kind.is_short() && !tree.has_leaves() {
            return Err(Refusal::UnknownTree);
        }
        let payload = match header.kind.is_batched() {
            true => batched(tree, header, datagram)?,
            false => alone(tree, header.kind, datagram)?,
        };
        let missed = self.deliver(header);
        let Header { session, tree, sequence, .. } = *header;
        Ok(Verified { payload, session, sequence, tree, missed })
    }

    /// Checks session and sequence number.
    fn expects(&self, header: &Header) -> Result<(), Refusal> {
        if header.tree < self.floor {
            return Err(Refusal::Stale);
        }
        let Some(session) = &self.session else { return Ok(()) };
        if header.session < session.number {
            return Err(Refusal::Stale);
        }
        if header.session > session.number {
            return Ok(());
        }
        match session.window.place(header.sequence) {
            Place::New => Ok(()),
            Place::Seen => Err(Refusal::Replay),
            Place::TooOld => Err(Refusal::TooOld),
        }
    }

    /// Notes a verified message. Returns the number of messages that are missing before it.
    fn deliver(&mut self, header: &Header) -> u64 {
        self.next = Some(header.next).filter(|next| *next != [0; 8]).or(self.next);
        if let Some(session) = self.session.as_mut().filter(|s| s.number == header.session) {
            return session.window.deliver(header.sequence);
        }
        self.lost = self.lost();
        let (number, window) = (header.session, Window::starting_at(header.sequence));
        self.session = Some(Session { number, window });
        self.floor = self.floor.max(number);
        self.trees.forget_before(self.floor);
        0
    }

    fn announcement(
        &mut self,
        announced: &Announced<'_>,
        datagram: &[u8],
    ) -> Result<Event<'static>, Refusal> {
        let number = announced.tree;
        if number < self.floor || !self.trees.takes(number) {
            return Err(Refusal::Stale);
        }
        let keys = SignedKeys::read(self.identity.key(), announced).ok_or(Refusal::Malformed)?;
        match self.trees.get(number).map(|known| known.is_same(&keys)) {
            Some(Some(true)) => return Ok(Event::Repeated),
            Some(Some(false)) => return Err(Refusal::BadSignature),
            Some(None) | None => self.may_verify(datagram)?,
        }
        let kernels = self.identity.kernels();
        if let Some(known) = self.trees.get(number) {
            known.learn(&keys, kernels)?;
            return Ok(Event::NewTree(number));
        }
        self.identity.verify(&keys)?;
        let mut tree = Tree::new(&keys, kernels);
        tree.learn(&keys, kernels)?;
        self.trees.keep(tree);
        Ok(Event::NewTree(number))
    }

    /// Uses up one allowed verification, unless a verified message has named this announcement.
    fn may_verify(&mut self, announcement: &[u8]) -> Result<(), Refusal> {
        if self.next.is_some_and(|next| next == digest(announcement)) {
            return Ok(());
        }
        self.allowed = self.allowed.checked_sub(1).ok_or(Refusal::NotNow)?;
        Ok(())
    }
}

/// Returns the payload of a message that has a signature of its own.
fn alone<'d>(tree: &mut Tree<'_>, kind: Kind, datagram: &'d [u8]) -> Result<&'d [u8], Refusal> {
    let signed = datagram.len().checked_sub(tree.signature_bytes(kind));
    let signed = signed.filter(|signed| *signed >= HEADER_BYTES).ok_or(Refusal::Malformed)?;
    let (signed, signature) = datagram.split_at(signed);
    tree.verify(signed, signature)?;
    Ok(&signed[HEADER_BYTES..])
}

/// Returns the payload of a message of a batch.
fn batched<'d>(
    tree: &mut Tree<'_>,
    header: &Header,
    datagram: &'d [u8],
) -> Result<&'d [u8], Refusal> {
    let signature = tree.signature_bytes(header.kind);
    let read = Batched::read(header, datagram, tree.set().n, signature);
    let read = read.ok_or(Refusal::Malformed)?;
    let statement = read.statement().ok_or(Refusal::Malformed)?;
    tree.verify_batch(statement, read.signature)?;
    Ok(read.payload)
}

impl fmt::Debug for Subscriber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let session = self.session.as_ref().map(|session| session.number);
        write!(f, "Subscriber(session {session:?}, newest tree {:?})", self.newest_tree())
    }
}
