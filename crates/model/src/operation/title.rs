//! Text descriptions of operations.

use hasten_hbs::params::Scheme;
use serde::Serialize;

use super::{Digest, Operation, Request};

/// The first columns of every row about an operation.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Head {
    /// The set.
    pub alg: &'static str,
    /// The operation.
    pub op: &'static str,
    /// Level of preparation.
    pub level: &'static str,
    /// Length of the message in bytes.
    pub message_bytes: usize,
}

impl Operation {
    /// Returns the name of the operation: `keygen`, `sign` or `verify`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keygen => "keygen",
            Self::Sign(_) => "sign",
            Self::Verify(_) => "verify",
        }
    }

    /// Returns the name of the level; for key generation, that of the lowest level.
    #[must_use]
    pub const fn level(self) -> &'static str {
        match self {
            Self::Keygen => "none",
            Self::Sign(level) => level.name(),
            Self::Verify(level) => level.name(),
        }
    }
}

impl Request {
    /// Describes the operation in one line.
    #[must_use]
    pub fn title(&self) -> String {
        let level = match self.set.scheme {
            Scheme::SlhDsa { .. } => String::new(),
            _ => format!(", level {}", self.operation.level()),
        };
        let digits = if self.digest == Digest::Worst { ", worst digits" } else { "" };
        let counted = match (self.set.limit, self.operation) {
            (Some(_), Operation::Keygen | Operation::Sign(_)) => {
                ", counted by the shape of its trees"
            }
            _ => "",
        };
        let message = match self.operation {
            Operation::Keygen => String::new(),
            _ => format!(", message of {} bytes", self.message),
        };
        format!("{} {}{level}{message}{digits}{counted}", self.set.name, self.operation.name())
    }

    /// Returns the first columns of every row about the operation.
    #[must_use]
    pub fn head(&self) -> Head {
        Head {
            alg: self.set.name,
            op: self.operation.name(),
            level: self.operation.level(),
            message_bytes: self.message,
        }
    }
}
