//! Keys whose indices come from a fleet's state in etcd. Only with the feature `etcd`.
//!
//! The directory of such a key holds its seed and its nodes, and which fleet it belongs to; the
//! state is in etcd. Every signer has such a directory, and a guard file of its own.

use std::path::Path;

use hasten_keys::stateful::fleet_of;
#[cfg(feature = "etcd")]
use hasten_keys::stateful::{ServiceKey, identity_of, service_key};

use crate::error::Error;
#[cfg(feature = "etcd")]
use crate::etcd::{Access, EtcdName};
use crate::place::Opening;

#[cfg(feature = "etcd")]
pub use hasten_store_etcd::Fleet;

/// The fleet of a key.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Member {
    /// Takes the indices from a fleet's state in etcd, so that several machines sign with one key:
    /// the key's name there and the members, such as
    /// fw@https://10.0.0.1:2379,https://10.0.0.2:2379. Given to keygen once; afterwards only if the
    /// members have moved.
    #[cfg(feature = "etcd")]
    #[arg(long, value_name = "NAME@URL,...", value_parser = crate::etcd::name)]
    fleet: Option<EtcdName>,
    /// Joins a fleet as a new signer, with what 'hasten fleet token' printed on one that signs
    /// already. It has no effect once this signer has its guard.
    #[cfg(feature = "etcd")]
    #[arg(long, value_name = "TOKEN")]
    join: Option<String>,
    #[cfg(feature = "etcd")]
    #[command(flatten)]
    pub access: Access,
}

#[cfg(feature = "etcd")]
impl Member {
    /// Returns the fleet that was named.
    pub fn named(&self) -> Option<&EtcdName> {
        self.fleet.as_ref()
    }
}

/// The way to a fleet's state, as this build has it: without the feature `etcd` there is none.
#[cfg(not(feature = "etcd"))]
pub enum Fleet {}

/// Returns the fleet from which the key in `dir` takes its indices, as the key or the command line
/// names it.
pub fn name(dir: &Path, opening: &Opening) -> Result<Option<String>, Error> {
    let Some(kept) = fleet_of(dir).map_err(Error::key(dir))? else { return none(dir, opening) };
    #[cfg(feature = "etcd")]
    if let Some(named) = opening.fleet.named() {
        return Ok(Some(named.to_string()));
    }
    Ok(Some(kept))
}

/// Returns a key with a state of its own.
#[cfg_attr(not(feature = "etcd"), allow(unused_variables))]
fn none(dir: &Path, opening: &Opening) -> Result<Option<String>, Error> {
    #[cfg(feature = "etcd")]
    if opening.fleet.named().is_some() {
        return Err(Error::NoFleet(dir.to_owned()));
    }
    Ok(None)
}

/// Returns the way to the state of the key in `dir`, if a fleet has it.
#[cfg(not(feature = "etcd"))]
pub fn of(dir: &Path, opening: &Opening) -> Result<Option<Fleet>, Error> {
    match name(dir, opening)? {
        None => Ok(None),
        Some(_) => Err(Error::NoEtcd(dir.to_owned())),
    }
}

/// Returns the way to the state of the key in `dir`, if a fleet has it.
#[cfg(feature = "etcd")]
pub fn of(dir: &Path, opening: &Opening) -> Result<Option<Fleet>, Error> {
    let Some(text) = name(dir, opening)? else { return Ok(None) };
    let damaged = |_| Error::key(dir)(hasten_keys::Error::Damaged);
    let name = crate::etcd::name(&text).map_err(damaged)?;
    let guard = guard(dir, opening)?;
    let member = &opening.fleet;
    if !guard.exists() && member.join.is_none() && opening.overrides.is_none() {
        return Err(Error::NoJoin { path: dir.to_owned(), guard });
    }
    let key = service_key(dir).map_err(Error::key(dir))?;
    let fleet = reach(&name, &guard, member, key)?.wait(opening.wait);
    let fleet = fleet.expect(identity_of(dir).map_err(Error::key(dir))?);
    let fleet = member.join.iter().fold(fleet, |fleet, token| fleet.join(token));
    Ok(Some(opening.overrides.iter().fold(fleet, |fleet, (count, _)| fleet.burn(*count))))
}

/// Returns the fleet as the signer with this guard reaches it.
#[cfg(feature = "etcd")]
pub fn reach(
    name: &EtcdName,
    guard: &Path,
    member: &Member,
    key: Option<ServiceKey>,
) -> Result<Fleet, Error> {
    let fleet = member.access.fleet(name, guard)?;
    Ok(key.iter().fold(fleet, |fleet, key| fleet.key(hasten_store::MacKey::new(key))))
}

/// Returns the guard of this signer: the file named, or beside the guard that the directory names,
/// or, on a machine that has no such place, where guards lie by default.
#[cfg(feature = "etcd")]
fn guard(dir: &Path, opening: &Opening) -> Result<std::path::PathBuf, Error> {
    if let Some(guard) = &opening.guard {
        return Ok(guard.clone());
    }
    let kept = hasten_store::Options::new().peek(dir).map_err(|e| Error::key(dir)(e.into()))?.guard;
    let usable = kept.parent().is_some_and(|place| place.as_os_str().is_empty() || place.is_dir());
    let near = if usable { kept } else { crate::place::default_guard(dir)? };
    Ok(beside(&near))
}

/// Returns the guard of the signer on the machine whose key has its guard here.
#[cfg(feature = "etcd")]
pub fn beside(guard: &Path) -> std::path::PathBuf {
    crate::files::with_ending(guard, ".signer")
}
