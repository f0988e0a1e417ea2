//! Errors of the simulated cores.

use std::fmt;

/// Reason why there is no simulated core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No core has this name.
    UnknownBackend,
    /// The crate was built without Verilator.
    NotBuilt,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownBackend => {
                "no simulated core has this name (there are rtl:keccak, rtl:ed25519 and rtl:xmss)"
            }
            Self::NotBuilt => "built without Verilator: run cargo xtask hw tools, then build again",
        })
    }
}

impl std::error::Error for Error {}
