//! The embedded store: one directory, one owner, one guard.

use crate::audit::Entry;
use crate::env::{Env, parent};
use crate::error::{Argument, Call, StoreError};
use crate::guard::Guard;
use crate::identity::Identity;
use crate::indices::Indices;
use crate::judge::{GuardMark, Reason};
use crate::ledger::Told;
use crate::lock::Lock;
use crate::logfile::Log;
use crate::open::{Repair, no_guard};
use crate::permit::{Interval, Oversight, Session, lock};
use crate::record::{Kind, Record};
use crate::state::State;
use crate::status::Status;
use crate::trail::{self, Signed};
use crate::witness::Mark;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// An open store. Exactly one per key (or shard) exists at a time, over all processes; not `Clone`.
///
/// Made by [`Options::create`](crate::Options::create) or [`Options::open`](crate::Options::open).
pub struct Store {
    pub(crate) env: Arc<dyn Env>,
    pub(crate) dir: PathBuf,
    pub(crate) guard_path: PathBuf,
    pub(crate) state: State,
    pub(crate) log: Log,
    pub(crate) guard: Guard,
    pub(crate) session: Arc<Session>,
    pub(crate) repair: Option<Repair>,
    pub(crate) broken: bool,
    /// Until the first commit: whether guard and witness, each, are one commit behind the log.
    pub(crate) behind: Option<(bool, bool)>,
    pub(crate) commit_time: Duration,
    pub(crate) host: String,
    pub(crate) shared: bool,
    pub(crate) held: Lock,
}

/// One change to be committed: a kind, its two numbers, and a digest where the kind has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    kind: Kind,
    a: u64,
    b: u64,
    digest: [u8; 32],
}

impl Change {
    pub fn new(kind: Kind, a: u64, b: u64) -> Change {
        Change { kind, a, b, digest: [0; 32] }
    }

    pub fn with(self, digest: [u8; 32]) -> Change {
        Change { digest, ..self }
    }
}

impl Store {
    /// Reserves the next `count` indices, or fewer where they would go beyond the exhaustion threshold: that is reached first,
    /// and acknowledged. Durable in log and guard (and confirmed by the witness) before it returns.
    ///
    /// # Errors
    /// [`StoreError::Exhausted`], [`StoreError::NearExhaustion`], [`StoreError::Retired`] and every failed commit. After an error
    /// nothing was handed out; indices that may have been written are counted lost.
    pub fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        let count = self.may_reserve(count)?;
        let first = self.state.next;
        self.commit(&[Change::new(Kind::Reserve, first, count)])?;
        let range = first..first + count;
        lock(&self.session.ledger).grant(range.clone())?;
        Ok(Interval::new(range, Arc::clone(&self.session) as Arc<dyn Oversight>))
    }

    /// How many may be reserved now: no more than down to the threshold, until that is acknowledged.
    fn may_reserve(&self, count: u64) -> Result<u64, StoreError> {
        let (remaining, threshold) = (self.state.remaining(), self.state.threshold);
        if self.state.retired {
            return Err(StoreError::Retired);
        }
        if count == 0 {
            return Err(StoreError::Argument(Argument::NoCount));
        }
        if count > remaining {
            return Err(StoreError::Exhausted { remaining });
        }
        if self.state.acknowledged {
            return Ok(count);
        }
        match remaining.saturating_sub(threshold) {
            0 => Err(StoreError::NearExhaustion { remaining, threshold }),
            above => Ok(count.min(above)),
        }
    }

    /// Notes that `index` was used. In memory, without a system call; written with the next commit, [`Store::flush`] or [`Store::close`].
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record(&self, index: u64) -> Result<(), StoreError> {
        self.session.record(index)
    }

    /// Notes that an index was used, and what it signed. In memory, as [`Store::record`]; its entry is made durable before its record is
    /// written, by the next commit, [`Store::flush`] or [`Store::close`].
    ///
    /// # Errors
    /// [`StoreError::NotReserved`], [`StoreError::AlreadyRecorded`].
    pub fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        self.session.record_signed(signed)
    }

    /// Commits what was signed since the last commit, if anything: then guard and witness hold the head of the record, and nobody
    /// cuts off its end. One commit.
    ///
    /// # Errors
    /// A failed commit.
    pub fn confirm(&mut self) -> Result<(), StoreError> {
        if lock(&self.session.ledger).unwritten() == 0 && self.state.last == self.state.commit_tag {
            return Ok(());
        }
        self.flush()?;
        self.commit(&[Change::new(Kind::Confirm, self.state.signed, 0)])
    }

    /// Writes what was recorded into the log, without waiting for the disk. Survives the death of the process, not a power cut
    /// (then those indices count as lost though they were used).
    ///
    /// # Errors
    /// A failed write.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        while lock(&self.session.ledger).unwritten() > 0 {
            self.write_used()?;
        }
        Ok(())
    }

    fn write_used(&mut self) -> Result<(), StoreError> {
        self.ready()?;
        let used = match self.take_used() {
            Ok(used) => used,
            Err(e) => return self.fail(e),
        };
        let (bytes, after) = self.encode(&used)?;
        let fits = self.log.fits(used.len());
        let written =
            if fits { self.log.append(&bytes).map(|()| after) } else { self.rotate_and(&used) };
        match written {
            Ok(state) => {
                self.state = state;
                Ok(())
            }
            Err(e) => self.fail(e),
        }
    }

    fn rotate_and(&mut self, used: &[Change]) -> Result<State, StoreError> {
        self.log.rotate(&mut self.state)?;
        let (bytes, after) = self.encode(used)?;
        self.log.append(&bytes)?;
        Ok(after)
    }

    /// Ends the session: writes what was recorded. Reserved and not recorded indices are lost (and counted) from now on.
    ///
    /// # Errors
    /// A failed write; the session is over all the same.
    pub fn close(mut self) -> Result<Status, StoreError> {
        let flushed = if self.broken { Ok(()) } else { self.flush() };
        self.session.alive.store(false, Ordering::Release);
        flushed.map(|()| self.final_status())
    }

    /// Acknowledges the exhaustion warning.
    ///
    /// # Errors
    /// A failed commit.
    pub fn acknowledge(&mut self) -> Result<(), StoreError> {
        self.commit(&[Change::new(Kind::Acknowledge, self.state.remaining(), 0)])
    }

    /// Sets the exhaustion threshold; an earlier acknowledgement no longer counts.
    ///
    /// # Errors
    /// A failed commit.
    pub fn set_threshold(&mut self, threshold: u64) -> Result<(), StoreError> {
        self.commit(&[Change::new(Kind::Threshold, threshold, 0)])
    }

    /// Retires the key: burns every index that is left. For good.
    ///
    /// # Errors
    /// A failed commit.
    pub fn retire(&mut self) -> Result<(), StoreError> {
        if self.state.retired {
            return Err(StoreError::Retired);
        }
        self.commit(&[Change::new(Kind::Retire, 0, 0)])
    }

    /// Binds the store to its public key, durably: from then on the store says whose it is. Again with the same digest, nothing is
    /// done. `public`: as [`Identity::public`], not all zero.
    ///
    /// # Errors
    /// [`StoreError::Refused`] with [`Reason::OtherKey`] if it is bound to another one; a failed commit.
    pub fn bind(&mut self, public: [u8; 32]) -> Result<(), StoreError> {
        if self.state.identity().contradicts(&public) {
            return Err(StoreError::Refused(no_guard(Reason::OtherKey, &self.state)));
        }
        if self.state.public == public {
            return Ok(());
        }
        self.commit(&[Change::new(Kind::Bind, 0, 0).with(public)])
    }

    /// Which key this is the state of.
    pub fn identity(&self) -> Identity {
        self.state.identity()
    }

    /// How long the last commit took (log, guard and witness).
    pub fn last_commit(&self) -> Duration {
        self.commit_time
    }

    /// What was repaired when the store was opened, if anything.
    pub fn repair(&self) -> Option<&Repair> {
        self.repair.as_ref()
    }

    /// The state of the key.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The store's directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The guard file.
    pub fn guard_path(&self) -> &Path {
        &self.guard_path
    }

    /// The audit log, oldest entry first.
    ///
    /// # Errors
    /// A failed read; [`StoreError::Audit`] where its chain does not hold.
    pub fn audit(&self) -> Result<Vec<Entry>, StoreError> {
        trail::entries(&*self.env, &self.dir, &self.log, &self.state)
    }

    fn ready(&self) -> Result<(), StoreError> {
        self.session.check_owner()?;
        if self.broken { Err(StoreError::Poisoned) } else { Ok(()) }
    }

    /// Commits `changes` as one generation: log, guard, witness, in this order; each durable before the next begins.
    pub(crate) fn commit(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        self.ready()?;
        let begun = self.env.monotonic();
        if let Err(e) = self.try_commit(changes) {
            return self.fail(e);
        }
        self.commit_time = self.env.monotonic().saturating_sub(begun);
        Ok(())
    }

    fn fail<T>(&mut self, e: StoreError) -> Result<T, StoreError> {
        self.broken = true;
        Err(e)
    }

    fn try_commit(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        self.not_overtaken()?;
        self.settle()?;
        let mut all = self.take_used()?;
        all.extend(changes);
        if !self.log.fits(all.len()) {
            self.log.rotate(&mut self.state)?;
        }
        self.catch_up()?;
        let (bytes, after) = self.encode(&all)?;
        self.session.attempted.store(after.generation, Ordering::Release);
        self.log.append(&bytes)?;
        self.log.sync()?;
        self.guard.store(&GuardMark::of(&after, self.machine_identity()))?;
        self.tell_witness(&after)?;
        self.session.committed.store(after.generation, Ordering::Release);
        self.state = after;
        Ok(())
    }

    /// Before the first commit of all: the directory entries are durable, however the making of the store ended.
    fn settle(&self) -> Result<(), StoreError> {
        if self.state.generation > 0 {
            return Ok(());
        }
        let places = [self.dir.as_path(), parent(&self.dir), parent(&self.guard_path)];
        places
            .into_iter()
            .try_for_each(|p| self.env.sync_dir(p).map_err(StoreError::io(Call::SyncDir)))
    }

    /// Before the first commit of a session: what log, guard and witness were found to say becomes durable and equal, so that the log
    /// is never two commits ahead. After a commit that did not return, the log was made durable by the change of files; a process
    /// killed between writing and syncing the guard leaves one that is shown and not durable.
    fn catch_up(&mut self) -> Result<(), StoreError> {
        let Some((guard, witness)) = self.behind.take() else { return Ok(()) };
        if guard {
            self.guard.store(&GuardMark::of(&self.state, self.machine_identity()))?;
        } else {
            self.guard.renew()?;
        }
        if witness { self.tell_witness(&self.state) } else { Ok(()) }
    }

    /// Nobody else is at work: the session file is ours, and the guard still says what opening read
    /// from it, or what this session last wrote. Asked again right before the guard is written.
    fn not_overtaken(&self) -> Result<(), StoreError> {
        self.held.session.check()?;
        self.guard.check()
    }

    fn machine_identity(&self) -> [u8; 16] {
        self.session.machine.as_ref().map_or([0; 16], |(_, identity)| *identity)
    }

    fn tell_witness(&self, after: &State) -> Result<(), StoreError> {
        let Some(watch) = &self.session.watch else { return Ok(()) };
        let mark = Mark { generation: after.generation, tag: after.commit_tag, uses: 0 };
        lock(watch).swap(&*self.env, mark)
    }

    /// Records of what was used and is not in the log yet, as many as fit; what is told of them is durable then.
    fn take_used(&self) -> Result<Vec<Change>, StoreError> {
        let limit = self.log.records_per_file().saturating_sub(4).min(256);
        let limit = usize::try_from(limit).unwrap_or(1).max(1);
        let (told, runs) = {
            let mut ledger = lock(&self.session.ledger);
            let told = ledger.take_told(limit);
            let left = limit - told.len();
            (told, ledger.take_fresh(left))
        };
        let mut all = self.tell(&told)?;
        all.extend(runs.iter().map(|r| Change::new(Kind::Used, r.start, r.end - r.start)));
        Ok(all)
    }

    fn tell(&self, told: &[Told]) -> Result<Vec<Change>, StoreError> {
        let (begin, mut lines, mut changes) = (self.state.signed_end, Vec::new(), Vec::new());
        for Told { index, line } in told {
            let from = lines.len();
            lines.extend_from_slice(line);
            lines.push(b'\n');
            let digest = Sha256::digest(&lines[from..]).into();
            let end = begin + lines.len() as u64;
            changes.push(Change::new(Kind::Signed, *index, end).with(digest));
        }
        if !told.is_empty() {
            trail::append(&*self.env, &self.dir, begin, &lines)?;
        }
        Ok(changes)
    }

    /// The records of these changes, and the state after them.
    fn encode(&self, changes: &[Change]) -> Result<(Vec<u8>, State), StoreError> {
        let (mut bytes, mut state) = (Vec::new(), self.state.clone());
        let newest = state.generation.max(self.session.attempted.load(Ordering::Acquire));
        let generation = newest.checked_add(1).ok_or(StoreError::LogDamaged)?;
        for change in changes {
            let record = self.write_record(&state, generation, *change);
            let (encoded, tag) = record.encode(&state.tag);
            state = state.apply(&record, tag).ok_or(StoreError::Argument(Argument::Change))?;
            bytes.extend_from_slice(&encoded);
        }
        Ok((bytes, state))
    }

    fn write_record(&self, state: &State, generation: u64, change: Change) -> Record {
        let Change { kind, a, b, digest } = change;
        Record {
            kind,
            digest,
            epoch: self.log.number() as u32,
            seq: state.seq + 1,
            generation: if kind.is_commit() { generation } else { state.generation },
            a,
            b,
            session: self.session.id,
            pid: self.session.pid,
            uid: self.env.uid(),
            time_ms: self.env.wall_ms(),
            host: self.host.clone(),
        }
    }
}

impl Indices for Store {
    fn identity(&self) -> Identity {
        Store::identity(self)
    }

    fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.replace_blob(name, bytes)
    }

    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        Store::reserve(self, count)
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        Store::record(self, index)
    }

    fn record_signed(&self, signed: &Signed) -> Result<(), StoreError> {
        Store::record_signed(self, signed)
    }

    fn confirm(&mut self) -> Result<(), StoreError> {
        Store::confirm(self)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        Store::flush(self)
    }

    fn status(&self) -> Status {
        Store::status(self)
    }

    fn last_commit(&self) -> Duration {
        Store::last_commit(self)
    }

    fn acknowledge(&mut self) -> Result<(), StoreError> {
        Store::acknowledge(self)
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        Store::retire(self)
    }

    fn close(self: Box<Self>) -> Result<Status, StoreError> {
        Store::close(*self)
    }
}

impl Drop for Store {
    // Best effort for a store that was not closed: what was recorded reaches the log.
    fn drop(&mut self) {
        if !self.broken {
            let _ = self.flush();
        }
        self.session.alive.store(false, Ordering::Release);
    }
}
