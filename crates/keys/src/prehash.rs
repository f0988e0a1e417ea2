//! Signing of a SHA-384 digest instead of a message.

use std::io::Read;

use sha2::{Digest, Sha384};

use crate::{Error, verify::each_part};

/// Size of the digest in bytes.
const BYTES: usize = 48;

/// Returns the SHA-384 digest of a message. `see` receives every part of the message.
///
/// # Errors
/// `Io`.
pub fn sha384(message: &mut dyn Read, see: &mut dyn FnMut(&[u8])) -> Result<Vec<u8>, Error> {
    let mut hash = Sha384::new();
    let mut take = |part: &[u8]| {
        hash.update(part);
        see(part);
    };
    each_part(message, &mut take)?;
    Ok(hash.finalize().to_vec())
}

/// Reads a SHA-384 digest that replaces a message. `see` receives it too.
///
/// # Errors
/// `Io`; `NotADigest` if it is not 48 bytes.
pub fn given(digest: &mut dyn Read, see: &mut dyn FnMut(&[u8])) -> Result<Vec<u8>, Error> {
    let mut given = Vec::new();
    digest.take(BYTES as u64 + 1).read_to_end(&mut given)?;
    see(&given);
    if given.len() == BYTES { Ok(given) } else { Err(Error::NotADigest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_given_has_its_length() {
        let of = |bytes: &[u8]| given(&mut &bytes[..], &mut |_| ());
        assert_eq!(of(&[7; 48]), Ok(vec![7; 48]));
        for length in [0, 47, 49, 96, 1 << 20] {
            assert_eq!(of(&vec![7; length]), Err(Error::NotADigest), "{length}");
        }
    }

    #[test]
    fn a_digest_is_of_all_that_is_seen() {
        let mut seen = Vec::new();
        let digest = sha384(&mut &b"abc"[..], &mut |part| seen.extend_from_slice(part));
        assert_eq!(digest.expect("read")[..4], [0xcb, 0x00, 0x75, 0x3f]);
        assert_eq!(seen, b"abc");
    }
}
