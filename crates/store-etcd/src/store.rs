//! A fleet's store: reservations as transactions with a token.

use crate::client::{Answer, Silent, Transaction};
use crate::fleet::{attempts, random_id};
use crate::ledger::{Attempt, Shared};
use crate::session::{Session, View, lock};
use hasten_store::{Indices, Interval, Oversight, Status, StoreError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// One signer of a fleet. Not `Clone`; one per guard file at a time.
pub struct EtcdStore {
    session: Arc<Session>,
    guard: PathBuf,
    commit_time: Duration,
    unknown: u64,
}

/// How a transaction that wants to change the shared state ended.
enum Try<T> {
    Done(T),
    /// Somebody else was faster; nothing was done.
    Again,
}

/// Tries of one operation before the fleet is called too busy.
const TRIES: u32 = 400;

impl EtcdStore {
    pub(crate) fn new(session: Session, guard: PathBuf) -> EtcdStore {
        EtcdStore { session: Arc::new(session), guard, commit_time: Duration::ZERO, unknown: 0 }
    }

    /// Reserves the next `count` indices of the fleet for this signer.
    ///
    /// # Errors
    /// [`StoreError::Unknown`]: the service did not say whether it was done; the interval counts as lost and is never tried again.
    pub fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        self.session.check_owner()?;
        let begun = self.session.env.monotonic();
        let attempt = self.contend(|store| store.try_reserve(count))?;
        self.commit_time = self.session.env.monotonic().saturating_sub(begun);
        let range = attempt.first..attempt.first + attempt.count;
        lock(&self.session.ledger).grant(range.clone());
        Ok(Interval::new(range, Arc::clone(&self.session) as Arc<dyn Oversight>))
    }

    /// Repeats `act` while other signers are faster, with growing pauses.
    fn contend<T>(
        &mut self,
        mut act: impl FnMut(&mut Self) -> Result<Try<T>, StoreError>,
    ) -> Result<T, StoreError> {
        for round in 0..TRIES {
            if let Try::Done(value) = act(self)? {
                return Ok(value);
            }
            let mut dice = [0; 2];
            let _ = self.session.env.random(&mut dice);
            let most = 500 << round.min(6);
            self.session
                .env
                .sleep(Duration::from_micros(u64::from(u16::from_le_bytes(dice)) % most));
        }
        Err(StoreError::Busy { holder: None })
    }

    fn try_reserve(&mut self, count: u64) -> Result<Try<Attempt>, StoreError> {
        let asked_at = self.session.env.monotonic();
        let view = self.session.verified()?;
        may_reserve(&view.shared, count)?;
        let attempt = Attempt { first: view.shared.next, count };
        let token = random_id(&*self.session.env)?;
        let after = view.shared.reserve(count);
        let names = &self.session.names;
        let (state, key) = (names.state(), names.attempt(&token));
        let change = Transaction::default().unchanged(&state, view.changed).unchanged(&key, 0);
        let change = change
            .unchanged(&names.halt(), 0)
            .put(&state, &after.encode())
            .put(&key, &attempt.encode());
        let answer = match self.session.client.ask(&change) {
            Ok(answer) if !answer.done => return Ok(Try::Again),
            Ok(answer) => answer,
            Err(Silent) => self.read_back(&key)?,
        };
        self.won(&view, &answer, after, token, attempt)?;
        lock(&self.session.seen).confirmed_until = asked_at + self.session.lease;
        Ok(Try::Done(attempt))
    }

    /// The reservation is in the service; it counts only once the guard has it too.
    fn won(
        &self,
        view: &View,
        answer: &Answer,
        after: Shared,
        token: String,
        attempt: Attempt,
    ) -> Result<(), StoreError> {
        if answer.header.cluster != view.header.cluster {
            return Err(StoreError::Unknown);
        }
        self.session.remember(answer.header, &after)?;
        lock(&self.session.seen).open.insert(token, attempt);
        Ok(())
    }

    /// After silence: is the token there? Asked linearizably of every member. If it cannot be found the interval is lost: the
    /// transaction may still be under way and arrive later.
    fn read_back(&mut self, key: &str) -> Result<Answer, StoreError> {
        self.session.client.turn();
        let read = Transaction::default().read(key);
        for _ in 0..3 {
            match self.session.client.look(&read) {
                Ok(answer) if answer.reads.iter().any(|r| !r.is_empty()) => return Ok(answer),
                Ok(_) => break,
                Err(Silent) => self.session.env.sleep(Duration::from_millis(200)),
            }
        }
        self.unknown += 1;
        Err(StoreError::Unknown)
    }

    /// Notes that `index` was used; in memory.
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record(&self, index: u64) -> Result<(), StoreError> {
        self.session.record(index)
    }

    /// Settles the reservations that are used up: the service then counts their indices as used.
    ///
    /// # Errors
    /// [`StoreError::ServiceUnreachable`]; they are settled later.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.session.check_owner()?;
        let full = |store: &Self| {
            let seen = lock(&store.session.seen);
            let full = seen.open.iter().find(|(_, a)| store.used(a) == a.count);
            full.map(|(token, attempt)| (token.clone(), *attempt))
        };
        while let Some((token, attempt)) = full(self) {
            self.contend(|store| store.try_settle(&token, &attempt))?;
        }
        Ok(())
    }

    fn used(&self, attempt: &Attempt) -> u64 {
        lock(&self.session.ledger).used_within(attempt.first..attempt.first + attempt.count)
    }

    /// Settles one attempt: its key goes and the counters take it over, in one transaction that can happen only once.
    fn try_settle(&mut self, token: &str, attempt: &Attempt) -> Result<Try<()>, StoreError> {
        let view = self.session.verified()?;
        let names = &self.session.names;
        let Some(pair) = view.own.iter().find(|p| View::token(p) == token) else {
            return Ok(self.settled(token));
        };
        let after = view.shared.settle(attempt, self.used(attempt));
        let change = Transaction::default()
            .unchanged(&names.state(), view.changed)
            .unchanged(&pair.key, pair.changed);
        let change = change.put(&names.state(), &after.encode()).delete(&pair.key);
        lock(&self.session.seen).settling.insert(token.to_owned());
        let answer = self.session.client.ask(&change).map_err(|Silent| {
            self.session.client.turn();
            StoreError::ServiceUnreachable
        })?;
        if !answer.done {
            return Ok(Try::Again);
        }
        self.session.remember(answer.header, &after)?;
        Ok(self.settled(token))
    }

    fn settled(&self, token: &str) -> Try<()> {
        let mut seen = lock(&self.session.seen);
        seen.open.remove(token);
        seen.settling.remove(token);
        Try::Done(())
    }

    /// Settles everything that stands under this signer's name.
    pub(crate) fn settle_all(&mut self) -> Result<(), StoreError> {
        let view = self.session.verified()?;
        for (token, attempt, _) in attempts(&view) {
            self.contend(|store| store.try_settle(&token, &attempt))?;
        }
        Ok(())
    }

    /// Ends the session: what was reserved and not recorded is lost from now on, and counted.
    ///
    /// # Errors
    /// If the service does not answer; then this signer's next session settles.
    pub fn close(mut self) -> Result<Status, StoreError> {
        self.session.check_owner()?;
        let settled = self.settle_all();
        self.session.alive.store(false, Ordering::Release);
        settled.and_then(|()| self.account())
    }

    /// Acknowledges the exhaustion warning, for the whole fleet.
    ///
    /// # Errors
    /// As [`EtcdStore::reserve`].
    pub fn acknowledge(&mut self) -> Result<(), StoreError> {
        self.contend(|store| store.try_change(|shared| Shared { acknowledged: true, ..shared }))
    }

    /// Retires the key for the whole fleet: burns every index that is left.
    ///
    /// # Errors
    /// As [`EtcdStore::reserve`].
    pub fn retire(&mut self) -> Result<(), StoreError> {
        if self.account()?.retired {
            return Err(StoreError::Retired);
        }
        self.contend(|store| {
            store.try_change(|s| Shared {
                retired: true,
                burned: s.burned + (s.end - s.next),
                next: s.end,
                ..s
            })
        })
    }

    fn try_change(&mut self, change: impl Fn(Shared) -> Shared) -> Result<Try<()>, StoreError> {
        let view = self.session.verified()?;
        let state = self.session.names.state();
        let after = change(view.shared);
        let write =
            Transaction::default().unchanged(&state, view.changed).put(&state, &after.encode());
        let answer = self.session.client.ask(&write).map_err(|Silent| StoreError::Unknown)?;
        if !answer.done {
            return Ok(Try::Again);
        }
        self.session.remember(answer.header, &after)?;
        Ok(Try::Done(()))
    }

    /// Reservations whose outcome could not be learned. If they arrived they count as lost.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// The fleet's account, asked now. `reserved` is what all signers hold.
    ///
    /// # Errors
    /// [`StoreError::ServiceUnreachable`] and refusals.
    pub fn account(&self) -> Result<Status, StoreError> {
        let view = self.session.verified()?;
        Ok(describe(&view.shared, &self.guard))
    }
}

/// The account that the shared state gives.
pub(crate) fn describe(shared: &Shared, guard: &Path) -> Status {
    let settled = shared.used + shared.lost + shared.burned;
    Status {
        schema: "hasten.store-status/1",
        key_id: shared.key_id.clone(),
        capacity: shared.capacity,
        sectors: 1,
        start: shared.start,
        top: shared.end,
        end: shared.end,
        next: shared.next,
        used: shared.used,
        lost: shared.lost,
        burned: shared.burned,
        given: 0,
        reserved: (shared.next - shared.start).saturating_sub(settled),
        remaining: shared.end - shared.next,
        generation: shared.generation,
        threshold: shared.threshold,
        near_exhaustion: shared.end - shared.next <= shared.threshold,
        acknowledged: shared.acknowledged,
        retired: shared.retired,
        guard: guard.to_owned(),
        witness: true,
        holder: None,
        refused: None,
        repair: None,
    }
}

fn may_reserve(shared: &Shared, count: u64) -> Result<(), StoreError> {
    let (remaining, threshold) = (shared.end - shared.next, shared.threshold);
    if shared.retired {
        return Err(StoreError::Retired);
    }
    if count == 0 {
        return Err(StoreError::Argument);
    }
    if count > remaining {
        return Err(StoreError::Exhausted { remaining });
    }
    if remaining <= threshold && !shared.acknowledged {
        return Err(StoreError::NearExhaustion { remaining, threshold });
    }
    Ok(())
}

impl Indices for EtcdStore {
    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        EtcdStore::reserve(self, count)
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        EtcdStore::record(self, index)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        EtcdStore::flush(self)
    }

    /// The fleet's account as this signer last saw it.
    fn status(&self) -> Status {
        let shared = lock(&self.session.seen).shared.clone();
        describe(&shared.unwrap_or_default(), &self.guard)
    }

    fn last_commit(&self) -> Duration {
        self.commit_time
    }

    fn acknowledge(&mut self) -> Result<(), StoreError> {
        EtcdStore::acknowledge(self)
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        EtcdStore::retire(self)
    }

    fn close(self: Box<Self>) -> Result<Status, StoreError> {
        EtcdStore::close(*self)
    }
}

impl Drop for EtcdStore {
    fn drop(&mut self) {
        self.session.alive.store(false, Ordering::Release);
    }
}
