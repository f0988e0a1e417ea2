//! The operating system's random numbers, for seeds and messages.

use crate::error::Error;

/// Fills `bytes`.
pub fn fill(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(|error| Error::system("asking for random numbers")(error.into()))
}
