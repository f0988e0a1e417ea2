//! Signature containers, and files of a key or a channel, recognised by their first bytes.

use ::der::{Decode, Sequence, Tag, Tagged, asn1::AnyRef};

use super::{Finding, What};
#[cfg(feature = "sign")]
use crate::dual::{Dual, HEAD};
#[cfg(feature = "x509")]
use crate::{boot, cms::SignedData, cose::Sign1, encoding::hash_based};

/// Prefix of a dual signature file.
#[cfg(feature = "sign")]
const DUAL: &[u8] = b"hstndua";

/// Returns the finding for a whole container.
pub(super) fn readings(bytes: &[u8]) -> Option<Finding> {
    #[cfg(feature = "x509")]
    let found = cms(bytes).or_else(|| cose(bytes)).or_else(|| boot_image(bytes));
    #[cfg(not(feature = "x509"))]
    let found = None;
    let found = found.or_else(|| pkcs12(bytes)).or_else(|| channel(bytes));
    #[cfg(feature = "sign")]
    let found = found.or_else(|| dual(bytes)).or_else(|| file_of_key(bytes));
    found.map(|finding: Finding| finding.number("file_bytes", bytes.len()))
}

#[cfg(feature = "x509")]
fn cms(bytes: &[u8]) -> Option<Finding> {
    let signed = SignedData::read(bytes).ok()?;
    let content = if signed.content().is_some() { "attached" } else { "detached" };
    let pem = bytes.first().is_some_and(|first| *first != 0x30);
    let encoding = if pem { "PEM, CMS SignedData" } else { "DER CMS SignedData" };
    let finding = Finding::new(What::Cms, encoding).text("content", content);
    let finding = finding.number("signers", signed.signers());
    Some(finding.number("certificates", signed.certificates().len()))
}

#[cfg(feature = "x509")]
fn cose(bytes: &[u8]) -> Option<Finding> {
    let signed = Sign1::read(bytes).ok()?;
    let content = if signed.payload().is_some() { "attached" } else { "detached" };
    let finding = Finding::new(What::Cose, "CBOR COSE_Sign1").text("content", content);
    Some(finding.number("signature_bytes", signed.signature().len()))
}

#[cfg(feature = "x509")]
fn boot_image(bytes: &[u8]) -> Option<Finding> {
    let signed = boot::Signed::read(bytes).ok()?;
    let header = signed.header();
    let finding = Finding::new(What::BootImage, boot_format(header.form));
    let set = hash_based::signature_readings(signed.written_signature()).into_iter().next();
    let finding = match set {
        Some(reading) => finding.algorithm(reading.name),
        None => finding,
    };
    let finding = finding.number("image_version", header.version as usize);
    let finding = finding.number("image_bytes", header.length as usize);
    let finding = finding.number("public_key_bytes", header.key_bytes as usize);
    Some(finding.number("signature_bytes", header.signature_bytes as usize))
}

/// Returns the option of `hasten sign` that writes such an image.
#[cfg(feature = "x509")]
fn boot_format(form: u32) -> &'static str {
    if form == boot::header::FORM_HSS { "--format boot-hss" } else { "--format boot" }
}

/// The PFX of RFC 7292, section 4 (PFX PDU Syntax): version 3 and a ContentInfo.
#[derive(Sequence)]
struct Pfx<'d> {
    version: u8,
    safe: AnyRef<'d>,
    mac: Option<AnyRef<'d>>,
}

fn pkcs12(bytes: &[u8]) -> Option<Finding> {
    let pfx = Pfx::from_der(bytes).ok()?;
    let is_one = pfx.version == 3 && pfx.safe.tag() == Tag::Sequence;
    let finding = Finding::new(What::Pkcs12, "DER PFX").note(PKCS12);
    (is_one && pfx.mac.is_none_or(|mac| mac.tag() == Tag::Sequence)).then_some(finding)
}

/// Advice on converting a PKCS#12 file to a supported format.
const PKCS12: &str =
    "PKCS#12 is not read here: 'openssl pkcs12 -in FILE -nodes -nocerts' writes its key in PEM";

/// Prefixes of the files of a channel.
const CHANNEL: [(&[u8], What, &str); 2] = [
    (b"hchrec", What::Recording, "file of subscribe --record"),
    (b"hasten-mark-", What::Mark, "file of subscribe --mark"),
];

fn channel(bytes: &[u8]) -> Option<Finding> {
    let known = CHANNEL.iter().find(|(front, _, _)| bytes.starts_with(front));
    known.map(|(_, what, encoding)| Finding::new(*what, encoding))
}

#[cfg(feature = "sign")]
fn dual(bytes: &[u8]) -> Option<Finding> {
    let finding = Finding::new(What::Dual, "file of dual sign");
    match Dual::read(bytes) {
        Ok(dual) => {
            let [first, second] = dual.halves.map(<[u8]>::len);
            let finding = finding.number("first_signature_bytes", first);
            Some(finding.number("second_signature_bytes", second))
        }
        Err(why) if bytes.starts_with(DUAL) && bytes.len() >= HEAD => {
            Some(finding.note(&why.to_string()))
        }
        Err(_) => None,
    }
}

/// Returns the finding for a file from the directory of a key, or for its guard.
#[cfg(feature = "sign")]
fn file_of_key(bytes: &[u8]) -> Option<Finding> {
    use hasten_store::FileKind as Kind;
    let kind = Kind::of(bytes);
    let what = match kind {
        Kind::Guard | Kind::SignerGuard => What::Guard,
        Kind::Secret => What::Secret,
        Kind::Unknown | Kind::Empty | Kind::Public | Kind::Pem | Kind::Shard => return None,
        _ => What::FileOfKey,
    };
    Some(Finding::new(what, &kind.to_string()))
}
