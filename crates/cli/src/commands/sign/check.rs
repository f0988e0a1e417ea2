//! Verification of each signature before it is released. A fault of the machine during signing may
//! reveal values that allow forgeries.

use std::io::Read;
use std::path::Path;

use hasten_kernels::Kernels;
use hasten_keys::encoding::PublicKey;
use hasten_keys::{Error as KeyError, verify};
use zeroize::Zeroize;

use crate::error::Error;

/// Verifies the signature of a file. For a stateful key, the error names its index.
pub fn signature(
    public: &PublicKey,
    message: &mut dyn Read,
    signature: &[u8],
    (file, index): (&Path, Option<u64>),
) -> Result<(), Error> {
    match verify::verify(public, message, signature, Kernels::best()) {
        Ok(()) => Ok(()),
        Err(error @ KeyError::Io(_)) => Err(Error::key(file)(error)),
        Err(_) => Err(Error::Fault { path: file.to_owned(), index }),
    }
}

/// Returns the signature. In builds with assertions, a test can request one wrong bit. Release
/// builds lack this.
pub fn faulty(mut signature: Vec<u8>) -> Vec<u8> {
    if cfg!(debug_assertions) && std::env::var_os("HASTEN_TEST_FAULT").is_some() {
        let mut right = std::mem::take(&mut signature);
        signature.clone_from(&right);
        signature[right.len() / 2] ^= 1;
        right.zeroize();
    }
    signature
}
