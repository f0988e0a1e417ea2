//! Structures that enclose a signature: CMS, COSE, images for boot ROMs.

use crate::{Error, boot, cms, cose, encoding::to_pem};

/// A structure before its signature.
pub enum Enclosure {
    /// A CMS SignedData.
    Cms {
        /// The SignedData without its signature.
        unsigned: Box<cms::Unsigned>,
        /// True for PEM, false for DER.
        pem: bool,
    },
    /// A COSE_Sign1.
    Cose(Box<cose::Unsigned>),
    /// An image for a boot ROM.
    Boot(Box<boot::Unsigned>),
}

impl Enclosure {
    /// Returns the bytes to sign.
    pub fn message(&self) -> &[u8] {
        match self {
            Self::Cms { unsigned, .. } => unsigned.message(),
            Self::Cose(unsigned) => unsigned.message(),
            Self::Boot(unsigned) => unsigned.message(),
        }
    }

    /// Returns the maximum size in bytes of the structure with a signature of `signature` bytes.
    pub fn room(&self, signature: usize) -> usize {
        match self {
            Self::Cms { unsigned, pem: false } => unsigned.beside() + signature,
            Self::Cms { unsigned, pem: true } => in_pem(unsigned.beside() + signature),
            Self::Cose(unsigned) => unsigned.beside() + signature,
            Self::Boot(unsigned) => unsigned.beside() + signature,
        }
    }

    /// Returns the structure with its signature.
    ///
    /// # Errors
    /// As [`cms::Unsigned::finish`], [`cose::Unsigned::finish`] and [`boot::Unsigned::finish`].
    pub fn finish(self, signature: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::Cms { unsigned, pem: false } => unsigned.finish(signature),
            Self::Cms { unsigned, pem: true } => {
                let der = unsigned.finish(signature)?;
                Ok(to_pem(cms::LABEL, &der)?.as_bytes().to_vec())
            }
            Self::Cose(unsigned) => unsigned.finish(signature),
            Self::Boot(unsigned) => unsigned.finish(signature),
        }
    }
}

/// Returns an upper bound on the size of a PEM block with `der` bytes: four characters for three
/// bytes, 64 characters a line.
fn in_pem(der: usize) -> usize {
    der / 3 * 4 + der / 48 + 128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_pem() {
        for bytes in [0, 1, 47, 48, 49, 1000, 50_000] {
            let pem = to_pem(cms::LABEL, &vec![0x5a; bytes]).expect("a label");
            assert!(pem.len() <= in_pem(bytes), "{bytes}");
        }
    }
}
