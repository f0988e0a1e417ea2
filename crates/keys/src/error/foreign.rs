//! Why the private key of another program is not imported.

use core::fmt;

/// Why a private key that another program has made and used is not imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForeignError {
    /// The bytes are no private key that is read here.
    Unknown,
    /// The key is of hash-sigs, and of another secret method than 2.
    OtherMethod,
    /// The levels are not written as hash-sigs and wolfSSL write them.
    Sets,
    /// The levels differ in hash function or length.
    Levels,
    /// The key is in PKCS#8 under a passphrase.
    Encrypted,
    /// The key is in PKCS#8 and not of HSS/LMS.
    OtherAlgorithm,
    /// The key is a part of another one.
    Shard,
    /// The public key is not that of the private key.
    OtherPublic,
    /// The file itself says that this index was used, and a lower one was named.
    UsedFurther {
        /// The highest index that was used at least.
        through: u64,
    },
    /// Behind what is burned no index is left.
    NothingLeft {
        /// The indices of the key.
        capacity: u64,
    },
    /// The directory holds the beginning of another key.
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
