//! Signatures in files of unknown format.

use std::io::{self, Read};

use hasten_kernels::Kernels;
use sha2::{Digest, Sha256};

#[cfg(feature = "sign")]
use crate::dual::{Dual, HEAD};
use crate::{
    Error, boot,
    cms::{By, SignedData},
    cose::{self, Sign1},
    encoding::PublicKey,
    prehash,
    registry::Family,
    verify::{self, Form},
    x509::{Names, SignedPart, signed_parts},
};

/// A signature found in the bytes of a file.
pub struct Found {
    /// The signature, in the form of its key.
    pub signature: Vec<u8>,
    /// The signer that the file names.
    names: Names,
    within: Option<Within>,
}

/// The structure around a signature.
enum Within {
    Cms(SignedData),
    Cose(Box<Sign1>),
    /// The head of a dual signature, which is signed in front of the message.
    #[cfg(feature = "sign")]
    Dual([u8; HEAD]),
    /// A whole image for a boot ROM.
    Boot(Vec<u8>),
    /// The signed bytes of a certificate or a request.
    Signed(Vec<u8>),
}

/// The result of verifying a signature over its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// True if the signature is valid.
    pub is_good: bool,
    /// SHA-256 of the message or of the content of a structure; empty if there is no separate
    /// content. An image was padded with zeros, so there is one digest for each possible original
    /// length.
    pub content: Vec<[u8; 32]>,
    /// SHA-256 of the signed bytes.
    pub signed: [u8; 32],
}

impl Answer {
    /// The result for bytes that are not a signature of the key.
    pub(crate) const BAD: Self = Self { is_good: false, content: Vec::new(), signed: [0; 32] };

    fn over(good: Result<(), Error>, content: &[[u8; 32]], signed: &[u8]) -> Result<Self, Error> {
        let content = content.to_vec();
        Ok(Self { is_good: said(good)?, content, signed: Sha256::digest(signed).into() })
    }
}

impl Found {
    /// Returns the signatures in `bytes` that may be of this key. They may be in certificates,
    /// requests, CMS, COSE or an image for a boot ROM, in one half of a dual signature, or alone in
    /// either form of LMS.
    pub fn each(key: &PublicKey, bytes: Vec<u8>) -> Vec<Self> {
        let parts = signed_parts(&bytes, key);
        if parts.is_empty() {
            return vec![Self::of(key, bytes)];
        }
        let found = |SignedPart { bytes, signature, names }| Self {
            signature,
            names,
            within: Some(Within::Signed(bytes)),
        };
        parts.into_iter().map(found).collect()
    }

    /// Returns the only signature in `bytes`, which must not hold certificates or requests.
    pub fn of(key: &PublicKey, bytes: Vec<u8>) -> Self {
        if let Ok(signed) = SignedData::read(&bytes) {
            return Self::of_cms(key, signed);
        }
        if let Ok(signed) = Sign1::read(&bytes) {
            let names = if signed.is_of(key) { Names::ThisKey } else { Names::OtherKey };
            let signature = signed.signature().to_vec();
            return Self { signature, names, within: Some(Within::Cose(Box::new(signed))) };
        }
        #[cfg(feature = "sign")]
        if let Ok(dual) = Dual::read(&bytes) {
            let has_index = |half: &&&[u8]| key.index_in(half).is_some();
            let half = dual.halves.iter().find(has_index).unwrap_or(&dual.halves[0]);
            let (signature, within) = (half.to_vec(), Some(Within::Dual(dual.head)));
            return Self { signature, names: Names::ThisKey, within };
        }
        if let Ok(signed) = boot::Signed::read(&bytes) {
            let names = if signed.names(key) { Names::ThisKey } else { Names::OtherKey };
            let signature = signed.signature(key).map(|found| found.into_owned());
            let signature = signature.unwrap_or_default();
            return Self { signature, names, within: Some(Within::Boot(bytes)) };
        }
        Self { signature: of_key(key, bytes), names: Names::ThisKey, within: None }
    }

    fn of_cms(key: &PublicKey, signed: SignedData) -> Self {
        let (signature, names) = match signed.signature(By::Key(key)) {
            Ok(signature) if signed.names(key) => (signature, Names::ThisKey),
            Ok(signature) => (signature, Names::Nobody),
            Err(Error::NotThisSigner | Error::NoCms) => (Vec::new(), Names::OtherKey),
            Err(_) => (Vec::new(), Names::ThisKey),
        };
        Self { signature, names, within: Some(Within::Cms(signed)) }
    }

    /// Returns the signer that the file names. A signature alone counts as one of the key.
    pub fn names(&self) -> Names {
        self.names
    }

    /// Returns true if this is a valid signature of the message. A certificate, a request or an
    /// image contains its message; `message` is not read then.
    ///
    /// # Errors
    /// Only `Io`.
    pub fn is_good(
        &self,
        key: &PublicKey,
        message: &mut dyn Read,
        kernels: Kernels<'_>,
    ) -> Result<bool, Error> {
        Ok(self.answer(key, Some(message), kernels)?.is_some_and(|answer| answer.is_good))
    }

    /// Verifies the signature over the message in the file, or over `message`. Returns `None` if
    /// the file does not contain the message and `message` is `None`.
    ///
    /// # Errors
    /// Only `Io`.
    pub fn answer(
        &self,
        key: &PublicKey,
        message: Option<&mut dyn Read>,
        kernels: Kernels<'_>,
    ) -> Result<Option<Answer>, Error> {
        let signature = &self.signature;
        match (&self.within, message) {
            (Some(Within::Signed(bytes)), _) => {
                let good = verify::verify(key, &mut &bytes[..], signature, kernels);
                Answer::over(good, &[], bytes).map(Some)
            }
            (Some(Within::Boot(file)), _) => of_image(file, key, kernels).map(Some),
            (Some(Within::Cms(signed)), message) => of_cms(signed, key, message, kernels),
            (Some(Within::Cose(signed)), message) => of_cose(signed, key, message, kernels),
            (_, None) => Ok(None),
            #[cfg(feature = "sign")]
            (Some(Within::Dual(head)), Some(message)) => {
                let mut seen = Seen::behind(head, message);
                let good =
                    verify::verify(key, &mut (&head[..]).chain(&mut seen), signature, kernels);
                seen.answer(good).map(Some)
            }
            (None, Some(message)) => {
                let mut seen = Seen::behind(&[], message);
                let good = verify::verify(key, &mut seen, signature, kernels);
                seen.answer(good).map(Some)
            }
        }
    }

    /// Verifies the signature over the SHA-384 digest of the message. A signature inside a
    /// structure counts as invalid.
    ///
    /// # Errors
    /// Only `Io`.
    pub fn answer_of_digest(
        &self,
        key: &PublicKey,
        message: &mut dyn Read,
        kernels: Kernels<'_>,
    ) -> Result<Answer, Error> {
        if self.within.is_some() {
            return Ok(Answer::BAD);
        }
        let mut seen = Seen::behind(&[], message);
        let digest = prehash::sha384(&mut seen, &mut |_| ())?;
        let good = verify::verify(key, &mut &digest[..], &self.signature, kernels);
        Answer::over(good, &[seen.content.finalize().into()], &digest)
    }

    /// Returns true if the signature is in no structure and is valid for the message's SHA-384
    /// digest.
    ///
    /// # Errors
    /// Only `Io`.
    pub fn is_good_of_digest(
        &self,
        key: &PublicKey,
        message: &mut dyn Read,
        kernels: Kernels<'_>,
    ) -> Result<bool, Error> {
        self.answer_of_digest(key, message, kernels).map(|answer| answer.is_good)
    }
}

fn of_image(file: &[u8], key: &PublicKey, kernels: Kernels<'_>) -> Result<Answer, Error> {
    let Ok(signed) = boot::Signed::read(file) else { return Ok(Answer::BAD) };
    let image = signed.image();
    let zeros = image.iter().rev().take(3).take_while(|byte| **byte == 0).count();
    let content = (0..=zeros).map(|zeros| Sha256::digest(&image[..image.len() - zeros]).into());
    let content: Vec<_> = content.collect();
    Answer::over(signed.verify(key, None, kernels), &content, &signed.signed_bytes())
}

fn of_cms(
    signed: &SignedData,
    key: &PublicKey,
    message: Option<&mut dyn Read>,
    kernels: Kernels<'_>,
) -> Result<Option<Answer>, Error> {
    let attached = &mut signed.content();
    let by = By::Key(key);
    let mut seen = match (message, attached) {
        (Some(message), _) => Seen::behind(&[], message),
        (None, Some(attached)) => Seen::behind(&[], attached),
        (None, None) => return Ok(None),
    };
    let good = signed.verify(by, Some(&mut seen), kernels).map(drop);
    let answer = seen.answer(good)?;
    let Ok(Some(attributes)) = signed.signed_attributes(by) else { return Ok(Some(answer)) };
    Ok(Some(Answer { signed: Sha256::digest(attributes).into(), ..answer }))
}

fn of_cose(
    signed: &Sign1,
    key: &PublicKey,
    message: Option<&mut dyn Read>,
    kernels: Kernels<'_>,
) -> Result<Option<Answer>, Error> {
    let payload = match (message.map(cose::payload), signed.payload()) {
        (Some(Err(error @ Error::Io(_))), _) => return Err(error),
        (Some(Err(_)), _) => return Ok(Some(Answer::BAD)),
        (Some(Ok(payload)), _) => payload,
        (None, Some(attached)) => attached.to_vec(),
        (None, None) => return Ok(None),
    };
    let good = signed.verify(key, Some(&mut &payload[..]), kernels);
    let content = [Sha256::digest(&payload).into()];
    let Ok(bytes) = signed.signed_bytes(Some(&payload)) else { return Ok(Some(Answer::BAD)) };
    Answer::over(good, &content, &bytes).map(Some)
}

/// A reader that hashes the message as it is read: alone, and after a prefix.
struct Seen<'m> {
    message: &'m mut dyn Read,
    content: Sha256,
    signed: Sha256,
}

impl<'m> Seen<'m> {
    fn behind(head: &[u8], message: &'m mut dyn Read) -> Self {
        Self { message, content: Sha256::new(), signed: Sha256::new_with_prefix(head) }
    }

    /// Reads the rest of the message and returns the result.
    fn answer(mut self, good: Result<(), Error>) -> Result<Answer, Error> {
        let is_good = said(good)?;
        verify::each_part(&mut self, &mut |_| ())?;
        let (content, signed) = (self.content.finalize().into(), self.signed.finalize().into());
        Ok(Answer { is_good, content: vec![content], signed })
    }
}

impl Read for Seen<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.message.read(bytes)?;
        self.content.update(&bytes[..count]);
        self.signed.update(&bytes[..count]);
        Ok(count)
    }
}

/// Converts a verification result into a bool; only read errors stay errors.
fn said(verdict: Result<(), Error>) -> Result<bool, Error> {
    match verdict {
        Err(error @ Error::Io(_)) => Err(error),
        verdict => Ok(verdict.is_ok()),
    }
}

/// Returns the signature in the form of its key, converted from plain LMS if necessary.
pub(crate) fn of_key(key: &PublicKey, signature: Vec<u8>) -> Vec<u8> {
    let may_be_bare = key.row.family == Family::Hss && key.index_in(&signature).is_none();
    let wrapped = || verify::in_form(key, &signature, Form::Lms).ok().map(|w| w.into_owned());
    let wrapped = may_be_bare.then(wrapped).flatten();
    wrapped.filter(|wrapped| key.index_in(wrapped).is_some()).unwrap_or(signature)
}
