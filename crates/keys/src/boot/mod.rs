//! Images for a boot ROM to verify: header, public key, signature and image in one file.
//! `docs/boot.md` describes them, and `rtl/soc/rom` reads them.

pub mod header;
mod signed;

use std::borrow::Cow;

pub use self::signed::Signed;

use self::header::{BYTES, FORM_HSS, FORM_LMS, FORM_XMSS, Header};
use crate::form::{Form, public_as, signature_as};
use crate::registry::Family;
use crate::{Error, encoding::PublicKey};

/// Maximum size of an image in bytes. The signed bytes contain the whole image.
pub const MOST_IMAGE: usize = 32 << 20;

/// The numbers in a header other than lengths.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Version number, which never decreases.
    pub version: u32,
    /// Load address of the image.
    pub load: u32,
    /// Address of the first instruction.
    pub entry: u32,
    /// Number of the public key among those the machine knows.
    pub key_number: u32,
}

/// An image before its signature.
#[derive(Debug)]
pub struct Unsigned {
    key: PublicKey,
    form: Option<Form>,
    front: Vec<u8>,
    signature_bytes: usize,
    message: Vec<u8>,
}

impl Unsigned {
    /// Prepares an image for signing by `key`. `form` is the form of an LMS key and its signature.
    /// The image is padded with zeros to a multiple of four bytes.
    ///
    /// # Errors
    /// `NoBoot` for keys that are not of LMS, HSS or XMSS; `SeveralLevels`; `NotAnImage` if the
    /// image is empty or too long, an address is not a multiple of four, or the entry is outside
    /// the image.
    pub fn new(key: &PublicKey, form: Form, image: &[u8], at: &Placed) -> Result<Self, Error> {
        let (number, form) = match (key.row.family, form) {
            (Family::Xmss, _) => (FORM_XMSS, None),
            (Family::Lms | Family::Hss, Form::Lms) => (FORM_LMS, Some(form)),
            (Family::Lms | Family::Hss, Form::Hss) => (FORM_HSS, Some(form)),
            _ => return Err(Error::NoBoot),
        };
        let raw = match form {
            Some(form) => public_as(key, form)?,
            None => Cow::from(&key.raw),
        };
        let length = image.len().next_multiple_of(4);
        let inside = at.entry.checked_sub(at.load).is_some_and(|entry| (entry as usize) < length);
        let aligned = [at.load, at.entry].iter().all(|address| address.is_multiple_of(4));
        if length > MOST_IMAGE || !inside || !aligned {
            return Err(Error::NotAnImage);
        }
        let signature_bytes = signature_bytes(key, form)?;
        let header = Header {
            length: length as u32,
            version: at.version,
            load: at.load,
            entry: at.entry,
            key_number: at.key_number,
            form: number,
            key_bytes: raw.len() as u32,
            signature_bytes: signature_bytes as u32,
        };
        let words = header.words().map(u32::to_le_bytes);
        let mut message = [words.as_flattened(), image].concat();
        message.resize(BYTES + length, 0);
        let front = [words.as_flattened(), &raw].concat();
        Ok(Self { key: key.clone(), form, front, signature_bytes, message })
    }

    /// Returns the bytes that the key signs: the header and the image.
    #[must_use]
    pub fn message(&self) -> &[u8] {
        &self.message
    }

    /// Returns the size of the file without the signature, in bytes.
    #[must_use]
    pub fn beside(&self) -> usize {
        self.front.len() + self.message.len() - BYTES
    }

    /// Returns the file with this signature, which must be in the form of its key.
    ///
    /// # Errors
    /// `BadSignature` if its length differs from the one in the header.
    pub fn finish(self, signature: &[u8]) -> Result<Vec<u8>, Error> {
        let signature = match self.form {
            Some(form) => signature_as(&self.key, signature, form)?,
            None => signature.into(),
        };
        if signature.len() != self.signature_bytes {
            return Err(Error::BadSignature);
        }
        Ok([&self.front, &*signature, &self.message[BYTES..]].concat())
    }
}

/// Returns the size in bytes of every signature of a key in this form.
fn signature_bytes(key: &PublicKey, form: Option<Form>) -> Result<usize, Error> {
    let Some(form) = form else {
        let number = key.raw.first_chunk().ok_or(Error::KeySize)?;
        return Ok(hasten_hbs::Set::xmss_by_oid(u32::from_be_bytes(*number))?.signature_bytes());
    };
    let bare = public_as(key, Form::Lms)?;
    let set = hasten_hbs::Set::lms_by_types(bare.first_chunk().ok_or(Error::KeySize)?)?;
    Ok(set.signature_bytes() + if form == Form::Hss { 4 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::read_public;

    const AT: Placed = Placed { version: 7, load: 0x2000_0000, entry: 0x2000_0004, key_number: 1 };

    fn key() -> PublicKey {
        let types = [0, 0, 0, 0x0b, 0, 0, 0, 0x07];
        let raw = [&[0, 0, 0, 1], &types[..], &[0x5a; 40]].concat();
        read_public(&raw, Some("HSS")).unwrap()
    }

    #[test]
    fn the_file_has_header_key_signature_image() {
        let signature = [vec![0; 4], vec![3; 1500]].concat();
        for (form, number, front) in [(Form::Lms, FORM_LMS, 0), (Form::Hss, FORM_HSS, 4)] {
            let unsigned = Unsigned::new(&key(), form, &[9; 5], &AT).unwrap();
            assert_eq!(unsigned.message()[BYTES..], [9, 9, 9, 9, 9, 0, 0, 0]);
            let (beside, signed) = (unsigned.beside(), unsigned.message()[..BYTES].to_vec());
            let file = unsigned.finish(&signature).unwrap();
            assert_eq!(file.len(), beside + 1500 + front);
            assert_eq!(
                (&file[..BYTES], &file[file.len() - 8..]),
                (&signed[..], &[9, 9, 9, 9, 9, 0, 0, 0][..])
            );
            let words: Vec<u32> =
                signed.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
            let header = Header::read(words.as_slice().try_into().unwrap()).unwrap();
            assert_eq!((header.form, header.length, header.version), (number, 8, 7));
            assert_eq!(header.key_bytes as usize, 48 + front);
            assert_eq!(header.signature_bytes as usize, 1500 + front);
            assert_eq!(header.words().map(u32::to_le_bytes).as_flattened(), signed);
        }
    }

    #[test]
    fn what_is_no_image_is_refused() {
        let new = |image: &[u8], at: Placed| Unsigned::new(&key(), Form::Lms, image, &at).err();
        assert_eq!(new(&[], AT), Some(Error::NotAnImage));
        assert_eq!(new(&[9; 4], AT), Some(Error::NotAnImage));
        for (load, entry) in [(0x2000_0000, 0x1fff_fffc), (2, 4), (0, 2)] {
            assert_eq!(new(&[9; 64], Placed { load, entry, ..AT }), Some(Error::NotAnImage));
        }
        let other = read_public(&[1; 32], Some("Ed25519")).unwrap();
        let refused = Unsigned::new(&other, Form::Lms, &[9; 64], &AT).err();
        assert_eq!(refused, Some(Error::NoBoot));
    }

    #[test]
    fn a_header_with_other_words_is_none() {
        let unsigned = Unsigned::new(&key(), Form::Lms, &[9; 64], &AT).unwrap();
        let words: Vec<u32> =
            unsigned.message().as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let words: [u32; header::WORDS] = words[..header::WORDS].try_into().unwrap();
        assert!(Header::read(&words).is_some());
        for place in [0, 1, 10, 15] {
            let mut changed = words;
            changed[place] ^= 1;
            assert_eq!(Header::read(&changed), None);
        }
    }
}
