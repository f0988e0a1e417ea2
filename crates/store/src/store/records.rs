//! Log records of used indices, of what they signed, and of every change of a commit.

use super::{Change, Store};
use crate::error::{Argument, StoreError};
use crate::log::trail;
use crate::permit::{Told, lock};
use crate::record::{Kind, Record};
use crate::state::State;
use sha2::{Digest, Sha256};
use std::sync::atomic::Ordering;

impl Store {
    /// Writes the recorded indices to the log without syncing it. They survive the death of the
    /// process, but not a power cut: they then count as lost although they were used.
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

    /// Returns the changes for used indices that are not in the log yet, as many as fit. Their
    /// entries in the file `signed` are durable when this returns.
    pub(super) fn take_used(&self) -> Result<Vec<Change>, StoreError> {
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

    /// Returns the encoded records of these changes, and the state after them.
    pub(super) fn encode(&self, changes: &[Change]) -> Result<(Vec<u8>, State), StoreError> {
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
            pid: self.session.owner.pid,
            uid: self.env.uid(),
            time_ms: self.env.wall_ms(),
            host: self.host.clone(),
        }
    }
}
