//! Looking at a store without opening it.

use crate::config::Config;
use crate::env::Env;
use crate::error::{Call, Errno, Reason, Refusal, StoreError};
use crate::guard;
use crate::identity::Identity;
use crate::judge::{Verdict, judge, no_guard};
use crate::lock;
use crate::log::{Entry, Log, trail};
use crate::open::compare;
use crate::options::Options;
use crate::state::State;
use crate::status::{Status, account};
use std::path::{Path, PathBuf};

impl Options {
    /// Returns which key the store in `dir` is of, without opening it.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek_identity(&self, dir: impl AsRef<Path>) -> Result<Identity, StoreError> {
        Ok(Log::look(&*self.env, dir.as_ref())?.1.state.identity())
    }

    /// Returns the account of a store without opening it: takes no lock and changes nothing. While
    /// another process holds the store the numbers are those of its last write.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek(&self, dir: impl AsRef<Path>) -> Result<Status, StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let read = Config::load(env, dir)?;
        let holder = lock::who(env, dir);
        let (_, found) = Log::look(env, dir)?;
        let (config, _) = read.of(&found.state)?;
        let mut status = account(&found.state, holder.is_some());
        status.guard = config.guard(env, self.guard.as_deref())?;
        status.witness = config.witness;
        status.shared_filesystem_accepted = config.shared;
        status.lies_on(env, dir);
        status.refused = refused(env, &status.guard, &found.state, found.damaged)?;
        status.holder = holder;
        Ok(status)
    }

    /// Compares a store with its outside witness, without opening it: takes no lock and changes
    /// nothing. While another process holds the store, both may move on in between.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if opening would be refused; [`StoreError::NoWitness`] if the store
    /// has none, or none was named; [`StoreError::WitnessUnreachable`] and failed reads.
    pub fn peek_witness(&self, dir: impl AsRef<Path>) -> Result<(), StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let (_, found) = Log::look(env, dir)?;
        let (config, _) = Config::load(env, dir)?.of(&found.state)?;
        let witness = self.witness.as_ref().filter(|_| config.witness);
        let witness = witness.ok_or(StoreError::NoWitness)?;
        compare(&**witness, &found.state).map(drop).map_err(|(error, _)| error)
    }

    /// Returns the audit log of a store without opening it, oldest entry first; as
    /// [`Store::audit`](crate::Store::audit).
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek_audit(&self, dir: impl AsRef<Path>) -> Result<Vec<Entry>, StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let (log, found) = Log::look(env, dir)?;
        trail::entries(env, dir, &log, &found.state)
    }

    /// Returns where the store in `dir` says that its guard is; `None` if it cannot be read.
    pub fn guard_of(&self, dir: impl AsRef<Path>) -> Option<PathBuf> {
        let read = Config::load(&*self.env, dir.as_ref()).ok()?;
        Some(read.choices().guard.clone())
    }
}

fn refused(
    env: &dyn Env,
    path: &Path,
    state: &State,
    damaged: bool,
) -> Result<Option<Refusal>, StoreError> {
    let file = match env.open_read(path) {
        Ok(file) => file,
        Err(Errno::NOT_FOUND) => {
            return Ok(Some(no_guard(Reason::NoGuard, state)));
        }
        Err(errno) => return Err(StoreError::io(Call::Open)(errno).at(path)),
    };
    let Some((_, mark)) = guard::newest(&*file)? else {
        return Ok(Some(no_guard(Reason::DamagedGuard, state)));
    };
    Ok(match judge(state, &mark, damaged) {
        Verdict::Refuse(refusal) => Some(refusal),
        _ => None,
    })
}
