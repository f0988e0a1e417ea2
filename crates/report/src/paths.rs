//! Serialization of paths in rows.

use std::path::{Path, PathBuf};

use serde::Serializer;

/// Writes a path. Bytes that are not UTF-8 become U+FFFD, because JSON has only text.
///
/// # Errors
/// Errors of the serializer.
pub fn path<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

/// Writes a list of paths.
///
/// # Errors
/// Errors of the serializer.
pub fn paths<S: Serializer>(paths: &[PathBuf], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}

/// Writes an optional path.
///
/// # Errors
/// Errors of the serializer.
pub fn path_if_any<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(at) => self::path(at, to),
        None => to.serialize_none(),
    }
}
