//! Setting aside a damaged signing record and beginning a new one.
//!
//! The state of the key does not depend on the signing record, but nothing is signed on top of a
//! damaged one. Mending keeps the damage visible: the files stay under other names, and the first
//! record of the new log says which records they contain, with a digest of the files.

use super::{Change, Store};
use crate::env::{File, read_up_to};
use crate::error::{Call, Errno, StoreError};
use crate::log::{audit, trail};
use crate::options::Options;
use crate::record::{Kind, TAG};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// A signing record that was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetAside {
    /// The damage that was found.
    pub cause: StoreError,
    /// Number of the last record that was set aside; the first is 1.
    pub records: u64,
    /// The present paths of the files.
    pub files: Vec<PathBuf>,
}

impl Options {
    /// Sets the signing record of the store in `dir` aside if it is damaged, begins a new one, and
    /// notes this in the log. Does nothing and returns `None` if the record is undamaged. An
    /// interrupted call is finished by the next one.
    ///
    /// # Errors
    /// As [`Options::open`].
    pub fn mend_record(mut self, dir: impl AsRef<Path>) -> Result<Option<SetAside>, StoreError> {
        self.record_may_be_damaged = true;
        let mut store = self.open(dir)?;
        let aside = match store.audit() {
            Ok(_) => None,
            Err(cause @ (StoreError::Audit(_) | StoreError::LogDamaged)) => {
                Some(store.set_aside(cause)?)
            }
            Err(error) => return Err(error),
        };
        store.close()?;
        Ok(aside)
    }
}

impl Store {
    /// Sets the signing record aside after an override, if the state does not know all of it. The
    /// entries of messages that were signed later are thereby kept.
    pub(crate) fn keep_what_was_signed(&mut self) -> Result<(), StoreError> {
        let whole = trail::ends(&*self.env, &self.dir, self.state.signed_end)?;
        match self.audit() {
            Ok(_) if whole => Ok(()),
            Ok(_) => self.set_aside(StoreError::LogDamaged).map(drop),
            Err(cause @ (StoreError::Audit(_) | StoreError::LogDamaged)) => {
                self.set_aside(cause).map(drop)
            }
            Err(error) => Err(error),
        }
    }

    fn set_aside(&mut self, cause: StoreError) -> Result<SetAside, StoreError> {
        let (records, last) = (self.state.seq, self.state.last);
        self.log.rotate(&mut self.state)?;
        let names = [audit::NAME, trail::NAME];
        let number = (1..).find(|number| names.iter().all(|name| self.is_free(name, *number)));
        let aside = |name: &str| self.dir.join(aside_name(name, number.unwrap_or(u64::MAX)));
        let (mut hash, mut files) = (Sha256::new(), Vec::new());
        for name in names {
            let from = self.dir.join(name);
            let file = match self.env.open_read(&from) {
                Ok(file) => file,
                Err(Errno::NOT_FOUND) => continue,
                Err(e) => return Err(StoreError::io(Call::Open)(e).at(&from)),
            };
            take_in(&mut hash, &*file)?;
            self.env.rename(&from, &aside(name)).map_err(StoreError::io(Call::Rename))?;
            files.push(aside(name));
        }
        let path = self.dir.join(audit::NAME);
        let archive = self.env.create(&path).map_err(StoreError::io(Call::Open))?;
        self.env.sync_dir(&self.dir).map_err(StoreError::io(Call::SyncDir))?;
        self.log.set_archive(archive);
        let mut digest = [0; 32];
        digest[..TAG].copy_from_slice(&last);
        digest[TAG..].copy_from_slice(&hash.finalize()[..TAG]);
        let mend = Change::new(Kind::Mend, records, self.state.signed_end).with(digest);
        self.commit(&[mend])?;
        Ok(SetAside { cause, records, files })
    }

    fn is_free(&self, name: &str, number: u64) -> bool {
        let there = self.env.stat(&self.dir.join(aside_name(name, number)));
        matches!(there, Err(Errno::NOT_FOUND))
    }
}

fn aside_name(name: &str, number: u64) -> String {
    format!("{name}.damaged-{number}")
}

fn take_in(hash: &mut Sha256, file: &dyn File) -> Result<(), StoreError> {
    let (mut part, mut at) = (vec![0; 1 << 16], 0);
    loop {
        let n = read_up_to(file, &mut part, at)?;
        hash.update(&part[..n]);
        at += n as u64;
        if n < part.len() {
            return Ok(());
        }
    }
}
