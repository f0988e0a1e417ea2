//! Signatures in files, of whichever form: `audit verify` and `recover` are not told which.

use std::path::Path;

use hasten_kernels::Kernels;
use hasten_keys::Error as KeyError;
use hasten_keys::cms::{By, SignedData};
use hasten_keys::cose::Sign1;
use hasten_keys::encoding::PublicKey;
use hasten_keys::registry::Family;
use hasten_keys::verify::{self, Form};

use crate::error::Error;
use crate::files::{self, Message};
use crate::form::Digest;

/// A signature that was found in a file.
pub struct Found {
    /// The signature, in the form of its key.
    pub signature: Vec<u8>,
    within: Option<Within>,
}

/// A structure that a signature stands in.
enum Within {
    Cms(SignedData),
    Cose(Box<Sign1>),
}

impl Found {
    /// Returns the signature in these bytes that can be one of the key.
    pub fn of(key: &PublicKey, bytes: Vec<u8>) -> Self {
        if let Ok(signed) = SignedData::read(&bytes)
            && let Ok(signature) = signed.signature(By::Key(key))
        {
            return Self { signature, within: Some(Within::Cms(signed)) };
        }
        if let Ok(signed) = Sign1::read(&bytes) {
            let signature = signed.signature().to_vec();
            return Self { signature, within: Some(Within::Cose(Box::new(signed))) };
        }
        Self { signature: of_key(key, bytes), within: None }
    }

    /// Returns whether it is a good signature of the file; where it stands in nothing, of the file
    /// or of its SHA-384 digest.
    pub fn is_good(&self, key: &PublicKey, path: &Path) -> Result<bool, Error> {
        let kernels = Kernels::best();
        let verdict = match &self.within {
            None => return is_good(key, path, &self.signature),
            Some(Within::Cms(signed)) => {
                signed.verify(By::Key(key), Some(&mut *files::open(path)?), kernels).map(drop)
            }
            Some(Within::Cose(signed)) => {
                signed.verify(key, Some(&mut *files::open(path)?), kernels)
            }
        };
        said(path, verdict)
    }
}

/// Returns a verdict; an error of reading is none.
fn said(path: &Path, verdict: Result<(), KeyError>) -> Result<bool, Error> {
    match verdict {
        Err(error @ KeyError::Io(_)) => Err(Error::key(path)(error)),
        verdict => Ok(verdict.is_ok()),
    }
}

/// Returns the signature in the form of its key, whichever of the forms of LMS it has.
fn of_key(key: &PublicKey, signature: Vec<u8>) -> Vec<u8> {
    let may_be_bare = key.row.family == Family::Hss && key.index_in(&signature).is_none();
    let wrapped = || verify::in_form(key, &signature, Form::Lms).ok().map(|w| w.into_owned());
    let wrapped = may_be_bare.then(wrapped).flatten();
    wrapped.filter(|wrapped| key.index_in(wrapped).is_some()).unwrap_or(signature)
}

/// Returns whether the signature, in the form of its key, is a good one of the file, or of its
/// SHA-384 digest.
fn is_good(key: &PublicKey, path: &Path, signature: &[u8]) -> Result<bool, Error> {
    let mut message = Message::open(path)?;
    let asked = |message: &mut dyn std::io::Read| {
        said(path, verify::verify(key, message, signature, Kernels::best()))
    };
    if asked(&mut message)? {
        return Ok(true);
    }
    message.again().map_err(|cause| Error::key(path)(cause.into()))?;
    let digest = Digest::Sha384.of(path, &mut message, &mut |_| ())?;
    asked(&mut &digest[..])
}
