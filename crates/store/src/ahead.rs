//! Reservation in advance, so that a signature never waits for a commit.
//!
//! [`Ahead`] owns the store and fills a pool; signers take permits from the pool through [`Tap`]s.
//! The pool is refilled when it falls to the low-water mark, either by [`Ahead::tick`] (called
//! between signatures) or by a thread ([`Ahead::spawn`]).

mod watermark;

pub use watermark::low_mark;

use crate::error::StoreError;
use crate::indices::Indices;
use crate::permit::{Interval, Permit, lock};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use watermark::{CommitTimes, Rate};

/// Parameters of the reservation in advance.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Indices per reservation. A crash loses up to this many. If twice the low-water mark is
    /// larger, that many are reserved.
    pub interval: u64,
    /// Number of signatures that may be requested at once.
    pub burst: u64,
    /// Largest single reservation.
    pub most: u64,
    /// Largest sum of all reservations. A caller that knows the number of messages sets this limit,
    /// so that no index is lost.
    pub total: u64,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { interval: 64, burst: 8, most: 4096, total: u64::MAX }
    }
}

struct Pool {
    inner: Mutex<Inner>,
    changed: Condvar,
}

struct Inner {
    ready: VecDeque<Interval>,
    rate: Rate,
    commits: CommitTimes,
    seen: Instant,
    stopped: bool,
    failed: Option<StoreError>,
}

impl Inner {
    fn available(&self) -> u64 {
        self.ready.iter().map(|i| i.range().end - i.range().start).sum()
    }

    fn low(&mut self, burst: u64) -> u64 {
        let now = Instant::now();
        self.rate.pass(now - self.seen);
        self.seen = now;
        low_mark(self.rate.per_second(), self.commits.slowest(), burst)
    }

    fn take(&mut self) -> Option<Permit> {
        let permit = self.ready.front_mut()?.next();
        if permit.is_none() {
            self.ready.pop_front();
            return self.take();
        }
        self.rate.take();
        permit
    }
}

/// A store with a pool of indices reserved in advance.
pub struct Ahead<S> {
    store: S,
    pool: Arc<Pool>,
    policy: Policy,
}

impl<S: Indices> Ahead<S> {
    /// Wraps a store; nothing is reserved yet.
    pub fn new(store: S, policy: Policy) -> Ahead<S> {
        let inner = Inner {
            ready: VecDeque::new(),
            rate: Rate::default(),
            commits: CommitTimes::default(),
            seen: Instant::now(),
            stopped: false,
            failed: None,
        };
        Ahead {
            store,
            pool: Arc::new(Pool { inner: Mutex::new(inner), changed: Condvar::new() }),
            policy,
        }
    }

    /// Returns a handle for a signer. It works in any thread.
    pub fn tap(&self) -> Tap {
        Tap { pool: Arc::clone(&self.pool) }
    }

    /// Reserves indices if the pool is at or below its low-water mark. Otherwise flushes the
    /// recorded indices ([`Indices::flush`]). Returns true if it reserved.
    ///
    /// # Errors
    /// The errors of [`Indices::reserve`] and [`Indices::flush`]. Permits in the pool stay valid.
    pub fn tick(&mut self) -> Result<bool, StoreError> {
        let (low, available) = {
            let mut inner = lock(&self.pool.inner);
            (inner.low(self.policy.burst), inner.available())
        };
        if available > low || self.policy.total == 0 {
            return self.store.flush().map(|()| false);
        }
        let want = self.want(low);
        let interval = self.store.reserve(want)?;
        self.policy.total -= want;
        let mut inner = lock(&self.pool.inner);
        inner.commits.add(self.store.last_commit());
        inner.ready.push_back(interval);
        self.pool.changed.notify_all();
        Ok(true)
    }

    /// Returns the number of indices to reserve at this low-water mark.
    fn want(&self, low: u64) -> u64 {
        let Policy { interval, most, total, .. } = self.policy;
        interval.max(2 * low).min(most).min(total).min(self.store.status().remaining.max(1))
    }

    /// Moves the store to a thread that keeps the pool filled.
    pub fn spawn(mut self) -> Keeper<S>
    where
        S: 'static,
    {
        let pool = Arc::clone(&self.pool);
        let thread = std::thread::spawn(move || {
            self.keep();
            self.store
        });
        Keeper { pool, thread: Some(thread) }
    }

    fn keep(&mut self) {
        while !lock(&self.pool.inner).stopped {
            let ended = self.tick().err();
            let ended = ended.or_else(|| (self.policy.total == 0).then_some(StoreError::Empty));
            if ended.is_some() {
                lock(&self.pool.inner).failed = ended;
                self.pool.changed.notify_all();
                return;
            }
            self.pause();
        }
    }

    /// Sleeps until the pool is at its low-water mark. Recomputes the mark at least every 20 ms.
    fn pause(&self) {
        let mut inner = lock(&self.pool.inner);
        while !inner.stopped && inner.available() > inner.low(self.policy.burst) {
            inner = wait(&self.pool.changed, inner, Duration::from_millis(20));
        }
    }

    /// Returns the store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Returns the store. Indices in the pool are lost.
    pub fn into_store(self) -> S {
        lock(&self.pool.inner).ready.clear();
        self.store
    }
}

fn wait<'a>(
    changed: &Condvar,
    inner: MutexGuard<'a, Inner>,
    time: Duration,
) -> MutexGuard<'a, Inner> {
    changed
        .wait_timeout(inner, time)
        .map_or_else(|e| PoisonError::into_inner(e).0, |(inner, _)| inner)
}

/// A signer's handle to the pool.
#[derive(Clone)]
pub struct Tap {
    pool: Arc<Pool>,
}

impl Tap {
    /// Returns the next permit. Waits up to `patience` if the pool is empty.
    ///
    /// # Errors
    /// [`StoreError::Empty`] if no permit came in time, or the error that stopped the refilling.
    pub fn take(&self, patience: Duration) -> Result<Permit, StoreError> {
        let end = Instant::now() + patience;
        let mut inner = lock(&self.pool.inner);
        loop {
            let permit = inner.take();
            self.pool.changed.notify_all();
            if let Some(permit) = permit {
                return Ok(permit);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || inner.stopped || inner.failed.is_some() {
                return Err(inner.failed.clone().unwrap_or(StoreError::Empty));
            }
            inner = wait(&self.pool.changed, inner, left);
        }
    }

    /// Returns the number of permits in the pool.
    pub fn available(&self) -> u64 {
        lock(&self.pool.inner).available()
    }
}

/// Handle to the thread that keeps the pool filled. Dropping the handle stops the thread.
pub struct Keeper<S> {
    pool: Arc<Pool>,
    thread: Option<JoinHandle<S>>,
}

impl<S> Keeper<S> {
    /// Returns a handle for a signer.
    pub fn tap(&self) -> Tap {
        Tap { pool: Arc::clone(&self.pool) }
    }

    /// Stops the thread and returns the store. Indices in the pool are lost. Returns `None` if the
    /// thread panicked.
    pub fn stop(mut self) -> Option<S> {
        self.signal();
        self.thread.take().and_then(|t| t.join().ok())
    }

    fn signal(&self) {
        lock(&self.pool.inner).stopped = true;
        self.pool.changed.notify_all();
    }
}

impl<S> Drop for Keeper<S> {
    fn drop(&mut self) {
        self.signal();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
