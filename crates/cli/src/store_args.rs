//! Where a stateful key lies, and how its store is opened.

pub mod fleet;

use std::path::{Path, PathBuf};

use hasten_kernels::Kernels;
use hasten_keys::stateful::{Kept, Sealed, Stateful};
use hasten_store::{IdentityFile, Indices, Options, Status};

use crate::error::{BadValue, Error};
use crate::fleet::{Fleet, Member};
use crate::guard;
use crate::output::note;
use crate::passphrase::Source;
use crate::wait::{self, ForKey};
use crate::witness::Watch;

/// Arguments that name an existing stateful key.
#[derive(clap::Args, Clone, Debug)]
pub struct Place {
    /// Directory of the key.
    #[arg(short = 'k', long, value_name = "DIR")]
    pub store: PathBuf,
    #[command(flatten)]
    pub opening: Opening,
}

/// Options that a new stateful key is made with, wherever its secret comes from.
#[derive(clap::Args, Clone, Debug)]
pub struct NewPlace {
    /// A file outside the store that tells an old copy of it from the newest
    /// [default: in the user's state directory].
    #[arg(long, value_name = "PATH")]
    guard: Option<PathBuf>,
    /// Accepts a key or a guard on a network or FUSE file system, whose locks may not hold, or in a
    /// container's image. It is kept with the key, and only safe if one session at a time uses it.
    #[arg(long)]
    shared_filesystem_accepted: bool,
    /// A file whose content changes when the machine is cloned or put back to a snapshot, as a VM
    /// generation id: the key is then not used on a clone, nor without it.
    #[arg(long, value_name = "PATH")]
    machine_id_file: Option<PathBuf>,
    #[command(flatten)]
    pub watch: Watch,
}

impl NewPlace {
    /// Returns the guard of the key in `dir`.
    pub fn guard(&self, dir: &Path) -> Result<PathBuf, Error> {
        self.guard.clone().map_or_else(|| guard::default(dir), Ok)
    }

    /// Returns the store's own options, for the key in `dir` with this guard.
    pub fn options(&self, dir: &Path, guard: &Path, fleet: &Member) -> Result<Options, Error> {
        let mut options = Options::new().guard(guard);
        options = options.accept_shared_filesystem(self.shared_filesystem_accepted);
        if let Some(path) = &self.machine_id_file {
            options = options.machine(IdentityFile(path.clone()));
        }
        self.watch.over(options, dir, fleet)
    }
}

/// Options that went elsewhere: they say where.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Moved {
    #[arg(long, value_name = "N", hide = true, num_args = 0..=1, value_parser = burn_has_moved)]
    burn: Option<u64>,
}

fn burn_has_moved(_: &str) -> Result<u64, BadValue> {
    Err(BadValue::Burn)
}

/// How a store is opened.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Opening {
    /// The guard file, if it has moved since the key was made; of a fleet's signer, its own.
    #[arg(long, value_name = "PATH")]
    pub guard: Option<PathBuf>,
    /// How long to wait for another process that holds the key.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = wait::for_key)]
    pub wait: ForKey,
    /// Accepts a key or a guard on a network or FUSE file system, whose locks may not hold, or in a
    /// container's image. It is kept with the key, and only safe if one session at a time uses it.
    #[arg(long)]
    pub shared_filesystem_accepted: bool,
    /// A file whose content changes when the machine is cloned or put back to a snapshot, as a VM
    /// generation id: a key that was used with one is not used on a clone, nor without it.
    #[arg(long, value_name = "PATH")]
    pub machine_id_file: Option<PathBuf>,
    #[command(flatten)]
    pub moved: Moved,
    /// Indices that 'hasten recover' burns, and the newest index that it knows.
    #[arg(skip)]
    pub overrides: Option<(u64, Option<u64>)>,
    #[command(flatten)]
    pub watch: Watch,
    #[command(flatten)]
    pub fleet: Member,
}

impl Opening {
    /// Returns the store's own options, for the key in `dir`.
    pub fn options(&self, dir: &Path) -> Result<Options, Error> {
        let mut options = Options::new().wait(self.wait.time());
        options = options.accept_shared_filesystem(self.shared_filesystem_accepted);
        if let Some(guard) = &self.guard {
            options = options.guard(guard);
        }
        if let Some(path) = &self.machine_id_file {
            options = options.machine(IdentityFile(path.clone()));
        }
        if let Some((count, known)) = self.overrides {
            options = options.burn(count);
            if let Some(index) = known {
                options = options.known(index);
            }
        }
        self.watch.over(options, dir, &self.fleet)
    }
}

impl Place {
    /// Returns the key, open: its state is its own or its fleet's.
    pub fn open<'k>(&self, kept: &Kept, kernels: Kernels<'k>) -> Result<Stateful<'k>, Error> {
        let of = Error::key_and_guard(&self.store, self.opening.guard.as_deref());
        let Some(fleet) = fleet::of(&self.store, &self.opening)? else {
            let options = self.opening.options(&self.store)?;
            let key = Stateful::open(&self.store, options, kept, kernels).map_err(of)?;
            if key.upgraded() {
                note("the key was of an older form: it was checked and brought up to date");
            }
            return Ok(key);
        };
        Stateful::over(&self.store, indices(&self.store, fleet)?, kept, kernels).map_err(of)
    }

    /// Returns the state alone, open.
    pub fn indices(&self) -> Result<Box<dyn Indices>, Error> {
        if let Some(fleet) = fleet::of(&self.store, &self.opening)? {
            return indices(&self.store, fleet);
        }
        let opened = self.opening.options(&self.store)?.open(&self.store);
        let of = Error::key_and_guard(&self.store, self.opening.guard.as_deref());
        Ok(Box::new(opened.map_err(|error| of(error.into()))?))
    }
}

/// Returns one signer of a fleet.
fn indices(dir: &Path, fleet: Fleet) -> Result<Box<dyn Indices>, Error> {
    Ok(Box::new(fleet.open().map_err(|error| Error::key(dir)(error.into()))?))
}

/// Returns the state in the directory, or that of the key's fleet, which is not opened.
pub fn peek(dir: &Path, opening: &Opening) -> Result<Status, Error> {
    let state = match fleet::of(dir, opening)? {
        None => opening.options(dir)?.peek(dir),
        Some(fleet) => fleet.peek(),
    };
    state.map_err(|error| Error::key(dir)(error.into()))
}

/// Returns the secret of the key in `dir`; its passphrase is asked for before the store is locked.
pub fn unseal(dir: &Path, source: &Source) -> Result<Kept, Error> {
    let of = Error::key(dir);
    let sealed = Sealed::of_store(dir).map_err(&of)?;
    if !sealed.is_encrypted() {
        source.note_unneeded(dir);
    }
    let passphrase = sealed.is_encrypted().then(|| source.existing()).transpose()?;
    sealed.open(passphrase.as_deref().map(Vec::as_slice)).map_err(&of)
}

/// Returns what a restart of the machine takes away.
pub fn memory_note(status: &Status) -> Option<&'static str> {
    let in_memory = |name: Option<&str>| matches!(name, Some("tmpfs" | "ramfs"));
    match (in_memory(status.filesystem), in_memory(status.guard_filesystem)) {
        (true, true) => {
            Some("the key and its guard lie in memory: both are gone when this machine restarts")
        }
        (true, false) => Some("the key lies in memory: it is gone when this machine restarts"),
        (false, true) => Some(
            "the guard lies in memory: when this machine restarts it is gone, and the key is refused",
        ),
        (false, false) => None,
    }
}

/// Returns what cannot be detected without an outside witness.
pub fn clone_note(status: &Status) -> Option<&'static str> {
    (!status.witness).then_some(crate::witness::WITHOUT)
}
