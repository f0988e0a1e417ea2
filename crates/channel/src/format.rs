//! The format of datagrams, byte by byte. Numbers are big-endian.
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
//!
//! announcement   0  4  "hch", 0x13
//! by XMSS        4  4  zeros
//!                8  8  number of the tree
//!               16  .  LMS public key of the tree
//!                   .  XMSS or XMSS^MT signature of "hasten channel tree", 0x01 and that key
//!
//! batched        0  4  "hch", 0x14
//! message        4 28  as in a message
//!               32  2  place in the batch
//!               34  2  messages of the batch
//!               36 16  salt
//!               52  .  payload
//!                   .  path to the root of the batch
//!                   .  LMS signature of the first message's bytes 0 to 51, with 0x15, and the root
//!
//! announcements with the leaves of the tree behind them: 0x16, by XMSS 0x17
//! messages of such a tree, their signatures without the path in it: 0x18, batched 0x19
//! ```

use sha2::{Digest as _, Sha256};

/// Length of a message before its payload, in bytes.
pub const HEADER_BYTES: usize = 32;
/// Largest length of a datagram, in bytes: the limit of UDP over IPv4.
pub const MOST_BYTES: usize = 65_507;

/// The first bytes of the SHA-256 of an announcement.
pub(crate) type Digest = [u8; 8];

/// Kind of a message, given in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A message with a signature of its own.
    Message,
    /// A message of a batch.
    Batched,
    /// A message whose signature lacks the path in its tree.
    Short,
    /// A message of a batch whose signature lacks the path in its tree.
    ShortBatched,
    /// The root of a batch. It is signed and never sent.
    Root,
}

impl Kind {
    /// The kinds that are sent.
    const SENT: [Self; 4] = [Self::Message, Self::Batched, Self::Short, Self::ShortBatched];

    /// Returns true if the signature is that of a batch.
    pub const fn is_batched(self) -> bool {
        matches!(self, Self::Batched | Self::ShortBatched)
    }

    /// Returns true if the signature lacks its path.
    pub const fn is_short(self) -> bool {
        matches!(self, Self::Short | Self::ShortBatched)
    }

    /// Returns the kind of a message.
    #[cfg(feature = "publish")]
    pub const fn of(is_short: bool, is_batched: bool) -> Self {
        match (is_short, is_batched) {
            (false, false) => Self::Message,
            (false, true) => Self::Batched,
            (true, false) => Self::Short,
            (true, true) => Self::ShortBatched,
        }
    }

    const fn bytes(self) -> [u8; 4] {
        *match self {
            Self::Message => b"hch\x11",
            Self::Batched => b"hch\x14",
            Self::Root => b"hch\x15",
            Self::Short => b"hch\x18",
            Self::ShortBatched => b"hch\x19",
        }
    }
}

/// The header before a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub kind: Kind,
    pub session: u64,
    pub tree: u64,
    pub sequence: u64,
    /// Digest of the announcement of the next tree; zeros if there is none yet.
    pub next: Digest,
}

impl Header {
    /// Parses the header of a message. Returns `None` if the datagram is not a message.
    pub fn read(datagram: &[u8]) -> Option<Self> {
        let (kind, rest) = datagram.split_first_chunk()?;
        let kind = Kind::SENT.into_iter().find(|sent| sent.bytes() == *kind)?;
        let (offset, rest) = rest.split_first_chunk()?;
        let (session, rest) = number(rest)?;
        let (sequence, rest) = number(rest)?;
        let tree = session.checked_add(u32::from_be_bytes(*offset).into())?;
        Some(Self { kind, session, tree, sequence, next: *rest.first_chunk()? })
    }

    /// Returns the encoded header; `None` if the tree is too far from the session's first tree.
    pub fn bytes(&self) -> Option<[u8; HEADER_BYTES]> {
        let offset = u32::try_from(self.tree.checked_sub(self.session)?).ok()?;
        let mut out = [0; HEADER_BYTES];
        out[..4].copy_from_slice(&self.kind.bytes());
        out[4..8].copy_from_slice(&offset.to_be_bytes());
        out[8..16].copy_from_slice(&self.session.to_be_bytes());
        out[16..24].copy_from_slice(&self.sequence.to_be_bytes());
        out[24..].copy_from_slice(&self.next);
        Some(out)
    }
}

/// Content of the announcement of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Announced<'d> {
    pub tree: u64,
    /// True if an identity of XMSS or XMSS^MT has signed the tree, false if one of HSS has.
    pub is_xmss: bool,
    /// True if the leaves of the tree follow its keys.
    pub has_leaves: bool,
    /// The signed public key of the tree, and then the leaves, if there are any.
    pub keys: &'d [u8],
}

/// Returns the first bytes of an announcement.
const fn announcement_kind(is_xmss: bool, has_leaves: bool) -> [u8; 4] {
    *match (is_xmss, has_leaves) {
        (false, false) => b"hch\x12",
        (true, false) => b"hch\x13",
        (false, true) => b"hch\x16",
        (true, true) => b"hch\x17",
    }
}

/// Parses an announcement. Returns `None` if the datagram is not an announcement.
pub(crate) fn read_announcement(datagram: &[u8]) -> Option<Announced<'_>> {
    let (kind, rest) = datagram.split_first_chunk()?;
    let kinds = [(false, false), (true, false), (false, true), (true, true)];
    let is_this = |of: &(bool, bool)| announcement_kind(of.0, of.1) == *kind;
    let (is_xmss, has_leaves) = kinds.into_iter().find(is_this)?;
    let (tree, keys) = number(rest.strip_prefix(&[0; 4])?)?;
    Some(Announced { tree, is_xmss, has_leaves, keys })
}

/// Returns the announcement as a datagram.
#[cfg(feature = "publish")]
pub(crate) fn announcement(announced: &Announced<'_>) -> alloc::vec::Vec<u8> {
    let kind = announcement_kind(announced.is_xmss, announced.has_leaves);
    [&kind, &[0; 4], &announced.tree.to_be_bytes()[..], announced.keys].concat()
}

/// Returns the first bytes of the SHA-256 of an announcement.
pub(crate) fn digest(announcement: &[u8]) -> Digest {
    let whole: [u8; 32] = Sha256::digest(announcement).into();
    let mut start = Digest::default();
    start.copy_from_slice(&whole[..8]);
    start
}

/// Returns the number of the tree that a datagram announces; `None` if it is not an announcement.
/// Nothing is verified.
pub fn announced_tree(datagram: &[u8]) -> Option<u64> {
    read_announcement(datagram).map(|announced| announced.tree)
}

/// Returns the number of the tree that signed a message; `None` if the datagram is not a message.
/// Nothing is verified.
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
        let (kind, next) = (Kind::Message, *b"12345678");
        let header = Header { kind, session: 7, tree: 300, sequence: 1 << 40, next };
        let bytes = header.bytes().unwrap();
        for kind in Kind::SENT {
            let header = Header { kind, ..header };
            assert_eq!(Header::read(&header.bytes().unwrap()), Some(header));
        }
        let root = Header { kind: Kind::Root, ..header };
        assert_eq!(Header::read(&root.bytes().unwrap()), None, "a root is never sent");
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
        for (is_xmss, has_leaves) in [(false, false), (true, false), (false, true), (true, true)] {
            let announced = Announced { tree: 9, is_xmss, has_leaves, keys: b"keys" };
            let made = announcement(&announced);
            assert_eq!(read_announcement(&made), Some(announced));
            assert_eq!((announced_tree(&made), message_tree(&made)), (Some(9), None));
            let mut strange = made.clone();
            strange[5] = 1;
            assert_eq!(read_announcement(&strange), None);
            assert_eq!(read_announcement(&made[..15]), None);
        }
    }
}
