//! Signatures in files of unknown form. `audit verify`, `recover` and `scan` have no option for the
//! form.

use std::path::{Path, PathBuf};

use hasten_kernels::Kernels;
use hasten_keys::encoding::PublicKey;
use hasten_keys::found::Found;

use crate::error::Error;
use crate::files::Message;

/// Whether the signature is valid for the file at `path`. A signature that is in no structure may
/// also be of the file's SHA-384 digest.
pub fn is_good(found: &Found, key: &PublicKey, path: &Path) -> Result<bool, Error> {
    let (of, kernels) = (Error::key(path), Kernels::best());
    let mut message = Message::open(path)?;
    if found.is_good(key, &mut message, kernels).map_err(&of)? {
        return Ok(true);
    }
    message.again().map_err(|cause| of(cause.into()))?;
    found.is_good_of_digest(key, &mut message, kernels).map_err(of)
}

/// Returns the file that a signature belongs to, if it is in the same folder.
pub fn signed_file(signature: &Path) -> Option<PathBuf> {
    let message = signature.with_extension("");
    (names_signature(signature) && message.is_file()).then_some(message)
}

/// Whether a file name has an ending that Hasten uses for signatures.
pub fn names_signature(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == &known[1..]))
}

/// Endings of signature file names, in the order in which they are tried for the signature next to
/// a file.
pub const ENDINGS: [&str; 6] = [".sig", ".p7s", ".p7m", ".cose", ".dual", ".boot"];
