//! Building and signing of certificates and requests.

use der::{Decode, Encode, asn1::BitString};
use hasten_kernels::Kernels;
use spki::SubjectPublicKeyInfoOwned;
use x509_cert::{
    Certificate,
    builder::{Builder, CertificateBuilder, RequestBuilder},
    ext::pkix::{BasicConstraints, SubjectAltName, name::GeneralName},
    request::{CertReq, ExtensionReq},
    serial_number::SerialNumber,
};

use super::{
    New, Role, Subject,
    algorithms::verified,
    identifier::signature_identifier,
    profile::Profile,
    signer::{CertificateSigner, Signing},
};
use crate::{
    Error,
    encoding::{PublicKey, decode_spki, encode_spki},
    stateful::{Note, Purpose},
};

/// Converts a builder error. The names, times and keys were checked before.
fn unbuilt<E>(_: E) -> Error {
    Error::BadName
}

/// Returns a certificate of `key` in DER, signed by the authority with the certificate `issuer`. A
/// root signs itself and has no `issuer`.
///
/// # Errors
/// `NotAnAuthority` and `NotThisKey` if `signer` may not sign for `issuer`, `BadName`, `BadTime`,
/// and the errors of the key.
pub fn issue(
    new: &New,
    key: &PublicKey,
    issuer: Option<&[u8]>,
    signer: &mut dyn CertificateSigner,
) -> Result<Vec<u8>, Error> {
    let signing = Signing(signer.public_key()?);
    let subject = new.subject.to_name()?;
    let issuer = match issuer {
        Some(der) => authority(der, &signing.0)?,
        None if signing.0 == *key && new.role == Role::Root => subject.clone(),
        None => return Err(Error::NotThisKey),
    };
    let alternatives = new.subject.alternatives()?;
    let profile = Profile { role: new.role, subject, issuer, alternatives };
    let spki = SubjectPublicKeyInfoOwned::from_der(&encode_spki(key)?).map_err(unbuilt)?;
    let builder =
        CertificateBuilder::new(profile, serial()?, new.validity()?, spki).map_err(unbuilt)?;
    let note = Note::of(Purpose::Certificate).named(&new.subject.name);
    signed(builder, &signing, signer, note)?.to_der().map_err(unbuilt)
}

/// Returns the subject of the authority's certificate. The certificate must be of `key`.
fn authority(der: &[u8], key: &PublicKey) -> Result<x509_cert::name::Name, Error> {
    let certificate = Certificate::from_der(der).map_err(|_| Error::NotACertificate)?;
    let tbs = certificate.tbs_certificate();
    let constraints = tbs.get_extension::<BasicConstraints>().ok().flatten();
    if !constraints.is_some_and(|(_, constraints)| constraints.ca) {
        return Err(Error::NotAnAuthority);
    }
    if super::public_key(der)? != *key {
        return Err(Error::NotThisKey);
    }
    Ok(tbs.subject().clone())
}

/// Returns 16 random bytes as a positive number.
fn serial() -> Result<SerialNumber, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| Error::Randomness)?;
    bytes[0] = bytes[0] & 0x3F | 0x40;
    SerialNumber::new(&bytes).map_err(unbuilt)
}

fn signed<B: Builder>(
    mut builder: B,
    signing: &Signing,
    signer: &mut dyn CertificateSigner,
    note: Note,
) -> Result<B::Output, Error> {
    signature_identifier(signing.0.row)?;
    let message = builder.finalize(signing).map_err(unbuilt)?;
    let signature = BitString::from_bytes(&signer.sign(&message, note)?).map_err(unbuilt)?;
    builder.assemble(signature, signing).map_err(unbuilt)
}

/// Returns a certificate request (PKCS #10) in DER, signed by the key it is for.
///
/// # Errors
/// `BadName`, and the errors of the key.
pub fn request(subject: &Subject, signer: &mut dyn CertificateSigner) -> Result<Vec<u8>, Error> {
    let signing = Signing(signer.public_key()?);
    let mut builder = RequestBuilder::new(subject.to_name()?).map_err(unbuilt)?;
    if let Some(alternatives) = subject.alternatives()? {
        builder.add_extension(&alternatives).map_err(unbuilt)?;
    }
    let note = Note::of(Purpose::CertificateRequest).named(&subject.name);
    signed(builder, &signing, signer, note)?.to_der().map_err(unbuilt)
}

/// The contents of a certificate request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The key, which signed the request.
    pub key: PublicKey,
    /// The requested names.
    pub subject: Subject,
}

/// Parses a request and verifies that it is signed by its own key.
///
/// # Errors
/// `NotACertificate`, `BadSignature`, and the errors of the key.
pub fn read_request(der: &[u8], kernels: Kernels<'_>) -> Result<Asked, Error> {
    let wrong = |_| Error::NotACertificate;
    let request = CertReq::from_der(der).map_err(wrong)?;
    let key = decode_spki(&request.info.public_key.to_der().map_err(wrong)?)?;
    if request.algorithm != signature_identifier(key.row)? {
        return Err(Error::BadSignature);
    }
    let message = request.info.to_der().map_err(wrong)?;
    verified(&key, &message, request.signature.raw_bytes(), kernels)?;
    let mut subject = Subject { name: request.info.subject.to_string(), ..Subject::default() };
    for name in names_asked(&request) {
        match name {
            GeneralName::DnsName(dns) => subject.dns.push(dns.to_string()),
            GeneralName::IpAddress(ip) => subject.ip.extend(address(ip.as_bytes())),
            _ => {}
        }
    }
    Ok(Asked { key, subject })
}

fn address(bytes: &[u8]) -> Option<std::net::IpAddr> {
    let v4 = <[u8; 4]>::try_from(bytes).map(Into::into);
    v4.or_else(|_| <[u8; 16]>::try_from(bytes).map(Into::into)).ok()
}

/// Returns the alternative names in the extensions of a request.
fn names_asked(request: &CertReq) -> Vec<GeneralName> {
    let attributes = request.info.attributes.iter();
    let asked = attributes
        .filter(|attribute| attribute.oid.to_string() == "1.2.840.113549.1.9.14")
        .flat_map(|attribute| attribute.values.iter())
        .filter_map(|value| value.to_der().ok())
        .filter_map(|der| ExtensionReq::from_der(&der).ok())
        .flat_map(|asked| asked.0);
    asked
        .filter(|extension| extension.extn_id.to_string() == "2.5.29.17")
        .filter_map(|extension| SubjectAltName::from_der(extension.extn_value.as_bytes()).ok())
        .flat_map(|names| names.0)
        .collect()
}
