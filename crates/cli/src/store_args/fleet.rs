//! Keys whose state is not in their directory: which fleet or witness has it, and the way there.

use std::path::Path;
#[cfg(feature = "etcd")]
use std::path::PathBuf;

use hasten_keys::stateful::{fleet_of, identity_of, service_key};
use hasten_store::{Carrier, Cell, Indices, MacKey, Options, Status, StoreError};

use super::Opening;
use crate::error::Error;
#[cfg(feature = "etcd")]
use crate::{
    fleet::{self, Fleet},
    guard,
};

/// Stands for a fleet in the directory of a key whose state its witness carries.
pub const CARRIED: &str = "witness";

/// The way to a state elsewhere.
pub enum Elsewhere {
    #[cfg(feature = "etcd")]
    Fleet(Box<Fleet>),
    Witness(Box<Carrier<Box<dyn Cell>>>),
}

impl Elsewhere {
    pub fn peek(self) -> Result<Status, StoreError> {
        match self {
            #[cfg(feature = "etcd")]
            Self::Fleet(fleet) => fleet.peek(),
            Self::Witness(carrier) => carrier.peek(),
        }
    }

    pub fn open(self) -> Result<Box<dyn Indices>, StoreError> {
        Ok(match self {
            #[cfg(feature = "etcd")]
            Self::Fleet(fleet) => Box::new(fleet.open()?),
            Self::Witness(carrier) => Box::new(carrier.open()?),
        })
    }
}

/// Returns the fleet from which the key in `dir` takes its indices, as the key or the command line
/// names it, or [`CARRIED`].
pub fn name(dir: &Path, opening: &Opening) -> Result<Option<String>, Error> {
    let Some(kept) = fleet_of(dir).map_err(Error::key(dir))? else { return none(dir, opening) };
    #[cfg(feature = "etcd")]
    if let Some(named) = opening.fleet.named() {
        if kept == CARRIED {
            return Err(Error::NoFleet(dir.to_owned()));
        }
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

/// Returns the way to the state of the key in `dir`, if that is not there.
pub fn of(dir: &Path, opening: &Opening) -> Result<Option<Elsewhere>, Error> {
    match name(dir, opening)?.as_deref() {
        None => Ok(None),
        Some(CARRIED) => Ok(Some(Elsewhere::Witness(Box::new(carried(dir, opening)?)))),
        #[cfg(not(feature = "etcd"))]
        Some(_) => Err(Error::NoEtcd(dir.to_owned())),
        #[cfg(feature = "etcd")]
        Some(name) => Ok(Some(Elsewhere::Fleet(Box::new(in_etcd(dir, opening, name)?)))),
    }
}

fn carried(dir: &Path, opening: &Opening) -> Result<Carrier<Box<dyn Cell>>, Error> {
    let of = Error::key(dir);
    let none = || of(StoreError::NoWitness.into());
    let cell = opening.watch.cell(&opening.fleet)?.ok_or_else(none)?;
    let key = service_key(dir).map_err(&of)?.ok_or_else(|| of(hasten_keys::Error::Damaged))?;
    let identity = identity_of(dir).map_err(&of)?;
    let status = Options::new().peek(dir).map_err(|error| of(error.into()))?;
    let size = (status.capacity, status.threshold);
    Ok(Carrier::new(cell, MacKey::new(&key), identity, size))
}

/// Returns the fleet of the key in `dir`, by its name.
#[cfg(feature = "etcd")]
pub fn in_etcd(dir: &Path, opening: &Opening, text: &str) -> Result<Fleet, Error> {
    let damaged = |_| Error::key(dir)(hasten_keys::Error::Damaged);
    let name = crate::etcd::name(text).map_err(damaged)?;
    let guard = own_guard(dir, opening)?;
    let member = &opening.fleet;
    let reading = |cause| Error::File { path: guard.clone(), doing: "finding", cause };
    let is_there = guard.try_exists().map_err(reading)?;
    if !is_there && member.join.is_none() && opening.overrides.is_none() {
        return Err(Error::NoJoin { path: dir.to_owned(), guard });
    }
    let key = service_key(dir).map_err(Error::key(dir))?;
    let fleet = fleet::reach(&name, &guard, member, key)?.wait(opening.wait.time());
    let fleet = fleet.expect(identity_of(dir).map_err(Error::key(dir))?);
    let fleet = member.join.iter().fold(fleet, |fleet, token| fleet.join(token));
    Ok(opening.overrides.iter().fold(fleet, |fleet, (count, _)| fleet.burn(*count)))
}

/// Returns the guard of this signer: the file named, or beside the guard that the directory names,
/// or, on a machine that has no such place, where guards lie by default.
#[cfg(feature = "etcd")]
fn own_guard(dir: &Path, opening: &Opening) -> Result<PathBuf, Error> {
    if let Some(guard) = &opening.guard {
        return Ok(guard.clone());
    }
    let kept = hasten_store::Options::new().peek(dir).map_err(|e| Error::key(dir)(e.into()))?.guard;
    let near = if is_usable(&kept)? { kept } else { guard::default(dir)? };
    Ok(fleet::beside(&near))
}

/// Returns whether the folder of this guard is on this machine. One that cannot be looked at is not
/// taken for absent: another place would have another guard.
#[cfg(feature = "etcd")]
fn is_usable(guard: &Path) -> Result<bool, Error> {
    let Some(place) = guard.parent() else { return Ok(false) };
    match std::fs::metadata(place) {
        _ if place.as_os_str().is_empty() => Ok(true),
        Ok(data) => Ok(data.is_dir()),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(cause) => Err(Error::File { path: place.to_owned(), doing: "entering", cause }),
    }
}
