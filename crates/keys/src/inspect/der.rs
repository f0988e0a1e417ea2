//! DER structures: public keys, private keys, certificates, requests, ECDSA signatures.

use ::der::{
    Decode, Encode,
    asn1::{ObjectIdentifier, OctetStringRef, UintRef},
};
use pkcs8::PrivateKeyInfoRef;
use spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};

use super::{Finding, What};
use crate::{
    Error,
    encoding::{PublicKey, decode_pkcs8, decode_spki, hash_based},
    registry::{self, EC_PUBLIC_KEY, Family, HSS, RSA_ENCRYPTION, XMSS, XMSS_MT},
};

/// Returns the readings of `bytes` as a single DER value.
pub(super) fn readings(bytes: &[u8]) -> Vec<Finding> {
    let structured = [public(bytes), private(bytes), encrypted(bytes), ecdsa(bytes)];
    #[cfg(feature = "x509")]
    let structured = structured.into_iter().chain(super::certificate::readings(bytes));
    structured.into_iter().flatten().collect()
}

fn public(bytes: &[u8]) -> Option<Finding> {
    let spki = SubjectPublicKeyInfoRef::from_der(bytes).ok()?;
    Some(public_finding(&spki).number("file_bytes", bytes.len()))
}

/// Returns the algorithm, the object identifier and the sizes of a public key.
pub(super) fn public_finding(spki: &SubjectPublicKeyInfoRef<'_>) -> Finding {
    let finding = Finding::new(What::PublicKey, "DER SubjectPublicKeyInfo");
    let raw = spki.subject_public_key.raw_bytes();
    let finding = identified(finding, &spki.algorithm, raw).number("public_key_bytes", raw.len());
    let decoded = spki.to_der().map_err(|_| Error::NotAKey).and_then(|der| decode_spki(&der));
    match decoded {
        Ok(key) => key_facts(finding, &key),
        Err(error @ (Error::KeySize | Error::Parameters | Error::EarlierRound)) => {
            finding.note(&error.to_string())
        }
        Err(_) => finding,
    }
}

/// Adds the facts that follow from the raw key.
fn key_facts(finding: Finding, key: &PublicKey) -> Finding {
    let finding = finding.algorithm(&key.row.name);
    match hash_based::hss_public(&key.raw) {
        Some((levels, top)) if key.row.family == Family::Hss => {
            finding.number("levels", levels as usize).text("top_set", &top.name)
        }
        _ => finding,
    }
}

/// Adds the object identifier and its meanings.
pub(super) fn identified(finding: Finding, id: &AlgorithmIdentifierRef<'_>, raw: &[u8]) -> Finding {
    let finding = finding.text("oid", &id.oid.to_string());
    let is = |text: &str| ObjectIdentifier::new(text).is_ok_and(|oid| oid == id.oid);
    if is(EC_PUBLIC_KEY) {
        let curve = id.parameters.and_then(|any| any.decode_as::<ObjectIdentifier>().ok());
        return finding
            .meanings(&curve.map(|oid| registry::oid_meanings(&oid)).unwrap_or_default());
    }
    if is(RSA_ENCRYPTION) {
        return finding.row(crate::encoding::rsa_row(raw));
    }
    if [HSS, XMSS, XMSS_MT].into_iter().any(is) {
        return finding;
    }
    let vendor = registry::oid_of_vendor(&id.oid).unwrap_or_default();
    finding.meanings(&registry::oid_meanings(&id.oid)).note(vendor)
}

fn private(bytes: &[u8]) -> Option<Finding> {
    let info = PrivateKeyInfoRef::from_der(bytes).ok()?;
    let inner = info.private_key.as_bytes();
    let finding = Finding::new(What::PrivateKey, "DER PKCS#8");
    let finding = identified(finding, &info.algorithm, inner);
    let finding = match decode_pkcs8(bytes) {
        Ok(key) => finding.text("form", key.form()),
        Err(error) => finding.note(&error.to_string()),
    };
    Some(finding.number("private_key_bytes", inner.len()).number("file_bytes", bytes.len()))
}

/// EncryptedPrivateKeyInfo (RFC 5958): an identifier and an OCTET STRING.
#[derive(::der::Sequence)]
struct Encrypted<'a> {
    algorithm: AlgorithmIdentifierRef<'a>,
    data: &'a OctetStringRef,
}

fn encrypted(bytes: &[u8]) -> Option<Finding> {
    let info = Encrypted::from_der(bytes).ok()?;
    let finding = Finding::new(What::EncryptedPrivateKey, "DER PKCS#8");
    Some(
        finding
            .text("encryption_oid", &info.algorithm.oid.to_string())
            .number("encrypted_bytes", info.data.as_bytes().len()),
    )
}

/// ECDSA-Sig-Value (RFC 3279).
#[derive(::der::Sequence)]
struct EcdsaSignature<'a> {
    r: UintRef<'a>,
    s: UintRef<'a>,
}

fn ecdsa(bytes: &[u8]) -> Option<Finding> {
    let signature = EcdsaSignature::from_der(bytes).ok()?;
    let largest = signature.r.as_bytes().len().max(signature.s.as_bytes().len());
    let rows = registry::all().iter().filter(|row| row.family == Family::Ecdsa);
    let curve =
        rows.filter(|row| row.sizes.secret >= largest).min_by_key(|row| row.sizes.secret)?;
    let finding = Finding::new(What::Signature, "DER").algorithm(&curve.name);
    Some(finding.number("signature_bytes", bytes.len()).note("the curve is the smallest that fits"))
}
