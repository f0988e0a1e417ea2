//! Where the record of what was signed does not hold together.

use std::fmt;

/// Where the record does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// These records are not there.
    Missing {
        /// Number of the first.
        first: u64,
        /// Number of the last.
        last: u64,
    },
    /// One of these records is not the one that was written, or does not continue the one before
    /// it.
    Changed {
        /// Number of the first.
        first: u64,
        /// Number of the last.
        last: u64,
    },
    /// The message of an index is told by other words than those that were written, or by none.
    Detail {
        /// Number of its record.
        record: u64,
        /// The index.
        index: u64,
    },
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { first, last } => {
                write!(f, "the audit log has a gap: records {first} to {last} are missing")
            }
            Self::Changed { first, last } if first == last => {
                write!(
                    f,
                    "the audit log was changed: record {first} is not the one that was written"
                )
            }
            Self::Changed { first, last } => {
                write!(
                    f,
                    "the audit log was changed: records {first} to {last} are not those that were written"
                )
            }
            Self::Detail { record, index } => write!(
                f,
                "the audit log was changed: the entry of index {index} in the file 'signed' is not the one that record {record} names"
            ),
        }
    }
}
