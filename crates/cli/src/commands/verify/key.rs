//! Public keys for verification, their names, and the form of their signatures.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use hasten_keys::encoding::{PublicKey, numbered_public, raw_fits, read_public, read_publics};
use hasten_keys::registry::Row;
use hasten_keys::stateful::read_public_of;
use hasten_keys::verify;
use hasten_keys::{Error as KeyError, x509};

use crate::error::Error;
use crate::files;
use crate::form::Format;
use crate::named::Keys;
use crate::output::{note, visible};
use crate::suggest::listed;
use crate::unfit::Asked;

/// A public key and its name, for commands that take several.
pub struct Named {
    /// The file or directory of the key.
    pub path: PathBuf,
    /// Number of the key in that file, from 1, if the file has several.
    pub number: Option<usize>,
    /// The public key.
    pub key: PublicKey,
}

impl Named {
    /// Returns the name of the key for text output.
    pub fn text(&self) -> String {
        let number = self.number.map_or(String::new(), |number| format!(" key {number}"));
        format!("{}{number}", visible(&self.path))
    }
}

/// Reads every named key, in order.
pub fn read_all(keys: &Keys, alg: Option<&'static Row>) -> Result<Vec<Named>, Error> {
    let mut all = Vec::new();
    for named in keys.iter() {
        let read = in_place(named, alg).map_err(named.unread())?;
        let is_one = read.len() == 1;
        let numbered = read.into_iter().enumerate().map(|(at, key)| Named {
            path: named.to_path_buf(),
            number: (!is_one).then_some(at + 1),
            key,
        });
        all.extend(numbered.filter(|named| alg.is_none_or(|row| named.key.is_of(row))));
    }
    Ok(all)
}

/// Reads the public key in a file, a certificate or the directory of a key.
pub fn read(path: &Path, alg: Option<&'static Row>) -> Result<PublicKey, Error> {
    match <[PublicKey; 1]>::try_from(in_place(path, alg)?) {
        Ok([key]) => Ok(key),
        Err(keys) => Err(Error::SeveralKeys { path: path.to_owned(), count: keys.len() }),
    }
}

fn in_place(path: &Path, alg: Option<&'static Row>) -> Result<Vec<PublicKey>, Error> {
    let keys = match path.is_dir() {
        true => vec![read_public_of(path).map_err(Error::key(path))?],
        false => in_file(path, alg)?,
    };
    match alg {
        Some(row) if !keys.iter().any(|key| key.is_of(row)) => {
            Err(Error::key(path)(KeyError::WrongAlgorithm))
        }
        _ => Ok(keys),
    }
}

fn in_file(path: &Path, alg: Option<&'static Row>) -> Result<Vec<PublicKey>, Error> {
    let file = files::read(path)?;
    let certified = x509::certificates(&file).ok().map(|ders| x509::spki(&ders[0]));
    let bytes = match certified {
        Some(spki) => {
            note("the key is that of a certificate, whose path was not checked");
            spki.map_err(Error::key(path))?
        }
        None => file,
    };
    let of = |error| Error::public_key(path, &bytes, error);
    match (read_publics(&bytes), alg) {
        (Err(KeyError::Ambiguous), None) => Err(ambiguous(path, &bytes)),
        (Err(KeyError::Ambiguous), Some(row)) => {
            let key = read_public(&bytes, Some(&row.name)).map_err(of)?;
            say_shared_number(&key, &bytes);
            Ok(vec![key])
        }
        (read, _) => read.map_err(of),
    }
}

fn ambiguous(path: &Path, bytes: &[u8]) -> Error {
    let fits = raw_fits(bytes).iter().map(|row| row.name.as_str()).collect();
    Error::AmbiguousKey { path: path.to_owned(), fits }
}

/// Prints a note if only `--alg` distinguishes between two readings of a raw key.
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

/// Returns the signature in the form of the key. Bytes that cannot be a signature of the key in
/// this format are an error.
pub fn in_form<'s>(
    path: &Path,
    format: Format,
    asked: &Asked<'_>,
    written: &'s [u8],
) -> Result<Cow<'s, [u8]>, Error> {
    let Some(form) = format.of_lms() else {
        asked.must_fit(written)?;
        return Ok(written.into());
    };
    format.check(path, asked.key)?;
    let of = Error::key(path);
    let raw = verify::public_as(asked.key, form).map_err(&of)?;
    let key = read_public(&raw, None).map_err(&of)?;
    Asked { key: &key, ..*asked }.must_fit(written)?;
    match verify::in_form(asked.key, written, form) {
        // Verifying these bytes leads to the same verdict.
        Err(KeyError::BadSignature) => Ok(written.into()),
        done => done.map_err(of),
    }
}
