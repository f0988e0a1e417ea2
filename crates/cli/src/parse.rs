//! Names on the command line: parameter sets, algorithms, levels, addresses.

use std::net::SocketAddr;

use hasten_channel_udp::socket::{self, Interface};
use hasten_hbs::params::{SETS, Scheme};
use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_keys::registry;

use crate::error::BadValue;
use crate::suggest;

/// Returns the parameter set with this name, or with this alias in the registry.
pub fn set(name: &str) -> Result<&'static Set, BadValue> {
    no_family(name)?;
    let known = registry::find(name).map_or(name, |row| row.name.as_str());
    if let Ok(row) = registry::find(name)
        && Set::named(known).is_err()
    {
        return Err(BadValue::NoTrees(row.name.clone()));
    }
    Set::named(known).map_err(|_| BadValue::Name {
        what: "parameter set",
        given: name.to_owned(),
        near: suggest::nearest(name, SETS.iter().map(|set| set.name)),
    })
}

/// Returns an error for the name of a family, with an example of a set.
fn no_family(name: &str) -> Result<(), BadValue> {
    let refuse = |example| Err(BadValue::Family { given: name.to_owned(), example });
    registry::example_of_family(name).map_or(Ok(()), refuse)
}

/// Returns a stateful set, which has levels of preparation.
#[cfg(feature = "measure")]
pub fn stateful_set(name: &str) -> Result<&'static Set, BadValue> {
    let set = set(name)?;
    if is_stateful(set) { Ok(set) } else { Err(BadValue::NoLevels(set.name)) }
}

/// Whether keys of the set are stateful: each index signs once, after preparation.
pub fn is_stateful(set: &Set) -> bool {
    !matches!(set.scheme, Scheme::SlhDsa { .. })
}

/// Returns the signer level with this name.
pub fn signer_level(name: &str) -> Result<SignerLevel, BadValue> {
    let names = SignerLevel::ALL.map(SignerLevel::name);
    SignerLevel::named(name).ok_or_else(|| unknown("signer level", name, &names))
}

/// Returns the verifier level with this name.
pub fn verifier_level(name: &str) -> Result<VerifierLevel, BadValue> {
    let names = VerifierLevel::ALL.map(VerifierLevel::name);
    VerifierLevel::named(name).ok_or_else(|| unknown("verifier level", name, &names))
}

/// Returns the algorithm or parameter set of the registry with this name or alias.
pub fn algorithm(name: &str) -> Result<&'static registry::Row, BadValue> {
    no_family(name)?;
    key_algorithm(name)
}

/// Returns the algorithm of an existing key. Unlike [`algorithm`], this also accepts the family
/// HSS, whatever its levels.
pub fn key_algorithm(name: &str) -> Result<&'static registry::Row, BadValue> {
    registry::find(name).map_err(|_| BadValue::Name {
        what: "algorithm",
        given: name.to_owned(),
        near: suggest::nearest(name, registry::all().iter().map(|row| row.name.as_str())),
    })
}

/// Returns the error for an unknown name among a few. It suggests similar names, or all names if
/// none is similar.
pub fn unknown(what: &'static str, given: &str, all: &[&'static str]) -> BadValue {
    let near = suggest::nearest(given, all.iter().copied());
    let near = if near.is_empty() { all.to_vec() } else { near };
    BadValue::Name { what, given: given.to_owned(), near }
}

/// Parses an address of the form `udp://HOST:PORT`.
pub fn address(text: &str) -> Result<SocketAddr, BadValue> {
    socket::address(text).ok_or_else(|| BadValue::Address(text.to_owned()))
}

/// Parses an interface: an IPv4 address or a number.
pub fn interface(text: &str) -> Result<Interface, BadValue> {
    Interface::named(text).ok_or_else(|| BadValue::Interface(text.to_owned()))
}
