//! The header of an image that a boot ROM verifies, without `std`: `rtl/soc/rom` reads what
//! `hasten sign --format boot` writes. `docs/boot.md` describes it.

/// Words of 32 bits in a header. Each has its lowest byte first.
pub const WORDS: usize = 16;
/// Bytes of a header.
pub const BYTES: usize = 4 * WORDS;
/// The first word, the letters `HBI1`.
pub const MAGIC: u32 = u32::from_le_bytes(*b"HBI1");

/// The header of a signed image. The signature is of the header and the image behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Bytes of the image, whole words.
    pub length: u32,
    /// The version, which only grows.
    pub version: u32,
    /// Where the image is loaded.
    pub load: u32,
    /// Its first instruction.
    pub entry: u32,
    /// The number of the public key among those whose hashes the machine has.
    pub key_number: u32,
    /// The form of key and signature: 1 LMS, 2 HSS, 3 XMSS.
    pub form: u32,
    /// Bytes of the public key, which follows the header.
    pub key_bytes: u32,
    /// Bytes of the signature, which follows the key. The image follows the signature.
    pub signature_bytes: u32,
}

/// The numbers of the forms.
pub const FORM_LMS: u32 = 1;
/// That of HSS.
pub const FORM_HSS: u32 = 2;
/// That of XMSS.
pub const FORM_XMSS: u32 = 3;

impl Header {
    /// Reads a header; nothing if it begins with other words, or if words that have no meaning are
    /// not zero.
    #[must_use]
    pub fn read(words: &[u32; WORDS]) -> Option<Self> {
        let [MAGIC, bytes, length, version, load, entry, rest @ ..] = words else { return None };
        let [key_number, form, key_bytes, signature_bytes, free @ ..] = rest;
        if *bytes as usize != BYTES || free.iter().any(|word| *word != 0) {
            return None;
        }
        let (length, version, load, entry) = (*length, *version, *load, *entry);
        let (key_number, form) = (*key_number, *form);
        let (key_bytes, signature_bytes) = (*key_bytes, *signature_bytes);
        let sizes =
            Self { length, version, load, entry, key_number, form, key_bytes, signature_bytes };
        Some(sizes)
    }

    /// Returns the words.
    #[must_use]
    pub const fn words(&self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        (words[0], words[1], words[2]) = (MAGIC, BYTES as u32, self.length);
        (words[3], words[4], words[5]) = (self.version, self.load, self.entry);
        (words[6], words[7]) = (self.key_number, self.form);
        (words[8], words[9]) = (self.key_bytes, self.signature_bytes);
        words
    }
}
