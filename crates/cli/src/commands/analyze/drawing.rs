//! Writing of drawings to files.

use std::path::Path;

use crate::error::Error;
use crate::files::{self, Wanted};

/// Writes a drawing if `file` is given. With `force`, an existing file is replaced.
pub fn write(
    file: Option<&Path>,
    force: bool,
    drawing: impl FnOnce() -> String,
) -> Result<(), Error> {
    let Some(file) = file else { return Ok(()) };
    Ok(files::write(file, Wanted::forced(force), drawing().as_bytes())?)
}
