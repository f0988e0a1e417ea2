//! One call that verifies with any algorithm of this build.

use std::io::Read;

use hasten_hbs as hbs;
use hasten_kernels::Kernels;

use crate::{Error, ed25519, encoding::PublicKey, registry::Family};

/// Algorithms that must hold the message whole take no more than this, in bytes.
pub const MOST_WHOLE: u64 = 1 << 30;

/// Whether `signature` is a signature of what `message` gives.
///
/// XMSS reads the message in one pass and holds none of it; Ed25519 holds it whole.
///
/// # Errors
/// `BadSignature`, whatever is wrong with it; `Io` and `TooLong` for the message; `NotBuiltIn`.
pub fn verify(
    key: &PublicKey,
    message: &mut dyn Read,
    signature: &[u8],
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    match key.row.family {
        Family::Xmss => {
            stream(&hbs::PublicKey::from_xmss_bytes(&key.raw)?, message, signature, kernels)
        }
        Family::Ed25519 => ed25519::verify(&key.raw, &whole(message)?, signature),
        _ => Err(Error::NotBuiltIn),
    }
}

fn stream(
    key: &hbs::PublicKey,
    message: &mut dyn Read,
    signature: &[u8],
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    let verifier = hbs::Verifier::new(key, kernels);
    let mut verification = verifier.begin(signature)?;
    each_part(message, &mut |part| verification.update(part))?;
    Ok(verification.finish(&[])?)
}

/// Gives the parts of a message to `take`, in order.
///
/// # Errors
/// `Io`.
pub fn each_part(message: &mut dyn Read, take: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match message.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => take(&buffer[..n]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The whole message, read once.
///
/// # Errors
/// `Io`, and `TooLong` above [`MOST_WHOLE`].
pub fn whole(message: &mut dyn Read) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    message.take(MOST_WHOLE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_WHOLE { Err(Error::TooLong) } else { Ok(bytes) }
}
