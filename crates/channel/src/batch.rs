//! Batches: one signature for many messages, over the root of a Merkle tree of them.
//!
//! Nodes are named and hashed as in MTL mode (draft-harvey-cfrg-mtl-mode) with SHA-256: first the
//! seed in a block of its own, then a compressed address of 22 bytes with the series and the
//! leftmost and rightmost leaf below the node, then the data. The result is truncated to n bytes.
//! `docs/channel.md` lists the differences.
//!
//! A subtree of more than one leaf is split before the largest power of two of its leaves. So any
//! number of messages has one root, and a path has at most 8 nodes.

use crate::HEADER_BYTES;
use crate::format::{Header, Kind};
use alloc::vec::Vec;
use core::ops::Range;
use sha2::{Digest as _, Sha256};

/// Largest number of messages in a batch.
pub const MOST_BATCH: usize = 256;
/// Length of a batched message before its payload, in bytes.
pub(crate) const FRONT_BYTES: usize = HEADER_BYTES + 4 + SALT_BYTES;
pub(crate) const SALT_BYTES: usize = 16;

/// Address type of a message.
const DATA: u8 = 17;
/// Address type of a node over other nodes.
const TREE: u8 = 18;

/// A node. Only the first n bytes are used.
type Node = [u8; 32];

/// The common data of the messages of a batch.
#[derive(Clone)]
pub(crate) struct Batch {
    /// The header of the first message.
    pub first: Header,
    pub messages: u16,
    pub salt: [u8; SALT_BYTES],
    /// Length of a node (n), in bytes.
    pub n: usize,
}

/// A batched message that was parsed but not verified.
pub(crate) struct Batched<'d> {
    pub batch: Batch,
    pub place: u16,
    pub payload: &'d [u8],
    pub path: &'d [u8],
    pub signature: &'d [u8],
    header: &'d [u8],
}

impl Batch {
    /// Returns the bytes before the payload of message `place`; `None` if its header cannot be
    /// encoded.
    #[cfg(feature = "publish")]
    pub fn front(&self, place: u16) -> Option<[u8; FRONT_BYTES]> {
        let sequence = self.first.sequence.checked_add(place.into())?;
        self.bytes(&Header { sequence, ..self.first }, place)
    }

    fn bytes(&self, header: &Header, place: u16) -> Option<[u8; FRONT_BYTES]> {
        let mut out = [0; FRONT_BYTES];
        out[..HEADER_BYTES].copy_from_slice(&header.bytes()?);
        out[HEADER_BYTES..][..2].copy_from_slice(&place.to_be_bytes());
        out[HEADER_BYTES + 2..][..2].copy_from_slice(&self.messages.to_be_bytes());
        out[HEADER_BYTES + 4..].copy_from_slice(&self.salt);
        Some(out)
    }

    /// Returns the bytes that are signed for the batch with this root.
    pub fn statement(&self, root: &Node) -> Option<Vec<u8>> {
        let front = self.bytes(&Header { kind: Kind::Root, ..self.first }, 0)?;
        Some([&front, &root[..self.n]].concat())
    }

    /// Returns the leaf of a message, which is the hash of its header and its payload.
    pub fn leaf(&self, place: u16, header: &[u8], payload: &[u8]) -> Node {
        self.node(DATA, (0, place), header, payload)
    }

    fn join(&self, leaves: &Range<u16>, left: &Node, right: &Node) -> Node {
        self.node(TREE, (leaves.start, leaves.end - 1), &left[..self.n], &right[..self.n])
    }

    fn node(&self, kind: u8, (left, right): (u16, u16), data: &[u8], more: &[u8]) -> Node {
        let mut front = [0; 64 + 22];
        front[..SALT_BYTES].copy_from_slice(&self.salt);
        front[65..73].copy_from_slice(&self.first.sequence.to_be_bytes());
        front[73] = kind;
        front[80..82].copy_from_slice(&left.to_be_bytes());
        front[84..].copy_from_slice(&right.to_be_bytes());
        Sha256::new().chain_update(front).chain_update(data).chain_update(more).finalize().into()
    }

    /// Returns the root over `leaves`. Appends to each path the nodes of its leaf, the lowest
    /// first.
    #[cfg(feature = "publish")]
    pub fn root(&self, leaves: &[Node], paths: &mut [Vec<u8>]) -> Node {
        self.subtree(0..leaves.len() as u16, leaves, paths)
    }

    #[cfg(feature = "publish")]
    fn subtree(&self, at: Range<u16>, leaves: &[Node], paths: &mut [Vec<u8>]) -> Node {
        let Some(middle) = middle(&at) else { return leaves[usize::from(at.start)] };
        let left = self.subtree(at.start..middle, leaves, paths);
        let right = self.subtree(middle..at.end, leaves, paths);
        let (start, middle, end) = (at.start.into(), middle.into(), at.end.into());
        paths[start..middle].iter_mut().for_each(|path| path.extend(&right[..self.n]));
        paths[middle..end].iter_mut().for_each(|path: &mut Vec<u8>| path.extend(&left[..self.n]));
        self.join(&at, &left, &right)
    }

    /// Returns the node over the leaves `at`, computed from the leaf `place` and its path.
    fn climb(&self, at: Range<u16>, place: u16, leaf: &Node, path: &[u8]) -> Node {
        let Some(middle) = middle(&at) else { return *leaf };
        let (below, last) = path.split_at(path.len() - self.n);
        let mut sibling = Node::default();
        sibling[..self.n].copy_from_slice(last);
        if place < middle {
            self.join(&at, &self.climb(at.start..middle, place, leaf, below), &sibling)
        } else {
            self.join(&at, &sibling, &self.climb(middle..at.end, place, leaf, below))
        }
    }
}

/// Returns the position at which the leaves of a node are split; `None` for a leaf.
fn middle(at: &Range<u16>) -> Option<u16> {
    let leaves = at.end - at.start;
    (leaves > 1).then(|| at.start + (1 << (leaves - 1).ilog2()))
}

/// Returns the number of nodes in the path of message `place` in a batch of `messages`.
pub(crate) fn path_nodes(place: u16, messages: u16) -> usize {
    let (mut at, mut nodes) = (0..messages, 0);
    while let Some(middle) = middle(&at) {
        at = if place < middle { at.start..middle } else { middle..at.end };
        nodes += 1;
    }
    nodes
}

impl<'d> Batched<'d> {
    /// Parses a batched message whose header is already parsed. `n` and `signature` are the lengths
    /// of a node and of a signature in its tree. Hashes nothing.
    pub fn read(header: &Header, datagram: &'d [u8], n: usize, signature: usize) -> Option<Self> {
        let (front, rest) = datagram.split_at_checked(FRONT_BYTES)?;
        let (front, salt) = front.split_at(HEADER_BYTES + 4);
        let (front, numbers) = front.split_at(HEADER_BYTES);
        let [place, messages] = [0, 2].map(|at| u16::from_be_bytes([numbers[at], numbers[at + 1]]));
        if place >= messages || !(2..=MOST_BATCH).contains(&messages.into()) {
            return None;
        }
        let (rest, signature) = rest.split_at_checked(rest.len().checked_sub(signature)?)?;
        let path = n * path_nodes(place, messages);
        let (payload, path) = rest.split_at_checked(rest.len().checked_sub(path)?)?;
        let sequence = header.sequence.checked_sub(place.into())?;
        let first = Header { sequence, ..*header };
        let batch = Batch { first, messages, salt: *salt.first_chunk()?, n };
        Some(Self { batch, place, payload, path, signature, header: front })
    }

    /// Returns the bytes that were signed if this message belongs to its batch.
    pub fn statement(&self) -> Option<Vec<u8>> {
        let leaf = self.batch.leaf(self.place, self.header, self.payload);
        let all = 0..self.batch.messages;
        self.batch.statement(&self.batch.climb(all, self.place, &leaf, self.path))
    }
}

#[cfg(all(test, feature = "publish"))]
mod tests {
    use super::*;

    /// For every size, each path leads from its leaf to the root, and from no other leaf.
    #[test]
    fn paths_lead_to_the_root() {
        let first = Header { kind: Kind::Batched, session: 1, tree: 2, sequence: 9, next: [0; 8] };
        for messages in (1..=40).chain([127, 128, 129, 255, 256]) {
            let batch = Batch { first, messages, salt: [7; SALT_BYTES], n: 24 };
            let leaves: Vec<_> = (0..messages).map(|i| batch.leaf(i, b"h", &[i as u8])).collect();
            let mut paths = alloc::vec![Vec::new(); messages.into()];
            let root = batch.root(&leaves, &mut paths);
            for (place, path) in (0..).zip(&paths) {
                assert_eq!(path.len(), 24 * path_nodes(place, messages));
                assert!(path.len() <= 24 * 8);
                let leaf = &leaves[usize::from(place)];
                assert_eq!(batch.climb(0..messages, place, leaf, path), root);
                let other = batch.leaf(place, b"h", b"other");
                assert_ne!(batch.climb(0..messages, place, &other, path), root);
            }
        }
    }

    /// The bytes of an address, computed with another program from the fields in the draft.
    #[test]
    fn a_node_is_hashed_as_the_draft_has_it() {
        let first =
            Header { kind: Kind::Batched, session: 0, tree: 0, sequence: 258, next: [0; 8] };
        let batch = Batch { first, messages: 4, salt: [5; SALT_BYTES], n: 32 };
        let mut text = [5; 16].to_vec();
        text.extend([0; 48]);
        text.extend([0, 0, 0, 0, 0, 0, 0, 1, 2, 18, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3]);
        text.extend([1; 32].into_iter().chain([2; 32]));
        let expected: Node = Sha256::digest(&text).into();
        assert_eq!(batch.join(&(2..4), &[1; 32], &[2; 32]), expected);
    }
}
