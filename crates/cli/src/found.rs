//! Signatures in files whose form nobody named: `audit verify`, `recover` and `scan`
//! are not told it.

use std::path::{Path, PathBuf};

use hasten_kernels::Kernels;
use hasten_keys::encoding::PublicKey;
use hasten_keys::found::Found;

use crate::error::Error;
use crate::files::Message;

/// Returns whether it is a good signature of the file; where it stands in nothing, of the file or
/// of its SHA-384 digest.
pub fn is_good(found: &Found, key: &PublicKey, path: &Path) -> Result<bool, Error> {
    let (of, kernels) = (Error::key(path), Kernels::best());
    let mut message = Message::open(path)?;
    if found.is_good(key, &mut message, kernels).map_err(&of)? {
        return Ok(true);
    }
    message.again().map_err(|cause| of(cause.into()))?;
    found.is_good_of_digest(key, &mut message, kernels).map_err(of)
}

/// Returns the file that a signature belongs to, if it lies beside it.
pub fn signed_file(signature: &Path) -> Option<PathBuf> {
    let message = signature.with_extension("");
    (names_signature(signature) && message.is_file()).then_some(message)
}

/// Returns whether a file is called as Hasten calls signatures.
pub fn names_signature(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == &known[1..]))
}

/// The endings of signatures' names, in the order in which one beside its file is looked for.
pub const ENDINGS: [&str; 6] = [".sig", ".p7s", ".p7m", ".cose", ".dual", ".boot"];
