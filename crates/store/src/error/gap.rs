//! Damage to the signing record.

use std::fmt;

/// Kind and location of damage to the signing record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Break {
    /// These records are missing.
    Missing {
        /// Number of the first record.
        first: u64,
        /// Number of the last record.
        last: u64,
    },
    /// At least one of these records was changed, or does not continue the record before it.
    Changed {
        /// Number of the first record.
        first: u64,
        /// Number of the last record.
        last: u64,
    },
    /// The entry for the message of an index was changed or is missing.
    Detail {
        /// Number of the record that has the digest of the entry.
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
