//! Location of the checkout.

use crate::failure::Failure;
use std::path::PathBuf;

/// Returns the root of the repository.
pub fn root() -> Result<PathBuf, Failure> {
    let crate_dir = std::env::var_os("CARGO_MANIFEST_DIR")
        .ok_or_else(|| Failure::Usage("run it as: cargo xtask".into()))?;
    PathBuf::from(crate_dir)
        .join("../..")
        .canonicalize()
        .map_err(|error| Failure::Io("../..".into(), error))
}
