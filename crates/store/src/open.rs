//! Opening a store: lock, read, judge, repair in the direction of losing.

use crate::config::Config;
use crate::env::{Env, parent};
use crate::error::{Call, Reason, Refusal, StoreError};
use crate::guard::Guard;
use crate::judge::{GuardMark, Verdict, judge, judge_witness, no_guard};
use crate::lock::{self, Lock};
use crate::log::{Found, Log};
use crate::options::Options;
use crate::permit::{Owner, Session, Watch};
use crate::place;
use crate::record::Kind;
use crate::repair::Repair;
use crate::state::{OLDER, State};
use crate::store::{Change, Store};
use crate::witness::{Machine, Mark, Witness};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::time::Duration;

impl Options {
    /// Opens the store in `dir`.
    ///
    /// # Errors
    /// [`StoreError::Busy`], [`StoreError::Refused`] and every failed call. Nothing is changed by a
    /// refusal.
    pub fn open(mut self, dir: impl AsRef<Path>) -> Result<Store, StoreError> {
        let dir = dir.as_ref();
        self.has_what_it_needs()?;
        if self.burn == Some(0) {
            return Err(StoreError::BurnTooFew { least: 1 });
        }
        self.check_place(dir)?;
        let held = lock::take(&self.env, dir, self.wait, self.burn.is_some())?;
        let read = Config::load(&*self.env, dir)?;
        let (log, found) = Log::load(&*self.env, dir)?;
        let (config, first_form) = read.of(&found.state)?;
        if config.witness != self.witness.is_some() {
            return Err(StoreError::NoWitness);
        }
        self.is_expected(&found.state)?;
        let path = config.guard(&*self.env, self.guard.as_deref())?;
        let now = Config { guard: path.clone(), shared: config.shared || self.shared, ..config };
        place::check(&*self.env, &path, &now)?;
        self.shared = now.shared;
        let guard = self.find_guard(&path, &log, &found.state)?;
        let env = Arc::clone(&self.env);
        let store = Opening { options: self, dir, path, held, log, found }.judged(guard)?;
        if first_form || now != config {
            now.replace(&*env, dir, &store.state)?;
        }
        Ok(store)
    }

    /// Refuses a system on which no store can keep its promise.
    pub(crate) fn has_what_it_needs(&self) -> Result<(), StoreError> {
        self.env.lacks().map_or(Ok(()), |what| Err(StoreError::Lacks { what }))
    }

    fn is_expected(&self, state: &State) -> Result<(), StoreError> {
        let other = |public| state.identity().contradicts(public);
        let refused = StoreError::Refused(no_guard(Reason::OtherKey, state));
        if self.public.as_ref().is_some_and(other) { Err(refused) } else { Ok(()) }
    }

    /// Looks at the file system before anything is written there.
    fn check_place(&self, dir: &Path) -> Result<(), StoreError> {
        let read = Config::load(&*self.env, dir)?;
        let config = read.choices();
        let now = Config { shared: config.shared || self.shared, ..config.clone() };
        place::check(&*self.env, dir, &now)
    }

    fn find_guard(&self, path: &Path, log: &Log, state: &State) -> Result<Guard, StoreError> {
        let guard = match Guard::open(&*self.env, path)? {
            Some(guard) => guard,
            None if self.burn.is_some() => {
                self.burns_enough(log)?;
                self.new_guard_file(path)?
            }
            None => return Err(StoreError::Refused(no_guard(Reason::NoGuard, state))),
        };
        lock::wait_for(&*self.env, &*guard.file(), self.wait, || None)?;
        Ok(guard)
    }

    /// Checks that an override covers a reservation at least: without a guard the last one may be
    /// unknown to the log.
    fn burns_enough(&self, log: &Log) -> Result<(), StoreError> {
        let records = log.readable().unwrap_or_default();
        let reserved = records.iter().filter(|r| r.kind == Kind::Reserve).map(|r| r.b);
        let least = reserved.max().unwrap_or(1).max(1);
        let enough = self.burn.is_none_or(|count| count >= least);
        if enough { Ok(()) } else { Err(StoreError::BurnTooFew { least }) }
    }

    fn new_guard_file(&self, path: &Path) -> Result<Guard, StoreError> {
        let guard = Guard::open_or_create(&*self.env, path)?;
        self.env.sync_dir(parent(path)).map_err(StoreError::io(Call::SyncDir))?;
        Ok(guard)
    }
}

/// Returns the mark of a witness; with the refusal if the state does not fit it.
pub(crate) fn compare(
    witness: &dyn Witness,
    state: &State,
) -> Result<Option<Mark>, (StoreError, Option<Mark>)> {
    let mark = witness.read().map_err(|e| (e, None))?;
    let refuse = |r| (StoreError::Refused(r), mark);
    match &mark {
        Some(m) => judge_witness(state, m).map_err(refuse)?,
        None if state.generation > 0 => return Err(refuse(no_guard(Reason::WitnessEmpty, state))),
        None => {}
    }
    Ok(mark)
}

struct Opening<'a> {
    options: Options,
    dir: &'a Path,
    path: PathBuf,
    held: Lock,
    log: Log,
    found: Found,
}

impl Opening<'_> {
    fn judged(mut self, mut guard: Guard) -> Result<Store, StoreError> {
        let mark = guard.load()?;
        if mark.is_none() && self.options.burn.is_some() {
            self.may_be_replaced(&guard)?;
        }
        let verdict = self.verdict(mark.as_ref());
        let witness = self.judge_witness();
        let refused =
            self.first_refusal(verdict, mark.as_ref(), &witness)? || self.held.session.displaced;
        let refused = refused || self.known_next() > self.floor(mark.as_ref());
        let mut repair = Repair {
            torn_tail: self.found.damaged,
            unfinished_commit: verdict == Verdict::LogAhead,
            from_guard: verdict == Verdict::Repair,
            overridden: refused,
            upgraded: false,
            lost: self.found.state.outstanding,
        };
        self.log.must_rotate |= verdict != Verdict::Fits || refused;
        let mut changes = self.changes(verdict, refused, mark.as_ref());
        if let Some(digest) = self.log.older()? {
            repair.upgraded = true;
            changes.push(Change::new(Kind::Upgrade, self.found.state.seq, OLDER).with(digest));
        }
        let before = self.found.state.lost;
        let witness_mark = witness.unwrap_or_else(|(_, mark)| mark);
        let newest = [mark.map_or(0, |m| m.generation), witness_mark.map_or(0, |m| m.generation)];
        let behind = |generation: u64| !refused && generation < self.found.state.generation;
        let behind =
            (verdict == Verdict::LogAhead, witness_mark.is_some_and(|m| behind(m.generation)));
        self.log.must_rotate |= behind.1;
        let mut store = self.build(guard, witness_mark, newest.into_iter().max().unwrap_or(0))?;
        store.behind = Some(behind);
        if !changes.is_empty() {
            store.commit(&changes)?;
            repair.lost = store.state.lost - before;
        }
        store.repair = (repair != Repair::default()).then_some(repair);
        Ok(store)
    }

    /// Allows to write over a file without a readable mark only if it is empty or was a guard once.
    fn may_be_replaced(&self, guard: &Guard) -> Result<(), StoreError> {
        self.options.burns_enough(&self.log)?;
        let ours = guard.is_unfinished()? || guard.was_one()?;
        if ours { Ok(()) } else { Err(StoreError::NotAGuard { path: self.path.clone() }) }
    }

    /// Returns the index behind the newest one that the caller knows to be used; only an override
    /// asks.
    fn known_next(&self) -> u64 {
        self.options.burn.and(self.options.known).map_or(0, |index| index.saturating_add(1))
    }

    /// Returns the next index that log and guard know.
    fn floor(&self, mark: Option<&GuardMark>) -> u64 {
        let state = &self.found.state;
        let mark = mark.filter(|m| m.store_id == state.store_id);
        mark.map_or(state.next, |m| m.next.max(state.next))
    }

    fn verdict(&self, mark: Option<&GuardMark>) -> Verdict {
        match mark {
            Some(mark) => judge(&self.found.state, mark, self.found.damaged),
            None => Verdict::Refuse(no_guard(Reason::DamagedGuard, &self.found.state)),
        }
    }

    /// Returns the witness's mark; with the refusal if it does not fit.
    fn judge_witness(&self) -> Result<Option<Mark>, (StoreError, Option<Mark>)> {
        let witness = self.options.witness.as_ref();
        witness.map_or(Ok(None), |witness| compare(&**witness, &self.found.state))
    }

    /// Returns `Ok(true)` if something refused and the caller overrides it.
    fn first_refusal(
        &self,
        verdict: Verdict,
        mark: Option<&GuardMark>,
        witness: &Result<Option<Mark>, (StoreError, Option<Mark>)>,
    ) -> Result<bool, StoreError> {
        let machine = self.judge_machine(mark);
        let by_guard = match verdict {
            Verdict::Refuse(r) => Some(StoreError::Refused(r)),
            _ => None,
        };
        let by_witness = witness.as_ref().err().map(|(e, _)| e.clone());
        let Some(refused) = by_guard.or(by_witness).or(machine.err()) else { return Ok(false) };
        let foreign = matches!(
            verdict,
            Verdict::Refuse(Refusal { reason: Reason::ForeignGuard | Reason::OtherKey, .. })
        );
        let unknown = [StoreError::WitnessUnreachable, StoreError::WitnessForeign];
        let overridable = !foreign && !unknown.contains(&refused);
        if overridable && self.options.burn.is_some() { Ok(true) } else { Err(refused) }
    }

    fn judge_machine(&self, mark: Option<&GuardMark>) -> Result<(), StoreError> {
        let before = mark.map_or([0; 16], |m| m.machine);
        if before == [0; 16] {
            return Ok(());
        }
        let now = self.options.machine.as_ref().ok_or(StoreError::NoMachine)?.identity()?;
        if now == before { Ok(()) } else { Err(StoreError::EpochChanged) }
    }

    /// Returns what must be committed before anything else: give-aways and indices that only the
    /// guard knows of, and what the caller burns.
    fn changes(&self, verdict: Verdict, overridden: bool, mark: Option<&GuardMark>) -> Vec<Change> {
        let state = &self.found.state;
        let mark = mark.filter(|m| m.store_id == state.store_id);
        let mut changes = Vec::new();
        if !overridden && verdict != Verdict::Repair {
            return changes;
        }
        let end = mark.map_or(state.end, |m| m.end.clamp(state.next, state.end));
        if end < state.end {
            changes.push(Change::new(Kind::Give, end, state.end - end));
        }
        let floor = self.floor(mark).max(self.known_next());
        let burn = if overridden { self.options.burn.unwrap_or(0) } else { 0 };
        changes.push(Change::new(Kind::Burn, burn, floor));
        changes
    }

    fn build(self, guard: Guard, mark: Option<Mark>, newest: u64) -> Result<Store, StoreError> {
        let Opening { options, dir, path, held, log, found } = self;
        let shared = options.shared;
        let generation = found.state.generation.max(newest);
        let session = session(
            options.env,
            &found.state,
            &guard,
            generation,
            options.witness,
            mark,
            options.machine,
        )?;
        Ok(Store {
            shared,
            host: session.env.host(),
            env: Arc::clone(&session.env),
            dir: dir.to_owned(),
            guard_path: path,
            state: found.state,
            log,
            guard,
            session: Arc::new(session),
            repair: None,
            broken: false,
            behind: None,
            commit_time: Duration::ZERO,
            held,
        })
    }
}

pub(crate) fn session(
    env: Arc<dyn Env>,
    state: &State,
    guard: &Guard,
    generation: u64,
    witness: Option<Box<dyn Witness>>,
    mark: Option<Mark>,
    machine: Option<Box<dyn Machine>>,
) -> Result<Session, StoreError> {
    let identity = machine.as_ref().map(|m| m.identity()).transpose()?;
    Ok(Session {
        id: fresh_id(&*env)?,
        owner: Owner::new(&*env),
        store_id: state.store_id,
        key_id: state.key_id,
        guard: guard.file(),
        alive: AtomicBool::new(true),
        committed: AtomicU64::new(generation),
        attempted: AtomicU64::new(generation),
        ledger: Mutex::default(),
        watch: witness
            .map(|witness| Mutex::new(Watch { witness, mark, confirmed_until: Duration::ZERO })),
        machine: machine.zip(identity),
        env,
    })
}

fn fresh_id(env: &dyn Env) -> Result<u64, StoreError> {
    let mut bytes = [0; 8];
    env.random(&mut bytes).map_err(StoreError::io(Call::Random))?;
    Ok(u64::from_le_bytes(bytes) | 1)
}
