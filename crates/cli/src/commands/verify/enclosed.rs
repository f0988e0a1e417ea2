//! Signatures that stand in a structure: CMS, COSE, images for boot ROMs.

use std::borrow::Cow;
use std::time::Instant;

use hasten_keys::cms::{By, SignedData};
use hasten_keys::cose::Sign1;
use hasten_keys::encoding::PublicKey;
use hasten_keys::{Error as KeyError, boot::Signed};

use super::pairs::Pair;
use super::{Args, Said};
use crate::error::Error;
use crate::files;
use crate::form::Format;

/// Asks whether the structure is of this key and this file; also gives the signature in it.
pub fn ask(
    args: &Args,
    key: &PublicKey,
    pair: &Pair,
    written: &[u8],
) -> Result<(Cow<'static, [u8]>, Said), Error> {
    if args.digest.is_some() {
        return Err(Error::OtherForm { option: "--digest", format: args.format.name() });
    }
    args.format.check(&args.public, key)?;
    let (_, kernels) = args.backend.beside()?;
    let of = Error::key(&pair.signature);
    let content = &mut *files::open(&pair.file)?;
    let begun = Instant::now();
    let (signature, verdict) = match args.format {
        Format::Boot | Format::BootHss => {
            let signed = Signed::read(written).map_err(&of)?;
            let image = (pair.file != pair.signature).then_some(content as _);
            let signature = signed.signature(key).unwrap_or_default();
            (signature.into_owned(), signed.verify(key, image, kernels))
        }
        Format::Cose => {
            let signed = Sign1::read(written).map_err(&of)?;
            (signed.signature().to_vec(), signed.verify(key, Some(content), kernels))
        }
        _ => {
            let signed = SignedData::read(written).map_err(&of)?;
            match signed.verify(By::Key(key), Some(content), kernels) {
                Ok(good) => (good.signature, Ok(())),
                Err(error) => (Vec::new(), Err(error)),
            }
        }
    };
    let verdict = match verdict {
        Err(KeyError::NotThisSigner) => Err(KeyError::BadSignature),
        Err(KeyError::NotCose) => return Err(of(KeyError::NotCose)),
        verdict => verdict,
    };
    let took = begun.elapsed();
    Ok((signature.into(), Said { verdict, took, cycles: args.backend.cycles(), core: None }))
}
