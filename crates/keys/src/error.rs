//! The one error type of this crate.

use core::fmt;

/// What can go wrong with names, keys and encodings. Never carries key material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No algorithm of the registry has this name.
    UnknownAlgorithm,
    /// The algorithm is in the registry (its keys are recognised), but this build cannot compute with it.
    NotBuiltIn,
    /// The bytes are not a key in any encoding read here.
    NotAKey,
    /// The encoding is right, but the key inside does not have the size its algorithm asks for.
    KeySize,
    /// The bytes fit more than one algorithm; the caller must name one.
    Ambiguous,
    /// The key belongs to another algorithm than the one named.
    WrongAlgorithm,
    /// The signature does not verify.
    BadSignature,
    /// The operating system gave no random bytes.
    Randomness,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownAlgorithm => "no algorithm of this name is known",
            Self::NotBuiltIn => {
                "this algorithm is recognised, but this build cannot compute with it"
            }
            Self::NotAKey => "not a key in any encoding known here",
            Self::KeySize => "the key does not have the size of its algorithm",
            Self::Ambiguous => "the bytes fit more than one algorithm: name one with --alg",
            Self::WrongAlgorithm => "the key belongs to another algorithm",
            Self::BadSignature => "the signature does not verify",
            Self::Randomness => "the operating system gave no random bytes",
        })
    }
}

impl core::error::Error for Error {}
