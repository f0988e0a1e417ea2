//! `--backend`: the implementation of the kernels, on the CPU or in a simulated core.

use hasten_hbs::Set;
use hasten_kernels::{Kernels, NAMES};

use crate::engine::{self, Engine};
use crate::error::{BadValue, Error};
use crate::help;
use crate::parse::unknown;
use crate::report::Machine;

/// Which backend the kernels use: `--backend`, or `HASTEN_BACKEND`.
#[derive(clap::Args, Clone, Debug)]
pub struct Backend {
    /// Backend of the kernels; the fastest of this machine if not given.
    #[arg(long, value_name = "NAME", env = "HASTEN_BACKEND", hide_env_values = true, value_parser = backend, help_heading = help::MEASURING)]
    backend: Option<&'static str>,
}

impl Backend {
    /// Returns the selected kernels and the name of their backend.
    pub fn kernels(&self) -> Result<(&'static str, Kernels<'static>), Error> {
        match self.backend {
            None => Ok(best()),
            Some(engine::NAME) => Err(Error::Engine(
                "it signs and verifies by itself, with keys of XMSS-SHA2_h_256 only",
            )),
            Some(name) if name.starts_with("rtl:") => simulated::kernels(name),
            Some(name) => match Kernels::named(name) {
                Ok(kernels) => Ok((name, kernels)),
                Err(_) => Err(Error::NoBackend { name: name.to_owned(), have: available() }),
            },
        }
    }

    /// Returns the kernels to run on the CPU, with the name of the selected backend. If that is the
    /// XMSS engine, these are the kernels of the best backend.
    pub fn beside(&self) -> Result<(&'static str, Kernels<'static>), Error> {
        if self.is_engine() { Ok((engine::NAME, best().1)) } else { self.kernels() }
    }

    /// Returns the XMSS engine for keys of `set` if it is the selected backend.
    pub fn engine(&self, set: &Set) -> Result<Option<Engine>, Error> {
        Ok(self.is_engine().then(|| Engine::new(set)).transpose()?)
    }

    /// Whether the XMSS engine is the selected backend.
    pub fn is_engine(&self) -> bool {
        self.backend == Some(engine::NAME)
    }

    /// Returns the clock cycles so far of the simulated Keccak core, if that is the backend.
    pub fn cycles(&self) -> Option<u64> {
        simulated::cycles()
    }

    /// Whether the Ed25519 core is the selected backend. It makes keys, signs and verifies on its
    /// own.
    #[cfg(feature = "rtl")]
    pub fn is_ed25519(&self) -> bool {
        self.backend == Some(hasten_rtlsim::ED25519)
    }

    /// Returns this machine for reports, with the selected backend or else the best one.
    pub fn machine(&self) -> Machine {
        Machine::with(self.backend.unwrap_or_else(|| best().0))
    }

    /// Returns true if a backend was selected.
    #[cfg(feature = "measure")]
    pub fn is_forced(&self) -> bool {
        self.backend.is_some()
    }
}

/// Simulated cores as backends.
#[cfg(feature = "rtl")]
mod simulated {
    use std::sync::OnceLock;

    use hasten_kernels::Kernels;
    use hasten_rtlsim::RtlKeccak;

    use crate::error::Error;

    pub const NAMES: &[&str] =
        &[hasten_rtlsim::KECCAK, crate::engine::NAME, hasten_rtlsim::ED25519];

    /// The simulated Keccak core of this process.
    static CORE: OnceLock<&RtlKeccak> = OnceLock::new();

    pub fn kernels(name: &'static str) -> Result<(&'static str, Kernels<'static>), Error> {
        if name == hasten_rtlsim::ED25519 {
            return Err(Error::WholeCore(name));
        }
        let (kernels, core) = hasten_rtlsim::counted(name)
            .map_err(|_| Error::NoBackend { name: name.to_owned(), have: super::available() })?;
        let core = *CORE.get_or_init(|| core);
        Ok((name, Kernels { keccak: core, ..kernels }))
    }

    pub fn cycles() -> Option<u64> {
        CORE.get().map(|core| core.cycles())
    }
}

#[cfg(not(feature = "rtl"))]
mod simulated {
    use hasten_kernels::Kernels;

    use crate::error::Error;

    pub const NAMES: &[&str] = &[];

    pub fn kernels(name: &'static str) -> Result<(&'static str, Kernels<'static>), Error> {
        Err(Error::NoBackend { name: name.to_owned(), have: super::available() })
    }

    pub fn cycles() -> Option<u64> {
        None
    }
}

/// Returns the names of the backends that this machine supports, best last.
pub fn available() -> Vec<&'static str> {
    Kernels::available().map(|(name, _)| name).collect()
}

/// Returns the name of the backend that is used by default.
#[cfg(feature = "aws-lc")]
pub fn best_name() -> &'static str {
    best().0
}

/// Returns the backend that is used by default.
fn best() -> (&'static str, Kernels<'static>) {
    Kernels::available().last().unwrap_or(("portable", Kernels::portable()))
}

fn backend(name: &str) -> Result<&'static str, BadValue> {
    let all = [&NAMES[..], simulated::NAMES].concat();
    let known = all.iter().find(|known| **known == name).copied();
    known.ok_or_else(|| unknown("backend", name, &all))
}
