//! The embedded store: one directory, one owner, one guard.

mod account;
mod commit;
mod evidence;
mod indices;
mod records;

pub(crate) use commit::Change;
pub use evidence::SetAside;

use crate::env::Env;
use crate::error::{Argument, Reason, StoreError};
use crate::guard::Guard;
use crate::identity::Identity;
use crate::judge::no_guard;
use crate::lock::Lock;
use crate::log::{Entry, Log, Signed, trail};
use crate::permit::{Interval, Oversight, Session, lock};
use crate::record::Kind;
use crate::repair::Repair;
use crate::state::State;
use crate::status::Status;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// An open store. At most one per key (or shard) exists at a time, across all processes; not
/// `Clone`.
///
/// Created by [`Options::create`](crate::Options::create) or
/// [`Options::open`](crate::Options::open).
pub struct Store {
    pub(crate) env: Arc<dyn Env>,
    pub(crate) dir: PathBuf,
    pub(crate) guard_path: PathBuf,
    pub(crate) state: State,
    pub(crate) log: Log,
    pub(crate) guard: Guard,
    pub(crate) session: Arc<Session>,
    pub(crate) repair: Option<Repair>,
    pub(crate) broken: bool,
    /// Flags for the guard and the witness: true if it is one commit behind the log. `None` after
    /// the first commit.
    pub(crate) behind: Option<(bool, bool)>,
    pub(crate) commit_time: Duration,
    pub(crate) host: String,
    pub(crate) shared: bool,
    pub(crate) held: Lock,
}

impl Store {
    /// Reserves the next `count` indices. Until the exhaustion warning is acknowledged, a
    /// reservation that would cross the threshold gets only the indices down to the threshold. The
    /// reservation is durable in log and guard, and confirmed by the witness, when this returns.
    ///
    /// # Errors
    /// [`StoreError::Exhausted`], [`StoreError::NearExhaustion`], [`StoreError::Retired`] and every
    /// failed commit. After an error nothing was handed out. Indices that may have been written
    /// count as lost.
    pub fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        let count = self.may_reserve(count)?;
        let first = self.state.next;
        self.commit(&[Change::new(Kind::Reserve, first, count)])?;
        let range = first..first + count;
        lock(&self.session.ledger).grant(range.clone())?;
        Ok(Interval::new(range, Arc::clone(&self.session) as Arc<dyn Oversight>))
    }

    /// Returns the number of indices that may be reserved now. Until the exhaustion warning is
    /// acknowledged, no reservation crosses the threshold.
    fn may_reserve(&self, count: u64) -> Result<u64, StoreError> {
        let (remaining, threshold) = (self.state.remaining(), self.state.threshold);
        if self.state.retired {
            return Err(StoreError::Retired);
        }
        if count == 0 {
            return Err(StoreError::Argument(Argument::NoCount));
        }
        if count > remaining {
            return Err(StoreError::Exhausted { remaining });
        }
        if self.state.acknowledged {
            return Ok(count);
        }
        match remaining.saturating_sub(threshold) {
            0 => Err(StoreError::NearExhaustion { remaining, threshold }),
            above => Ok(count.min(above)),
        }
    }

    /// Records in memory that `index` was used. The next commit, [`Store::flush`] or
    /// [`Store::close`] writes it.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record(&self, index: u64) -> Result<(), StoreError> {
        self.session.record(index)
    }

    /// Records in memory that an index was used and what it signed, as [`Store::record`] does. The
    /// next commit, [`Store::flush`] or [`Store::close`] makes the entry durable and then writes
    /// its log record.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        self.session.record_signed(signed)
    }

    /// Commits what was signed since the last commit, if anything. Guard and witness then have the
    /// head of the signing record, so that nobody can cut off its end. This is one commit.
    ///
    /// # Errors
    /// A failed commit.
    pub fn confirm(&mut self) -> Result<(), StoreError> {
        if lock(&self.session.ledger).unwritten() == 0 && self.state.last == self.state.commit_tag {
            return Ok(());
        }
        self.flush()?;
        self.commit(&[Change::new(Kind::Confirm, self.state.signed, 0)])
    }

    /// Writes the recorded indices and ends the session. Indices that were reserved and not
    /// recorded count as lost from now on.
    ///
    /// # Errors
    /// A failed write. The session has ended anyway.
    pub fn close(mut self) -> Result<Status, StoreError> {
        let flushed = if self.broken { Ok(()) } else { self.flush() };
        self.session.alive.store(false, Ordering::Release);
        flushed.map(|()| self.final_status())
    }

    /// Acknowledges the exhaustion warning.
    ///
    /// # Errors
    /// A failed commit.
    pub fn acknowledge(&mut self) -> Result<(), StoreError> {
        self.commit(&[Change::new(Kind::Acknowledge, self.state.remaining(), 0)])
    }

    /// Sets the exhaustion threshold. An earlier acknowledgement becomes invalid.
    ///
    /// # Errors
    /// A failed commit.
    pub fn set_threshold(&mut self, threshold: u64) -> Result<(), StoreError> {
        self.commit(&[Change::new(Kind::Threshold, threshold, 0)])
    }

    /// Retires the key: burns all remaining indices permanently.
    ///
    /// # Errors
    /// [`StoreError::Retired`] if the key is retired already; a failed commit.
    pub fn retire(&mut self) -> Result<(), StoreError> {
        if self.state.retired {
            return Err(StoreError::Retired);
        }
        self.commit(&[Change::new(Kind::Retire, 0, 0)])
    }

    /// Burns every index before `next`, durably, for a key that was used elsewhere.
    ///
    /// # Errors
    /// [`StoreError::Exhausted`] if fewer indices remain, and a failed commit.
    pub fn burn_to(&mut self, next: u64) -> Result<(), StoreError> {
        let remaining = self.state.remaining();
        match next.checked_sub(self.state.next) {
            None | Some(0) => Ok(()),
            Some(count) if count > remaining => Err(StoreError::Exhausted { remaining }),
            Some(count) => self.commit(&[Change::new(Kind::Burn, count, 0)]),
        }
    }

    /// Binds the store to its public key, durably. Does nothing if it is already bound to this key.
    /// `public` has the form of [`Identity::public`] and is not all zero.
    ///
    /// # Errors
    /// [`StoreError::Refused`] with [`Reason::OtherKey`] if the store is bound to another key; a
    /// failed commit.
    pub fn bind(&mut self, public: [u8; 32]) -> Result<(), StoreError> {
        if self.state.identity().contradicts(&public) {
            return Err(StoreError::Refused(no_guard(Reason::OtherKey, &self.state)));
        }
        if self.state.public == public {
            return Ok(());
        }
        self.commit(&[Change::new(Kind::Bind, 0, 0).with(public)])
    }

    /// Returns the identity of the key.
    pub fn identity(&self) -> Identity {
        self.state.identity()
    }

    /// Returns the duration of the last commit (log, guard and witness).
    pub fn last_commit(&self) -> Duration {
        self.commit_time
    }

    /// Returns the repairs made when the store was opened, if any.
    pub fn repair(&self) -> Option<&Repair> {
        self.repair.as_ref()
    }

    /// Returns the state of the key.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the store's directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the path of the guard file.
    pub fn guard_path(&self) -> &Path {
        &self.guard_path
    }

    /// Returns the audit log, oldest entry first.
    ///
    /// # Errors
    /// A failed read; [`StoreError::Audit`] if the log is damaged or incomplete.
    pub fn audit(&self) -> Result<Vec<Entry>, StoreError> {
        trail::entries(&*self.env, &self.dir, &self.log, &self.state)
    }
}

impl Drop for Store {
    // Best effort for a store that was not closed: writes the recorded indices to the log.
    fn drop(&mut self) {
        if !self.broken {
            let _ = self.flush();
        }
        self.session.end();
    }
}
