//! Names on the command line: parameter sets, levels, backends.

use hasten_hbs::params::{self, Scheme};
use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_kernels::{Kernels, NAMES};
use hasten_keys::registry;

use crate::error::{BadValue, Error};
use crate::suggest;

/// A parameter set by its name, or by an alias that the registry has.
pub fn set(name: &str) -> Result<&'static Set, BadValue> {
    let known = registry::find(name).map_or(name, |row| row.name.as_str());
    Set::named(known).map_err(|_| BadValue::Name {
        what: "parameter set",
        given: name.to_owned(),
        near: params::nearest(name).into_iter().flatten().map(|set| set.name).collect(),
    })
}

/// A set whose keys have a state, and levels of preparation.
pub fn stateful_set(name: &str) -> Result<&'static Set, BadValue> {
    let set = set(name)?;
    if is_stateful(set) { Ok(set) } else { Err(BadValue::NoLevels(set.name)) }
}

/// Whether a key of the set signs each index once, after preparation.
pub fn is_stateful(set: &Set) -> bool {
    !matches!(set.scheme, Scheme::SlhDsa { .. })
}

/// A signer's level by its name.
pub fn signer_level(name: &str) -> Result<SignerLevel, BadValue> {
    let names = SignerLevel::ALL.map(SignerLevel::name);
    SignerLevel::named(name).ok_or_else(|| unknown("signer level", name, &names))
}

/// A verifier's level by its name.
pub fn verifier_level(name: &str) -> Result<VerifierLevel, BadValue> {
    let names = VerifierLevel::ALL.map(VerifierLevel::name);
    VerifierLevel::named(name).ok_or_else(|| unknown("verifier level", name, &names))
}

/// An algorithm or a parameter set of the registry, by its name or an alias.
pub fn algorithm(name: &str) -> Result<&'static registry::Row, BadValue> {
    registry::find(name).map_err(|_| BadValue::Name {
        what: "algorithm",
        given: name.to_owned(),
        near: suggest::nearest(name, registry::all().iter().map(|row| row.name.as_str())),
    })
}

/// Which backend the kernels use: `--backend`, or `HASTEN_BACKEND`.
#[derive(clap::Args, Clone, Debug)]
pub struct Backend {
    /// Backend of the kernels; the fastest of this machine if not given.
    #[arg(long, value_name = "NAME", env = "HASTEN_BACKEND", hide_env_values = true, value_parser = backend)]
    backend: Option<&'static str>,
}

impl Backend {
    /// The kernels asked for, and their name.
    pub fn kernels(&self) -> Result<(&'static str, Kernels<'static>), Error> {
        match self.backend {
            None => Ok(best()),
            Some(name) => match Kernels::named(name) {
                Ok(kernels) => Ok((name, kernels)),
                Err(_) => Err(Error::NoBackend { name: name.to_owned(), have: available() }),
            },
        }
    }

    /// Whether one was asked for.
    pub fn is_forced(&self) -> bool {
        self.backend.is_some()
    }
}

/// The names of the backends this machine has, best last.
pub fn available() -> Vec<&'static str> {
    Kernels::available().map(|(name, _)| name).collect()
}

/// The backend used when none is forced.
fn best() -> (&'static str, Kernels<'static>) {
    Kernels::available().last().unwrap_or(("portable", Kernels::portable()))
}

fn backend(name: &str) -> Result<&'static str, BadValue> {
    let known = NAMES.into_iter().find(|known| *known == name);
    known.ok_or_else(|| unknown("backend", name, &NAMES))
}

/// An unknown name of a few: the near ones are offered, or all where none is near.
fn unknown(what: &'static str, given: &str, all: &[&'static str]) -> BadValue {
    let near = suggest::nearest(given, all.iter().copied());
    let near = if near.is_empty() { all.to_vec() } else { near };
    BadValue::Name { what, given: given.to_owned(), near }
}
