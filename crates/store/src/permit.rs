//! Permits: the right to use one index once, checked again at the moment of use.

mod ledger;

pub(crate) use ledger::{Ledger, Told};

use crate::env::{Env, File};
use crate::error::{Reason, Refusal, StoreError};
use crate::guard;
use crate::judge::GuardMark;
use crate::log::Signed;
use crate::owner::Owner;
use crate::witness::{Machine, Mark, Witness};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// State that every permit of a session shares with its store.
pub(crate) struct Session {
    pub env: Arc<dyn Env>,
    pub id: u64,
    pub owner: Owner,
    pub store_id: [u8; 16],
    pub key_id: [u8; 16],
    pub guard: Arc<dyn File>,
    pub alive: AtomicBool,
    /// Newest generation whose commit returned.
    pub committed: AtomicU64,
    /// Newest generation whose commit was begun.
    pub attempted: AtomicU64,
    pub ledger: Mutex<Ledger>,
    pub watch: Option<Mutex<Watch>>,
    pub machine: Option<(Box<dyn Machine>, [u8; 16])>,
}

/// The witness, and its mark and lease as this session knows them.
pub(crate) struct Watch {
    pub witness: Box<dyn Witness>,
    pub mark: Option<Mark>,
    pub confirmed_until: Duration,
}

impl Watch {
    /// Advances the witness to `to`. The lease starts when the witness is asked.
    pub fn swap(&mut self, env: &dyn Env, to: Mark) -> Result<(), StoreError> {
        let asked_at = env.monotonic();
        if !self.witness.swap(self.mark.as_ref(), &to)? {
            return Err(StoreError::WitnessMoved);
        }
        self.mark = Some(to);
        self.confirmed_until = asked_at + self.witness.lease();
        Ok(())
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    pub fn check_owner(&self) -> Result<(), StoreError> {
        self.owner.check(&*self.env)?;
        self.is_alive()
    }

    fn is_alive(&self) -> Result<(), StoreError> {
        if self.alive.load(Ordering::Acquire) { Ok(()) } else { Err(StoreError::Closed) }
    }

    /// Ends the session for every permit, and then releases the lock of the guard. Permits have the
    /// guard open too, so that without this release a remaining permit would keep other sessions
    /// out. A lock that cannot be released ends with the last permit. A forked child does not
    /// release its parent's lock.
    pub fn end(&self) {
        self.alive.store(false, Ordering::Release);
        if self.owner.check(&*self.env).is_err() {
            return;
        }
        // If a permit is asking the witness, it finishes before the next session reads the witness.
        let watch = self.watch.as_ref().map(lock);
        drop(watch);
        let _ = self.guard.unlock();
    }

    fn check_machine(&self) -> Result<(), StoreError> {
        match &self.machine {
            Some((machine, identity)) if machine.identity()? != *identity => {
                Err(StoreError::EpochChanged)
            }
            _ => Ok(()),
        }
    }

    /// Checks that the guard holds a generation of this session: at least the last commit, at most
    /// the commit in progress.
    pub fn check_guard(&self) -> Result<(), StoreError> {
        guard::is_there(&*self.guard)?;
        let committed = self.committed.load(Ordering::Acquire);
        let found = guard::newest(&*self.guard)?;
        let attempted = self.attempted.load(Ordering::Acquire);
        let ours = |m: &GuardMark| {
            m.store_id == self.store_id
                && m.session == self.id
                && (committed..=attempted).contains(&m.generation)
        };
        if found.as_ref().is_some_and(ours) { Ok(()) } else { Err(overtaken(found, committed)) }
    }

    fn check_lease(&self) -> Result<(), StoreError> {
        let Some(watch) = &self.watch else { return Ok(()) };
        let mut watch = lock(watch);
        self.is_alive()?;
        if self.env.monotonic() < watch.confirmed_until {
            return Ok(());
        }
        let mark = watch.mark.ok_or(StoreError::WitnessMoved)?;
        let confirmed = watch.swap(&*self.env, Mark { uses: mark.uses + 1, ..mark });
        confirmed.inspect_err(|_| self.alive.store(false, Ordering::Release))
    }
}

/// The source that oversees a permit: an open store, or a service.
pub(crate) trait Oversight: Send + Sync {
    /// Checks that an index of this session may be used now.
    fn check(&self) -> Result<(), StoreError>;

    /// Records that `index` was used.
    fn record(&self, index: u64) -> Result<(), StoreError>;

    /// Records that an index was used and what it signed.
    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError>;
}

impl Oversight for Session {
    /// Checks owner process, machine, guard and lease, in the order of their cost.
    fn check(&self) -> Result<(), StoreError> {
        self.check_owner()?;
        self.check_machine()?;
        self.check_guard()?;
        self.check_lease()
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        self.check_owner()?;
        lock(&self.ledger).record(index)
    }

    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        self.check_owner()?;
        let line = signed.line(&self.key_id, self.env.uid(), self.env.wall_ms());
        lock(&self.ledger).tell(signed.index, line)
    }
}

fn overtaken(found: Option<GuardMark>, committed: u64) -> StoreError {
    let (generation, next) = found.map_or((0, 0), |m| (m.generation, m.next));
    StoreError::Refused(Refusal {
        reason: Reason::Overtaken,
        found: generation,
        expected: committed,
        next_found: next,
        next_expected: next,
    })
}

/// The right to use one index, once. Not `Clone`; made only from a durable reservation.
///
/// Dropping a permit without [`record`](Permit::record) loses its index, which is counted.
pub struct Permit {
    index: u64,
    session: Arc<dyn Oversight>,
}

impl Permit {
    /// Returns the index.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Returns a recorder, for a caller that passes the permit on and must record its index later.
    /// A recorder cannot reserve indices.
    pub fn recorder(&self) -> Recorder {
        Recorder { session: Arc::clone(&self.session) }
    }

    /// Checks, right before the signature is made, that this is the same process and the same
    /// machine, that the session is alive, that no other session has changed the guard, and that
    /// the lease has not expired. An expired lease is confirmed with the witness here. Without a
    /// witness this costs only a few system calls.
    ///
    /// # Errors
    /// The refusal. The index must then not be used.
    pub fn check(&self) -> Result<(), StoreError> {
        self.session.check()
    }

    /// Records in memory that the index was used. The next commit,
    /// [`Store::flush`](crate::Store::flush) or close writes it to the log.
    ///
    /// # Errors
    /// [`StoreError::AlreadyRecorded`], [`StoreError::Forked`], [`StoreError::Closed`].
    pub fn record(self) -> Result<(), StoreError> {
        self.session.record(self.index)
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").field("index", &self.index).finish_non_exhaustive()
    }
}

/// Recorder for indices of the session that a permit came from.
#[derive(Clone)]
pub struct Recorder {
    session: Arc<dyn Oversight>,
}

impl Recorder {
    /// Records that `index` was used, as [`Permit::record`] does.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`], or the session is over.
    pub fn record(&self, index: u64) -> Result<(), StoreError> {
        self.session.record(index)
    }

    /// Records that an index was used and what it signed, for the audit log, as [`Permit::record`]
    /// does.
    ///
    /// # Errors
    /// As [`record`](Recorder::record).
    pub fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        self.session.record_signed(signed)
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

/// A durably reserved range of indices: an iterator of permits, in order.
///
/// Only [`Store::reserve`](crate::Store::reserve) and [`Remote::reserve`](crate::Remote::reserve)
/// create an interval. A permit cannot be used to create another one:
///
/// ```compile_fail
/// fn again(permit: hasten_store::Permit) -> hasten_store::Interval {
///     hasten_store::Interval::new(permit.index()..permit.index() + 1, permit.oversight())
/// }
/// ```
///
/// ```
/// fn only(interval: &mut hasten_store::Interval) -> Option<hasten_store::Permit> {
///     interval.next()
/// }
/// ```
#[must_use = "indices that are not used are lost"]
pub struct Interval {
    range: Range<u64>,
    session: Arc<dyn Oversight>,
}

impl Interval {
    /// Creates an interval for `range`. The range must be durably reserved for this session alone,
    /// and no interval may have been created for it before.
    pub(crate) fn new(range: Range<u64>, session: Arc<dyn Oversight>) -> Interval {
        Interval { range, session }
    }

    /// Returns the indices for which no permit was taken yet.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Splits off the first `count` indices, or all if there are fewer.
    pub fn split(&mut self, count: u64) -> Interval {
        let middle = self.range.start.saturating_add(count).min(self.range.end);
        let first = self.range.start..middle;
        self.range.start = middle;
        Interval { range: first, session: Arc::clone(&self.session) }
    }
}

impl Iterator for Interval {
    type Item = Permit;

    fn next(&mut self) -> Option<Permit> {
        let index = self.range.next()?;
        Some(Permit { index, session: Arc::clone(&self.session) })
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Interval").field(&self.range).finish()
    }
}
