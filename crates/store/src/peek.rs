//! Inspection of a store without opening it.

use crate::binding::{Files, Stamp, Strength};
use crate::config::Config;
use crate::error::{Call, Errno, FileKind, Reason, Refusal, StoreError, first_of};
use crate::guard;
use crate::identity::Identity;
use crate::judge::{GuardMark, Verdict, judge_found, no_guard};
use crate::kind::must_not_be_other;
use crate::lock;
use crate::log::{Entry, Found, Log, trail};
use crate::open::compare;
use crate::options::Options;
use crate::status::{Status, account};
use std::ops::Range;
use std::path::{Path, PathBuf};

impl Options {
    /// Returns the identity of the key of the store in `dir`, without opening it.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek_identity(&self, dir: impl AsRef<Path>) -> Result<Identity, StoreError> {
        Ok(Log::look(&*self.env, dir.as_ref())?.1.state.identity())
    }

    /// Returns the range of indices with which the store in `dir` was created, without opening it.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek_range(&self, dir: impl AsRef<Path>) -> Result<Range<u64>, StoreError> {
        let state = Log::look(&*self.env, dir.as_ref())?.1.state;
        Ok(state.start..state.top)
    }

    /// Returns the status of a store without opening it, and changes nothing. Holds the lock only
    /// for an instant, to learn whether it is free. While another process holds the store, the
    /// numbers are those of its last write.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek(&self, dir: impl AsRef<Path>) -> Result<Status, StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let holder = lock::who(env, dir)?;
        let (log, found) = if self.salvage { Log::salvage(env, dir) } else { Log::look(env, dir) }?;
        let (config, _) = self.choices(dir, Some(&found.state))?;
        let mut status = account(&found.state, holder.is_some());
        status.guard = config.guard(env, self.guard.as_deref())?;
        status.witness = config.witness;
        status.shared_filesystem_accepted = config.shared;
        status.lies_on(env, dir)?;
        match env.open_read(&status.guard) {
            Ok(file) => {
                let files = Files::of(&*file, log.identities()?)?;
                let slot = guard::slot(&*file, FileKind::Guard)?;
                if slot.is_none() {
                    must_not_be_other(&*file, &status.guard, FileKind::Guard)?;
                }
                let strength = Strength::of(&files.guard);
                let unbound = slot.as_ref().is_some_and(|slot| !slot.binding.is_bound());
                let not_yet = unbound && strength != Strength::None;
                status.binding = if not_yet { "not-yet" } else { strength.word() };
                let stamp = Stamp::look(env, dir, &found.state.store_id)?;
                let moved = slot.as_ref().filter(|_| !config.witness);
                let moved = moved.and_then(|slot| slot.judge(&files, stamp.as_ref(), &found));
                let mark = slot.map(|slot| slot.mark);
                status.refused = refused(mark, &found, moved);
            }
            Err(Errno::NOT_FOUND) => {
                status.refused = Some(no_guard(Reason::NoGuard, &found.state));
            }
            Err(e) => return Err(StoreError::io(Call::Open)(e).at(&status.guard)),
        }
        status.holder = holder;
        Ok(status)
    }

    /// Compares a store with its outside witness, without opening it. Takes no lock and changes
    /// nothing. While another process holds the store, both may advance in between.
    ///
    /// # Errors
    /// [`StoreError::Refused`] if opening would be refused; [`StoreError::NotWatched`] if the store
    /// has no witness, [`StoreError::NoWitness`] if these options have none;
    /// [`StoreError::WitnessUnreachable`] and failed reads.
    pub fn peek_witness(&self, dir: impl AsRef<Path>) -> Result<(), StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let (_, found) = Log::look(env, dir)?;
        let (config, _) = Config::load(env, dir)?.of(&found.state)?;
        if !config.witness {
            return Err(StoreError::NotWatched);
        }
        let witness = self.witness.as_ref().ok_or(StoreError::NoWitness)?;
        compare(&**witness, &found.state).map(drop).map_err(|(error, _)| error)
    }

    /// Returns the audit log of a store without opening it, oldest entry first, as
    /// [`Store::audit`](crate::Store::audit) does.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] and failed reads.
    pub fn peek_audit(&self, dir: impl AsRef<Path>) -> Result<Vec<Entry>, StoreError> {
        let (env, dir) = (&*self.env, dir.as_ref());
        let (log, found) = Log::look(env, dir)?;
        trail::entries(env, dir, &log, &found.state)
    }

    /// Returns the path of the guard in the configuration of the store in `dir`; `None` if the
    /// configuration cannot be read.
    pub fn guard_of(&self, dir: impl AsRef<Path>) -> Option<PathBuf> {
        let read = Config::load(&*self.env, dir.as_ref()).ok()?;
        Some(read.choices().guard.clone())
    }
}

/// Returns the refusal that opening would meet. `moved` is the reason why the files are not those
/// that were written here.
fn refused(mark: Option<GuardMark>, found: &Found, moved: Option<Reason>) -> Option<Refusal> {
    let state = &found.state;
    let Some(mark) = mark else { return Some(no_guard(Reason::DamagedGuard, state)) };
    let by_files = moved.map(|reason| no_guard(reason, state));
    match judge_found(found, &mark) {
        Verdict::Refuse(refusal) => first_of(Some(refusal), by_files),
        _ => by_files,
    }
}
