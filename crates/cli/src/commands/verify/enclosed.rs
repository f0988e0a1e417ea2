//! Signatures in a structure: CMS, COSE, images for boot ROMs.

use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

use hasten_keys::boot::Signed;
use hasten_keys::cms::{By, SignedData};
use hasten_keys::cose::Sign1;

use super::pairs::Pair;
use super::{Args, Said};
use crate::error::Error;
use crate::form::Format;
use crate::unfit::{Asked, no_container};
use crate::verdict::Verdict;

/// Verifies a structure with this key and file. Also returns the signature in it. A signature that
/// cannot be one of the key is an error.
pub fn ask(
    args: &Args,
    format: Format,
    (by, asked): (&Path, &Asked<'_>),
    pair: &Pair,
    written: &[u8],
) -> Result<(Cow<'static, [u8]>, Said), Error> {
    if args.digest.is_some() {
        return Err(Error::OtherForm { option: "--digest", format: format.name() });
    }
    let key = asked.key;
    format.check(by, key)?;
    let (_, kernels) = args.backend.beside()?;
    let of = |error| no_container(&pair.signature, written, error);
    let content = &mut *pair.open()?;
    let begun = Instant::now();
    let (signature, verdict) = match format {
        Format::Boot | Format::BootHss => {
            let signed = Signed::read(written).map_err(of)?;
            let image = (pair.file != pair.signature).then_some(content as _);
            let verdict = signed.verify(key, image, kernels);
            // A signature in another form is judged by its length in the file.
            let signature = signed.signature(key);
            let signature = signature.unwrap_or_else(|_| signed.written_signature().into());
            (signature.into_owned(), verdict)
        }
        Format::Cose => {
            let signed = Sign1::read(written).map_err(of)?;
            (signed.signature().to_vec(), signed.verify(key, Some(content), kernels))
        }
        _ => {
            let signed = SignedData::read(written).map_err(of)?;
            match signed.verify(By::Key(key), Some(content), kernels) {
                Ok(good) => (good.signature, Ok(())),
                Err(error) => (asked.of_signer(&signed, By::Key(key))?, Err(error)),
            }
        }
    };
    let took = begun.elapsed();
    if Verdict::of(verdict.as_ref().map(drop)) == Verdict::Bad && !signature.is_empty() {
        asked.must_fit_within(&signature)?;
    }
    Ok((signature.into(), Said { verdict, took, cycles: args.backend.cycles(), core: None }))
}
