//! One call that verifies with any algorithm of this build.

use std::io::Read;

use hasten_hbs as hbs;
use hasten_kernels::Kernels;

pub use crate::form::{Form, in_form, public_as, published, signature_as};
use crate::{
    Error,
    encoding::PublicKey,
    registry::{Family, Kind},
    scheme, stateless,
};

/// Maximum message size in bytes for algorithms that must hold the whole message in memory.
pub const MOST_WHOLE: u64 = 1 << 30;

/// Verifies that `signature` is a signature of the bytes that `message` yields.
///
/// The signature must be in the form of the key: HSS for an HSS key, plain LMS for a plain LMS key;
/// [`in_form`] converts between them. Falcon signatures are accepted with and without padding.
///
/// XMSS and LMS read the message in one pass and keep none of it. Other algorithms hold all of it.
///
#[cfg_attr(feature = "sign", doc = "```")]
#[cfg_attr(not(feature = "sign"), doc = "```ignore")]
/// use hasten_kernels::Kernels;
/// use hasten_keys::{registry, stateless, verify::verify};
///
/// let kernels = Kernels::best();
/// let key = stateless::generate(registry::find("Ed25519")?, kernels)?;
/// let signature = stateless::sign(&key, b"message", kernels)?;
/// let public = stateless::public(&key, kernels)?;
/// // Any `Read` gives the message: a file, a socket, bytes.
/// verify(&public, &mut &b"message"[..], &signature, kernels)?;
/// assert!(verify(&public, &mut &b"another"[..], &signature, kernels).is_err());
/// # Ok::<(), hasten_keys::Error>(())
/// ```
///
/// # Errors
/// `BadSignature` for every invalid signature; `Io` and `TooLong` for the message; `NotBuiltIn`.
pub fn verify(
    key: &PublicKey,
    message: &mut dyn Read,
    signature: &[u8],
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    match (key.row.kind, key.row.family) {
        (_, Family::SlhDsa) => stateless::verify(key, &whole(message)?, signature, kernels),
        (Kind::StatefulSignature, _) => stream(key, message, signature, kernels),
        _ => stateless::verify(key, &whole(message)?, signature, kernels),
    }
}

fn stream(
    key: &PublicKey,
    message: &mut dyn Read,
    signature: &[u8],
    kernels: Kernels<'_>,
) -> Result<(), Error> {
    let tree = scheme::public_key(key)?;
    let verifier = hbs::Verifier::new(&tree, kernels);
    let mut verification = verifier.begin(scheme::signature(key, signature)?)?;
    each_part(message, &mut |part| verification.update(part))?;
    Ok(verification.finish(&[])?)
}

/// Passes the parts of a message to `take`, in order.
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

/// Reads the whole message into memory.
///
/// # Errors
/// `Io`, and `TooLong` above [`MOST_WHOLE`].
pub fn whole(message: &mut dyn Read) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    message.take(MOST_WHOLE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_WHOLE { Err(Error::TooLong) } else { Ok(bytes) }
}
