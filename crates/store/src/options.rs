//! Options for opening or creating a store.

use crate::config::Config;
use crate::env::{Env, absolute};
use crate::error::StoreError;
use crate::os::Os;
use crate::state::State;
use crate::witness::{Machine, Witness};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Options for opening or creating a store.
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
    /// True if the store is opened to mend its signing record.
    pub(crate) record_may_be_damaged: bool,
    /// True if missing files of the store are tolerated.
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
    /// Returns options for the real operating system, without waiting and without a witness.
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets the operating system interface, such as a simulated disk.
    pub fn env(mut self, env: Arc<dyn Env>) -> Options {
        self.env = env;
        self
    }

    /// Sets the public key that the caller expects, as [`Identity::public`](crate::Identity). A
    /// store that is bound to another public key is refused, whatever the other options are. A
    /// store that is not bound yet is accepted.
    pub fn public(mut self, digest: [u8; 32]) -> Options {
        self.public = Some(digest);
        self
    }

    /// Sets the time to wait for another process to release the store.
    pub fn wait(mut self, wait: Duration) -> Options {
        self.wait = wait;
        self
    }

    /// Sets the path of the guard file. It is needed to create a store, and to open one whose guard
    /// has moved.
    pub fn guard(mut self, path: impl Into<PathBuf>) -> Options {
        self.guard = Some(path.into());
        self
    }

    /// Overrides a refusal: continues after all indices that log and guard know, and burns `count`
    /// more. If copies of this state were used elsewhere, `count` must be at least the number of
    /// indices that they may have used. The store cannot check that. A count below 1 is refused,
    /// and without a guard also a count below the largest reservation on record
    /// ([`StoreError::BurnTooFew`](crate::StoreError::BurnTooFew)).
    pub fn burn(mut self, count: u64) -> Options {
        self.burn = Some(count);
        self
    }

    /// Sets, together with [`Options::burn`], the newest index that is known to be used, here or
    /// elsewhere. The override continues after it. The override then also takes effect if nothing
    /// is refused but this store has not reached that index.
    pub fn known(mut self, index: u64) -> Options {
        self.known = Some(index);
        self
    }

    /// Sets the outside witness. A store created with a witness is never opened without one.
    pub fn witness(mut self, witness: impl Witness + 'static) -> Options {
        self.witness = Some(Box::new(witness));
        self
    }

    /// Sets the source of the machine's identity, which is checked at every use.
    pub fn machine(mut self, machine: impl Machine + 'static) -> Options {
        self.machine = Some(Box::new(machine));
        self
    }

    /// Accepts a directory or a guard on a file system whose locks may not be reliable, or in the
    /// image of a container. The store remembers this choice. It is not needed with a witness,
    /// which detects what the locks do not.
    pub fn accept_shared_filesystem(mut self, accepted: bool) -> Options {
        self.shared = accepted;
        self
    }

    /// Tolerates missing or damaged files of the store, as an override does, to show what is left.
    /// A missing log file counts as empty. An unreadable `config` is replaced by the [guard
    /// path](Options::guard) and the witness in these options.
    pub fn salvage(mut self) -> Options {
        self.salvage = true;
        self
    }

    /// Returns the configuration of the store in `dir`, and whether its file must be rewritten. If
    /// `state` is given, the configuration must belong to it.
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

    /// Accepts that guard and log are not the files that were written last, or were changed by
    /// somebody else ([`Reason::is_moved`](crate::Reason::is_moved)). The caller thereby states
    /// that they were moved on purpose, and that nothing was signed with the key since then, here
    /// or with a copy. The store cannot check that. The acceptance is committed as
    /// [`Kind::Moved`](crate::Kind::Moved). It does nothing if there is no such refusal, and it
    /// lifts no other refusal.
    pub fn accept_moved(mut self, accepted: bool) -> Options {
        self.moved = accepted;
        self
    }

    /// Returns new options with the same operating system interface, to look at files next to a
    /// store that these options will open.
    pub fn beside(&self) -> Options {
        Options::new().env(Arc::clone(&self.env))
    }
}
