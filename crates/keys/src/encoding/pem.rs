//! PEM blocks in a text (RFC 7468).

use der::pem::{self, LineEnding};
use zeroize::Zeroizing;

use crate::Error;

/// One block: its label and the bytes inside.
pub struct PemBlock {
    /// Holds what stands between `BEGIN` and the dashes.
    pub label: String,
    /// The decoded bytes; erased when dropped, for they may be a private key.
    pub der: Zeroizing<Vec<u8>>,
}

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// Returns the well-formed blocks of `text`; what stands around and between them is skipped.
pub fn pem_blocks(text: &[u8]) -> Vec<PemBlock> {
    let Ok(mut rest) = core::str::from_utf8(text) else { return Vec::new() };
    let mut blocks = Vec::new();
    while let Some(block) = next_block(&mut rest) {
        blocks.extend(decode(block));
    }
    blocks
}

/// Cuts the next block off `rest`.
fn next_block<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let start = rest.find(BEGIN)?;
    let end = start + rest[start..].find(END)?;
    let stop = rest[end..].find('\n').map_or(rest.len(), |n| end + n + 1);
    let block = &rest[start..stop];
    *rest = &rest[stop..];
    Some(block)
}

fn decode(block: &str) -> Option<PemBlock> {
    let (label, der) = pem::decode_vec(block.trim_end().as_bytes()).ok()?;
    Some(PemBlock { label: label.to_owned(), der: Zeroizing::new(der) })
}

/// Returns one block as text, lines of 64 characters.
///
/// # Errors
/// `NotAKey` when the label is not one that RFC 7468 allows.
pub fn to_pem(label: &str, der: &[u8]) -> Result<Zeroizing<String>, Error> {
    pem::encode_string(label, LineEnding::LF, der).map(Zeroizing::new).map_err(|_| Error::NotAKey)
}
