//! The register of imports: a folder that records which keys and shards came to this machine.

use std::path::{Path, PathBuf};

use hasten_store::{Env as _, FileSystem, Options, Os, StoreError};

use crate::error::Error;
use crate::help;
use crate::output::note;

/// Name of the register in sentences.
pub const REGISTER: &str = "register of imports";

/// Description of the step that failed if a path could not be made absolute.
const FINDING: &str = "finding the whole path of the register";

/// Hint if the register cannot be in the user's state directory.
pub const REGISTER_HINT: &str = "--register DIR names a folder on a disk of this machine; every \
    import on this machine must name the same one, or one index may sign two messages. --guard PATH \
    says where the guard is to lie";

/// Option that names the register of imports.
#[derive(clap::Args, Clone, Debug)]
pub struct Register {
    /// The folder that keeps which files were imported, so that none is imported twice. Every
    /// import on one machine must name the same one [default: in the user's state directory].
    #[arg(long, value_name = "DIR", help_heading = help::STATE)]
    register: Option<PathBuf>,
}

impl Register {
    /// Returns the folder of the register for the key in `dir`. The folder is made if it does not
    /// exist, and must pass the same checks as a guard. `world` tells whether a shared file system
    /// is accepted.
    ///
    /// No other folder replaces one that cannot be used: a register in another place would not know
    /// what was imported before.
    pub fn folder(&self, dir: &Path, world: &Options) -> Result<PathBuf, Error> {
        let found = match &self.register {
            Some(named) => {
                let whole = |path: &Path| std::path::absolute(path).map_err(Error::system(FINDING));
                let (named, key) = (whole(named)?, whole(dir)?);
                if named.starts_with(&key) {
                    return Err(Error::NoRegister(StoreError::RegisterIsKey { path: key }));
                }
                world.make_register(&named).map_err(Error::NoRegister)?
            }
            None => {
                let made = world.state_folder("imports", &|name| std::env::var_os(name));
                let judged = made.and_then(|path| world.check_register(&path));
                judged.map_err(|why| Error::NoStateFolder { holds: REGISTER, why })?
            }
        };
        note_if_in_memory(&found)?;
        Ok(found)
    }
}

/// Prints a note if a restart of the machine erases the register.
fn note_if_in_memory(register: &Path) -> Result<(), Error> {
    let failed = |errno: hasten_store::Errno| Error::File {
        path: register.to_owned(),
        doing: "finding the file system of",
        cause: std::io::Error::from_raw_os_error(errno.0),
    };
    if let FileSystem::Memory(_) = Os.filesystem(register).map_err(failed)? {
        note(
            "the register of imports lies in memory: when this machine restarts it is gone, and a copy of the file could be imported again",
        );
    }
    Ok(())
}
