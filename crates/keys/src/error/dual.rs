//! Errors of dual signatures.

use core::fmt;

/// The reason why a dual signature is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DualError {
    /// The file is not a dual signature.
    NotDual,
    /// One or both signatures are missing or incomplete.
    HalfMissing,
    /// The file has more bytes after the two signatures.
    TooLong,
    /// The signature was made by other keys.
    OtherKeys,
    /// The file names the two keys in reverse order.
    OtherOrder,
    /// The two signatures are in reverse order.
    Swapped,
    /// The first signature is invalid.
    BadFirst,
    /// The second signature is invalid.
    BadSecond,
    /// Both signatures are invalid.
    BadBoth,
    /// Both keys are the same.
    OneKey,
}

impl fmt::Display for DualError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotDual => "not a dual signature: 'hasten dual sign' makes one",
            Self::HalfMissing => {
                "half of this dual signature is missing or cut off: it is good only as a whole"
            }
            Self::TooLong => "there is more in this file than two signatures",
            Self::OtherKeys => "this dual signature is not of these two keys",
            Self::OtherOrder => "the two keys of this dual signature are named in the wrong order",
            Self::Swapped => "the two halves of this dual signature stand in the wrong order",
            Self::BadFirst => {
                "the first half of this dual signature does not verify: it is good only as a whole"
            }
            Self::BadSecond => {
                "the second half of this dual signature does not verify: it is good only as a whole"
            }
            Self::BadBoth => "neither half of this dual signature verifies",
            Self::OneKey => "a dual signature is of two keys, and these are one",
        })
    }
}

impl core::error::Error for DualError {}
