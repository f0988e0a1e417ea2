//! Why a dual signature is refused.

use core::fmt;

/// Why a dual signature is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DualError {
    /// The file is none.
    NotDual,
    /// One signature, or both, are not in the file, or not whole.
    HalfMissing,
    /// There is more in the file than two signatures.
    TooLong,
    /// Other keys have made it.
    OtherKeys,
    /// The two keys are named in the other order.
    OtherOrder,
    /// The two signatures stand in the other order.
    Swapped,
    /// The first signature is not good.
    BadFirst,
    /// The second signature is not good.
    BadSecond,
    /// Neither signature is good.
    BadBoth,
    /// Both keys are one.
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
