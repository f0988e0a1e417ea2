//! Private keys in PKCS#8 (RFC 5958).
//!
//! ML-DSA (RFC 9881) and ML-KEM (RFC 9935) have three forms, which can all be read: the seed alone,
//! the expanded key alone, and both. If the key has a seed, only the seed is written. New ML-DSA
//! keys have a seed, new ML-KEM keys do not. Ed25519 (RFC 8410) wraps its key in a second OCTET
//! STRING, SLH-DSA (RFC 9909) does not.

use core::fmt;

use der::{Decode, Encode, Reader, SliceReader, Tag, asn1::OctetStringRef};
use pkcs8::{AlgorithmIdentifierRef, PrivateKeyInfoRef};
use zeroize::Zeroizing;

use super::spki::{key_identifier, modulus_bits, row_of};
use crate::{
    Error,
    registry::{Family, Row},
};

type Secret = Zeroizing<Vec<u8>>;

/// A stateless private key. It is not `Clone`; `Debug` shows only the algorithm.
pub struct PrivateKey {
    /// The algorithm.
    pub row: &'static Row,
    /// The seed, if the file has one (Ed25519: the 32-byte private key of RFC 8032).
    pub seed: Option<Secret>,
    /// The expanded key, if the file has one (ECDSA, RSA: the inner DER structure).
    pub expanded: Option<Secret>,
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").field("row", &self.row.name).finish_non_exhaustive()
    }
}

impl PrivateKey {
    /// Describes which of the three forms of RFC 9881 this is.
    pub fn form(&self) -> &'static str {
        match (&self.seed, &self.expanded) {
            (Some(_), Some(_)) => "seed and expanded key",
            (Some(_), None) => "seed",
            _ if matches!(self.row.family, Family::MlDsa | Family::MlKem) => "expanded key",
            _ => "whole key",
        }
    }
}

/// Returns the private key in a DER PKCS#8 structure.
///
/// # Errors
/// As [`decode_spki`](super::decode_spki), and `EarlierRound` for round 3 of SPHINCS+ in every
/// build.
pub fn decode_pkcs8(bytes: &[u8]) -> Result<PrivateKey, Error> {
    from_info(&PrivateKeyInfoRef::from_der(bytes).map_err(|_| Error::NotAKey)?)
}

/// Returns the private key in a parsed PKCS#8 structure.
pub(super) fn from_info(info: &PrivateKeyInfoRef<'_>) -> Result<PrivateKey, Error> {
    let inner = info.private_key.as_bytes();
    let row = row_of(&info.algorithm, inner)?;
    let (seed, expanded) = match row.family {
        Family::Ed25519 => (Some(octets(inner)?), None),
        Family::MlDsa | Family::MlKem => choice(inner)?,
        Family::SlhDsa
        | Family::SphincsPlus
        | Family::Falcon
        | Family::Dilithium
        | Family::Kyber => (None, Some(secret(inner))),
        Family::Ecdsa => (None, Some(secret(inner))),
        Family::Rsa => modulus_bits(inner).map(|_| (None, Some(secret(inner))))?,
        _ => return Err(Error::NotBuiltIn),
    };
    checked(PrivateKey { row, seed, expanded })
}

/// Rejects a key whose parts do not have the sizes of its algorithm.
fn checked(key: PrivateKey) -> Result<PrivateKey, Error> {
    let sizes = &key.row.sizes;
    let seed = if key.row.family == Family::Ed25519 { sizes.secret } else { sizes.seed };
    let fits = |part: &Option<Secret>, size: usize| part.as_ref().is_none_or(|p| p.len() == size);
    // A Dilithium private key is followed by its public key.
    let whole = sizes.secret + if key.row.family == Family::Dilithium { sizes.public } else { 0 };
    let structured = matches!(key.row.family, Family::Ecdsa | Family::Rsa);
    let good = structured || fits(&key.seed, seed) && fits(&key.expanded, whole);
    if good { Ok(key) } else { Err(Error::KeySize) }
}

fn secret(bytes: &[u8]) -> Secret {
    Zeroizing::new(bytes.to_vec())
}

fn octets(der: &[u8]) -> Result<Secret, Error> {
    let inner = <&OctetStringRef>::from_der(der).map_err(|_| Error::NotAKey)?;
    Ok(secret(inner.as_bytes()))
}

/// The form of RFC 9881 with both seed and expanded key.
#[derive(der::Sequence)]
struct Both<'a> {
    seed: &'a OctetStringRef,
    expanded: &'a OctetStringRef,
}

impl Both<'_> {
    fn parts(&self) -> Parts {
        (Some(secret(self.seed.as_bytes())), Some(secret(self.expanded.as_bytes())))
    }
}

type Parts = (Option<Secret>, Option<Secret>);

/// Parses a key by RFC 9881: `[0] IMPLICIT` seed, OCTET STRING expanded key, or SEQUENCE of both.
fn choice(der: &[u8]) -> Result<Parts, Error> {
    let wrong = |_| Error::NotAKey;
    match der.first() {
        Some(0x80) => Ok((Some(implicit(der)?), None)),
        Some(0x04) => Ok((None, Some(octets(der)?))),
        Some(0x30) => Ok(Both::from_der(der).map_err(wrong)?.parts()),
        _ => Err(Error::NotAKey),
    }
}

/// Returns the value of a `[0] IMPLICIT OCTET STRING`.
fn implicit(der: &[u8]) -> Result<Secret, Error> {
    let wrong = |_| Error::NotAKey;
    let mut reader = SliceReader::new(der).map_err(wrong)?;
    let header = der::Header::decode(&mut reader).map_err(wrong)?;
    let value = reader.read_slice(header.length()).map_err(wrong)?;
    let whole = matches!(header.tag(), Tag::ContextSpecific { .. }) && reader.is_finished();
    if whole { Ok(secret(value)) } else { Err(Error::NotAKey) }
}

/// Returns the DER PKCS#8 structure of a key, with only the seed if there is one.
///
/// # Errors
/// `NotBuiltIn` if the algorithm has no private-key encoding, `KeySize` if the key has no private
/// part.
pub fn encode_pkcs8(key: &PrivateKey) -> Result<Zeroizing<Vec<u8>>, Error> {
    let wrong = |_| Error::KeySize;
    let inner = inner_form(key)?;
    let id = key_identifier(key.row)?;
    let algorithm = AlgorithmIdentifierRef::from(&id);
    let private_key = OctetStringRef::new(&inner).map_err(wrong)?;
    let info = PrivateKeyInfoRef::new(algorithm, private_key);
    info.to_der().map(Zeroizing::new).map_err(wrong)
}

/// Returns the contents of the outer OCTET STRING.
fn inner_form(key: &PrivateKey) -> Result<Secret, Error> {
    match (key.row.family, &key.seed, &key.expanded) {
        (Family::Ed25519, Some(seed), _) => tagged(0x04, seed),
        (Family::MlDsa | Family::MlKem, Some(seed), _) => tagged(0x80, seed),
        (Family::MlDsa | Family::MlKem, None, Some(expanded)) => tagged(0x04, expanded),
        (Family::SlhDsa | Family::SphincsPlus | Family::Falcon, _, Some(e)) => Ok(e.clone()),
        (Family::Dilithium | Family::Kyber | Family::Ecdsa | Family::Rsa, _, Some(e)) => {
            Ok(e.clone())
        }
        _ => Err(Error::KeySize),
    }
}

/// Returns the DER encoding of a primitive value of at most 65,535 bytes.
fn tagged(tag: u8, value: &[u8]) -> Result<Secret, Error> {
    let length = der::Length::try_from(value.len()).and_then(|l| l.to_der());
    let mut out = Zeroizing::new(vec![tag]);
    out.extend(length.map_err(|_| Error::KeySize)?);
    out.extend_from_slice(value);
    Ok(out)
}
