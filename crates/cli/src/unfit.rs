//! Files that are given as a signature but cannot be one of the key: what they are, and hints.

use std::path::{Path, PathBuf};

use hasten_keys::boot::header::MAGIC;
use hasten_keys::cms::{By, SignedData};
use hasten_keys::dual::{Dual, DualError};
use hasten_keys::encoding::{PublicKey, pem_blocks};
use hasten_keys::fit::{Unfit, fit, other_form};
use hasten_keys::inspect::{Finding, What, inspect};
use hasten_keys::verify::Form;
use hasten_report::grouped;

use crate::error::Error;
use crate::files;

/// Reason why a file cannot be a signature of the key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSignature {
    /// The file is empty.
    #[error("is empty")]
    Empty,
    /// The signature ends too early.
    #[error("is cut short: {} of {}{} bytes", grouped(*.bytes as u64), least(*.at_least), grouped(*.of as u64))]
    Cut { bytes: usize, of: usize, at_least: bool },
    /// The file begins as a container, but is not complete.
    #[error("is {what} that is cut short or damaged: {} bytes", grouped(*.bytes as u64))]
    BrokenContainer { what: &'static str, bytes: usize },
    /// The length is not that of the key's signatures.
    #[error(
        "is no signature of this key: it has {} bytes, and one of {alg} has {}",
        grouped(*.bytes as u64),
        grouped(*.of as u64)
    )]
    Length { bytes: usize, of: usize, alg: String },
    /// The signature is of another algorithm.
    #[error("is a signature of {found}, and the key is of {alg}")]
    OtherAlgorithm { found: String, alg: String },
    /// The file is something else.
    #[error("is no signature: it is {article} {what}", article = article(.what))]
    Other { what: String },
    /// The signature is not in the structure or form that the command or its options require.
    #[error("is {article} {what}, and not of the form asked for", article = article(.what))]
    WrongForm { what: String },
    /// The file is a dual signature.
    #[error("is a dual signature, which needs both keys")]
    Dual,
    /// The file to be verified is itself a signature: the two names are exchanged.
    #[error("is no signature, and {} is one: the two names are exchanged", .file.display())]
    Exchanged { file: PathBuf },
    /// The signature is valid for the file's digest.
    #[error("is a signature of the file's SHA-384 digest, and not of the file")]
    OfDigest,
    /// The signature is valid for the file itself.
    #[error("is a signature of the file itself, and not of a digest of it")]
    OfFile,
    /// The signature has no certificate of its signer.
    #[error("has no certificate of its signer in it")]
    NoCertificate,
    /// The signature has the other form of LMS.
    #[error("is a signature in another form: {format}")]
    OtherForm { format: &'static str },
}

fn least(at_least: bool) -> &'static str {
    if at_least { "at least " } else { "" }
}

fn article(what: &str) -> &'static str {
    if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

impl NoSignature {
    /// Returns the hint.
    pub fn hint(&self) -> String {
        match self {
            Self::Empty | Self::Cut { .. } | Self::BrokenContainer { .. } => {
                "copy the signature again from where it was made".to_owned()
            }
            Self::Length { .. } | Self::Other { .. } => {
                "'hasten inspect FILE' says what a file is; the signed file comes first, then its signature; of several files --each takes each signature from FILE.sig".to_owned()
            }
            Self::OtherAlgorithm { .. } => {
                "-p PUB names the public key that belongs to the signature; 'hasten inspect FILE' says of which algorithm a file is".to_owned()
            }
            Self::WrongForm { .. } => {
                "'hasten verify -p PUB FILE SIG' without --format reads every form of one signature"
                    .to_owned()
            }
            Self::Dual => {
                "'hasten dual verify -p PUB --second PUB FILE SIG' verifies both signatures".to_owned()
            }
            Self::Exchanged { .. } => "the signed file comes first, then its signature".to_owned(),
            Self::OfDigest => "'hasten verify --digest sha384' verifies it".to_owned(),
            Self::NoCertificate => {
                "'hasten cms verify -p PUB SIG' verifies it by a public key or a certificate".to_owned()
            }
            Self::OfFile => "'hasten verify' without --digest verifies it".to_owned(),
            Self::OtherForm { format } => {
                format!("'hasten verify --format {format}' verifies it, and so does 'hasten verify' without --format")
            }
        }
    }

    /// Returns the error of the file at `path`.
    pub fn at(self, path: &Path) -> Error {
        Error::NoSignature { path: path.to_owned(), why: self }
    }
}

/// A signature to be verified, with its key and the names of both files.
pub struct Asked<'a> {
    /// The key to verify it with.
    pub key: &'a PublicKey,
    /// The signed file, if it is separate from the signature.
    pub file: Option<&'a Path>,
    /// The file of the signature.
    pub signature: &'a Path,
}

impl Asked<'_> {
    /// Returns an error if the bytes cannot be a signature of the key. `bytes` is the whole file.
    pub fn must_fit(&self, bytes: &[u8]) -> Result<(), Error> {
        let unfit = |unfit| self.name(bytes, unfit).at(self.signature);
        fit(self.key, bytes).map_err(unfit)
    }

    /// As [`must_fit`](Self::must_fit), for a signature taken from a container.
    pub fn must_fit_within(&self, signature: &[u8]) -> Result<(), Error> {
        let alg = || self.key.tree().name.clone();
        let why = |unfit| match unfit {
            Unfit::OtherSet(found) => {
                NoSignature::OtherAlgorithm { found: tree_name(found), alg: alg() }
            }
            Unfit::Length { bytes, of } | Unfit::Cut { bytes, of, .. } => {
                match by_length(signature) {
                    Some(found) => NoSignature::OtherAlgorithm { found, alg: alg() },
                    None => NoSignature::Length { bytes, of, alg: alg() },
                }
            }
            _ => NoSignature::Empty,
        };
        fit(self.key, signature).map_err(|unfit| why(unfit).at(self.signature))
    }

    /// Returns the signature in a SignedData whose signer is named as this key; it is empty if
    /// there is none. If all signers have another algorithm, that is an error.
    pub fn of_signer(&self, signed: &SignedData, by: By<'_>) -> Result<Vec<u8>, Error> {
        if !signed.has_algorithm_of(self.key) {
            let (found, alg) = ("another algorithm".to_owned(), self.key.tree().name.clone());
            return Err(NoSignature::OtherAlgorithm { found, alg }.at(self.signature));
        }
        Ok(signed.signature(by).unwrap_or_default())
    }

    /// Returns why bytes do not fit.
    fn name(&self, bytes: &[u8], unfit: Unfit) -> NoSignature {
        let alg = self.key.tree().name.clone();
        match unfit {
            Unfit::Empty => return NoSignature::Empty,
            Unfit::OtherSet(found) => {
                return NoSignature::OtherAlgorithm { found: tree_name(found), alg };
            }
            _ => {}
        }
        if let Some(form) = other_form(self.key, bytes) {
            return NoSignature::OtherForm { format: form_name(form) };
        }
        if let Some(file) = self.file.filter(|file| self.is_signature(file)) {
            return NoSignature::Exchanged { file: file.to_owned() };
        }
        if let Some(other) = other_thing(bytes, &alg) {
            return other;
        }
        if let Some(found) = by_length(bytes) {
            return NoSignature::OtherAlgorithm { found, alg };
        }
        match unfit {
            Unfit::Cut { bytes: have, of, at_least } => {
                NoSignature::Cut { bytes: have, of, at_least }
            }
            Unfit::Length { bytes: have, of } => NoSignature::Length { bytes: have, of, alg },
            _ => NoSignature::Empty,
        }
    }

    /// Returns true if the signed file is itself a signature, alone or in a container. A file that
    /// cannot be read again counts as none: this only selects one of two sentences.
    fn is_signature(&self, file: &Path) -> bool {
        let Ok(bytes) = files::read_regular(file, files::MOST) else { return false };
        let is_container = || container_of(&bytes).is_some();
        fit(self.key, &bytes).is_ok() || other_form(self.key, &bytes).is_some() || is_container()
    }
}

/// Returns the option value for a form of LMS.
pub fn form_name(form: Form) -> &'static str {
    match form {
        Form::Lms => "lms",
        Form::Hss => "hss",
    }
}

/// Returns the kind of container, if the bytes are one with a signature.
pub fn container_of(bytes: &[u8]) -> Option<What> {
    let what = inspect(bytes).first().map(|finding| finding.what);
    what.filter(|what| matches!(what, What::Cms | What::Cose | What::Dual | What::BootImage))
}

/// Returns the error for a file that is not the required container. `error` is that of the reader.
pub fn no_container(path: &Path, bytes: &[u8], error: hasten_keys::Error) -> Error {
    match other_thing(bytes, "") {
        _ if bytes.is_empty() => NoSignature::Empty.at(path),
        Some(NoSignature::OtherAlgorithm { found, .. }) => {
            NoSignature::WrongForm { what: format!("signature of {found}") }.at(path)
        }
        Some(other) => other.at(path),
        None => Error::key(path)(error),
    }
}

/// Returns what the bytes are, if they are certainly something else than a plain signature of
/// `alg`.
fn other_thing(bytes: &[u8], alg: &str) -> Option<NoSignature> {
    if let Some(what) = broken_container(bytes) {
        return Some(NoSignature::BrokenContainer { what, bytes: bytes.len() });
    }
    let found = inspect(bytes).into_iter().find(Finding::is_certain)?;
    Some(match (found.what, found.algorithm) {
        (What::Dual, _) => NoSignature::Dual,
        (What::Signature, Some(found)) => {
            NoSignature::OtherAlgorithm { found: tree_name(found), alg: alg.to_owned() }
        }
        (what @ (What::Cms | What::Cose | What::BootImage), _) => {
            NoSignature::WrongForm { what: what.name().to_owned() }
        }
        (what, _) => NoSignature::Other { what: what.name().to_owned() },
    })
}

/// Returns the name of the tree if HSS has only one level, and the given name otherwise.
fn tree_name(name: String) -> String {
    let levels = name.strip_prefix("HSS(").and_then(|levels| levels.strip_suffix(')'));
    match levels {
        Some(one) if !one.contains(',') => one.to_owned(),
        _ => name,
    }
}

/// Returns the names of all algorithms whose signatures have this length.
fn by_length(bytes: &[u8]) -> Option<String> {
    let found = inspect(bytes);
    let of = found.iter().filter(|finding| finding.what == What::Signature);
    let names: Vec<_> = of.filter_map(|finding| finding.algorithm.as_deref()).collect();
    (!names.is_empty()).then(|| tree_name(crate::suggest::listed(&names)))
}

/// Object identifier of a SignedData of CMS. A sequence header of 3 to 5 bytes precedes it.
const CMS: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2];

/// Returns the kind of a container that begins as one but is not complete.
fn broken_container(bytes: &[u8]) -> Option<&'static str> {
    if container_of(bytes).is_some_and(|what| what != What::Dual) {
        return None;
    }
    let is_cms = |at: usize| bytes.get(at..).is_some_and(|rest| rest.starts_with(CMS));
    let blocks = || pem_blocks(bytes).is_empty();
    let is_pem = |label: &[u8]| bytes.starts_with(label) && blocks();
    if is_cms(4) || is_cms(5) || is_cms(3) || is_pem(b"-----BEGIN CMS") {
        return Some("a signature in CMS");
    }
    if bytes.starts_with(&[0xd2, 0x84]) {
        return Some("a signature in COSE");
    }
    if bytes.starts_with(&MAGIC.to_le_bytes()) {
        return Some("a signed image for a boot ROM");
    }
    let is_broken = Dual::read(bytes).is_err_and(|why| why != DualError::NotDual);
    is_broken.then_some("a dual signature")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let cut = NoSignature::Cut { bytes: 100, of: 1504, at_least: false };
        assert_eq!(cut.to_string(), "is cut short: 100 of 1,504 bytes");
        let other = NoSignature::Other { what: "encrypted private key".to_owned() };
        assert_eq!(other.to_string(), "is no signature: it is an encrypted private key");
    }
}
