//! The receiving side.
//!
//! Order of work for each datagram: its form, its session and tree, its place in the window, and
//! only then its signature. A bogus message costs one verification by a session tree at most; a
//! bogus announcement one verification by the identity at most, and [`Subscriber::allow`] bounds
//! how many of these there are.

use crate::batch::Batched;
use crate::format::{Announced, Digest, Header, Kind, digest, read_announcement};
use crate::signed_keys::{Identity, SignedKeys};
use crate::trees::{Tree, Trees};
use crate::window::{Place, Window};
use crate::{HEADER_BYTES, Refusal};
use core::fmt;
use hasten_hbs::PublicKey;
use hasten_kernels::Kernels;

/// A message that the identity's holder has signed, delivered for the only time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified<'d> {
    /// The payload.
    pub payload: &'d [u8],
    /// The session: one run of the publisher.
    pub session: u64,
    /// Messages of the session before this one.
    pub sequence: u64,
    /// The tree that signed it.
    pub tree: u64,
    /// Messages between this one and the newest before, none of which has come yet. One that comes
    /// later, within the window, is delivered then.
    pub missed: u64,
}

/// Says what a good datagram was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'d> {
    /// A message.
    Message(Verified<'d>),
    /// An announcement of a tree that was not known, or of the leaves of one that was.
    NewTree(u64),
    /// An announcement that was heard before.
    Repeated,
}

/// One run of the publisher, as far as it was received.
struct Session {
    number: u64,
    window: Window,
}

/// The receiving side of a channel. It holds a few trees and one window, whatever is received.
pub struct Subscriber<'k> {
    identity: Identity<'k>,
    trees: Trees<'k>,
    session: Option<Session>,
    /// Trees and sessions before this one are over.
    floor: u64,
    /// Tells the announcement that was named by the newest message that named one.
    next: Option<Digest>,
    /// Unknown announcements that may still be verified.
    allowed: u32,
    /// Messages of earlier sessions that have not come.
    lost: u64,
}

impl<'k> Subscriber<'k> {
    /// Returns a subscriber to the publisher with this identity: a public key of HSS that counts
    /// the level of the session trees, or one of XMSS or XMSS^MT.
    ///
    /// Returns `None` for any other, also for one of HSS that has no level above another: it signs
    /// no session trees.
    pub fn new(identity: &PublicKey, kernels: Kernels<'k>) -> Option<Self> {
        let (identity, trees) = (Identity::new(identity, kernels)?, Trees::default());
        let (session, floor, next, lost) = (None, 0, None, 0);
        Some(Self { identity, trees, session, floor, next, allowed: u32::MAX, lost })
    }

    /// Refuses everything signed by trees before `tree`: a subscriber that was away, and kept the
    /// newest tree of which it delivered a message, cannot be shown what is older.
    #[must_use]
    pub fn not_before(mut self, tree: u64) -> Self {
        self.floor = tree;
        self
    }

    /// Verifies at most `count` announcements of unknown trees until this is called again. At the
    /// beginning there is no limit. One that was named by a verified message needs no allowance, so
    /// a flood of bogus ones delays only a subscriber that comes late, or a publisher's next run.
    pub fn allow(&mut self, count: u32) {
        self.allowed = count;
    }

    /// Returns the number of the newest tree that the identity has signed, as far as is known. It
    /// may be announced ahead: [`not_before`](Self::not_before) takes the tree of a message that
    /// was delivered ([`Verified::tree`]).
    pub fn newest_tree(&self) -> Option<u64> {
        self.trees.newest()
    }

    /// Returns how many messages are lost: they were sent after the first that was received, and
    /// can come no more.
    pub fn lost(&self) -> u64 {
        self.lost + self.session.as_ref().map_or(0, |session| session.window.lost())
    }

    /// Takes a datagram.
    ///
    /// # Errors
    /// The reason for which it is refused. Nothing of it is kept then.
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

    /// Notes a verified message. Returns the messages that it shows to be missing.
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

    /// Takes an allowance, unless a verified message has named this announcement.
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
