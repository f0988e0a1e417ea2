//! Opening a store: take the lock, read the files, judge them, and repair them. A repair may lose
//! indices, but never makes any available again.

use crate::binding::{Binder, Files, Mark as Stamped, Stamp};
use crate::config::Config;
use crate::env::{Env, parent};
use crate::error::{Call, Errno, Reason, Refusal, StoreError, first_of};
use crate::guard::Guard;
use crate::judge::{GuardMark, Verdict, judge_found, judge_witness, no_guard};
use crate::lock::{self, Lock};
use crate::log::{self, Found, Log, trail};
use crate::options::Options;
use crate::owner::Owner;
use crate::permit::{Session, Watch};
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
    /// [`StoreError::Busy`], [`StoreError::Refused`] and every failed call. A refusal changes
    /// nothing.
    pub fn open(mut self, dir: impl AsRef<Path>) -> Result<Store, StoreError> {
        let dir = dir.as_ref();
        self.has_what_it_needs()?;
        if self.burn == Some(0) {
            return Err(StoreError::BurnTooFew { least: 1 });
        }
        self.check_place(dir)?;
        let held = lock::take(&self.env, dir, self.wait, self.burn.is_some())?;
        let may_make: &[&str] = match (self.burn.is_some(), self.record_may_be_damaged) {
            (true, _) => &[log::NAMES[0], log::NAMES[1], log::audit::NAME],
            (_, true) => &[log::audit::NAME],
            _ => &[],
        };
        let (log, found) = Log::load(&*self.env, dir, may_make)?;
        let (config, first_form) = self.choices(dir, Some(&found.state))?;
        if config.witness != self.witness.is_some() {
            return Err(match config.witness {
                true => StoreError::NoWitness,
                false => StoreError::NotWatched,
            });
        }
        self.is_expected(&found.state)?;
        let path = config.guard(&*self.env, self.guard.as_deref())?;
        let now = Config { guard: path.clone(), shared: config.shared || self.shared, ..config };
        self.check_guard_place(&path, &now, &found.state)?;
        self.shared = now.shared;
        let guard = self.find_guard(&path, &log, &found.state)?;
        let env = Arc::clone(&self.env);
        let store = Opening { options: self, dir, path, held, log, found }.judged(guard)?;
        if first_form || now != config {
            now.replace(&*env, dir, &store.state)?;
        }
        Ok(store)
    }

    /// Returns an error on a system on which no store can be kept safely.
    pub(crate) fn has_what_it_needs(&self) -> Result<(), StoreError> {
        self.env.lacks().map_or(Ok(()), |what| Err(StoreError::Lacks { what }))
    }

    fn is_expected(&self, state: &State) -> Result<(), StoreError> {
        let other = |public| state.identity().contradicts(public);
        let refused = StoreError::Refused(no_guard(Reason::OtherKey, state));
        if self.public.as_ref().is_some_and(other) { Err(refused) } else { Ok(()) }
    }

    /// Checks the file system of the store before anything is written there.
    fn check_place(&self, dir: &Path) -> Result<(), StoreError> {
        let (config, _) = self.choices(dir, None)?;
        let now = Config { shared: config.shared || self.shared, ..config.clone() };
        place::check(&*self.env, dir, &now)
    }

    /// Checks the file system of the guard. If the guard's folder is missing too, the guard is
    /// reported as missing.
    fn check_guard_place(
        &self,
        path: &Path,
        now: &Config,
        state: &State,
    ) -> Result<(), StoreError> {
        match place::check(&*self.env, path, now) {
            Err(StoreError::Io { errno: Errno::NOT_FOUND, .. }) if self.burn.is_none() => {
                Err(StoreError::Refused(no_guard(Reason::NoGuard, state)))
            }
            checked => checked,
        }
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

    /// Checks that an override burns at least as many indices as the largest reservation. Without a
    /// guard, the last reservation may be unknown to the log.
    fn burns_enough(&self, log: &Log) -> Result<(), StoreError> {
        let least = largest_reservation(log)?;
        let enough = self.burn.is_none_or(|count| count >= least);
        if enough { Ok(()) } else { Err(StoreError::BurnTooFew { least }) }
    }

    fn new_guard_file(&self, path: &Path) -> Result<Guard, StoreError> {
        let guard = Guard::open_or_create(&*self.env, path)?;
        self.env.sync_dir(parent(path)).map_err(StoreError::io(Call::SyncDir))?;
        Ok(guard)
    }
}

/// Returns the largest reservation among the readable records of the log, at least one index.
fn largest_reservation(log: &Log) -> Result<u64, StoreError> {
    let records = log.readable()?;
    let reserved = records.iter().filter(|r| r.kind == Kind::Reserve).map(|r| r.b);
    Ok(reserved.max().unwrap_or(1).max(1))
}

/// Returns the mark of a witness. If the state does not fit the mark, the error has both the
/// refusal and the mark.
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
        let files = Files::of(&*guard.file(), self.log.identities()?)?;
        let mark = guard.load()?;
        if mark.is_none() && self.options.burn.is_some() {
            self.may_be_replaced(&guard)?;
        }
        let verdict = self.verdict(mark.as_ref());
        let witness = self.judge_witness();
        let id = self.found.state.store_id;
        let stamp = Stamp::look(&*self.options.env, self.dir, &id)?;
        let other = guard.judge(&files, stamp.as_ref(), &self.found);
        let moved = self.moved(other);
        let refused = self.first_refusal(verdict, mark.as_ref(), &witness, moved)?
            || self.held.session.displaced;
        let refused = refused || self.known_next() > self.floor(mark.as_ref());
        self.covers_what_the_witness_counts(mark.as_ref(), &witness)?;
        self.record_holds()?;
        let mut repair = Repair {
            torn_tail: self.found.damaged,
            unfinished_commit: verdict == Verdict::LogAhead,
            from_guard: verdict == Verdict::Repair,
            overridden: refused,
            upgraded: false,
            moved: false,
            lost: self.found.state.outstanding,
        };
        self.log.must_rotate |= verdict != Verdict::Fits || refused;
        let mut changes = self.changes(verdict, refused, mark.as_ref());
        if moved.is_some() && !refused {
            repair.moved = true;
            changes.push(Change::new(Kind::Moved, 0, 0));
        }
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
        let mut binder = self.binder(&files, stamp)?;
        let written = stamp.is_some_and(|s| s.durable && s.writes == guard.binding().writes);
        binder.settled = written && other.is_none() && !refused && verdict == Verdict::Fits;
        guard.bind(binder);
        if moved.is_some() {
            guard.hold();
        }
        let mut store = self.build(guard, witness_mark, newest.into_iter().max().unwrap_or(0))?;
        store.behind = Some(behind);
        if !changes.is_empty() {
            store.commit(&changes)?;
            repair.lost = store.state.lost - before;
        }
        if refused {
            store.keep_what_was_signed()?;
        }
        store.repair = (repair != Repair::default()).then_some(repair);
        Ok(store)
    }

    /// Checks the signing record before it is continued, unless the store is opened to mend the
    /// record or to override a refusal.
    fn record_holds(&self) -> Result<(), StoreError> {
        let Opening { options, dir, log, found, .. } = self;
        if options.record_may_be_damaged || options.burn.is_some() || log.is_older() {
            return Ok(());
        }
        trail::holds_together(&*options.env, dir, log, &found.state)
    }

    /// Checks that a guard file without a readable mark may be overwritten: it is empty, or was a
    /// guard.
    fn may_be_replaced(&self, guard: &Guard) -> Result<(), StoreError> {
        self.options.burns_enough(&self.log)?;
        guard.may_be_replaced()
    }

    /// Returns the index after the newest one that the caller knows to be used; 0 without an
    /// override.
    fn known_next(&self) -> u64 {
        self.options.burn.and(self.options.known).map_or(0, |index| index.saturating_add(1))
    }

    /// Checks that an override covers the commits that the witness has seen and the log has not.
    /// Each of them may have reserved as many indices as the largest reservation of the log. The
    /// newest index that the caller knows is not enough, because a later one may have been used.
    fn covers_what_the_witness_counts(
        &self,
        mark: Option<&GuardMark>,
        witness: &Result<Option<Mark>, (StoreError, Option<Mark>)>,
    ) -> Result<(), StoreError> {
        let (Some(burn), Err((_, Some(newest)))) = (self.options.burn, witness) else {
            return Ok(());
        };
        let state = &self.found.state;
        let unknown = newest.generation.saturating_sub(state.generation);
        let most = unknown.saturating_mul(largest_reservation(&self.log)?);
        let wanted = state.next.saturating_add(most).min(state.end);
        let from = self.floor(mark).max(self.known_next());
        let least = wanted.saturating_sub(from);
        if burn >= least { Ok(()) } else { Err(StoreError::BurnTooFew { least }) }
    }

    /// Returns the next index according to log and guard, whichever is higher.
    fn floor(&self, mark: Option<&GuardMark>) -> u64 {
        let state = &self.found.state;
        let mark = mark.filter(|m| m.store_id == state.store_id);
        mark.map_or(state.next, |m| m.next.max(state.next))
    }

    fn verdict(&self, mark: Option<&GuardMark>) -> Verdict {
        match mark {
            Some(mark) => judge_found(&self.found, mark),
            None => Verdict::Refuse(no_guard(Reason::DamagedGuard, &self.found.state)),
        }
    }

    /// Returns the witness's mark. If the state does not fit it, the error has the refusal and the
    /// mark.
    fn judge_witness(&self) -> Result<Option<Mark>, (StoreError, Option<Mark>)> {
        let witness = self.options.witness.as_ref();
        witness.map_or(Ok(None), |witness| compare(&**witness, &self.found.state))
    }

    /// Returns the refusal of files that are not those written here. A key with a witness has no
    /// such refusal, because the witness knows the newest state whatever the files are.
    fn moved(&self, other: Option<Reason>) -> Option<Refusal> {
        let other = other.filter(|_| self.options.witness.is_none());
        other.map(|reason| no_guard(reason, &self.found.state))
    }

    fn binder(&self, files: &Files, before: Option<Stamped>) -> Result<Binder, StoreError> {
        let env = &self.options.env;
        let stamp = Stamp::open_or_create(&**env, self.dir, self.found.state.store_id)?;
        Ok(Binder::new(Arc::clone(env), stamp, before, files))
    }

    /// Returns the first refusal as an error. Returns true if the caller overrides the refusal, and
    /// false if there is none.
    fn first_refusal(
        &self,
        verdict: Verdict,
        mark: Option<&GuardMark>,
        witness: &Result<Option<Mark>, (StoreError, Option<Mark>)>,
        moved: Option<Refusal>,
    ) -> Result<bool, StoreError> {
        let machine = self.judge_machine(mark);
        let by_guard = match verdict {
            Verdict::Refuse(refusal) => Some(refusal),
            _ => None,
        };
        let by_files = moved.filter(|_| !self.options.moved);
        // The refusal by the files precedes those of witness and machine only if it replaces the
        // guard's.
        let by_guard = by_guard.and_then(|refusal| first_of(Some(refusal), by_files));
        let by_guard = by_guard.map(StoreError::Refused);
        let by_witness = witness.as_ref().err().map(|(e, _)| e.clone());
        let by_files = by_files.map(StoreError::Refused);
        let refused = by_guard.or(by_witness).or(machine.err()).or(by_files);
        let Some(refused) = refused else { return Ok(false) };
        let foreign = matches!(
            verdict,
            Verdict::Refuse(Refusal { reason: Reason::ForeignGuard | Reason::OtherKey, .. })
        );
        let unknown = [
            StoreError::WitnessUnreachable,
            StoreError::WitnessForeign,
            StoreError::MachineUnreadable,
        ];
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

    /// Returns the changes that must be committed before all others: give-aways and indices that
    /// only the guard knows, and the indices that the caller burns.
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
