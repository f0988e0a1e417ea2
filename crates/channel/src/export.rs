//! Export of a message for other verifiers.

use crate::HEADER_BYTES;
use crate::batch::Batched;
use crate::format::{Header, Kind, read_announcement};
use crate::signed_keys::{SignedKeys, is_xmss};
use crate::trees::signature_bytes;
use alloc::vec::Vec;
use hasten_hbs::{LeafVerifier, PublicKey, Set};
use hasten_kernels::Kernels;

/// A message and its HSS signature, for any verifier of RFC 8554.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The signed bytes: header and payload or, for a batch, the header of the batch and its root.
    pub message: Vec<u8>,
    /// The HSS signature. It verifies under the identity's public key, or under the key in
    /// [`tree`](Self::tree) if that is given.
    pub signature: Vec<u8>,
    /// The session tree, if the identity is of XMSS or XMSS^MT. Then there are two signatures to
    /// verify.
    pub tree: Option<ExportedTree>,
    /// The message and its path to the root, if it was signed in a batch.
    pub batched: Option<ExportedBatched>,
}

/// A message of a batch. Hashed along its path it gives the root in [`Exported::message`], as
/// [`export`] has checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedBatched {
    /// Header and payload.
    pub message: Vec<u8>,
    /// The sibling nodes on the way to the root, the lowest first.
    pub path: Vec<u8>,
    /// Position of the message in the batch.
    pub place: u16,
    /// Number of messages in the batch.
    pub messages: u16,
}

/// A session tree and the signature by an identity of XMSS or XMSS^MT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedTree {
    /// The public key of the tree, as HSS with one level.
    pub key: PublicKey,
    /// The bytes that the identity signed: a fixed prefix and the public key of the tree.
    pub statement: Vec<u8>,
    /// The signature of RFC 8391, under the identity's public key.
    pub signature: Vec<u8>,
}

/// Returns the message in `datagram` with its HSS signature under `identity`, using the
/// announcement of its tree. Under an identity of XMSS or XMSS^MT the HSS signature has one level
/// and is that of the tree, which comes with the identity's signature. If the signature lacks its
/// path, the path is computed from the leaves in the announcement. No signature is verified: the
/// recipient of the result does that.
///
/// Returns `None` if the arguments do not belong together, or one of them is truncated.
pub fn export(identity: &PublicKey, announcement: &[u8], datagram: &[u8]) -> Option<Exported> {
    let announced = read_announcement(announcement)?;
    let keys = SignedKeys::read(identity, &announced)?;
    let header = Header::read(datagram).filter(|header| header.tree == announced.tree)?;
    let signed = match header.kind.is_batched() {
        true => of_batch(keys.tree.set(), &header, datagram)?,
        false => alone(keys.tree.set(), header.kind, datagram)?,
    };
    let (message, own, batched) = signed;
    let own = if header.kind.is_short() { whole(&keys, own)? } else { own.into() };
    let (front, tree) = match is_xmss(identity) {
        false => (keys.front, None),
        true => (&[0; 4][..], Some(exported_tree(&keys)?)),
    };
    Some(Exported { message, signature: [front, &own].concat(), tree, batched })
}

/// The signed bytes, the LMS signature, and the message if it was signed in a batch.
type Signed<'d> = (Vec<u8>, &'d [u8], Option<ExportedBatched>);

/// Returns a signature with its path, which is computed from the announced leaves.
fn whole(keys: &SignedKeys<'_>, short: &[u8]) -> Option<Vec<u8>> {
    LeafVerifier::new(&keys.tree, keys.leaves?, Kernels::portable()).ok()?.whole(short).ok()
}

fn alone<'d>(set: &Set, kind: Kind, datagram: &'d [u8]) -> Option<Signed<'d>> {
    let signed = datagram.len().checked_sub(signature_bytes(set, kind))?;
    let (message, own) = datagram.split_at_checked(signed.max(HEADER_BYTES))?;
    Some((message.into(), own, None))
}

fn of_batch<'d>(set: &Set, header: &Header, datagram: &'d [u8]) -> Option<Signed<'d>> {
    let read = Batched::read(header, datagram, set.n, signature_bytes(set, header.kind))?;
    let message = [&datagram[..HEADER_BYTES], read.payload].concat();
    let (path, place, messages) = (read.path.into(), read.place, read.batch.messages);
    let batched = ExportedBatched { message, path, place, messages };
    Some((read.statement()?, read.signature, Some(batched)))
}

fn exported_tree(keys: &SignedKeys<'_>) -> Option<ExportedTree> {
    let one_level = [&1u32.to_be_bytes(), keys.tree.as_bytes()].concat();
    let key = PublicKey::from_hss_bytes(&one_level).ok()?;
    Some(ExportedTree { key, statement: keys.statement(), signature: keys.signature.into() })
}
