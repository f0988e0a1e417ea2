//! Certificates in files, PEM or DER.

use std::path::{Path, PathBuf};

use hasten_keys::x509;

use crate::error::Error;
use crate::files;

/// Returns the certificates in a file. There is at least one.
pub fn of(path: &Path) -> Result<Vec<Vec<u8>>, Error> {
    x509::certificates(&files::read(path)?).map_err(Error::key(path))
}

/// Returns the certificates in all of these files.
pub fn of_all(paths: &[PathBuf]) -> Result<Vec<Vec<u8>>, Error> {
    let each: Result<Vec<_>, Error> = paths.iter().map(|path| of(path)).collect();
    Ok(each?.concat())
}
