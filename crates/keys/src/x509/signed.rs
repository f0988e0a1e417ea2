//! The signed bytes and the signatures of certificates and requests in files.

use der::{
    Decode, Encode, Sequence,
    asn1::{AnyRef, BitStringRef},
};
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoRef};
use x509_cert::{
    Certificate,
    ext::pkix::{AuthorityKeyIdentifier, SubjectKeyIdentifier},
    request::CertReq,
};

use super::signature_identifier;
use crate::{
    Error,
    encoding::{PublicKey, decode_spki, encode_spki, pem_blocks},
};

/// The signature of a certificate or a request, and the bytes that it signs.
pub struct SignedPart {
    /// TBSCertificate or CertificationRequestInfo, in DER.
    pub bytes: Vec<u8>,
    /// The signature, in the form of its key.
    pub signature: Vec<u8>,
    /// The signer that the structure names.
    pub names: Names,
}

/// The signer that a structure names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// The given key.
    ThisKey,
    /// Another key.
    OtherKey,
    /// No key, or an identifier that could be of any key.
    Nobody,
}

/// The common outer structure: signed bytes, algorithm, signature.
#[derive(Sequence)]
struct Outer<'d> {
    signed: AnyRef<'d>,
    algorithm: AlgorithmIdentifierOwned,
    signature: BitStringRef<'d>,
}

/// Returns the signatures of all certificates and requests in a file: those of all PEM blocks, or
/// that of the file itself in DER. Empty if there are none.
pub fn signed_parts(file: &[u8], key: &PublicKey) -> Vec<SignedPart> {
    let blocks = pem_blocks(file);
    let named = blocks.iter().filter(|block| block.label.contains("CERTIFICATE"));
    let ders = named.map(|block| &block.der[..]).chain(blocks.is_empty().then_some(file));
    ders.filter_map(|der| signed_part(der, key)).collect()
}

fn signed_part(der: &[u8], key: &PublicKey) -> Option<SignedPart> {
    let outer = Outer::from_der(der).ok()?;
    let names = match (Certificate::from_der(der), CertReq::from_der(der)) {
        (Ok(certificate), _) => signer_of(&certificate, key),
        (_, Ok(request)) => signer_of_request(&request, key),
        _ => return None,
    };
    let same = signature_identifier(key.row).is_ok_and(|own| own == outer.algorithm);
    Some(SignedPart {
        bytes: outer.signed.to_der().ok()?,
        signature: outer.signature.raw_bytes().to_vec(),
        names: if same { names } else { Names::OtherKey },
    })
}

/// Returns the signer that a certificate names, by the key identifier of the authority, or by
/// itself. A different identifier may still be an unusual one of this key.
fn signer_of(certificate: &Certificate, key: &PublicKey) -> Names {
    let tbs = certificate.tbs_certificate();
    let authority = tbs.get_extension::<AuthorityKeyIdentifier>().ok().flatten();
    let named = authority.and_then(|(_, authority)| authority.key_identifier);
    let is_named = match named {
        Some(named) => identifier_of(key).is_ok_and(|own| own.0 == named),
        None => {
            let own = tbs.subject_public_key_info().to_der().ok();
            tbs.issuer() == tbs.subject() && own.is_some_and(|der| is_key(&der, key))
        }
    };
    if is_named { Names::ThisKey } else { Names::Nobody }
}

/// Returns the signer of a request, which is the key it is for.
fn signer_of_request(request: &CertReq, key: &PublicKey) -> Names {
    let own = request.info.public_key.to_der();
    let is_own = own.is_ok_and(|der| is_key(&der, key));
    if is_own { Names::ThisKey } else { Names::OtherKey }
}

fn is_key(spki: &[u8], key: &PublicKey) -> bool {
    decode_spki(spki).as_ref() == Ok(key)
}

/// Returns the identifier of a key without a certificate: the SHA-1 of the key (RFC 5280, section
/// 4.2.1.2 (Subject Key Identifier)).
///
/// # Errors
/// `NotAKey`, and errors of a key without an object identifier.
pub(crate) fn identifier_of(key: &PublicKey) -> Result<SubjectKeyIdentifier, Error> {
    let der = encode_spki(key)?;
    let spki = SubjectPublicKeyInfoRef::from_der(&der).map_err(|_| Error::NotAKey)?;
    SubjectKeyIdentifier::try_from(spki).map_err(|_| Error::NotAKey)
}
