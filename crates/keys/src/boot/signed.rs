//! Parsing and verification of a signed image.

use std::borrow::Cow;
use std::io::Read;

use hasten_kernels::Kernels;

use super::MOST_IMAGE;
use super::header::{BYTES, FORM_HSS, FORM_LMS, FORM_XMSS, Header, WORDS};
use crate::encoding::PublicKey;
use crate::form::{Form, in_form, public_as};
use crate::registry::Family;
use crate::{Error, verify};

/// A public key and a signature, in the forms in which they are compared.
type Both<'k, 'f> = (Cow<'k, [u8]>, Cow<'f, [u8]>);

/// A parsed signed image, not verified yet.
#[derive(Debug)]
pub struct Signed<'f> {
    header: Header,
    signed: &'f [u8],
    key: &'f [u8],
    signature: &'f [u8],
    image: &'f [u8],
}

impl<'f> Signed<'f> {
    /// Parses a file of header, public key, signature and image, with nothing after them.
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

    /// Returns the signature as the file contains it.
    #[must_use]
    pub const fn written_signature(&self) -> &[u8] {
        self.signature
    }

    /// Returns the image, padded to a multiple of four bytes.
    #[must_use]
    pub const fn image(&self) -> &[u8] {
        self.image
    }

    /// Returns the signed bytes: the header and the image.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        [self.signed, self.image].concat()
    }

    /// Returns true if the file contains this public key.
    #[must_use]
    pub fn names(&self, key: &PublicKey) -> bool {
        self.by(key).is_ok_and(|(known, _)| *known == *self.key)
    }

    /// Verifies the signature and checks that the file contains this public key. If `image` is
    /// given, it must equal the image in the file, which may be longer by zeros.
    ///
    /// # Errors
    /// `BadSignature` for every invalid signature; `NoBoot` for keys that cannot sign images; `Io`
    /// and `TooLong` for `image`.
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
    /// `BadSignature` if the file has no signature of such a key, `NoBoot` for keys that cannot
    /// sign images.
    pub fn signature(&self, key: &PublicKey) -> Result<Cow<'f, [u8]>, Error> {
        Ok(self.by(key)?.1)
    }

    /// Returns the key as the file should contain it, and the signature in the form of the key.
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

    /// Returns true if the file's image is `image`, padded with zeros.
    fn holds(&self, image: &mut dyn Read) -> Result<bool, Error> {
        let given = verify::whole(image)?;
        let filled = self.image.strip_prefix(&given[..]);
        Ok(filled.is_some_and(|rest| rest.len() < 4 && rest.iter().all(|byte| *byte == 0)))
    }
}
