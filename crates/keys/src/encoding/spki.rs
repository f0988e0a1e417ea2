//! SubjectPublicKeyInfo (RFC 5280) according to the profile of each algorithm.
//!
//! RFC 9881 (ML-DSA), RFC 9909 (SLH-DSA), RFC 9935 (ML-KEM), RFC 8410 (Ed25519) and RFC 9802 (HSS,
//! XMSS, XMSS^MT): the BIT STRING contains the raw key, parameters are absent. RFC 5480 (curves):
//! the parameters name the curve. RFC 3279 (RSA): parameters are NULL, the BIT STRING contains a
//! DER structure.

use der::{
    Decode, Encode,
    asn1::{Any, AnyRef, BitString, Null, ObjectIdentifier, OctetStringRef},
};
use spki::{
    AlgorithmIdentifierOwned, AlgorithmIdentifierRef, SubjectPublicKeyInfoOwned,
    SubjectPublicKeyInfoRef,
};

use hasten_hbs::Set;

use super::{PublicKey, hash_based};
use crate::{
    Error,
    registry::{self, EC_PUBLIC_KEY, Era, Family, Meaning, RSA_ENCRYPTION, Row},
};

/// Returns the public key in a DER SubjectPublicKeyInfo.
///
/// # Errors
/// `NotAKey` if `der` is not such a structure, `UnknownAlgorithm` if its identifier is not in the
/// registry, `Parameters` if it has parameters that its standard forbids, `Ambiguous` if the
/// identifier had several meanings, `EarlierRound` for round 3 of SPHINCS+ unless this build
/// verifies it, `KeySize` if the key inside has a wrong size.
pub fn decode_spki(der: &[u8]) -> Result<PublicKey, Error> {
    let spki = SubjectPublicKeyInfoRef::from_der(der).map_err(|_| Error::NotAKey)?;
    let raw = spki.subject_public_key.as_bytes().ok_or(Error::NotAKey)?;
    if spki.algorithm.oid == oid(registry::BOTAN_XMSS) {
        return wrapped_xmss(raw).ok_or(Error::NotAKey);
    }
    let row = match row_of(&spki.algorithm, raw) {
        Err(Error::EarlierRound) => verified_alike(&spki.algorithm.oid)?,
        row => row?,
    };
    match row.family {
        Family::Rsa => Ok(PublicKey { row, raw: raw.to_vec() }),
        _ => PublicKey::new(row, raw),
    }
}

/// Returns the set of round 3.1 that verifies signatures of this round 3 SPHINCS+ identifier: only
/// sets with SHAKE, if this build includes them. Private keys of the two rounds differ, because
/// round 3.1 derives the secret values differently.
fn verified_alike(id: &ObjectIdentifier) -> Result<&'static Row, Error> {
    let meanings = registry::oid_meanings(id);
    let computed = |row: &&Row| Set::named(&row.name).is_ok();
    meanings.first().map(|meaning| meaning.row).filter(computed).ok_or(Error::EarlierRound)
}

/// Parses Botan's format: the raw key of RFC 8391 in an OCTET STRING.
fn wrapped_xmss(wrapped: &[u8]) -> Option<PublicKey> {
    let raw = <&OctetStringRef>::from_der(wrapped).ok()?.as_bytes();
    PublicKey::new(hash_based::xmss_public(Family::Xmss, raw)?, raw).ok()
}

/// Returns the row of an algorithm identifier. If the identifier does not determine the size, the
/// key does.
pub(crate) fn row_of(id: &AlgorithmIdentifierRef<'_>, raw: &[u8]) -> Result<&'static Row, Error> {
    if id.oid == oid(EC_PUBLIC_KEY) {
        let curve = id.parameters.ok_or(Error::NotAKey)?;
        return row_of_oid(&curve.decode_as().map_err(|_| Error::NotAKey)?);
    }
    if id.oid == oid(RSA_ENCRYPTION) {
        return rsa_row(raw);
    }
    if id.parameters.is_some() {
        return Err(Error::Parameters);
    }
    if let Some(family) = xmss_family(&id.oid) {
        return hash_based::xmss_public(family, raw).ok_or(Error::KeySize);
    }
    if id.oid == oid(registry::HSS) {
        hash_based::hss_public(raw).ok_or(Error::KeySize)?;
    }
    row_of_oid(&id.oid)
}

/// Returns the family of a shared identifier of RFC 9802; the number in the key selects the set.
fn xmss_family(id: &ObjectIdentifier) -> Option<Family> {
    let families = [(registry::XMSS, Family::Xmss), (registry::XMSS_MT, Family::XmssMt)];
    families.into_iter().find(|(text, _)| *id == oid(text)).map(|(_, family)| family)
}

/// Returns the row of an identifier with only one meaning.
fn row_of_oid(id: &ObjectIdentifier) -> Result<&'static Row, Error> {
    match registry::oid_meanings(id)[..] {
        [] => Err(Error::UnknownAlgorithm),
        [Meaning { row, era: Era::OqsRound3, .. }] if row.family == Family::SphincsPlus => {
            Err(Error::EarlierRound)
        }
        [meaning] => Ok(meaning.row),
        _ => Err(Error::Ambiguous),
    }
}

/// Returns the row of an RSA key by the size of its modulus.
///
/// # Errors
/// `NotAKey` if it has no modulus, `UnknownAlgorithm` if no row has this size.
pub(crate) fn rsa_row(key: &[u8]) -> Result<&'static Row, Error> {
    registry::find(&format!("RSA-{}", modulus_bits(key)?))
}

/// Returns the size of the modulus in bits. Both RSAPublicKey and RSAPrivateKey (after its version)
/// begin with the modulus.
pub(crate) fn modulus_bits(key: &[u8]) -> Result<usize, Error> {
    let fields: Vec<AnyRef<'_>> = Vec::from_der(key).map_err(|_| Error::NotAKey)?;
    let modulus = fields.iter().map(|field| field.value()).find(|value| value.len() > 1);
    let bytes = modulus.ok_or(Error::NotAKey)?.iter().skip_while(|byte| **byte == 0).count();
    Ok(8 * bytes)
}

/// Returns the algorithm identifier for keys and certificates of this algorithm.
///
/// # Errors
/// `NotBuiltIn` if the algorithm has no identifier of its own (hybrid groups).
pub fn key_identifier(row: &Row) -> Result<AlgorithmIdentifierOwned, Error> {
    let own = |row: &Row| row.oid_now().ok_or(Error::NotBuiltIn);
    Ok(match row.family {
        Family::Ecdsa => AlgorithmIdentifierOwned {
            oid: oid(EC_PUBLIC_KEY),
            parameters: Some(Any::from(own(row)?)),
        },
        Family::Rsa => {
            AlgorithmIdentifierOwned { oid: oid(RSA_ENCRYPTION), parameters: Some(Any::from(Null)) }
        }
        _ => AlgorithmIdentifierOwned { oid: own(row)?, parameters: None },
    })
}

/// Returns the DER SubjectPublicKeyInfo of a key.
///
/// # Errors
/// `NotBuiltIn` if the algorithm has no identifier of its own.
pub fn encode_spki(key: &PublicKey) -> Result<Vec<u8>, Error> {
    let subject_public_key = BitString::from_bytes(&key.raw).map_err(|_| Error::KeySize)?;
    SubjectPublicKeyInfoOwned { algorithm: key_identifier(key.row)?, subject_public_key }
        .to_der()
        .map_err(|_| Error::KeySize)
}

fn oid(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}
