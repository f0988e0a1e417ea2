//! Keys whose indices come from a fleet's state in etcd. Only with the feature `etcd`.
//!
//! The directory of such a key contains its seed, its nodes and the name of its fleet. The state is
//! in etcd. Every signer has such a directory and a guard file of its own.

#[cfg(feature = "etcd")]
use std::path::Path;

#[cfg(feature = "etcd")]
use hasten_keys::stateful::ServiceKey;

#[cfg(feature = "etcd")]
use crate::error::Error;
#[cfg(feature = "etcd")]
use crate::etcd::{Access, EtcdName};
#[cfg(feature = "etcd")]
use crate::help;

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
    #[arg(long, value_name = "NAME@URL,...", value_parser = crate::etcd::name, help_heading = help::STATE)]
    fleet: Option<EtcdName>,
    /// Joins a fleet as a new signer, with what 'hasten fleet token' printed on one that signs
    /// already. It has no effect once this signer has its guard.
    #[cfg(feature = "etcd")]
    #[arg(long, value_name = "TOKEN", help_heading = help::STATE)]
    pub join: Option<String>,
    #[cfg(feature = "etcd")]
    #[command(flatten)]
    pub access: Access,
}

#[cfg(feature = "etcd")]
impl Member {
    /// Returns the fleet named on the command line.
    pub fn named(&self) -> Option<&EtcdName> {
        self.fleet.as_ref()
    }
}

/// Returns the fleet, for the signer with this guard.
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

/// Returns the guard file of the signer, given the guard of the key on the same machine.
#[cfg(feature = "etcd")]
pub fn beside(guard: &Path) -> std::path::PathBuf {
    crate::files::with_ending(guard, ".signer")
}
