//! The public key that verifies, by what it is called, and the form of its signatures.

use std::borrow::Cow;
use std::path::Path;

use hasten_keys::encoding::{PublicKey, hash_based, numbered_public, raw_fits, read_public};
use hasten_keys::registry::{Family, Row};
use hasten_keys::stateful::read_public_of;
use hasten_keys::verify;
use hasten_keys::{Error as KeyError, x509};

use super::Args;
use crate::error::Error;
use crate::files;
use crate::output::note;
use crate::suggest::listed;

/// Reads the public key in a file, a certificate or the directory of a key.
pub fn read(path: &Path, alg: Option<&'static Row>) -> Result<PublicKey, Error> {
    let key = match path.is_dir() {
        true => read_public_of(path).map_err(Error::key(path))?,
        false => in_file(path, alg)?,
    };
    match alg {
        Some(row) if !key.is_of(row) => Err(Error::key(path)(KeyError::WrongAlgorithm)),
        _ => Ok(key),
    }
}

fn in_file(path: &Path, alg: Option<&'static Row>) -> Result<PublicKey, Error> {
    let file = files::read(path)?;
    let certified = x509::certificates(&file).ok().map(|ders| x509::spki(&ders[0]));
    let bytes = match certified {
        Some(spki) => {
            note("the key is that of a certificate, whose path was not checked");
            spki.map_err(Error::key(path))?
        }
        None => file,
    };
    match (read_public(&bytes, None), alg) {
        (Err(KeyError::Ambiguous), None) => Err(ambiguous(path, &bytes)),
        (Err(KeyError::Ambiguous), Some(row)) => {
            let key = read_public(&bytes, Some(&row.name)).map_err(Error::key(path))?;
            say_shared_number(&key, &bytes);
            Ok(key)
        }
        (read, _) => read.map_err(Error::key(path)),
    }
}

fn ambiguous(path: &Path, bytes: &[u8]) -> Error {
    let fits = raw_fits(bytes).iter().map(|row| row.name.as_str()).collect();
    Error::AmbiguousKey { path: path.to_owned(), fits }
}

/// Says so where only `--alg` told two readings of a raw key apart.
fn say_shared_number(key: &PublicKey, bytes: &[u8]) {
    let fits = numbered_public(bytes);
    let others: Vec<_> =
        fits.iter().filter(|row| **row != key.row).map(|row| row.name.as_str()).collect();
    if !others.is_empty() {
        let name = &key.row.name;
        note(&format!(
            "the raw key is also that of {}: read as {name} because --alg says so",
            listed(&others)
        ));
    }
}

/// Returns the signature in the form of its key, where `--format` says that it has the other.
pub fn in_form<'s>(
    args: &Args,
    key: &PublicKey,
    signature: &'s [u8],
) -> Result<Cow<'s, [u8]>, Error> {
    let Some(form) = args.format.of_lms() else { return Ok(signature.into()) };
    args.format.check(&args.public, key)?;
    match verify::in_form(key, signature, form) {
        // The verdict on such bytes is the same.
        Err(KeyError::BadSignature) => Ok(signature.into()),
        done => done.map_err(Error::key(&args.public)),
    }
}

/// Says of a bad signature that it has the other form.
pub fn say_other_form(key: &PublicKey, signature: &[u8]) {
    let (other, form) = match key.row.family {
        Family::Hss => (Family::Lms, "lms"),
        Family::Lms => (Family::Hss, "hss"),
        _ => return,
    };
    let readings = hash_based::signature_readings(signature);
    let one_tree = |reading: &hash_based::SignatureReading| {
        reading.family == other && reading.level_indices.len() <= 1
    };
    if readings.iter().any(one_tree) && key.tree().family == Family::Lms {
        note(&format!("these are bytes of a signature in another form: --format {form} reads it"));
    }
}
