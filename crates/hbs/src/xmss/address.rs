//! RFC 8391, section 2.5 (Hash Function Address Scheme): 32 bytes that make the input of every hash
//! call different. There is one struct for each kind of address, with only the fields of that kind.

use crate::tree::Place;

/// An OTS hash address (type 0): a step of a WOTS+ chain, or a secret element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtsAddress {
    /// The tree.
    pub place: Place,
    /// The one-time key in the tree.
    pub ots: u32,
    /// The chain in the key.
    pub chain: u32,
    /// The step in the chain.
    pub hash: u32,
    /// 0 for the key, 1 for the mask.
    pub key_and_mask: u32,
}

/// An L-tree address (type 1): a node of the tree that compresses a WOTS+ public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LtreeAddress {
    /// The tree.
    pub place: Place,
    /// The leaf that the L-tree computes.
    pub ltree: u32,
    /// The height of the nodes that are hashed, 0 for chain ends.
    pub height: u32,
    /// The index of the result within its row.
    pub index: u32,
    /// 0 for the key, 1 and 2 for the masks.
    pub key_and_mask: u32,
}

/// A hash tree address (type 2): an inner node of the Merkle tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashTreeAddress {
    /// The tree.
    pub place: Place,
    /// The height of the nodes that are hashed, 0 for leaves.
    pub height: u32,
    /// The index of the result within its row.
    pub index: u32,
    /// 0 for the key, 1 and 2 for the masks.
    pub key_and_mask: u32,
}

impl OtsAddress {
    /// Returns the 32 bytes that are hashed.
    pub fn to_bytes(self) -> [u8; 32] {
        words(self.place, 0, [self.ots, self.chain, self.hash, self.key_and_mask])
    }
}

impl LtreeAddress {
    /// Returns the 32 bytes that are hashed.
    pub fn to_bytes(self) -> [u8; 32] {
        words(self.place, 1, [self.ltree, self.height, self.index, self.key_and_mask])
    }
}

impl HashTreeAddress {
    /// Returns the 32 bytes that are hashed.
    pub fn to_bytes(self) -> [u8; 32] {
        words(self.place, 2, [0, self.height, self.index, self.key_and_mask])
    }
}

fn words(place: Place, kind: u32, last: [u32; 4]) -> [u8; 32] {
    let mut out = [0; 32];
    out[..12].copy_from_slice(&place.to_bytes());
    out[12..16].copy_from_slice(&kind.to_be_bytes());
    for (word, bytes) in last.iter().zip(out[16..].chunks_exact_mut(4)) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_standard_draws_them() {
        let place = Place { layer: 0x0102_0304, tree: 0x0506_0708_090a_0b0c };
        let ots = OtsAddress { place, ots: 1, chain: 2, hash: 3, key_and_mask: 4 }.to_bytes();
        assert_eq!(ots[..12], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        assert_eq!(ots[12..], [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]);
        let l = LtreeAddress { place, ltree: 1, height: 2, index: 3, key_and_mask: 4 }.to_bytes();
        assert_eq!(l[12..], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]);
        let t = HashTreeAddress { place, height: 2, index: 3, key_and_mask: 4 }.to_bytes();
        assert_eq!(t[12..], [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]);
    }
}
