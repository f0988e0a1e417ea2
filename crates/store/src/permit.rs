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

/// The state that every permit of a session shares with its store.
pub(crate) struct Session {
    pub env: Arc<dyn Env>,
    pub id: u64,
    pub owner: Owner,
    pub store_id: [u8; 16],
    pub key_id: [u8; 16],
    pub guard: Arc<dyn File>,
    pub alive: AtomicBool,
    /// Newest generation whose commit returned, and newest one begun.
    pub committed: AtomicU64,
    pub attempted: AtomicU64,
    pub ledger: Mutex<Ledger>,
    pub watch: Option<Mutex<Watch>>,
    pub machine: Option<(Box<dyn Machine>, [u8; 16])>,
}

/// The witness and what this session knows of it.
pub(crate) struct Watch {
    pub witness: Box<dyn Witness>,
    pub mark: Option<Mark>,
    pub confirmed_until: Duration,
}

impl Watch {
    /// Moves the witness on; from then on the lease runs.
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

    /// Ends the session for every permit of it, and then the lock of the guard, which permits have
    /// open too: a permit that lives on keeps no other session out. A lock that cannot be let go
    /// ends with the last permit; the child of a fork, which has its parent's, lets nothing go.
    pub fn end(&self) {
        self.alive.store(false, Ordering::Release);
        if self.owner.check(&*self.env).is_err() {
            return;
        }
        // A permit that is asking the witness moves it on before the next session reads it.
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
    /// the one under way.
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

/// The keeper behind a permit: an open store, or a service.
pub(crate) trait Oversight: Send + Sync {
    /// Checks whether an index of this session may be used now.
    fn check(&self) -> Result<(), StoreError>;

    /// Notes that `index` was used.
    fn record(&self, index: u64) -> Result<(), StoreError>;

    /// Notes that an index was used, and what for.
    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError>;
}

impl Oversight for Session {
    /// Checks owner, process, machine, generation, lease: in the order of their cost.
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

    /// Returns a recorder for whoever hands the permit on and must record its index later. Nothing
    /// can be reserved with it.
    pub fn recorder(&self) -> Recorder {
        Recorder { session: Arc::clone(&self.session) }
    }

    /// Asks again, right before the signature is made: same process, session alive, machine the
    /// same, guard not overtaken, lease running (an expired one is confirmed with the witness
    /// here). Four system calls without a witness.
    ///
    /// # Errors
    /// The refusal; then the index must not be used.
    pub fn check(&self) -> Result<(), StoreError> {
        self.session.check()
    }

    /// Notes that the index was used. In memory; the log has it with the next commit,
    /// [`Store::flush`](crate::Store::flush) or close.
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

/// Records indices of the session that a permit came from.
#[derive(Clone)]
pub struct Recorder {
    session: Arc<dyn Oversight>,
}

impl Recorder {
    /// Notes that `index` was used; as [`Permit::record`].
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`], or the session is over.
    pub fn record(&self, index: u64) -> Result<(), StoreError> {
        self.session.record(index)
    }

    /// Notes that an index was used and what it signed, for the audit log; as [`Permit::record`].
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
/// Made by [`Store::reserve`](crate::Store::reserve) and
/// [`Remote::reserve`](crate::Remote::reserve) alone. Nothing that a permit gives makes another
/// one:
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
    /// Takes `range`, which is durably reserved, for this session alone, and was minted by nobody
    /// before.
    pub(crate) fn new(range: Range<u64>, session: Arc<dyn Oversight>) -> Interval {
        Interval { range, session }
    }

    /// Returns the indices for which no permit was taken yet.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Splits off the first `count` indices (or all).
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
