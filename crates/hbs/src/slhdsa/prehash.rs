//! FIPS 205, Algorithm 23 (hash_slh_sign): the hash functions of the pre-hash form.

use super::Context;
use crate::Error;
use crate::params::Set;
use alloc::vec;
use alloc::vec::Vec;
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate};

/// The hash function that is applied to a message before it is signed.
///
/// A key should be used either for pure or for pre-hash signatures, not for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PreHash {
    /// SHA-224, 28 bytes.
    Sha224,
    /// SHA-256, 32 bytes.
    Sha256,
    /// SHA-384, 48 bytes.
    Sha384,
    /// SHA-512, 64 bytes.
    Sha512,
    /// SHA-512/224, 28 bytes.
    Sha512_224,
    /// SHA-512/256, 32 bytes.
    Sha512_256,
    /// SHA3-224, 28 bytes.
    Sha3_224,
    /// SHA3-256, 32 bytes.
    Sha3_256,
    /// SHA3-384, 48 bytes.
    Sha3_384,
    /// SHA3-512, 64 bytes.
    Sha3_512,
    /// SHAKE128 with 32 bytes of output.
    Shake128,
    /// SHAKE256 with 64 bytes of output.
    Shake256,
}

/// The object identifier 2.16.840.1.101.3.4.2.x in DER, without x.
const ARC: [u8; 10] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02];

impl PreHash {
    /// Returns the size of the digest in bytes.
    pub const fn len(self) -> usize {
        match self {
            Self::Sha224 | Self::Sha512_224 | Self::Sha3_224 => 28,
            Self::Sha256 | Self::Sha512_256 | Self::Sha3_256 | Self::Shake128 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 | Self::Shake256 => 64,
        }
    }

    /// Returns false: no digest is empty.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// Returns the object identifier in DER, tag and length included.
    pub(super) fn oid(self) -> [u8; 11] {
        let last = match self {
            Self::Sha256 => 1,
            Self::Sha384 => 2,
            Self::Sha512 => 3,
            Self::Sha224 => 4,
            Self::Sha512_224 => 5,
            Self::Sha512_256 => 6,
            Self::Sha3_224 => 7,
            Self::Sha3_256 => 8,
            Self::Sha3_384 => 9,
            Self::Sha3_512 => 10,
            Self::Shake128 => 11,
            Self::Shake256 => 12,
        };
        let mut oid = [last; 11];
        oid[..10].copy_from_slice(&ARC);
        oid
    }

    /// Returns the digest of `message`.
    ///
    /// # Errors
    /// None at present: the kernels can compute every function.
    pub fn digest(self, kernels: &Kernels<'_>, message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut out = vec![0; self.len()];
        let Kernels { sha256, sha512, keccak } = *kernels;
        match self {
            Self::Sha224 => hash(sha256, Midstate::sha224(), message, &mut out),
            Self::Sha256 => hash(sha256, Midstate::sha256(), message, &mut out),
            Self::Sha384 => hash(sha512, Midstate::sha384(), message, &mut out),
            Self::Sha512 => hash(sha512, Midstate::sha512(), message, &mut out),
            Self::Sha512_224 => hash(sha512, Midstate::sha512_224(), message, &mut out),
            Self::Sha512_256 => hash(sha512, Midstate::sha512_256(), message, &mut out),
            Self::Sha3_224 => hash(keccak, Midstate::sponge(144, 6), message, &mut out),
            Self::Sha3_256 => hash(keccak, Midstate::sha3_256(), message, &mut out),
            Self::Sha3_384 => hash(keccak, Midstate::sponge(104, 6), message, &mut out),
            Self::Sha3_512 => hash(keccak, Midstate::sha3_512(), message, &mut out),
            Self::Shake128 => hash(keccak, Midstate::shake128(), message, &mut out),
            Self::Shake256 => hash(keccak, Midstate::shake256(), message, &mut out),
        }
        Ok(out)
    }

    /// Returns true if the digest is strong enough for `set`: it has at least 2n bytes, so that a
    /// collision costs as much as the set promises (FIPS 205, section 10.2.2 (HashSLH-DSA Signature
    /// Generation)).
    #[must_use]
    pub const fn suits(self, set: &Set) -> bool {
        self.len() >= 2 * set.n
    }

    /// Returns the first two bytes of M', if `digest` has the length of this function: FIPS 205,
    /// Algorithm 23 (hash_slh_sign).
    pub(super) fn front(self, context: Context<'_>, digest: &[u8]) -> Result<[u8; 2], Error> {
        if digest.len() == self.len() { Ok([1, context.front[1]]) } else { Err(Error::PreHash) }
    }

    /// Checks that `set` can use this function.
    pub(super) fn check(self, set: &Set) -> Result<(), Error> {
        if self.suits(set) && !set.round31 { Ok(()) } else { Err(Error::PreHash) }
    }
}

fn hash<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    start: Midstate<H>,
    message: &[u8],
    out: &mut [u8],
) {
    start.with(kernel, message).finish(kernel, &[], out);
}
