//! The datagrams, byte by byte. Numbers are big-endian.
//!
//! ```text
//! message        0  4  "hch", 0x11
//!                4  4  number of the tree less that of the session
//!                8  8  session: the number of its first tree
//!               16  8  sequence: messages of the session before this one
//!               24  8  start of SHA-256 of the announcement of the tree that follows, or zeros
//!               32  .  payload
//!                   .  LMS signature of everything before it
//!
//! announcement   0  4  "hch", 0x12
//!                4  4  zeros
//!                8  8  number of the tree
//!               16  .  Nspk and the signed public keys of an HSS signature, the tree's last
//! ```

use sha2::{Digest as _, Sha256};

/// Bytes of a message before its payload.
pub const HEADER_BYTES: usize = 32;
/// Most bytes of a datagram: those that UDP takes over IPv4.
pub const MOST_BYTES: usize = 65_507;

const MESSAGE: [u8; 4] = *b"hch\x11";
const ANNOUNCEMENT: [u8; 4] = *b"hch\x12";

/// Start of SHA-256 of an announcement.
pub(crate) type Digest = [u8; 8];

/// Holds what stands before a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub session: u64,
    pub tree: u64,
    pub sequence: u64,
    /// Tells the announcement of the tree that follows; zeros before there is one.
    pub next: Digest,
}

impl Header {
    /// Returns the header at the front of a message; nothing if this is no message.
    pub fn read(datagram: &[u8]) -> Option<Self> {
        let rest = datagram.strip_prefix(&MESSAGE)?;
        let (offset, rest) = rest.split_first_chunk()?;
        let (session, rest) = number(rest)?;
        let (sequence, rest) = number(rest)?;
        let tree = session.checked_add(u32::from_be_bytes(*offset).into())?;
        Some(Self { session, tree, sequence, next: *rest.first_chunk()? })
    }

    /// Returns the bytes; nothing if the tree is too far from the session's first.
    #[cfg(feature = "publish")]
    pub fn bytes(&self) -> Option<[u8; HEADER_BYTES]> {
        let offset = u32::try_from(self.tree.checked_sub(self.session)?).ok()?;
        let mut out = [0; HEADER_BYTES];
        out[..4].copy_from_slice(&MESSAGE);
        out[4..8].copy_from_slice(&offset.to_be_bytes());
        out[8..16].copy_from_slice(&self.session.to_be_bytes());
        out[16..24].copy_from_slice(&self.sequence.to_be_bytes());
        out[24..].copy_from_slice(&self.next);
        Some(out)
    }
}

/// Returns the number of the tree and its signed public keys; nothing if this is no announcement.
pub(crate) fn read_announcement(datagram: &[u8]) -> Option<(u64, &[u8])> {
    number(datagram.strip_prefix(&ANNOUNCEMENT)?.strip_prefix(&[0; 4])?)
}

/// Returns the announcement of tree `tree`.
#[cfg(feature = "publish")]
pub(crate) fn announcement(tree: u64, signed_keys: &[u8]) -> alloc::vec::Vec<u8> {
    [&ANNOUNCEMENT, &[0; 4], &tree.to_be_bytes()[..], signed_keys].concat()
}

/// Returns the start of SHA-256 of an announcement.
pub(crate) fn digest(announcement: &[u8]) -> Digest {
    let whole: [u8; 32] = Sha256::digest(announcement).into();
    let mut start = Digest::default();
    start.copy_from_slice(&whole[..8]);
    start
}

/// Returns the tree that a datagram announces; nothing if it is no announcement. Nothing is
/// verified.
pub fn announced_tree(datagram: &[u8]) -> Option<u64> {
    read_announcement(datagram).map(|(tree, _)| tree)
}

/// Returns the tree that signed a message; nothing if the datagram is none. Nothing is verified.
pub fn message_tree(datagram: &[u8]) -> Option<u64> {
    Header::read(datagram).map(|header| header.tree)
}

fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u64::from_be_bytes(*number), rest))
}

#[cfg(all(test, feature = "publish"))]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let header = Header { session: 7, tree: 300, sequence: 1 << 40, next: *b"12345678" };
        let bytes = header.bytes().unwrap();
        assert_eq!(Header::read(&bytes), Some(header));
        assert_eq!(message_tree(&bytes), Some(300));
        assert_eq!(announced_tree(&bytes), None);
        for cut in 0..HEADER_BYTES {
            assert_eq!(Header::read(&bytes[..cut]), None, "{cut} bytes");
        }
        let far = Header { tree: 7 + (1 << 32), ..header };
        assert_eq!(far.bytes(), None);
        let mut over = bytes;
        over[8..16].fill(0xff);
        assert_eq!(Header::read(&over), None, "the tree's number does not fit");
    }

    #[test]
    fn an_announcement_is_read_as_it_was_written() {
        let made = announcement(9, b"keys");
        assert_eq!(read_announcement(&made), Some((9, &b"keys"[..])));
        assert_eq!((announced_tree(&made), message_tree(&made)), (Some(9), None));
        let mut strange = made.clone();
        strange[5] = 1;
        assert_eq!(read_announcement(&strange), None);
        assert_eq!(read_announcement(&made[..15]), None);
    }
}
