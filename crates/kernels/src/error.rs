//! The error type of this crate.

use core::fmt;

/// The reason why [`Kernels::named`](crate::Kernels::named) returned no backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No backend has this name; [`NAMES`](crate::NAMES) lists those that exist.
    UnknownBackend,
    /// The backend exists, but this CPU (or this build) lacks an instruction it needs.
    NotOnThisCpu,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownBackend => "unknown backend",
            Self::NotOnThisCpu => "this CPU lacks the instructions of that backend",
        })
    }
}

impl core::error::Error for Error {}
