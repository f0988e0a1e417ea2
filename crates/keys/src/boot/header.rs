//! The header of an image that a boot ROM verifies, usable without `std`: `rtl/soc/rom` reads what
//! `hasten sign --format boot` writes. `docs/boot.md` describes it.

/// Number of 32-bit words in a header. Each word is little-endian.
pub const WORDS: usize = 16;
/// Size of a header in bytes.
pub const BYTES: usize = 4 * WORDS;
/// The first word: the letters `HBI1`.
pub const MAGIC: u32 = u32::from_le_bytes(*b"HBI1");

/// The header of a signed image. The signature covers the header and the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Size of the image in bytes, a multiple of four.
    pub length: u32,
    /// Version number, which never decreases.
    pub version: u32,
    /// Load address of the image.
    pub load: u32,
    /// Address of the first instruction.
    pub entry: u32,
    /// Number of the public key in the machine's list of key hashes.
    pub key_number: u32,
    /// The form of key and signature: 1 LMS, 2 HSS, 3 XMSS.
    pub form: u32,
    /// Size of the public key in bytes. It follows the header.
    pub key_bytes: u32,
    /// Size of the signature in bytes. It follows the key; the image follows the signature.
    pub signature_bytes: u32,
}

/// Form number of LMS.
pub const FORM_LMS: u32 = 1;
/// Form number of HSS.
pub const FORM_HSS: u32 = 2;
/// Form number of XMSS.
pub const FORM_XMSS: u32 = 3;

impl Header {
    /// Parses a header. Returns `None` if the first words are wrong or the unused words are not
    /// zero.
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

    /// Returns the header as words.
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
