//! Commits: log, guard and witness are written in this order, each durably before the next.

use super::Store;
use crate::env::parent;
use crate::error::{Call, StoreError};
use crate::judge::GuardMark;
use crate::permit::lock;
use crate::record::Kind;
use crate::state::State;
use crate::witness::Mark;
use std::sync::atomic::Ordering;

/// One change to be committed: a kind, its two numbers, and a digest if the kind has one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(super) kind: Kind,
    pub(super) a: u64,
    pub(super) b: u64,
    pub(super) digest: [u8; 32],
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
    pub(super) fn ready(&self) -> Result<(), StoreError> {
        self.session.check_owner()?;
        if self.broken { Err(StoreError::Poisoned) } else { Ok(()) }
    }

    /// Commits `changes` as one generation. Log, guard and witness are written in this order, each
    /// durably before the next.
    pub(crate) fn commit(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        self.ready()?;
        let begun = self.env.monotonic();
        if let Err(e) = self.try_commit(changes) {
            return self.fail(e);
        }
        self.commit_time = self.env.monotonic().saturating_sub(begun);
        Ok(())
    }

    pub(super) fn fail<T>(&mut self, e: StoreError) -> Result<T, StoreError> {
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

    /// Makes the directory entries durable before the very first commit, even if the creation of
    /// the store was interrupted.
    fn settle(&self) -> Result<(), StoreError> {
        if self.state.generation > 0 {
            return Ok(());
        }
        let places = [self.dir.as_path(), parent(&self.dir), parent(&self.guard_path)];
        places
            .into_iter()
            .try_for_each(|p| self.env.sync_dir(p).map_err(StoreError::io(Call::SyncDir)))
    }

    /// Brings guard and witness up to the commit of the log, durably, before the first commit of a
    /// session, so that the log is never two commits ahead. If the last commit did not return, the
    /// switch of files has already made the log durable. If a process was killed between writing
    /// and syncing the guard, the content of the guard is visible but not durable.
    fn catch_up(&mut self) -> Result<(), StoreError> {
        let Some((guard, witness)) = self.behind.take() else { return Ok(()) };
        let caught_up = self.catch_up_guard(guard);
        self.guard.release();
        caught_up?;
        if witness { self.tell_witness(&self.state) } else { Ok(()) }
    }

    fn catch_up_guard(&mut self, is_behind: bool) -> Result<(), StoreError> {
        if is_behind {
            self.guard.announce()?;
            self.guard.store(&GuardMark::of(&self.state, self.machine_identity()))
        } else {
            self.guard.renew()
        }
    }

    /// Checks that no other session is active: the session file is still that of this session, and
    /// the guard still has the content that was last read or written here. The guard is checked
    /// again right before it is written.
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
}
