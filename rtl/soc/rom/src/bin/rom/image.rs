//! The image: whether it fits, and how it comes into the RAM.

use crate::header::Header;
use crate::{KEY_WORDS, SIGNATURE_WORDS};
use hasten_soc_rom::machine::{RAM, RAM_BYTES};

/// All that was read before the image.
pub struct Loaded<'b> {
    /// The header.
    pub header: &'b Header,
    /// Its words, which are signed.
    pub words: &'b [u32],
    /// The public key.
    pub key: &'b [u8],
    /// The signature.
    pub signature: &'b mut [u8],
}

/// Returns whether key, signature and image fit into their places, and the entry lies in the image.
pub fn fits(header: &Header) -> bool {
    let is_words = |bytes: u32, most: usize| bytes.is_multiple_of(4) && bytes as usize <= most;
    let entry = header.entry.wrapping_sub(header.load);
    is_words(header.key_bytes, 4 * KEY_WORDS)
        && is_words(header.signature_bytes, 4 * SIGNATURE_WORDS)
        && is_words(header.length, RAM_BYTES)
        && header.load as usize == RAM
        && header.key_number < 2
        && entry < header.length
        && entry.is_multiple_of(4)
}
