//! Drawings into files.

use std::path::Path;

use crate::error::Error;

/// Writes a drawing where a file was named.
pub fn write(file: Option<&Path>, drawing: impl FnOnce() -> String) -> Result<(), Error> {
    let Some(file) = file else { return Ok(()) };
    let failed = |cause| Error::File { path: file.to_owned(), doing: "writing", cause };
    std::fs::write(file, drawing()).map_err(failed)
}
