//! Inputs of an operation: keys, messages, digests, and signatures of random bytes.

use hasten_hbs::params::Scheme;
use hasten_hbs::{Error, PublicKey, Set};

use super::{Request, random};
use crate::source::Source;

/// Returns digests among which every digit, including those of the checksum, takes no step in one
/// and some steps in another.
pub(super) fn extremes(n: usize) -> [Vec<u8>; 4] {
    let mut one = vec![0; n];
    one[n - 1] = 1;
    let mut low = vec![0xff; n];
    low[..8].fill(0);
    [vec![0; n], vec![0xff; n], one, low]
}

/// Returns a public key of random bytes, under which nothing verifies.
pub(super) fn public_key(set: &'static Set) -> Result<PublicKey, Error> {
    let mut bytes = random("public key", set.public_key_bytes());
    bytes[..4].copy_from_slice(&set.number.get().to_be_bytes());
    match set.scheme {
        Scheme::Xmss => PublicKey::from_xmss_bytes(&bytes),
        Scheme::XmssMt => PublicKey::from_xmssmt_bytes(&bytes),
        Scheme::Lms { ots } => {
            bytes[4..8].copy_from_slice(&ots.to_be_bytes());
            PublicKey::from_lms_bytes(&bytes)
        }
        _ => Err(Error::UnknownSet),
    }
}

pub(super) fn message(request: &Request, number: u64) -> Vec<u8> {
    random(&format!("message {number}"), request.message)
}

/// Returns the offset of the one-time signature.
fn ots_at(set: &Set) -> usize {
    let types = if matches!(set.scheme, Scheme::Lms { .. }) { 4 } else { 0 };
    set.index_bytes() + types + set.n
}

/// Returns random bytes with a valid index and typecodes, in the form of a signature.
pub(super) fn garbage(set: &Set, index: u64) -> Vec<u8> {
    let mut bytes = random("signature", set.signature_bytes());
    let places = set.index_bytes();
    bytes[..places].copy_from_slice(&index.to_be_bytes()[8 - places..]);
    if let Scheme::Lms { ots } = set.scheme {
        let path = ots_at(set) + set.ots_bytes();
        bytes[places..places + 4].copy_from_slice(&ots.to_be_bytes());
        bytes[path..path + 4].copy_from_slice(&set.number.get().to_be_bytes());
    }
    bytes
}

/// Returns the elements of the one-time signature, or none for a stateless scheme.
pub(super) fn elements(set: &Set, signature: &[u8]) -> Vec<Vec<u8>> {
    if matches!(set.scheme, Scheme::SlhDsa { .. }) {
        return Vec::new();
    }
    let ots = &signature[ots_at(set)..][..set.ots_bytes()];
    ots.chunks_exact(set.n).map(<[u8]>::to_vec).collect()
}

/// Returns the parts of a signature that are inputs of its verification.
pub(super) fn parts(set: &Set, signature: &[u8], elements: Vec<Vec<u8>>) -> Vec<(Source, Vec<u8>)> {
    let element = |(i, e): (usize, Vec<u8>)| (Source::Element(i as u16), e);
    if elements.is_empty() {
        return vec![
            (Source::Randomizer, signature[..set.n].to_vec()),
            (Source::Path, signature[set.n..].to_vec()),
        ];
    }
    let ots = ots_at(set);
    let types = if matches!(set.scheme, Scheme::Lms { .. }) { 4 } else { 0 };
    let mut parts: Vec<_> = elements.into_iter().enumerate().map(element).collect();
    parts.push((Source::Randomizer, signature[ots - set.n..ots].to_vec()));
    let path = signature[ots + set.ots_bytes() + types..].chunks(set.n);
    parts.extend(path.map(|node| (Source::Path, node.to_vec())));
    parts
}
