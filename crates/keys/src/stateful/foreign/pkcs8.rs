//! Private LMS and HSS keys of Bouncy Castle in PKCS#8, as PEM or DER.
//!
//! A second OCTET STRING inside contains the number of levels, then a proprietary structure
//! (version 0, all numbers big-endian). A tree has its typecodes, I, its next index, the end of its
//! indices, and SEED preceded by its length. An HSS key has the number of levels, the next index,
//! the end of the indices, a flag for a part of a key, a tree for each level, and the signatures of
//! the lower levels.

use der::{Decode, asn1::OctetStringRef};
use hasten_hbs::Set;
use pkcs8::PrivateKeyInfoRef;
use zeroize::Zeroizing;

use super::{
    Found, joined,
    top::{ID, Top},
};
use crate::{
    encoding::{self, PublicKey},
    error::ForeignError::{self, Encrypted, OtherAlgorithm, OtherPublic, Shard, Unknown},
    registry,
};

/// Returns the DER of a private key in PKCS#8; `None` if the file is not such a key.
///
/// # Errors
/// `Encrypted` if it is encrypted with a passphrase.
pub(super) fn inside(file: &[u8]) -> Result<Option<Zeroizing<Vec<u8>>>, ForeignError> {
    let blocks = encoding::pem_blocks(file);
    let der = blocks.first().map_or(file, |block| &block.der[..]);
    if encoding::is_encrypted_pkcs8(der) {
        return Err(Encrypted);
    }
    let is_key = PrivateKeyInfoRef::from_der(der).is_ok();
    Ok(is_key.then(|| Zeroizing::new(der.to_vec())))
}

/// Parses the private key of a public key.
pub(super) fn read(der: &[u8], public: &PublicKey) -> Result<Found, ForeignError> {
    let info = PrivateKeyInfoRef::from_der(der).map_err(|_| Unknown)?;
    let hss = registry::find("HSS").ok().and_then(|row| row.oid_now());
    if hss != Some(info.algorithm.oid) {
        return Err(OtherAlgorithm);
    }
    let inner = <&OctetStringRef>::from_der(info.private_key.as_bytes()).map_err(|_| Unknown)?;
    let key = Key::read(inner.as_bytes()).ok_or(Unknown)?;
    let top = Top::of(public)?;
    let sets: Vec<_> = key.trees.iter().map(|tree| tree.set).collect();
    let (set, first) = (top.over(&sets)?, &key.trees[0]);
    if first.id != top.id {
        return Err(OtherPublic);
    }
    if first.seed.len() != first.set.n {
        return Err(Unknown);
    }
    if key.is_part || key.end != set.capacity() {
        return Err(Shard);
    }
    Ok(Found { set, seed: joined(&[first.id, first.seed]), next: key.next })
}

/// A private key with one or more trees.
struct Key<'b> {
    trees: Vec<Tree<'b>>,
    next: u64,
    end: u64,
    is_part: bool,
}

impl<'b> Key<'b> {
    fn read(inner: &'b [u8]) -> Option<Self> {
        let (levels, version, rest) = front(inner)?;
        let levels = usize::try_from(levels).ok().filter(|levels| (1..=8).contains(levels))?;
        let mut bytes = Bytes(rest);
        // Either the number of levels again, or the LMS typecode of a tree, which is 5 or higher.
        let is_tree = bytes.clone().u32()? != levels as u32 && levels == 1;
        let (key, signed) = match (version, is_tree) {
            (0, true) => (Self::of_tree(Tree::behind_version(&mut bytes)?), 0),
            (0, false) => Self::of_levels(levels, &mut bytes)?,
            _ => return None,
        };
        (bytes.0.len() == signed).then_some(key)
    }

    fn of_tree(tree: Tree<'b>) -> Self {
        let (next, end) = (tree.next.into(), tree.end.into());
        Self { trees: vec![tree], next, end, is_part: false }
    }

    /// Parses an HSS key. Also returns the size of the signatures that follow it.
    fn of_levels(levels: usize, bytes: &mut Bytes<'b>) -> Option<(Self, usize)> {
        let _ = bytes.u32().filter(|again| *again == levels as u32)?;
        let (next, end) = (bytes.u64()?, bytes.u64()?);
        let is_part = *bytes.take(1)?.first()? != 0;
        let trees: Vec<_> = (0..levels).map(|_| Tree::read(bytes)).collect::<Option<_>>()?;
        let signed = trees[..levels - 1].iter().map(|tree| tree.set.signature_bytes()).sum();
        // The trees have indices too; the higher of the two values is used.
        let next = next.max(reached(&trees)?);
        Some((Self { trees, next, end, is_part }, signed))
    }
}

/// Returns the next index according to the trees. Each tree except the lowest has signed the one
/// below.
fn reached(trees: &[Tree<'_>]) -> Option<u64> {
    let (lowest, above) = trees.split_last()?;
    let number = |number: u64, tree: &Tree<'_>| {
        let inside = u64::from(tree.next).checked_sub(1)?;
        number.checked_mul(tree.set.capacity())?.checked_add(inside)
    };
    let tree = above.iter().try_fold(0, number)?;
    tree.checked_mul(lowest.set.capacity())?.checked_add(lowest.next.into())
}

/// A private key with one tree.
struct Tree<'b> {
    set: &'static Set,
    id: &'b [u8],
    next: u32,
    end: u32,
    seed: &'b [u8],
}

impl<'b> Tree<'b> {
    fn read(bytes: &mut Bytes<'b>) -> Option<Self> {
        bytes.u32().filter(|version| *version == 0)?;
        Self::behind_version(bytes)
    }

    fn behind_version(bytes: &mut Bytes<'b>) -> Option<Self> {
        let set = Set::lms_by_types(bytes.take(8)?.first_chunk()?).ok()?;
        let id = bytes.take(ID)?;
        let (next, end) = (bytes.u32()?, bytes.u32()?);
        let length = bytes.u32()? as usize;
        Some(Self { set, id, next, end, seed: bytes.take(length)? })
    }
}

/// Splits off the number of levels and the version.
fn front(inner: &[u8]) -> Option<(u32, u32, &[u8])> {
    let mut bytes = Bytes(inner);
    Some((bytes.u32()?, bytes.u32()?, bytes.0))
}

/// The bytes that are not parsed yet.
#[derive(Clone)]
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_be_bytes)
    }
}
