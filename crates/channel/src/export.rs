//! A message as others verify it.

use crate::HEADER_BYTES;
use crate::format::{Header, read_announcement};
use crate::signed_keys::SignedKeys;
use alloc::vec::Vec;
use hasten_hbs::PublicKey;

/// A message and its signature of HSS, for any verifier of RFC 8554.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Header and payload: what is signed.
    pub message: Vec<u8>,
    /// The HSS signature, under the identity's public key.
    pub signature: Vec<u8>,
}

/// Returns the message in `datagram` with its HSS signature under `identity`, from the announcement
/// of its tree. Nothing is verified: whoever is handed the result does that.
///
/// Returns `None` if they do not belong together, or one of them is cut short.
pub fn export(identity: &PublicKey, announcement: &[u8], datagram: &[u8]) -> Option<Exported> {
    let (tree, signed_keys) = read_announcement(announcement)?;
    let set = SignedKeys::read(identity, signed_keys)?.tree.set();
    Header::read(datagram).filter(|header| header.tree == tree)?;
    let signed = datagram.len().checked_sub(set.signature_bytes())?;
    let (message, own) = datagram.split_at_checked(signed.max(HEADER_BYTES))?;
    Some(Exported { message: message.into(), signature: [signed_keys, own].concat() })
}
