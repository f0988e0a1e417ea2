//! Location of a stateful key, and options for opening its store.

pub mod fleet;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use hasten_kernels::Kernels;
use hasten_keys::stateful::{Kept, Rebuilding, Rebuilt, Sealed, Stateful};
use hasten_store::{IdentityFile, Indices, Options, Status};

use self::fleet::Elsewhere;
use crate::error::{BadValue, Error};
use crate::fleet::Member;
use crate::guard;
use crate::help;
use crate::interrupt::Interrupt;
use crate::named::Key;
use crate::output::note;
use crate::passphrase::Source;
use crate::progress;
use crate::wait::{self, ForKey};
use crate::witness::Watch;

/// Arguments that name an existing stateful key.
#[derive(clap::Args, Clone, Debug)]
pub struct Place {
    #[command(flatten)]
    pub store: Key,
    #[command(flatten)]
    pub opening: Opening,
}

/// Options that a new stateful key is made with, wherever its secret comes from.
#[derive(clap::Args, Clone, Debug)]
pub struct NewPlace {
    /// A file outside the store that tells an old copy of it from the newest
    /// [default: in the user's state directory].
    #[arg(long, value_name = "PATH", help_heading = help::STATE)]
    guard: Option<PathBuf>,
    /// Accepts a key or a guard on a network or FUSE file system, whose locks may not hold, or in a
    /// container's image. It is kept with the key, and only safe if one session at a time uses it.
    #[arg(long, help_heading = help::STATE)]
    shared_filesystem_accepted: bool,
    /// A file whose content changes when the machine is cloned or put back to a snapshot, as a VM
    /// generation id: the key is then not used on a clone, nor without it.
    #[arg(long, value_name = "PATH", help_heading = help::STATE)]
    machine_id_file: Option<PathBuf>,
    #[command(flatten)]
    pub watch: Watch,
}

impl NewPlace {
    /// Returns the guard of the key in `dir`. The folders above the guard are made.
    pub fn guard(&self, dir: &Path) -> Result<PathBuf, Error> {
        guard::of_new(self.guard.as_deref(), dir)
    }

    /// Returns options that accept the same file systems as the key.
    pub fn world(&self) -> Options {
        Options::new().accept_shared_filesystem(self.shared_filesystem_accepted)
    }

    /// Returns the store options for the key in `dir` with this guard.
    pub fn options(&self, dir: &Path, guard: &Path, fleet: &Member) -> Result<Options, Error> {
        self.watch.over(self.unwatched(guard), dir, fleet)
    }

    /// Returns the store options without the witness.
    pub fn unwatched(&self, guard: &Path) -> Options {
        let options = self.world().guard(guard);
        match &self.machine_id_file {
            Some(path) => options.machine(IdentityFile(path.clone())),
            None => options,
        }
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
    #[arg(long, value_name = "PATH", help_heading = help::STATE)]
    pub guard: Option<PathBuf>,
    /// How long to wait for another process that holds the key.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = wait::for_key, help_heading = help::STATE)]
    pub wait: ForKey,
    /// Accepts a key or a guard on a network or FUSE file system, whose locks may not hold, or in a
    /// container's image. It is kept with the key, and only safe if one session at a time uses it.
    #[arg(long, help_heading = help::STATE)]
    pub shared_filesystem_accepted: bool,
    /// A file whose content changes when the machine is cloned or put back to a snapshot, as a VM
    /// generation id: a key that was used with one is not used on a clone, nor without it.
    #[arg(long, value_name = "PATH", help_heading = help::STATE)]
    pub machine_id_file: Option<PathBuf>,
    #[command(flatten)]
    pub moved: Moved,
    /// Indices that 'hasten recover KEY' burns, and the newest index that it knows.
    #[arg(skip)]
    pub overrides: Option<(u64, Option<u64>)>,
    /// Looks past what is absent of the store: to show what 'hasten recover KEY' goes on from.
    #[arg(skip)]
    pub salvage: bool,
    #[command(flatten)]
    pub watch: Watch,
    #[command(flatten)]
    pub fleet: Member,
}

impl Opening {
    /// Returns the store options for the key in `dir`.
    pub fn options(&self, dir: &Path) -> Result<Options, Error> {
        let mut options = Options::new().wait(self.wait.time());
        options = options.accept_shared_filesystem(self.shared_filesystem_accepted);
        if let Some(guard) = &self.guard {
            options = options.guard(guard);
        }
        if let Some(path) = &self.machine_id_file {
            options = options.machine(IdentityFile(path.clone()));
        }
        if self.salvage {
            options = options.salvage();
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
    /// Opens the key. Its state is in its directory, in a fleet or at a witness.
    pub fn open<'k>(&self, kept: &Kept, kernels: Kernels<'k>) -> Result<Stateful<'k>, Error> {
        let of = Error::key_and_guard(&self.store, self.opening.guard.as_deref());
        let Some(fleet) = fleet::of(&self.store, &self.opening)? else {
            let options = self.opening.options(&self.store)?;
            let open = |how: Rebuilding<'_>| {
                Stateful::open_watched(&self.store, options, kept, kernels, how)
            };
            let key = rebuilding(open).map_err(of)?;
            if key.upgraded() {
                note("the key was of an older form: it was checked and brought up to date");
            }
            note_rebuilt(key.rebuilt());
            return Ok(key);
        };
        let indices = indices(&self.store, fleet)?;
        let open =
            |how: Rebuilding<'_>| Stateful::over_watched(&self.store, indices, kept, kernels, how);
        let key = rebuilding(open).map_err(of)?;
        note_rebuilt(key.rebuilt());
        Ok(key)
    }

    /// Opens the state without the key.
    pub fn indices(&self) -> Result<Box<dyn Indices>, Error> {
        if let Some(fleet) = fleet::of(&self.store, &self.opening)? {
            return indices(&self.store, fleet);
        }
        let opened = self.opening.options(&self.store)?.open(&self.store);
        let of = Error::key_and_guard(&self.store, self.opening.guard.as_deref());
        Ok(Box::new(opened.map_err(|error| of(error.into()))?))
    }
}

/// Opens a key by calling `open`. While files are rebuilt from the seeds, a bar shows the progress,
/// and Ctrl-C stops the work between two steps.
pub fn rebuilding<T>(
    open: impl FnOnce(Rebuilding<'_>) -> Result<T, hasten_keys::Error>,
) -> Result<T, hasten_keys::Error> {
    let interrupt = OnceCell::new();
    let mut bar = None;
    let mut watch = |progress: hasten_hbs::Progress| {
        // If Ctrl-C cannot be handled, it ends the process. Stored files are complete in that case
        // too.
        let interrupt = interrupt.get_or_init(|| Interrupt::listen().unwrap_or_default());
        bar.get_or_insert_with(|| progress::of_leaves(MAKING, interrupt))(progress)
    };
    let opened = open(Rebuilding { threads: hasten_report::cores(), watch: &mut watch });
    note_if_stopped(
        &opened,
        "what was made of the nodes is kept: the next command goes on from there",
    );
    opened
}

/// Prints the note `goes_on` if Ctrl-C stopped a step.
pub fn note_if_stopped<T>(done: &Result<T, hasten_keys::Error>, goes_on: &str) {
    if matches!(done, Err(hasten_keys::Error::Scheme(hasten_hbs::Error::Stopped))) {
        note(goes_on);
    }
}

const MAKING: &str = "making nodes anew from the seed";

/// Prints a note for each file that was rebuilt.
pub fn note_rebuilt(rebuilt: &[Rebuilt]) {
    for Rebuilt { file, damaged, .. } in rebuilt {
        let was = if *damaged { "damaged" } else { "absent" };
        note(&format!("the file '{}' was {was}: rebuilt from the seed", file.name()));
    }
}

/// Opens a state that is not in the key's directory.
fn indices(dir: &Path, state: Elsewhere) -> Result<Box<dyn Indices>, Error> {
    state.open().map_err(|error| Error::key(dir)(error.into()))
}

/// Returns the status of the key's state, in its directory or elsewhere, without opening it.
pub fn peek(dir: &Path, opening: &Opening) -> Result<Status, Error> {
    let state = match fleet::of(dir, opening)? {
        None => opening.options(dir)?.peek(dir),
        Some(fleet) => fleet.peek(),
    };
    state.map_err(|error| Error::key(dir)(error.into()))
}

/// Returns the secret of the key in `dir`. A passphrase is read before the store is locked.
pub fn unseal(dir: &Path, source: &Source) -> Result<Kept, Error> {
    let of = Error::key(dir);
    let sealed = Sealed::of_store(dir).map_err(&of)?;
    if !sealed.is_encrypted() {
        source.note_unneeded(dir);
    }
    let passphrase = sealed.is_encrypted().then(|| source.existing()).transpose()?;
    sealed.open(passphrase.as_deref().map(Vec::as_slice)).map_err(&of)
}

/// Returns a note if a restart of the machine erases the key or its guard.
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

/// Returns a note if a restored copy of the guard file is harder to detect, or not at all.
pub fn binding_note(status: &Status) -> Option<&'static str> {
    match status.binding {
        _ if status.witness => None,
        "file-in-part" => Some(
            "the guard's file system has no time of birth, or makes up its inodes: a copy that is put back is told by fewer signs",
        ),
        "none" => Some(
            "on the guard's file system a copy of key and guard that is put back is not told from the newest: use a local disk, or an outside witness",
        ),
        "not-yet" => Some("the guard is of an older form: the next signature binds it to its file"),
        _ => None,
    }
}

/// Returns remarks on what cannot be detected for a new key, and what to do about it.
pub fn remarks(status: &Status, guard: &Path) -> Vec<String> {
    let backup = (!status.witness).then(|| {
        format!(
            "leave {} out of backups of this key: it tells an old copy from the newest only while it is newer itself",
            guard.display()
        )
    });
    let others = [binding_note(status), clone_note(status)].into_iter().flatten();
    backup.into_iter().chain(others.map(str::to_owned)).collect()
}

/// Returns a warning about what cannot be detected without an outside witness.
pub fn clone_note(status: &Status) -> Option<&'static str> {
    (!status.witness).then_some(crate::witness::WITHOUT)
}
