//! The values that an operation is given, and what its compressions depend on.

use serde::{Deserialize, Serialize};

/// A value that an operation is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A part of the message.
    Message,
    /// The randomizer of a signature.
    Randomizer,
    /// Element i of a one-time signature.
    Element(u16),
    /// The rest of a signature: authentication path, higher layers, FORS.
    Path,
}

/// Says what a compression depends on, found by comparing runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depends {
    /// The key alone: the same in every signature.
    Key,
    /// The index, not the message: it may be prepared.
    Index,
    /// The message (for verification: message and signature), or what the message selects.
    Message,
}
