//! PEM blocks in a text (RFC 7468).

use der::pem::{self, LineEnding};
use zeroize::Zeroizing;

use crate::Error;

/// One PEM block: its label and its decoded content.
pub struct PemBlock {
    /// The text between `BEGIN` and the dashes.
    pub label: String,
    /// The decoded bytes; erased when dropped, as they may be a private key.
    pub der: Zeroizing<Vec<u8>>,
}

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";
/// Line length that the decoder requires.
const LINE: usize = 64;

/// Returns the well-formed blocks of `text`. Text around and between them is skipped.
pub fn pem_blocks(text: &[u8]) -> Vec<PemBlock> {
    let Ok(mut rest) = core::str::from_utf8(text) else { return Vec::new() };
    let mut blocks = Vec::new();
    while let Some(block) = next_block(&mut rest) {
        blocks.extend(decode(block));
    }
    blocks
}

/// Removes the next block from the front of `rest`.
fn next_block<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let start = rest.find(BEGIN)?;
    let end = start + rest[start..].find(END)?;
    let label = end + END.len();
    let line = rest[label..].find('\n').map_or(rest.len(), |n| label + n + 1);
    let stop = rest[label..line].find(DASHES).map_or(line, |n| label + n + DASHES.len());
    let block = &rest[start..stop];
    *rest = &rest[stop..];
    Some(block)
}

fn decode(block: &str) -> Option<PemBlock> {
    let rewrapped = Zeroizing::new(rewrapped(block)?);
    let (label, der) = pem::decode_vec(rewrapped.as_bytes()).ok()?;
    Some(PemBlock { label: label.to_owned(), der: Zeroizing::new(der) })
}

/// Returns a block with lines of equal length. In JSON, YAML and environment variables a block may
/// be indented, on a single line, or have its line ends written as `\n`.
fn rewrapped(block: &str) -> Option<String> {
    let (label, rest) = block.strip_prefix(BEGIN)?.split_once(DASHES)?;
    let (body, end) = rest.split_once(END)?;
    // The buffer has its full size from the start: a growing string leaves copies of secrets in
    // memory.
    let mut out = String::with_capacity(2 * block.len() + LINE);
    out.extend([BEGIN, label, DASHES, "\n"]);
    let mut column = 0;
    for part in body.split(char::is_whitespace).flat_map(|word| word.split("\\n")) {
        for letter in part.trim_end_matches("\\r").chars() {
            if column == LINE {
                out.push('\n');
                column = 0;
            }
            out.push(letter);
            column += 1;
        }
    }
    out.extend(["\n", END, end.trim_end()]);
    Some(out)
}

/// Returns a PEM block with lines of 64 characters.
///
/// # Errors
/// `NotAKey` if RFC 7468 does not allow the label.
pub fn to_pem(label: &str, der: &[u8]) -> Result<Zeroizing<String>, Error> {
    pem::encode_string(label, LineEnding::LF, der).map(Zeroizing::new).map_err(|_| Error::NotAKey)
}
