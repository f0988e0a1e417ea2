//! How a store is to be opened or made.

use crate::config::Config;
use crate::env::{Env, absolute};
use crate::error::StoreError;
use crate::os::Os;
use crate::state::State;
use crate::witness::{Machine, Witness};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How to open or make a store.
pub struct Options {
    pub(crate) env: Arc<dyn Env>,
    pub(crate) wait: Duration,
    pub(crate) guard: Option<PathBuf>,
    pub(crate) burn: Option<u64>,
    pub(crate) known: Option<u64>,
    pub(crate) witness: Option<Box<dyn Witness>>,
    pub(crate) machine: Option<Box<dyn Machine>>,
    pub(crate) public: Option<[u8; 32]>,
    pub(crate) shared: bool,
    /// The store is opened to mend its record.
    pub(crate) record_may_be_damaged: bool,
    /// Absent files of the store are looked past.
    pub(crate) salvage: bool,
    pub(crate) moved: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            env: Arc::new(Os),
            wait: Duration::ZERO,
            guard: None,
            burn: None,
            known: None,
            witness: None,
            machine: None,
            public: None,
            shared: false,
            record_may_be_damaged: false,
            salvage: false,
            moved: false,
        }
    }
}

impl Options {
    /// Stands on the real operating system, no waiting, no witness.
    pub fn new() -> Options {
        Options::default()
    }

    /// Stands on another world: a simulated disk.
    pub fn env(mut self, env: Arc<dyn Env>) -> Options {
        self.env = env;
        self
    }

    /// Names the public key that the caller expects, as [`Identity::public`](crate::Identity): a
    /// store that is bound to another one is refused, whatever else is asked for. One that is bound
    /// to none yet is opened.
    pub fn public(mut self, digest: [u8; 32]) -> Options {
        self.public = Some(digest);
        self
    }

    /// Waits up to `wait` for another process to let go.
    pub fn wait(mut self, wait: Duration) -> Options {
        self.wait = wait;
        self
    }

    /// Names the guard file. Needed to make a store; when opening, only if it has moved.
    pub fn guard(mut self, path: impl Into<PathBuf>) -> Options {
        self.guard = Some(path.into());
        self
    }

    /// Overrides a refusal: goes on behind everything that log and guard know, and burns `count`
    /// indices more. If copies of this state were used elsewhere, `count` must be at least what
    /// they may have used: nobody can check that. Fewer than 1, and with no guard fewer than the
    /// largest reservation on record, is refused
    /// ([`StoreError::BurnTooFew`](crate::StoreError::BurnTooFew)).
    pub fn burn(mut self, count: u64) -> Options {
        self.burn = Some(count);
        self
    }

    /// Names, with [`Options::burn`], the newest index that is known to be used, wherever it was.
    /// The override goes on behind it, and happens also where nothing is refused but the index is
    /// not used up here.
    pub fn known(mut self, index: u64) -> Options {
        self.known = Some(index);
        self
    }

    /// Takes the outside witness. A store made with one is never opened without.
    pub fn witness(mut self, witness: impl Witness + 'static) -> Options {
        self.witness = Some(Box::new(witness));
        self
    }

    /// Takes the machine's identity, checked at every use.
    pub fn machine(mut self, machine: impl Machine + 'static) -> Options {
        self.machine = Some(Box::new(machine));
        self
    }

    /// Accepts that directory or guard lie on a file system whose locks may not hold, or in the
    /// image of a container. It is kept in the store. With a witness it need not be said: the
    /// witness sees what the locks do not.
    pub fn accept_shared_filesystem(mut self, accepted: bool) -> Options {
        self.shared = accepted;
        self
    }

    /// Looks past files of the store that are absent or damaged, as an override does: to show what
    /// is left. An absent log file counts as empty. In the place of a `config` that cannot be read
    /// stand the guard that is [named](Options::guard), and the witness that is given.
    pub fn salvage(mut self) -> Options {
        self.salvage = true;
        self
    }

    /// Returns the choices of the store in `dir` with this state, and whether their file is to be
    /// written anew.
    pub(crate) fn choices(
        &self,
        dir: &Path,
        state: Option<&State>,
    ) -> Result<(Config, bool), StoreError> {
        let read = Config::load(&*self.env, dir).and_then(|read| match state {
            Some(state) => read.of(state),
            None => Ok((read.choices().clone(), false)),
        });
        match (read, &self.guard) {
            (Err(StoreError::Absent { .. } | StoreError::Damaged { .. }), Some(guard))
                if self.salvage || self.burn.is_some() =>
            {
                let (guard, witness) = (absolute(&*self.env, guard)?, self.witness.is_some());
                Ok((Config { guard, witness, shared: self.shared }, true))
            }
            (read, _) => read,
        }
    }

    /// Accepts that guard and log are other files than those that were written last, or were
    /// changed by somebody else ([`Reason::is_moved`](crate::Reason::is_moved)): they were moved on
    /// purpose, and nothing was signed with the key since, here or with a copy. Nobody can check
    /// that. It is committed as [`Kind::Moved`](crate::Kind::Moved), and where nothing is refused
    /// for this nothing is done. No other refusal is lifted.
    pub fn accept_moved(mut self, accepted: bool) -> Options {
        self.moved = accepted;
        self
    }

    /// Returns fresh options that stand on the same world: to look at files beside a store that
    /// these will open.
    pub fn beside(&self) -> Options {
        Options::new().env(Arc::clone(&self.env))
    }
}
