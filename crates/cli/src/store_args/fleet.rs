//! Keys whose state is not in their directory: the fleet or witness that has it, and access to it.

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

/// Name in place of a fleet, in the directory of a key whose state is carried by its witness.
pub const CARRIED: &str = "witness";

/// Access to a state that is not in the key's directory.
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

/// Returns the fleet that the key in `dir` takes its indices from, as named by the command line or
/// the key. Returns [`CARRIED`] if a witness carries the state.
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

/// Returns `None` for a key without a fleet. It is an error if the command line names one.
#[cfg_attr(not(feature = "etcd"), allow(unused_variables))]
fn none(dir: &Path, opening: &Opening) -> Result<Option<String>, Error> {
    #[cfg(feature = "etcd")]
    if opening.fleet.named().is_some() {
        return Err(Error::NoFleet(dir.to_owned()));
    }
    Ok(None)
}

/// Returns access to the state of the key in `dir`, or `None` if the state is in `dir`.
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

/// Returns the fleet of the key in `dir` with this name.
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

/// Returns the guard of this signer. This is the named file, or one next to the guard that the
/// directory names or, on a machine without that place, next to the default guard.
#[cfg(feature = "etcd")]
fn own_guard(dir: &Path, opening: &Opening) -> Result<PathBuf, Error> {
    if let Some(guard) = &opening.guard {
        return Ok(guard.clone());
    }
    let kept = hasten_store::Options::new().peek(dir).map_err(|e| Error::key(dir)(e.into()))?.guard;
    let near = if is_usable(&kept)? { kept } else { guard::default(dir)? };
    Ok(fleet::beside(&near))
}

/// Whether the folder of this guard exists on this machine. If that cannot be determined it is an
/// error, because another place would mean another guard.
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
