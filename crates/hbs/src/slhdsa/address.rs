//! FIPS 205, Section 4.2 (Addresses): one struct per kind, and the compressed form of Section 11.2
//! (SLH-DSA Using SHA2).

use crate::tree::Place;

/// The beginning of every hash input after PK.seed: an address, full (32 bytes) or compressed (22).
pub(super) type Head = [u8; 32];

/// The form of the addresses of a parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// 32 bytes: SHAKE.
    Full,
    /// 22 bytes: SHA2.
    Compressed,
}

impl Form {
    /// Returns the number of bytes of a head that are used.
    pub const fn len(self) -> usize {
        match self {
            Self::Full => 32,
            Self::Compressed => 22,
        }
    }

    /// Returns the offset of the hash address, the number of a step, in a head.
    pub const fn step_at(self) -> usize {
        self.len() - 4
    }

    /// Returns an address as bytes.
    pub fn head(self, address: impl Address) -> Head {
        let (place, kind, words) = address.fields();
        let mut head = [0; 32];
        match self {
            Self::Full => {
                head[..4].copy_from_slice(&place.layer.to_be_bytes());
                head[8..16].copy_from_slice(&place.tree.to_be_bytes());
                head[19] = kind;
            }
            Self::Compressed => {
                head[0] = place.layer as u8;
                head[1..9].copy_from_slice(&place.tree.to_be_bytes());
                head[9] = kind;
            }
        }
        let words = words.map(u32::to_be_bytes);
        head[self.len() - 12..self.len()].copy_from_slice(words.as_flattened());
        head
    }
}

/// An address of one kind.
pub(super) trait Address {
    /// Returns the tree and the type of the address, and the three words that follow.
    fn fields(self) -> (Place, u8, [u32; 3]);
}

/// A one-time key: its tree and its leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyPair {
    pub place: Place,
    pub leaf: u32,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident($number:literal) { $($field:ident: $type:ty),* }
        => |$a:ident| $place:expr, $words:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) struct $name { $(pub $field: $type),* }

        impl Address for $name {
            fn fields(self) -> (Place, u8, [u32; 3]) {
                let $a = self;
                ($place, $number, $words)
            }
        }
    )*};
}

kinds! {
    /// WOTS_HASH: step 0 of a chain.
    WotsHash(0) { key: KeyPair, chain: u32 } => |a| a.key.place, [a.key.leaf, a.chain, 0];
    /// WOTS_PK: the compression of a one-time public key.
    WotsPk(1) { key: KeyPair } => |a| a.key.place, [a.key.leaf, 0, 0];
    /// TREE: an inner node.
    Tree(2) { place: Place, height: u32, index: u32 } => |a| a.place, [0, a.height, a.index];
    /// FORS_TREE: a node of a FORS tree.
    ForsTree(3) { key: KeyPair, height: u32, index: u32 }
        => |a| a.key.place, [a.key.leaf, a.height, a.index];
    /// FORS_ROOTS: the compression of the FORS roots.
    ForsRoots(4) { key: KeyPair } => |a| a.key.place, [a.key.leaf, 0, 0];
}

#[cfg(feature = "sign")]
kinds! {
    /// WOTS_PRF: a secret element of a chain.
    WotsPrf(5) { key: KeyPair, chain: u32 } => |a| a.key.place, [a.key.leaf, a.chain, 0];
    /// FORS_PRF: a secret element of a FORS tree.
    ForsPrf(6) { key: KeyPair, index: u32 } => |a| a.key.place, [a.key.leaf, 0, a.index];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_the_standard_draws_them() {
        let place = Place { layer: 7, tree: 0x0102_0304_0506_0708 };
        let key = KeyPair { place, leaf: 0x0a0b_0c0d };
        let full = Form::Full.head(ForsTree { key, height: 2, index: 3 });
        assert_eq!(full[..8], [0, 0, 0, 7, 0, 0, 0, 0]);
        assert_eq!(full[8..20], [1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 3]);
        assert_eq!(full[20..], [10, 11, 12, 13, 0, 0, 0, 2, 0, 0, 0, 3]);
        let short = Form::Compressed.head(WotsPrf { key, chain: 9 });
        assert_eq!(short[..10], [7, 1, 2, 3, 4, 5, 6, 7, 8, 5]);
        assert_eq!(short[10..22], [10, 11, 12, 13, 0, 0, 0, 9, 0, 0, 0, 0]);
        assert_eq!(short[22..], [0; 10]);
    }

    #[test]
    fn a_step_is_the_last_word() {
        assert_eq!((Form::Full.step_at(), Form::Compressed.step_at()), (28, 18));
    }
}
