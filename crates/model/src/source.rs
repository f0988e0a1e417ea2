//! The inputs of an operation, and the inputs on which its compressions depend.

use serde::{Deserialize, Serialize};

/// An input of an operation.
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

/// The inputs on which a compression depends, found by comparing runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depends {
    /// Only the key: the compression is the same in every signature.
    Key,
    /// The index, but not the message: the compression can be prepared.
    Index,
    /// The message (for verification: message and signature), or data selected by the message.
    Message,
}
