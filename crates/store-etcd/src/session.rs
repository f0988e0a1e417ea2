//! One signer's session: what it knows of the service, and what is asked of it before a use.

use crate::client::{Client, Header, Pair, Silent, Transaction};
use crate::ledger::{Attempt, Names, Shared};
use hasten_store::{Env, Guard, GuardMark, Identity, Reason, Refusal, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What this signer has seen; the first part of it is also in its guard file.
pub(crate) struct Seen {
    /// None only while it is looked at.
    pub guard: Option<Guard>,
    /// `session` holds the revision, `tag` the cluster, `previous_tag` the signer.
    pub mark: Option<GuardMark>,
    /// Reservations of this session that are not settled.
    pub open: BTreeMap<String, Attempt>,
    /// Those whose settling was sent and not answered.
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
    pub lease: Duration,
    pub seen: Mutex<Seen>,
}

/// What one linearizable look shows.
pub(crate) struct View {
    pub header: Header,
    pub shared: Shared,
    /// Revision of the last change of the shared state.
    pub changed: u64,
    /// This signer's attempts.
    pub own: Vec<Pair>,
    pub halted: bool,
}

impl View {
    /// The token at the end of an attempt's key.
    pub fn token(pair: &Pair) -> String {
        pair.key.rsplit('/').next().unwrap_or_default().to_owned()
    }
}

impl Session {
    /// Reads the state, this signer's attempts and the halt, at one moment.
    pub fn look(&self) -> Result<View, StoreError> {
        let names = &self.names;
        let reads =
            Transaction::default().read(&names.state()).read_all(&names.own()).read(&names.halt());
        let answer = self.client.look(&reads).map_err(|Silent| StoreError::ServiceUnreachable)?;
        let [state, own, halt] =
            <[Vec<Pair>; 3]>::try_from(answer.reads).map_err(|_| StoreError::ServiceUnreachable)?;
        let Some((shared, changed)) = Shared::decode(&state) else {
            return self.vanished(answer.header);
        };
        Ok(View { header: answer.header, shared, changed, own, halted: !halt.is_empty() })
    }

    /// No state under this name: never made, or a service that lost it.
    fn vanished(&self, header: Header) -> Result<View, StoreError> {
        match &lock(&self.seen).mark {
            None => Err(StoreError::NotAStore),
            Some(mark) => Err(refused(mark, header, 0)),
        }
    }

    /// A look that fits everything this signer has seen. One that does not stops the whole fleet.
    pub fn verified(&self) -> Result<View, StoreError> {
        let view = self.look()?;
        let judged = self.judged(&view);
        if judged.is_err() && !view.halted {
            self.halt();
        }
        judged.map(|()| view)
    }

    /// Whether a look fits everything this signer has seen.
    pub fn judged(&self, view: &View) -> Result<(), StoreError> {
        judge(&lock(&self.seen), view)
    }

    /// Tells the other signers, as far as it can.
    fn halt(&self) {
        let names = &self.names;
        let halt = Transaction::default()
            .unchanged(&names.halt(), 0)
            .put(&names.halt(), names.signer.as_bytes());
        drop(self.client.ask(&halt));
    }

    /// Writes what is now known into the guard, durably.
    pub fn remember(&self, header: Header, shared: &Shared) -> Result<(), StoreError> {
        let mut seen = lock(&self.seen);
        let mark = GuardMark {
            store_id: shared.identity().key_id,
            identity: shared.identity(),
            generation: seen.mark.as_ref().map_or(1, |m| m.generation + 1),
            next: shared.next,
            end: shared.end,
            tag: cluster_tag(header.cluster),
            previous_tag: crate::ledger::id16(&self.names.signer),
            session: header.revision,
            machine: [0; 16],
        };
        seen.guard.as_mut().map_or(Ok(()), |guard| guard.store(&mark))?;
        seen.mark = Some(mark);
        seen.shared = Some(shared.clone());
        Ok(())
    }

    /// The lease. When it has run out the service is asked, and it must still know every open reservation.
    pub fn check(&self) -> Result<(), StoreError> {
        let asked_at = self.env.monotonic();
        if asked_at < lock(&self.seen).confirmed_until {
            return Ok(());
        }
        self.verified()?;
        lock(&self.seen).confirmed_until = asked_at + self.lease;
        Ok(())
    }
}

pub(crate) fn cluster_tag(cluster: u64) -> [u8; 16] {
    let mut tag = [0; 16];
    tag[..8].copy_from_slice(&cluster.to_le_bytes());
    tag
}

/// The cluster is the same, its revision and the next index have not gone back, and it knows every open reservation.
fn judge(seen: &Seen, view: &View) -> Result<(), StoreError> {
    if let Some(mark) = &seen.mark {
        let same = mark.tag == cluster_tag(view.header.cluster)
            && mark.store_id == view.shared.identity().key_id;
        if is_other(&mark.identity, &view.shared.identity()) {
            return Err(refused_for(Reason::OtherKey, mark, view.header, view.shared.next));
        }
        if !same || view.header.revision < mark.session || view.shared.next < mark.next {
            return Err(refused(mark, view.header, view.shared.next));
        }
        let known: BTreeSet<String> = view.own.iter().map(View::token).collect();
        let missing = |token: &&String| !known.contains(*token) && !seen.settling.contains(*token);
        if view.halted || seen.open.keys().any(|t| missing(&t)) {
            return Err(refused(mark, view.header, view.shared.next));
        }
    } else if view.halted {
        return Err(halted(view));
    }
    Ok(())
}

/// Two public keys under one name.
fn is_other(known: &Identity, found: &Identity) -> bool {
    known.is_bound() && known.public != found.public
}

fn refused(mark: &GuardMark, header: Header, next: u64) -> StoreError {
    refused_for(Reason::Service, mark, header, next)
}

fn refused_for(reason: Reason, mark: &GuardMark, header: Header, next: u64) -> StoreError {
    StoreError::Refused(Refusal {
        reason,
        found: header.revision,
        expected: mark.session,
        next_found: next,
        next_expected: mark.next,
    })
}

fn halted(view: &View) -> StoreError {
    StoreError::Refused(Refusal {
        reason: Reason::Service,
        found: view.header.revision,
        expected: view.header.revision,
        next_found: view.shared.next,
        next_expected: view.shared.next,
    })
}
