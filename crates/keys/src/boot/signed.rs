//! A signed image that was read, and its verification by a public key.

use std::borrow::Cow;
use std::io::Read;

use hasten_kernels::Kernels;

use super::MOST_IMAGE;
use super::header::{BYTES, FORM_HSS, FORM_LMS, FORM_XMSS, Header, WORDS};
use crate::encoding::PublicKey;
use crate::form::{Form, in_form, public_as};
use crate::registry::Family;
use crate::{Error, verify};

/// A public key and a signature in the forms that are compared.
type Both<'k, 'f> = (Cow<'k, [u8]>, Cow<'f, [u8]>);

/// A signed image in its parts; nothing of it is verified yet.
#[derive(Debug)]
pub struct Signed<'f> {
    header: Header,
    signed: &'f [u8],
    key: &'f [u8],
    signature: &'f [u8],
    image: &'f [u8],
}

impl<'f> Signed<'f> {
    /// Reads a file that has header, public key, signature and image, and nothing behind them.
    ///
    /// # Errors
    /// `NotBoot`.
    pub fn read(file: &'f [u8]) -> Result<Self, Error> {
        Self::parts(file).ok_or(Error::NotBoot)
    }

    fn parts(file: &'f [u8]) -> Option<Self> {
        let (signed, rest) = file.split_at_checked(BYTES)?;
        let mut words = [0; WORDS];
        let bytes = signed.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
        words.iter_mut().zip(bytes).for_each(|(word, read)| *word = read);
        let header = Header::read(&words)?;
        let (key, rest) = rest.split_at_checked(header.key_bytes as usize)?;
        let (signature, image) = rest.split_at_checked(header.signature_bytes as usize)?;
        let is_whole = image.len() == header.length as usize && image.len() <= MOST_IMAGE;
        is_whole.then_some(Self { header, signed, key, signature, image })
    }

    /// Returns the header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the signature as it is written in the file.
    #[must_use]
    pub const fn written_signature(&self) -> &[u8] {
        self.signature
    }

    /// Returns the image, filled up to whole words.
    #[must_use]
    pub const fn image(&self) -> &[u8] {
        self.image
    }

    /// Returns the bytes under the signature: header and image.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        [self.signed, self.image].concat()
    }

    /// Returns whether the file has this key in it.
    #[must_use]
    pub fn names(&self, key: &PublicKey) -> bool {
        self.by(key).is_ok_and(|(known, _)| *known == *self.key)
    }

    /// Verifies the signature, and that the file has this key in it. `image` is what was signed, if
    /// it is there to be compared; zeros may follow it in the file.
    ///
    /// # Errors
    /// `BadSignature`, whatever is wrong with it; `NoBoot` for keys that sign no images; `Io` and
    /// `TooLong` for the image that is compared.
    pub fn verify(
        &self,
        key: &PublicKey,
        image: Option<&mut dyn Read>,
        kernels: Kernels<'_>,
    ) -> Result<(), Error> {
        let (known, signature) = self.by(key)?;
        let is_same = image.map_or(Ok(true), |image| self.holds(image))?;
        if *known != *self.key || !is_same {
            return Err(Error::BadSignature);
        }
        verify::verify(key, &mut self.signed.chain(self.image), &signature, kernels)
    }

    /// Returns the signature in the form of `key`.
    ///
    /// # Errors
    /// `BadSignature` if it has none, `NoBoot` for keys that sign no images.
    pub fn signature(&self, key: &PublicKey) -> Result<Cow<'f, [u8]>, Error> {
        Ok(self.by(key)?.1)
    }

    /// Returns the key as the file should have it, and the signature in the form of the key.
    fn by<'k>(&self, key: &'k PublicKey) -> Result<Both<'k, 'f>, Error> {
        let form = match (key.row.family, self.header.form) {
            (Family::Xmss, FORM_XMSS) => return Ok(((&key.raw).into(), self.signature.into())),
            (Family::Lms | Family::Hss, FORM_LMS) => Form::Lms,
            (Family::Lms | Family::Hss, FORM_HSS) => Form::Hss,
            (Family::Xmss | Family::Lms | Family::Hss, _) => return Err(Error::BadSignature),
            _ => return Err(Error::NoBoot),
        };
        let both =
            public_as(key, form).and_then(|raw| Ok((raw, in_form(key, self.signature, form)?)));
        both.map_err(|_| Error::BadSignature)
    }

    /// Returns whether the image is this one, filled up with zeros.
    fn holds(&self, image: &mut dyn Read) -> Result<bool, Error> {
        let given = verify::whole(image)?;
        let filled = self.image.strip_prefix(&given[..]);
        Ok(filled.is_some_and(|rest| rest.len() < 4 && rest.iter().all(|byte| *byte == 0)))
    }
}
