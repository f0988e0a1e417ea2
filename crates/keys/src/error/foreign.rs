//! Errors of importing a private key from another program.

use core::fmt;

/// The reason why a private key that another program made and used is not imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForeignError {
    /// The bytes are not a private key in a supported format.
    Unknown,
    /// The key is from hash-sigs, with a secret method other than 2.
    OtherMethod,
    /// The levels are not encoded as hash-sigs and wolfSSL encode them.
    Sets,
    /// The levels differ in hash function or length.
    Levels,
    /// The PKCS#8 key is encrypted with a passphrase.
    Encrypted,
    /// The PKCS#8 key is not an HSS/LMS key.
    OtherAlgorithm,
    /// The key is a part of another key.
    Shard,
    /// The public key does not belong to the private key.
    OtherPublic,
    /// The caller named a lower last used index than the file itself.
    UsedFurther {
        /// The highest used index according to the file.
        through: u64,
    },
    /// No index is left after the burned ones.
    NothingLeft {
        /// Number of indices of the key.
        capacity: u64,
    },
    /// The directory holds an unfinished import of another key.
    OtherKey,
}

impl fmt::Display for ForeignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => {
                "not a private key that is read here: of hash-sigs or wolfSSL as they write it (LMS: 64 bytes, 56 with n = 24), or of Bouncy Castle in PKCS#8"
            }
            Self::OtherMethod => {
                "a private key of 48 bytes: hash-sigs writes these with its secret methods 0 and 1, and only keys of method 2 (64 bytes) are imported"
            }
            Self::Sets => {
                "this private key names parameter sets that hash-sigs and wolfSSL do not have"
            }
            Self::Levels => {
                "the levels of this key differ in hash function or length: other programs make lower trees of such a key in another way"
            }
            Self::Encrypted => "this private key is under a passphrase: decrypt it before",
            Self::OtherAlgorithm => {
                "a private key in PKCS#8 that is not of HSS/LMS: XMSS of Bouncy Castle makes its one-time keys in another way than SP 800-208, and is not imported"
            }
            Self::Shard => {
                "this private key is a part (shard) of another one: import that one, with the indices of all parts as used"
            }
            Self::OtherPublic => "the public key is not that of this private key",
            Self::UsedFurther { through } => {
                return write!(
                    f,
                    "this file says itself that index {through} was used: --burned-through is at least that"
                );
            }
            Self::NothingLeft { capacity } => {
                return write!(
                    f,
                    "no index would be left: the key has {capacity}, and those used and the margin are given up"
                );
            }
            Self::OtherKey => "the directory holds the beginning of another key",
        })
    }
}
