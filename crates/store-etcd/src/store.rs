//! A fleet's store: reservations as transactions with a token.

use crate::client::{Answer, Silent, Transaction};
use crate::join::Token;
use crate::ledger::{Attempt, Shared};
use crate::session::{Session, View, attempts, lock, random_id};
use hasten_store::{Argument, Guard, Identity, Remote, Service, Status, StoreError, Used};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// One signer of a fleet. Not `Clone`; only one per guard file at a time.
pub type EtcdStore = Remote<EtcdService>;

/// A signer's session with etcd.
pub struct EtcdService {
    session: Session,
    guard: PathBuf,
    name: String,
    unknown: AtomicU64,
}

/// Outcome of a transaction that changes the shared state.
enum Try<T> {
    Done(T),
    /// Another signer was faster. Nothing was done.
    Again,
}

/// Number of attempts of one operation before it fails with [`StoreError::Busy`].
const TRIES: u32 = 400;

impl EtcdService {
    pub(crate) fn new(session: Session, guard: PathBuf, name: String) -> EtcdService {
        EtcdService { session, guard, name, unknown: AtomicU64::new(0) }
    }

    /// Returns a token with which a new signer can join. It has the newest known state of the
    /// fleet, so that the new signer refuses a service that is older. It is not secret, and is good
    /// for any number of signers. A newer token is better than an older one.
    ///
    /// # Errors
    /// [`StoreError::ServiceUnreachable`] and refusals.
    pub fn token(&self) -> Result<String, StoreError> {
        let view = self.session.verified()?;
        let token = Token::of(view.header, view.raft, view.shared.next);
        Ok(token.write(&self.name, &view.shared.identity(), &self.session.values))
    }

    /// Repeats `act` with growing pauses as long as other signers are faster.
    fn contend<T>(
        &self,
        mut act: impl FnMut(&Self) -> Result<Try<T>, StoreError>,
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

    fn try_reserve(&self, count: u64) -> Result<Try<Attempt>, StoreError> {
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
            .put(&state, &self.session.values.encode(&state, &after))
            .put(&key, &self.session.values.encode(&key, &attempt));
        let answer = match self.session.client.ask(&change) {
            Ok(answer) if !answer.done => return Ok(Try::Again),
            Ok(answer) => answer,
            Err(Silent) => self.read_back(&key)?,
        };
        self.won(&view, &answer, after, token, attempt)?;
        lock(&self.session.seen).confirmed_until = asked_at + self.session.lease;
        Ok(Try::Done(attempt))
    }

    /// Writes a reservation that is in the service to the guard. The reservation is valid only
    /// after that.
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
        self.session.remember(answer.header, view.raft, &after)?;
        lock(&self.session.seen).open.insert(token, attempt);
        Ok(())
    }

    /// Checks after a timeout whether the token exists, with a linearizable read that any member
    /// may answer. If it cannot be found, the interval is lost: the transaction may still be on its
    /// way and take effect later.
    fn read_back(&self, key: &str) -> Result<Answer, StoreError> {
        self.session.client.turn();
        let read = Transaction::default().read(key);
        for _ in 0..3 {
            match self.session.client.look(&read) {
                Ok(answer) if answer.reads.iter().any(|r| !r.is_empty()) => return Ok(answer),
                Ok(_) => break,
                Err(Silent) => self.session.env.sleep(Duration::from_millis(200)),
            }
        }
        self.unknown.fetch_add(1, Ordering::Relaxed);
        Err(StoreError::Unknown)
    }

    /// Returns an open reservation whose indices were all used.
    fn used_up(&self, used: Used<'_>) -> Option<(String, Attempt)> {
        let seen = lock(&self.session.seen);
        let full = seen.open.iter().find(|(_, a)| used(&a.range()) == a.count);
        full.map(|(token, attempt)| (token.clone(), *attempt))
    }

    /// Settles one attempt: removes its key and adds its indices to the counters, in one
    /// transaction that can succeed only once.
    fn try_settle(
        &self,
        token: &str,
        attempt: &Attempt,
        used: Used<'_>,
    ) -> Result<Try<()>, StoreError> {
        let view = self.session.verified()?;
        let names = &self.session.names;
        let Some(pair) = view.own.iter().find(|p| View::token(p) == token) else {
            return Ok(self.settled(token));
        };
        let after = view.shared.settle(attempt, used(&attempt.range()));
        let change = Transaction::default()
            .unchanged(&names.state(), view.changed)
            .unchanged(&pair.key, pair.changed);
        let value = self.session.values.encode(&names.state(), &after);
        let change = change.put(&names.state(), &value).delete(&pair.key);
        lock(&self.session.seen).settling.insert(token.to_owned());
        let answer = self.session.client.ask(&change).map_err(|Silent| {
            self.session.client.turn();
            StoreError::ServiceUnreachable
        })?;
        if !answer.done {
            return Ok(Try::Again);
        }
        self.session.remember(answer.header, view.raft, &after)?;
        Ok(self.settled(token))
    }

    fn settled(&self, token: &str) -> Try<()> {
        let mut seen = lock(&self.session.seen);
        seen.open.remove(token);
        seen.settling.remove(token);
        Try::Done(())
    }

    /// Settles all attempts of this signer.
    pub(crate) fn settle_all(&self, used: Used<'_>) -> Result<(), StoreError> {
        let view = self.session.verified()?;
        for (token, attempt, _) in attempts(&self.session, &view) {
            self.contend(|service| service.try_settle(&token, &attempt, used))?;
        }
        Ok(())
    }

    fn try_change(&self, change: impl Fn(Shared) -> Shared) -> Result<Try<()>, StoreError> {
        let view = self.session.verified()?;
        let state = self.session.names.state();
        let after = change(view.shared.clone());
        let value = self.session.values.encode(&state, &after);
        let write = Transaction::default().unchanged(&state, view.changed).put(&state, &value);
        let answer = self.session.client.ask(&write).map_err(|Silent| StoreError::Unknown)?;
        if !answer.done {
            return Ok(Try::Again);
        }
        self.session.remember(answer.header, view.raft, &after)?;
        Ok(Try::Done(()))
    }

    /// Returns the number of reservations whose outcome is unknown. Those that took effect count as
    /// lost.
    pub fn unknown(&self) -> u64 {
        self.unknown.load(Ordering::Relaxed)
    }

    /// Reads and returns the fleet's status. `reserved` is the number of indices that all signers
    /// hold.
    ///
    /// # Errors
    /// [`StoreError::ServiceUnreachable`] and refusals.
    pub fn account(&self) -> Result<Status, StoreError> {
        let view = self.session.verified()?;
        Ok(describe(&view.shared, &self.guard))
    }
}

/// Returns the status that the shared state describes.
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
        shared_filesystem_accepted: false,
        filesystem: None,
        guard_filesystem: None,
        binding: "none",
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
        return Err(StoreError::Argument(Argument::NoCount));
    }
    if count > remaining {
        return Err(StoreError::Exhausted { remaining });
    }
    if remaining <= threshold && !shared.acknowledged {
        return Err(StoreError::NearExhaustion { remaining, threshold });
    }
    Ok(())
}

impl Service for EtcdService {
    fn identity(&self) -> Identity {
        lock(&self.session.seen).shared.as_ref().map(Shared::identity).unwrap_or_default()
    }

    /// Returns [`StoreError::Unknown`] if etcd did not report the outcome. The interval then counts
    /// as lost and is never tried again.
    fn reserve(&self, count: u64) -> Result<Range<u64>, StoreError> {
        Ok(self.contend(|service| service.try_reserve(count))?.range())
    }

    fn check(&self) -> Result<(), StoreError> {
        self.session.check()
    }

    fn settle(&self, used: Used<'_>) -> Result<(), StoreError> {
        while let Some((token, attempt)) = self.used_up(used) {
            self.contend(|service| service.try_settle(&token, &attempt, used))?;
        }
        Ok(())
    }

    fn end(&self, used: Used<'_>) -> Result<Status, StoreError> {
        let told = self.settle_all(used).and_then(|()| self.account());
        // Permits have the guard's file open too, but must not keep other sessions out.
        let disowned = lock(&self.session.seen).guard.as_ref().map_or(Ok(()), Guard::disown);
        told.and_then(|status| disowned.map(|()| status))
    }

    fn status(&self) -> Status {
        let shared = lock(&self.session.seen).shared.clone();
        describe(&shared.unwrap_or_default(), &self.guard)
    }

    fn acknowledge(&self) -> Result<(), StoreError> {
        self.contend(|service| service.try_change(|s| Shared { acknowledged: true, ..s }))
    }

    fn retire(&self) -> Result<(), StoreError> {
        if self.account()?.retired {
            return Err(StoreError::Retired);
        }
        self.contend(|service| service.try_change(retired))
    }
}

fn retired(shared: Shared) -> Shared {
    let burned = shared.burned + (shared.end - shared.next);
    Shared { retired: true, burned, next: shared.end, ..shared }
}
