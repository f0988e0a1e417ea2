//! X.509 certificates and PKCS#10 requests.

use ::der::{Decode, Encode};
use x509_cert::{
    Certificate,
    ext::pkix::{BasicConstraints, ExtendedKeyUsage, SubjectAltName, name::GeneralName},
    request::CertReq,
};

use super::{Finding, What, der};
use crate::{
    encoding::hash_based,
    registry::{Family, HSS, XMSS, XMSS_MT},
};
use spki::{
    AlgorithmIdentifierOwned, AlgorithmIdentifierRef, SubjectPublicKeyInfoOwned,
    SubjectPublicKeyInfoRef,
};

pub(super) fn readings(bytes: &[u8]) -> [Option<Finding>; 2] {
    [certificate(bytes), request(bytes)]
}

fn certificate(bytes: &[u8]) -> Option<Finding> {
    let cert = Certificate::from_der(bytes).ok()?;
    let tbs = cert.tbs_certificate();
    let finding = Finding::new(What::Certificate, "DER X.509")
        .text("subject", &tbs.subject().to_string())
        .text("issuer", &tbs.issuer().to_string())
        .text("serial", &tbs.serial_number().to_string())
        .text("not_before", &tbs.validity().not_before.to_string())
        .text("not_after", &tbs.validity().not_after.to_string());
    let finding = key(finding, tbs.subject_public_key_info());
    let finding = extensions(finding, &cert);
    let bits = cert.signature().raw_bytes();
    Some(signed(finding, cert.signature_algorithm(), bits).number("file_bytes", bytes.len()))
}

fn request(bytes: &[u8]) -> Option<Finding> {
    let request = CertReq::from_der(bytes).ok()?;
    let finding = Finding::new(What::CertificateRequest, "DER PKCS#10")
        .text("subject", &request.info.subject.to_string());
    let finding = key(finding, &request.info.public_key);
    let bits = request.signature.raw_bytes();
    Some(signed(finding, &request.algorithm, bits).number("file_bytes", bytes.len()))
}

/// Adds the facts about the certified key to the finding.
fn key(finding: Finding, spki: &SubjectPublicKeyInfoOwned) -> Finding {
    let Ok(der) = spki.to_der() else { return finding };
    let Ok(spki) = SubjectPublicKeyInfoRef::from_der(&der) else { return finding };
    let inner = der::public_finding(&spki);
    let mut finding =
        finding.text("key_algorithm", inner.algorithm.as_deref().unwrap_or("unknown"));
    finding.algorithm = inner.algorithm;
    finding.facts.extend(inner.facts);
    finding.notes.extend(inner.notes);
    finding
}

fn extensions(finding: Finding, cert: &Certificate) -> Finding {
    let tbs = cert.tbs_certificate();
    let ca = tbs.get_extension::<BasicConstraints>().ok().flatten().is_some_and(|(_, c)| c.ca);
    let finding = finding.text("ca", if ca { "yes" } else { "no" });
    let usages = tbs.get_extension::<ExtendedKeyUsage>().ok().flatten().map(|(_, usages)| usages.0);
    let finding = usages
        .into_iter()
        .flatten()
        .fold(finding, |finding, oid| finding.text("usage", &usage(&oid.to_string())));
    let names = tbs.get_extension::<SubjectAltName>().ok().flatten().map(|(_, names)| names.0);
    names.into_iter().flatten().fold(finding, |finding, name| match name {
        GeneralName::DnsName(dns) => finding.text("dns", dns.as_str()),
        _ => finding,
    })
}

/// Describes a purpose of RFC 5280, section 4.2.1.12 (Extended Key Usage); returns the number of
/// any other purpose.
fn usage(oid: &str) -> String {
    let known = [
        ("1.3.6.1.5.5.7.3.1", "server of TLS"),
        ("1.3.6.1.5.5.7.3.2", "client of TLS"),
        ("1.3.6.1.5.5.7.3.3", "code signing"),
    ];
    let named = known.iter().find(|(number, _)| *number == oid);
    named.map_or(oid, |(_, words)| words).to_owned()
}

fn signed(finding: Finding, id: &AlgorithmIdentifierOwned, bits: &[u8]) -> Finding {
    let id = AlgorithmIdentifierRef::from(id);
    let by = der::identified(Finding::new(What::Signature, ""), &id, bits);
    let name = by.algorithm.unwrap_or_else(|| signature_name(&id, bits));
    let mut finding = finding.text("signature_algorithm", &name);
    finding.notes.extend(by.notes);
    finding.text("signature_oid", &id.oid.to_string()).number("signature_bytes", bits.len())
}

/// Returns the family whose signatures have this identifier of RFC 9802.
fn stateful_family(oid: &str) -> Option<Family> {
    let families = [(HSS, Family::Hss), (XMSS, Family::Xmss), (XMSS_MT, Family::XmssMt)];
    families.into_iter().find(|(id, _)| *id == oid).map(|(_, family)| family)
}

/// Returns the name of a signature algorithm: identifiers that stand only for signatures (RFC 5758,
/// RFC 4055), and those of RFC 9802.
fn signature_name(id: &AlgorithmIdentifierRef<'_>, bits: &[u8]) -> String {
    let known = [
        ("1.2.840.10045.4.3.2", "ECDSA with SHA-256"),
        ("1.2.840.10045.4.3.3", "ECDSA with SHA-384"),
        ("1.2.840.10045.4.3.4", "ECDSA with SHA-512"),
        ("1.2.840.113549.1.1.10", "RSASSA-PSS"),
        ("1.2.840.113549.1.1.11", "RSASSA-PKCS1-v1_5 with SHA-256"),
        ("1.2.840.113549.1.1.12", "RSASSA-PKCS1-v1_5 with SHA-384"),
        ("1.2.840.113549.1.1.13", "RSASSA-PKCS1-v1_5 with SHA-512"),
    ];
    let text = id.oid.to_string();
    let named = known.iter().find(|(oid, _)| *oid == text).map(|(_, name)| (*name).to_owned());
    let family = stateful_family(&text);
    let read = || {
        let mut readings = hash_based::signature_readings(bits).into_iter();
        readings.find(|reading| Some(reading.family) == family)
    };
    named.or_else(|| read().map(|r| r.name)).unwrap_or_else(|| "unknown".into())
}
