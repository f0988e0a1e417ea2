//! One signer's session: its knowledge of the service, and the checks before a use.

use crate::client::{Client, Header, Pair, Silent, Transaction};
use crate::join::Token;
use crate::ledger::{Attempt, Names, Shared, Values};
use crate::raft::Raft;
use hasten_store::{Env, Guard, GuardMark, Identity, Reason, Refusal, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What this signer has seen. The first part is also in its guard file.
pub(crate) struct Seen {
    /// `None` only for a signer without a guard that is inspected and not opened.
    pub guard: Option<Guard>,
    /// `session` holds the revision, `tag` the cluster, `previous_tag` the signer, `machine` the
    /// position of the [`Raft`] log.
    pub mark: Option<GuardMark>,
    /// Reservations of this session that are not settled.
    pub open: BTreeMap<String, Attempt>,
    /// Reservations for which a settlement was sent and not answered.
    pub settling: BTreeSet<String>,
    pub shared: Option<Shared>,
    pub confirmed_until: Duration,
}

impl Seen {
    pub fn new(guard: Option<Guard>, mark: Option<GuardMark>) -> Seen {
        let (open, settling) = (BTreeMap::new(), BTreeSet::new());
        Seen { guard, mark, open, settling, shared: None, confirmed_until: Duration::ZERO }
    }
}

pub(crate) struct Session {
    pub env: Arc<dyn Env>,
    pub client: Client,
    pub names: Names,
    pub values: Values,
    /// Identity of the key that this signer has.
    pub expected: Option<Identity>,
    pub lease: Duration,
    pub seen: Mutex<Seen>,
}

/// The result of one linearizable read.
pub(crate) struct View {
    pub header: Header,
    pub shared: Shared,
    /// Revision of the last change of the shared state.
    pub changed: u64,
    /// This signer's attempts.
    pub own: Vec<Pair>,
    pub halted: bool,
    pub raft: Raft,
}

impl View {
    /// Returns the token at the end of an attempt's key.
    pub fn token(pair: &Pair) -> String {
        pair.key.rsplit('/').next().unwrap_or_default().to_owned()
    }
}

impl Session {
    /// Reads the state, this signer's attempts and the halt mark, in one transaction.
    pub fn look(&self) -> Result<View, StoreError> {
        let names = &self.names;
        let reads =
            Transaction::default().read(&names.state()).read_all(&names.own()).read(&names.halt());
        let answer = self.client.look(&reads).map_err(|Silent| StoreError::ServiceUnreachable)?;
        let [state, own, halt] =
            <[Vec<Pair>; 3]>::try_from(answer.reads).map_err(|_| StoreError::ServiceUnreachable)?;
        let header = answer.header;
        let Some((shared, changed)) = self.values.state(&state) else {
            return self.vanished(header);
        };
        self.is_ours(header, &shared)?;
        let raft = Raft { term: header.term, committed: 0 };
        Ok(View { header, shared, changed, own, halted: !halt.is_empty(), raft })
    }

    /// Checks that the state is that of this signer's key, before anything in it is used or
    /// written.
    fn is_ours(&self, header: Header, shared: &Shared) -> Result<(), StoreError> {
        let found = shared.identity();
        let other = |ours: &Identity| {
            ours.key_id != found.key_id || (found.is_bound() && ours.public != found.public)
        };
        if !self.expected.as_ref().is_some_and(other) {
            return Ok(());
        }
        Err(refusal(
            Reason::OtherKey,
            (header.revision, header.revision),
            (shared.next, shared.next),
        ))
    }

    /// Returns the error if no state has this name: it never existed, or the service lost it.
    fn vanished(&self, header: Header) -> Result<View, StoreError> {
        match &lock(&self.seen).mark {
            None => Err(StoreError::NotAStore),
            Some(mark) => Err(refused(mark, header, 0)),
        }
    }

    /// Reads the state and checks it against everything that this signer has seen, before anything
    /// is changed. Also asks the member that answered for its Raft log. If the state does not fit,
    /// stops the whole fleet, provided that the guard belongs to this key: a wrong guard path stops
    /// nobody else.
    pub fn verified(&self) -> Result<View, StoreError> {
        let mut view = self.look()?;
        view.raft.committed =
            self.client.committed().map_err(|Silent| StoreError::ServiceUnreachable)?;
        self.fits(view)
    }

    /// Checks the state as [`verified`](Session::verified) does, but without the Raft log. This is
    /// enough for a session that has changed the state itself: a service that is older than that
    /// change does not know it.
    fn glance(&self) -> Result<View, StoreError> {
        self.fits(self.look()?)
    }

    fn fits(&self, view: View) -> Result<View, StoreError> {
        let judged = self.judged(&view);
        // A new signer has only a token to rely on, which may be old.
        let new = lock(&self.seen).mark.as_ref().is_none_or(|mark| mark.generation == 0);
        let lost = matches!(judged, Err(StoreError::Refused(r)) if r.reason == Reason::Service);
        if lost && !view.halted && !new {
            self.halt();
        }
        judged.map(|()| view)
    }

    /// Checks that a read fits everything that this signer has seen.
    pub fn judged(&self, view: &View) -> Result<(), StoreError> {
        judge(&lock(&self.seen), view)
    }

    /// Writes the halt mark for the other signers, if possible.
    fn halt(&self) {
        let names = &self.names;
        let halt = Transaction::default()
            .unchanged(&names.halt(), 0)
            .put(&names.halt(), names.signer.as_bytes());
        drop(self.client.ask(&halt));
    }

    /// Begins with the knowledge of another signer. It is written to the guard after the service
    /// was found to fit it.
    pub fn take_over(&self, known: &Token, shared: &Shared) {
        let mut mark = self.mark(known.header, known.raft, shared, 0);
        mark.next = known.next;
        lock(&self.seen).mark = Some(mark);
    }

    fn mark(&self, header: Header, raft: Raft, shared: &Shared, generation: u64) -> GuardMark {
        GuardMark {
            store_id: shared.identity().key_id,
            identity: shared.identity(),
            generation,
            next: shared.next,
            end: shared.end,
            tag: cluster_tag(header.cluster),
            previous_tag: crate::ledger::id16(&self.names.signer),
            session: header.revision,
            machine: raft.bytes(),
        }
    }

    /// Writes the present knowledge to the guard, durably.
    pub fn remember(&self, header: Header, raft: Raft, shared: &Shared) -> Result<(), StoreError> {
        let mut seen = lock(&self.seen);
        let raft = Raft { term: header.term, ..raft };
        let raft = if seen.shared.is_some() { raft.after(known(&seen)) } else { raft };
        let generation = seen.mark.as_ref().map_or(1, |m| m.generation + 1);
        let mark = self.mark(header, raft, shared, generation);
        seen.guard.as_mut().map_or(Ok(()), |guard| guard.store(&mark))?;
        seen.mark = Some(mark);
        seen.shared = Some(shared.clone());
        Ok(())
    }

    /// Checks the lease. If it has expired, asks the service, which must still know every open
    /// reservation.
    pub fn check(&self) -> Result<(), StoreError> {
        let asked_at = self.env.monotonic();
        if asked_at < lock(&self.seen).confirmed_until {
            return Ok(());
        }
        self.glance()?;
        lock(&self.seen).confirmed_until = asked_at + self.lease;
        Ok(())
    }
}

pub(crate) fn cluster_tag(cluster: u64) -> [u8; 16] {
    let mut tag = [0; 16];
    tag[..8].copy_from_slice(&cluster.to_le_bytes());
    tag
}

/// Returns the position of the Raft log according to the guard.
fn known(seen: &Seen) -> Raft {
    seen.mark.as_ref().map_or(Raft::default(), Raft::of)
}

/// Checks that the cluster is the same, was not rolled back, and knows every open reservation.
fn judge(seen: &Seen, view: &View) -> Result<(), StoreError> {
    let Some(mark) = &seen.mark else { return Err(unknown_signer(view)) };
    is_of_key(mark, view)?;
    let next = (view.shared.next, mark.next);
    let same = mark.tag == cluster_tag(view.header.cluster);
    let before = Raft::of(mark);
    let back = [
        (view.header.revision, mark.session),
        (view.raft.term, before.term),
        // Not asked for in every read.
        (if view.raft.committed == 0 { u64::MAX } else { view.raft.committed }, before.committed),
    ];
    if let Some(fallen) = back.into_iter().find(|(found, expected)| found < expected) {
        return Err(refusal(Reason::Service, fallen, next));
    }
    let known: BTreeSet<String> = view.own.iter().map(View::token).collect();
    let missing = |token: &String| !known.contains(token) && !seen.settling.contains(token);
    if !same || view.shared.next < mark.next || view.halted || seen.open.keys().any(missing) {
        return Err(refusal(Reason::Service, back[0], next));
    }
    Ok(())
}

/// Returns an error for a guard of another key: its path is wrong, and it knows nothing of this
/// service.
pub(crate) fn is_of_key(mark: &GuardMark, view: &View) -> Result<(), StoreError> {
    let (found, next) = (view.shared.identity(), (view.shared.next, mark.next));
    let bound = mark.identity.is_bound();
    if mark.store_id == found.key_id && (!bound || mark.identity.public == found.public) {
        return Ok(());
    }
    Err(refusal(Reason::ForeignGuard, (view.header.revision, mark.session), next))
}

/// Returns the error for a signer without a guard. It has seen nothing, so it cannot know whether
/// the service was rolled back.
fn unknown_signer(view: &View) -> StoreError {
    let (revision, next) = (view.header.revision, view.shared.next);
    refusal(Reason::NoGuard, (0, revision), (0, next))
}

fn refused(mark: &GuardMark, header: Header, next: u64) -> StoreError {
    refusal(Reason::Service, (header.revision, mark.session), (next, mark.next))
}

/// Returns a refusal with the found and the expected numbers.
fn refusal(reason: Reason, generation: (u64, u64), next: (u64, u64)) -> StoreError {
    StoreError::Refused(Refusal {
        reason,
        found: generation.0,
        expected: generation.1,
        next_found: next.0,
        next_expected: next.1,
    })
}

/// Returns the open attempts of this signer according to the service.
pub(crate) fn attempts(session: &Session, view: &View) -> Vec<(String, Attempt, u64)> {
    let attempt = |p| Some((View::token(p), session.values.decode(p)?, p.changed));
    view.own.iter().filter_map(attempt).collect()
}

/// Returns a random id of 32 hexadecimal digits.
pub(crate) fn random_id(env: &dyn Env) -> Result<String, StoreError> {
    let mut id = [0; 16];
    env.random(&mut id).map_err(|errno| StoreError::Io {
        call: hasten_store::Call::Random,
        errno,
        file: None,
    })?;
    Ok(hex(&id))
}

/// Returns lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
