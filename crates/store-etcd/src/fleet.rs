//! Opening and creating a fleet's key.

use crate::access::{Access, BadAccess};
use crate::client::{Client, Transaction};
use crate::join::Token;
use crate::ledger::{Names, Shared, Values};
use crate::session::{Seen, Session, View, hex, is_of_key, lock, random_id};
use crate::store::{EtcdService, EtcdStore, describe};
use hasten_store::{
    Argument, Env, Guard, Identity, MacKey, Os, Reason, Refusal, Remote, State, Status, StoreError,
};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Options for accessing a fleet's key.
pub struct Fleet {
    members: Vec<String>,
    access: Access,
    name: String,
    guard: PathBuf,
    values: Values,
    expected: Option<Identity>,
    join: Option<String>,
    patience: Duration,
    lease: Duration,
    wait: Duration,
    burn: Option<u64>,
    env: Arc<dyn Env>,
}

impl Fleet {
    /// Takes the client URLs of the etcd `members`, the `name` of the key, which is the same for
    /// all its signers, and this signer's own `guard` file. A signer without a guard has to
    /// [`join`](Fleet::join).
    pub fn new(members: &[String], name: &str, guard: impl Into<PathBuf>) -> Fleet {
        Fleet {
            members: members.to_vec(),
            access: Access::new(),
            name: name.to_owned(),
            guard: guard.into(),
            values: Values::default(),
            expected: None,
            join: None,
            patience: Duration::from_secs(2),
            lease: Duration::from_secs(5),
            wait: Duration::ZERO,
            burn: None,
            env: Arc::new(Os),
        }
    }

    /// Sets the access to the members.
    ///
    /// # Errors
    /// If a member must not be accessed in this way. Nothing was sent to it.
    pub fn access(mut self, access: Access) -> Result<Fleet, BadAccess> {
        Client::new(&self.members, &access, self.patience)?;
        self.access = access;
        Ok(self)
    }

    /// Adds a MAC under `key` to every value, and rejects values without one. The key is the same
    /// for all signers.
    pub fn key(mut self, key: MacKey) -> Fleet {
        self.values = Values(Some(key));
        self
    }

    /// Sets the identity of the key that this signer has. The state of another key is refused and
    /// not changed.
    pub fn expect(mut self, identity: Identity) -> Fleet {
        self.expected = Some(identity);
        self
    }

    /// Joins as a new signer, with a token from [`EtcdService::token`] of another signer.
    pub fn join(mut self, token: &str) -> Fleet {
        self.join = Some(token.to_owned());
        self
    }

    /// Sets the time that one request may take.
    pub fn patience(mut self, patience: Duration) -> Fleet {
        self.patience = patience;
        self
    }

    /// Sets the time for which reserved indices may be used before the service is asked again.
    pub fn lease(mut self, lease: Duration) -> Fleet {
        self.lease = lease;
        self
    }

    /// Sets the time to wait for another process that uses this guard.
    pub fn wait(mut self, wait: Duration) -> Fleet {
        self.wait = wait;
        self
    }

    /// Overrides a refusal: continues after all indices that service and guard know, and burns
    /// `count` more.
    pub fn burn(mut self, count: u64) -> Fleet {
        self.burn = Some(count);
        self
    }

    /// Creates the key with `capacity` indices and this exhaustion threshold, and opens it.
    ///
    /// # Errors
    /// [`StoreError::Exists`]; [`StoreError::Unknown`] if it is unknown whether the key was
    /// created. In that case open it.
    pub fn create(self, capacity: u64, threshold: u64) -> Result<EtcdStore, StoreError> {
        let key_id = random_id(&*self.env)?;
        self.make(&Shared { key_id, capacity, end: capacity, threshold, ..Shared::default() })?;
        self.open_as(Newcomer::Maker)
    }

    /// Creates the fleet's state for a store's key and opens it. The store must have given away all
    /// of its indices. If an earlier call for the same store has already created the state, opens
    /// that state.
    ///
    /// # Errors
    /// As [`Fleet::create`]; [`StoreError::Exists`] if the name is that of another key,
    /// [`StoreError::Argument`] if the store has not given away all indices.
    pub fn adopt(self, state: &State) -> Result<EtcdStore, StoreError> {
        let State { start, top, capacity, threshold, .. } = *state;
        if state.given != top - start {
            return Err(StoreError::Argument(Argument::NotGiven));
        }
        let (key_id, next, end) = (hex(&state.key_id), start, top);
        let public = if state.identity().is_bound() { hex(&state.public) } else { String::new() };
        let range = Shared { start, next, end, ..Shared::default() };
        let shared = Shared { key_id, public, capacity, threshold, ..range };
        match self.make(&shared) {
            Err(StoreError::Exists) if self.is_of(&shared)? => self.open_as(Newcomer::Maker),
            made => made.and_then(|()| self.open_as(Newcomer::Maker)),
        }
    }

    fn make(&self, shared: &Shared) -> Result<(), StoreError> {
        if shared.start >= shared.end {
            return Err(StoreError::Argument(Argument::EmptyRange));
        }
        let state = format!("{}/state", prefix(&self.name));
        let make = Transaction::default()
            .unchanged(&state, 0)
            .put(&state, &self.values.encode(&state, shared));
        match self.client()?.ask(&make) {
            Ok(answer) if answer.done => Ok(()),
            Ok(_) => Err(StoreError::Exists),
            Err(_) => Err(StoreError::Unknown),
        }
    }

    /// Returns true if the existing state was created for the same key and range.
    fn is_of(&self, ours: &Shared) -> Result<bool, StoreError> {
        let state = Transaction::default().read(&format!("{}/state", prefix(&self.name)));
        let answer = self.client()?.look(&state).map_err(|_| StoreError::ServiceUnreachable)?;
        let found = answer.reads.first().and_then(|pairs| self.values.state(pairs));
        Ok(found.is_some_and(|(found, _)| {
            (found.identity(), found.start, found.end) == (ours.identity(), ours.start, ours.end)
        }))
    }

    fn client(&self) -> Result<Client, StoreError> {
        let client = Client::new(&self.members, &self.access, self.patience);
        client.map_err(|_| StoreError::ServiceUnreachable)
    }

    /// Returns the fleet's status, with the refusal that opening as this signer would meet. Takes
    /// no lock and changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NotAStore`] if there is no such key, [`StoreError::ServiceUnreachable`].
    pub fn peek(self) -> Result<Status, StoreError> {
        let mut guard = Guard::open(&*self.env, &self.guard)?.map(Guard::of_signer);
        let mark = guard.as_mut().map_or(Ok(None), Guard::load)?;
        let path = self.guard.clone();
        let session = self.session(String::new(), Seen::new(guard, mark))?;
        let view = session.look()?;
        let mut status = describe(&view.shared, &path);
        if let Err(StoreError::Refused(refusal)) = session.judged(&view) {
            status.refused = Some(refusal);
        }
        Ok(status)
    }

    /// Opens the key as one of its signers. Indices that an earlier session of this signer reserved
    /// and did not settle count as lost.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another process uses this guard; refusals, with [`Reason::NoGuard`]
    /// for a signer that has neither a guard nor a token, and [`Reason::ForeignGuard`] for a guard
    /// of another key or a token of another fleet; [`StoreError::OtherKind`] if the guard is that
    /// of a store or not a guard; [`StoreError::ServiceUnreachable`].
    pub fn open(self) -> Result<EtcdStore, StoreError> {
        self.open_as(Newcomer::Joins)
    }

    fn open_as(self, newcomer: Newcomer) -> Result<EtcdStore, StoreError> {
        let mut guard = match Guard::open(&*self.env, &self.guard)? {
            Some(guard) => guard,
            None if newcomer == Newcomer::Joins && self.join.is_none() && self.burn.is_none() => {
                return Err(no_guard(Reason::NoGuard));
            }
            None => Guard::open_or_create(&*self.env, &self.guard)?,
        };
        guard = guard.of_signer();
        guard.own(&*self.env, self.wait)?;
        let mark = guard.load()?;
        if mark.is_none() {
            guard.may_be_replaced()?;
        }
        let signer = match &mark {
            Some(mark) => hex(&mark.previous_tag),
            None => random_id(&*self.env)?,
        };
        let new = mark.is_none();
        let session = self.session(signer, Seen::new(Some(guard), mark))?;
        if let Some(count) = self.burn {
            override_refusal(&session, count)?;
        } else if new {
            self.begin(&session, newcomer)?;
        }
        let view = session.verified()?;
        session.remember(view.header, view.raft, &view.shared)?;
        let service = EtcdService::new(session, self.guard, self.name);
        service.settle_all(&|_| 0)?;
        Ok(Remote::new(service, self.env))
    }

    /// Initialises a signer without a guard: with the token of another signer, or with the present
    /// state if this signer created the fleet.
    fn begin(&self, session: &Session, newcomer: Newcomer) -> Result<(), StoreError> {
        let view = session.look()?;
        let known = match (&self.join, newcomer) {
            (None, Newcomer::Maker) => Token::of(view.header, view.raft, view.shared.next),
            (None, Newcomer::Joins) => return Err(no_guard(Reason::NoGuard)),
            (Some(text), _) => Token::read(text, &self.name, &view.shared.identity(), &self.values)
                .ok_or(no_guard(Reason::ForeignGuard))?,
        };
        session.take_over(&known, &view.shared);
        Ok(())
    }

    fn session(&self, signer: String, seen: Seen) -> Result<Session, StoreError> {
        Ok(Session {
            env: Arc::clone(&self.env),
            client: self.client()?,
            names: Names { prefix: prefix(&self.name), signer },
            values: self.values.clone(),
            expected: self.expected,
            lease: self.lease,
            seen: Mutex::new(seen),
        })
    }
}

/// Kind of a signer without a guard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Newcomer {
    /// It created the fleet's state.
    Maker,
    /// It joins later.
    Joins,
}

fn no_guard(reason: Reason) -> StoreError {
    let none = Refusal { reason, found: 0, expected: 0, next_found: 0, next_expected: 0 };
    StoreError::Refused(none)
}

/// Advances the service beyond the next index that this signer's guard knows, burns `count` indices
/// and removes a halt.
fn override_refusal(session: &Session, count: u64) -> Result<(), StoreError> {
    let view = session.look()?;
    let mark = lock(&session.seen).mark.clone();
    mark.as_ref().map_or(Ok(()), |mark| is_of_key(mark, &view))?;
    let View { header, shared, changed, raft, .. } = view;
    let floor = mark.map_or(0, |mark| mark.next).clamp(shared.next, shared.end);
    let burned = count.min(shared.end - floor);
    let after = Shared {
        next: floor + burned,
        lost: shared.lost + (floor - shared.next),
        burned: shared.burned + burned,
        generation: shared.generation + 1,
        ..shared
    };
    let names = &session.names;
    let change = Transaction::default().unchanged(&names.state(), changed);
    let value = session.values.encode(&names.state(), &after);
    let change = change.put(&names.state(), &value).delete(&names.halt());
    let answer = session.client.ask(&change).map_err(|_| StoreError::Unknown)?;
    if !answer.done || answer.header.cluster != header.cluster {
        return Err(StoreError::Unknown);
    }
    session.remember(answer.header, raft, &after)
}

fn prefix(name: &str) -> String {
    format!("hasten/key/{name}")
}
