//! The machine that a result was measured on.

use serde::Serialize;

use crate::cpu;

/// Where and with what a result was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// The kernels' backend; absent where they computed nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// Cores the process could use.
    pub cores: usize,
}

impl Machine {
    /// Returns this machine, where no backend computed.
    pub fn this() -> Self {
        Self { cpu: cpu::cpu(), backend: None, cores: cpu::cores() }
    }

    /// Returns this machine, with the backend in use.
    pub fn with(backend: &str) -> Self {
        Self { backend: Some(backend.to_owned()), ..Self::this() }
    }
}

/// Stands in the place of the machine where the result is the same on every one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unneeded {
    needed: bool,
    why: String,
}

impl Unneeded {
    /// Says why no machine is named.
    pub fn because(why: &str) -> Self {
        Self { needed: false, why: why.to_owned() }
    }
}
