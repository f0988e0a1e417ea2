//! Dual signatures: two signatures of one message by two keys in one file, valid only together.
//!
//! The file starts with a head of 40 bytes. Each signature follows in the form of its key, preceded
//! by its length in four bytes (big-endian). The head is the string `hstndua1` and the SHA-256 of
//! both public keys, each as SubjectPublicKeyInfo in DER, preceded by its length in four bytes.
//! Each key signs the head followed by the message. A half that is cut out is therefore not a
//! signature of the message, and cannot be combined with another key. Any verifier can check a half
//! after prepending the head to the message.
//!
//! ```
//! use hasten_kernels::Kernels;
//! use hasten_keys::{dual, registry, stateless};
//!
//! let kernels = Kernels::best();
//! let make = |name| stateless::generate(registry::find(name)?, kernels);
//! let (first, second) = (make("SLH-DSA-SHA2-128f")?, make("Ed25519")?);
//! let [one, two] = [&first, &second].map(|key| stateless::Signer::new(key, kernels));
//! let (one, two) = (one?, two?);
//!
//! let pair = dual::Pair::new(one.public_key(), two.public_key())?;
//! let bytes = pair.bytes(&mut &b"message"[..])?;
//! let file = pair.seal(&one.sign(&bytes)?, &two.sign(&bytes)?);
//! pair.verify(&file, &mut &b"message"[..], kernels)?;
//! # Ok::<(), hasten_keys::Error>(())
//! ```

use std::io::Read;

use hasten_kernels::Kernels;
use sha2::{Digest, Sha256};

pub use crate::error::DualError;
use crate::{
    Error,
    encoding::{PublicKey, encode_spki},
    fit::{fit, length},
    verify::{verify, whole},
};

/// Size of the head in bytes.
pub const HEAD: usize = 40;
const MAGIC: &[u8; 8] = b"hstndua1";
/// Size of a length field in bytes.
const LENGTH: usize = 4;

/// Two keys that sign together, in this order.
#[derive(Debug)]
pub struct Pair<'p> {
    first: &'p PublicKey,
    second: &'p PublicKey,
    head: [u8; HEAD],
}

impl<'p> Pair<'p> {
    /// Creates a pair of two public keys.
    ///
    /// # Errors
    /// `Dual` with `OneKey` if they are the same; an error if one has no object identifier.
    pub fn new(first: &'p PublicKey, second: &'p PublicKey) -> Result<Self, Error> {
        let head = head([first, second])?;
        if head == self::head([second, first])? {
            return Err(DualError::OneKey.into());
        }
        Ok(Self { first, second, head })
    }

    /// Returns the bytes that both keys sign: the head, then the message.
    ///
    /// # Errors
    /// `Io`, and `TooLong` above [`MOST_WHOLE`](crate::verify::MOST_WHOLE).
    pub fn bytes(&self, message: &mut dyn Read) -> Result<Vec<u8>, Error> {
        whole(&mut (&self.head[..]).chain(message))
    }

    /// Returns the file with two signatures of the same [`bytes`](Self::bytes).
    pub fn seal(&self, first: &[u8], second: &[u8]) -> Vec<u8> {
        let mut file = self.head.to_vec();
        for half in [first, second] {
            file.extend((half.len() as u32).to_be_bytes());
            file.extend(half);
        }
        file
    }

    /// Returns the file size for two signatures of at most these lengths.
    pub fn room(first: usize, second: usize) -> usize {
        HEAD + LENGTH + first + LENGTH + second
    }

    /// Returns true if the file contains a complete signature of each key, regardless of its length
    /// fields. In that case a wrong length field was modified, and no bytes are missing.
    #[must_use]
    pub fn is_whole_in(&self, file: &[u8]) -> bool {
        let halves = |first: usize, file: &[u8]| {
            let (one, two) = file.get(HEAD + LENGTH..)?.split_at_checked(first)?;
            Some(fit(self.first, one).is_ok() && fit(self.second, two.get(LENGTH..)?).is_ok())
        };
        let by_second = || file.len().checked_sub(HEAD + 2 * LENGTH + length(self.second)?);
        let first = length(self.first).or_else(by_second);
        first.and_then(|first| halves(first, file)).unwrap_or(false)
    }

    /// Verifies both halves of a dual signature file.
    ///
    /// # Errors
    /// `Dual` with the reason for the refusal; `Io` and `TooLong` for the message; `NotBuiltIn`.
    pub fn verify(
        &self,
        file: &[u8],
        message: &mut dyn Read,
        kernels: Kernels<'_>,
    ) -> Result<(), Error> {
        let read = Dual::read(file)?;
        if read.head != self.head {
            let turned = head([self.second, self.first])? == read.head;
            let why = if turned { DualError::OtherOrder } else { DualError::OtherKeys };
            return Err(why.into());
        }
        let bytes = self.bytes(message)?;
        let good = |key, half| match verify(key, &mut &bytes[..], half, kernels) {
            Ok(()) => Ok(true),
            Err(Error::BadSignature) => Ok(false),
            Err(error) => Err(error),
        };
        let [one, two] = read.halves;
        Err(match (good(self.first, one)?, good(self.second, two)?) {
            (true, true) => return Ok(()),
            (true, false) => DualError::BadSecond.into(),
            (false, true) => DualError::BadFirst.into(),
            (false, false) if good(self.first, two)? && good(self.second, one)? => {
                DualError::Swapped.into()
            }
            (false, false) => DualError::BadBoth.into(),
        })
    }
}

/// A parsed dual signature, not verified yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dual<'f> {
    /// The head of the file: both keys sign it, followed by the message.
    pub head: [u8; HEAD],
    /// The two signatures, each in the form of its key.
    pub halves: [&'f [u8]; 2],
}

impl<'f> Dual<'f> {
    /// Parses a dual signature file.
    ///
    /// # Errors
    /// `Dual` with `NotDual`, or with `HalfMissing` if the file is incomplete.
    pub fn read(file: &'f [u8]) -> Result<Self, DualError> {
        if !file.starts_with(MAGIC) {
            return Err(DualError::NotDual);
        }
        let (head, mut rest) = file.split_first_chunk().ok_or(DualError::HalfMissing)?;
        let mut half = || {
            let (length, behind) = rest.split_first_chunk::<LENGTH>()?;
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            let (half, behind) = behind.split_at_checked(length)?;
            rest = behind;
            (!half.is_empty()).then_some(half)
        };
        let (one, two) = (half(), half());
        match (one, two) {
            (Some(one), Some(two)) if rest.is_empty() => {
                Ok(Self { head: *head, halves: [one, two] })
            }
            (Some(_), Some(_)) => Err(DualError::TooLong),
            _ => Err(DualError::HalfMissing),
        }
    }
}

fn head(keys: [&PublicKey; 2]) -> Result<[u8; HEAD], Error> {
    let mut hash = Sha256::new();
    for key in keys {
        let der = encode_spki(key)?;
        hash.update((der.len() as u32).to_be_bytes());
        hash.update(der);
    }
    let mut head = [0; HEAD];
    head[..MAGIC.len()].copy_from_slice(MAGIC);
    head[MAGIC.len()..].copy_from_slice(&hash.finalize());
    Ok(head)
}
