//! Fleets of keys that are there: which one, and the way to its state.

use std::path::Path;
#[cfg(feature = "etcd")]
use std::path::PathBuf;

use hasten_keys::stateful::fleet_of;
#[cfg(feature = "etcd")]
use hasten_keys::stateful::{identity_of, service_key};

use super::Opening;
use crate::error::Error;
use crate::fleet::Fleet;
#[cfg(feature = "etcd")]
use crate::{fleet, guard};

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

/// Returns the absence of a fleet; an error where the command line names one for such a key.
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
    let guard = own_guard(dir, opening)?;
    let member = &opening.fleet;
    if !guard.exists() && member.join.is_none() && opening.overrides.is_none() {
        return Err(Error::NoJoin { path: dir.to_owned(), guard });
    }
    let key = service_key(dir).map_err(Error::key(dir))?;
    let fleet = fleet::reach(&name, &guard, member, key)?.wait(opening.wait.time());
    let fleet = fleet.expect(identity_of(dir).map_err(Error::key(dir))?);
    let fleet = member.join.iter().fold(fleet, |fleet, token| fleet.join(token));
    Ok(Some(opening.overrides.iter().fold(fleet, |fleet, (count, _)| fleet.burn(*count))))
}

/// Returns the guard of this signer: the file named, or beside the guard that the directory names,
/// or, on a machine that has no such place, where guards lie by default.
#[cfg(feature = "etcd")]
fn own_guard(dir: &Path, opening: &Opening) -> Result<PathBuf, Error> {
    if let Some(guard) = &opening.guard {
        return Ok(guard.clone());
    }
    let kept = hasten_store::Options::new().peek(dir).map_err(|e| Error::key(dir)(e.into()))?.guard;
    let usable = kept.parent().is_some_and(|place| place.as_os_str().is_empty() || place.is_dir());
    let near = if usable { kept } else { guard::default(dir)? };
    Ok(fleet::beside(&near))
}
