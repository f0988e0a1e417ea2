//! Operations in words.

use hasten_hbs::params::Scheme;
use serde::Serialize;

use super::{Digest, Operation, Request};

/// Names an operation: begins every row about it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Head {
    /// The set.
    pub alg: &'static str,
    /// The operation.
    pub op: &'static str,
    /// Its level.
    pub level: &'static str,
    /// Bytes of the message.
    pub message_bytes: usize,
}

impl Operation {
    /// Returns its name: `keygen`, `sign`, `verify`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keygen => "keygen",
            Self::Sign(_) => "sign",
            Self::Verify(_) => "verify",
        }
    }

    /// Returns the name of its level; the making of a key has that of the lowest.
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
    /// Returns what is recorded, in one line.
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

    /// Returns what begins every row about it.
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
