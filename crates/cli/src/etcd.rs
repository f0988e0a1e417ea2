//! Names in etcd, and the options for access to it. Only with the feature `etcd`.

use std::path::PathBuf;
use std::time::Duration;

use hasten_store_etcd::{Access as Reach, BadName, EtcdCell, Fleet};
use zeroize::Zeroizing;

use crate::error::Error;
use crate::help;

pub use hasten_store_etcd::Name as EtcdName;

/// How etcd is reached.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Access {
    /// Certificate of the authority that etcd's certificates come from, in PEM. Other hosts than
    /// loopback are reached over https only, and https needs it.
    #[arg(long, value_name = "FILE", env = "HASTEN_ETCD_CA", help_heading = help::STATE)]
    etcd_ca: Option<PathBuf>,
    /// Client certificate for etcd, in PEM.
    #[arg(long, value_name = "FILE", env = "HASTEN_ETCD_CERT", requires = "etcd_key", help_heading = help::STATE)]
    etcd_cert: Option<PathBuf>,
    /// Key of the client certificate, in PEM.
    #[arg(long, value_name = "FILE", env = "HASTEN_ETCD_KEY", requires = "etcd_cert", help_heading = help::STATE)]
    etcd_key: Option<PathBuf>,
    /// User of etcd.
    #[arg(long, value_name = "NAME", env = "HASTEN_ETCD_USER", requires = "etcd_password_file", help_heading = help::STATE)]
    etcd_user: Option<String>,
    /// Reads the user's password from the first line of a file.
    #[arg(long, value_name = "FILE", env = "HASTEN_ETCD_PASSWORD_FILE", requires = "etcd_user", help_heading = help::STATE)]
    etcd_password_file: Option<PathBuf>,
}

impl Access {
    fn reach(&self) -> Result<Reach, Error> {
        let mut reach = Reach::new();
        if let Some(file) = &self.etcd_ca {
            reach = reach.authority(&read(file)?).map_err(bad(file))?;
        }
        if let (Some(chain), Some(key)) = (&self.etcd_cert, &self.etcd_key) {
            reach = reach
                .certificate(&read(chain)?, &Zeroizing::new(read(key)?))
                .map_err(bad(chain))?;
        }
        if let (Some(name), Some(file)) = (&self.etcd_user, &self.etcd_password_file) {
            let whole = Zeroizing::new(read(file)?);
            let line = whole.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let password = std::str::from_utf8(line).unwrap_or_default().trim_end_matches('\r');
            reach = reach.user(name, Zeroizing::new(password.to_owned()));
        }
        Ok(reach)
    }

    /// Returns the cell with this name.
    pub fn cell(&self, name: &EtcdName, timeout: Duration) -> Result<EtcdCell, Error> {
        EtcdCell::new(&name.members, &self.reach()?, &name.name, timeout).map_err(refused(name))
    }

    /// Returns the fleet with this name, for the signer with this guard.
    pub fn fleet(&self, name: &EtcdName, guard: &std::path::Path) -> Result<Fleet, Error> {
        let fleet = Fleet::new(&name.members, &name.name, guard).lease(Duration::ZERO);
        fleet.access(self.reach()?).map_err(refused(name))
    }
}

fn read(file: &std::path::Path) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|cause| Error::File { path: file.into(), doing: "reading", cause })
}

fn bad(file: &std::path::Path) -> impl Fn(hasten_store_etcd::BadAccess) -> Error {
    let place = file.display().to_string();
    move |why| Error::Etcd { place: place.clone(), why }
}

fn refused(name: &EtcdName) -> impl Fn(hasten_store_etcd::BadAccess) -> Error {
    let place = name.to_string();
    move |why| Error::Etcd { place: place.clone(), why }
}

/// Parses `NAME@URL[,URL...]`.
pub fn name(text: &str) -> Result<EtcdName, String> {
    text.parse().map_err(|error: BadName| error.to_string())
}
