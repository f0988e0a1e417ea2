//! The machine that a result was measured on.

use serde::Serialize;

use crate::cpu;

/// The machine on which a result was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// Backend of the kernels; absent if no kernel was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Number of cores that the process could use.
    pub cores: usize,
}

impl Machine {
    /// Returns this machine without a backend.
    pub fn this() -> Self {
        Self { cpu: cpu::cpu(), backend: None, cores: cpu::cores() }
    }

    /// Returns this machine, with the backend in use.
    pub fn with(backend: &str) -> Self {
        Self { backend: Some(backend.to_owned()), ..Self::this() }
    }
}

/// A replacement for the machine, for results that are the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unneeded {
    needed: bool,
    why: String,
}

impl Unneeded {
    /// Creates the entry with the reason why no machine is named.
    pub fn because(why: &str) -> Self {
        Self { needed: false, why: why.to_owned() }
    }
}
