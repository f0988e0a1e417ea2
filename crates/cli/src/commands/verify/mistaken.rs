//! Bad signatures that are valid for something else: for the digest instead of the file, for the
//! file instead of the digest, or with the two files exchanged.

use hasten_kernels::Kernels;
use hasten_keys::{Error as KeyError, fit::fit, prehash, verify::verify};

use super::Args;
use crate::error::Error;
use crate::files::{self, open_regular};
use crate::form::{Digest, Format};
use crate::unfit::{Asked, NoSignature};

/// Returns an error if a bad signature is valid for something else.
pub fn must_be_none(
    args: &Args,
    format: Format,
    asked: &Asked<'_>,
    signature: &[u8],
) -> Result<(), Error> {
    // A pipe has been read already, and cannot be read again.
    let Some(file) = asked.file.filter(|file| open_regular(file).is_ok()) else { return Ok(()) };
    let good = |message: &mut dyn std::io::Read, signature: &[u8]| match verify(
        asked.key,
        message,
        signature,
        Kernels::best(),
    ) {
        Err(error @ KeyError::Io(_)) => Err(Error::key(file)(error)),
        verdict => Ok(verdict.is_ok()),
    };
    let open = || files::open(file);
    let digested = match (format, args.digest) {
        (Format::Caliptra, _) | (_, Some(Digest::Given)) => None,
        (_, Some(Digest::Sha384)) => good(&mut *open()?, signature)?.then_some(NoSignature::OfFile),
        (_, None) => {
            let digest = prehash::sha384(&mut *open()?, &mut |_| ()).map_err(Error::key(file))?;
            good(&mut &digest[..], signature)?.then_some(NoSignature::OfDigest)
        }
    };
    if let Some(why) = digested {
        return Err(why.at(asked.signature));
    }
    let other = files::read_regular(file, files::MOST).unwrap_or_default();
    let exchanged = fit(asked.key, &other).is_ok() && good(&mut &signature[..], &other)?;
    match exchanged {
        true => Err(NoSignature::Exchanged { file: file.to_owned() }.at(asked.signature)),
        false => Ok(()),
    }
}
