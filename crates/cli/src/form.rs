//! Forms of LMS signatures and public keys, and what is signed: a file or its digest.

use std::io::{Cursor, Read};
use std::path::Path;

use clap::ValueEnum;
use hasten_keys::encoding::PublicKey;
use hasten_keys::verify::{self, Form};
use hasten_keys::{cms, cose, prehash};
use sha2::{Digest as _, Sha256};

use crate::error::Error;
use crate::files::Message;

/// The only set that Caliptra verifies.
const CALIPTRA: &str = "LMS_SHA256_M24_H15/LMOTS_SHA256_N24_W4";

/// The form of a signature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// That of the algorithm's standard; of one LMS tree that of HSS.
    #[default]
    Raw,
    /// One LMS tree with nothing in front: Mbed TLS, MCUboot, OpenSSL.
    Lms,
    /// HSS, one LMS tree as one level: wolfBoot, Bouncy Castle, Botan, hash-sigs.
    Hss,
    /// As lms, of the file's SHA-384 digest: LMS_SHA256_M24_H15_W4 alone.
    Caliptra,
    /// In a SignedData of CMS: HSS/LMS, ML-DSA, SLH-DSA.
    Cms,
    /// In a COSE_Sign1: HSS/LMS, ML-DSA.
    Cose,
    /// In an image for a boot ROM: LMS with nothing in front, XMSS.
    Boot,
    /// As boot, LMS as HSS of one level.
    BootHss,
}

/// A digest that is signed in the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Digest {
    /// The SHA-384 digest of the file.
    Sha384,
    /// The file is a SHA-384 digest, 48 bytes.
    Given,
}

impl Format {
    /// Returns the name of this format on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Lms => "lms",
            Self::Hss => "hss",
            Self::Caliptra => "caliptra",
            Self::Cms => "cms",
            Self::Cose => "cose",
            Self::Boot => "boot",
            Self::BootHss => "boot-hss",
        }
    }

    /// Returns the LMS form of this format. `None` means the form of the key or of the structure.
    pub fn of_lms(self) -> Option<Form> {
        match self {
            Self::Raw | Self::Cms | Self::Cose | Self::Boot | Self::BootHss => None,
            Self::Lms | Self::Caliptra => Some(Form::Lms),
            Self::Hss => Some(Form::Hss),
        }
    }

    /// Whether the signature is in a structure.
    pub fn is_enclosing(self) -> bool {
        matches!(self, Self::Cms | Self::Cose | Self::Boot | Self::BootHss)
    }

    /// Returns the ending of a file name for a signature of this format.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Cms => ".p7s",
            Self::Cose => ".cose",
            Self::Boot | Self::BootHss => ".boot",
            _ => ".sig",
        }
    }

    /// Returns the digest that is signed in place of the file. The default for Caliptra is SHA-384.
    pub fn digest(self, asked: Option<Digest>) -> Option<Digest> {
        asked.or((self == Self::Caliptra).then_some(Digest::Sha384))
    }

    /// Returns an error if the key has no signatures of this format, before an index is taken for
    /// one.
    pub fn check(self, path: &Path, key: &PublicKey) -> Result<(), Error> {
        if self == Self::Caliptra && key.tree().name != CALIPTRA {
            let alg = key.tree().name.clone();
            return Err(Error::NotOfCaliptra { path: path.to_owned(), alg });
        }
        let fits = match self {
            Self::Raw => Ok(()),
            Self::Lms | Self::Caliptra => verify::public_as(key, Form::Lms).map(drop),
            Self::Hss => verify::public_as(key, Form::Hss).map(drop),
            Self::Cms => cms::Digest::of(key).map(drop),
            Self::Cose => cose::algorithm(key).map(drop),
            Self::Boot | Self::BootHss => Ok(()),
        };
        fits.map_err(Error::key(path))
    }

    /// Converts a signature from the form of its key to this format.
    pub fn write(self, path: &Path, key: &PublicKey, made: Vec<u8>) -> Result<Vec<u8>, Error> {
        let Some(form) = self.of_lms() else { return Ok(made) };
        let written = verify::signature_as(key, &made, form).map_err(Error::key(path))?;
        Ok(written.into_owned())
    }
}

impl Digest {
    /// Returns the name of this digest on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha384 => "sha384",
            Self::Given => "given",
        }
    }

    /// Returns the digest that is signed in place of `message`. Calls `see` with every part of the
    /// message.
    pub fn of(
        self,
        path: &Path,
        message: &mut dyn Read,
        see: &mut dyn FnMut(&[u8]),
    ) -> Result<Vec<u8>, Error> {
        let digest = match self {
            Self::Sha384 => prehash::sha384(message, see),
            Self::Given => prehash::given(message, see),
        };
        digest.map_err(Error::key(path))
    }
}

/// Opens a message to sign, or the digest that is signed in its place. For a digest, all of the
/// message is read.
pub fn message(path: &Path, digest: Option<Digest>) -> Result<Message, Error> {
    let mut message = Message::open(path)?;
    let Some(digest) = digest else { return Ok(message) };
    let mut whole = Sha256::new();
    let bytes = digest.of(path, &mut message, &mut |part| whole.update(part))?;
    Ok(message.digested(&bytes, whole.finalize().into(), path)?)
}

/// Returns a message to verify, or the digest that was signed in its place.
pub fn digested<'m>(
    mut message: Box<dyn Read + 'm>,
    path: &Path,
    digest: Option<Digest>,
) -> Result<Box<dyn Read + 'm>, Error> {
    match digest {
        None => Ok(message),
        Some(digest) => Ok(Box::new(Cursor::new(digest.of(path, &mut message, &mut |_| ())?))),
    }
}
