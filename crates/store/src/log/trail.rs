//! The record of what was signed: entries in the file `signed`, each bound into the log by its
//! digest, and the check of all of it.
//!
//! An entry is one line of JSON. It is durable before the record that names its digest is written;
//! what a crash leaves behind the last entry is cut off by the next one. The log is one chain over
//! all of its files, so that a record cut out, changed or put in is found, and its place said.

use super::{Entry, Log};
use crate::env::{Env, File, parent, read_up_to, sync, write_all};
use crate::error::{Break, Call, Errno, StoreError};
use crate::record::{FORM, Kind, RECORD, Record, TAG, Tag, chain, link};
use crate::state::State;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;

/// File name of the entries.
pub const NAME: &str = "signed";
/// No entry is longer.
const LONGEST: u64 = 1 << 16;

/// The message that one index signed, as the caller knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signed {
    /// The index.
    pub index: u64,
    /// SHA-256 of the message.
    pub digest: [u8; 32],
    /// Name of the signed file, as it was given; cut to 4,096 bytes.
    pub file: Option<String>,
    /// The name of this request in the caller's own books; cut to 1,024 bytes.
    pub request: Option<String>,
    /// Name of the user; cut to 256 bytes.
    pub user: Option<String>,
}

impl Signed {
    /// Takes an index and the SHA-256 of what it signed.
    pub fn new(index: u64, digest: [u8; 32]) -> Signed {
        Signed { index, digest, ..Signed::default() }
    }

    /// Returns the line of the file, without its end.
    pub(crate) fn line(&self, key_id: &[u8; 16], uid: u32, time_ms: u64) -> Vec<u8> {
        let cut = |text: &Option<String>, most: usize| {
            let fits = |text: &&String| {
                (0..=most.min(text.len())).rev().find(|n| text.is_char_boundary(*n))
            };
            text.as_ref().map(|text| text[..fits(&text).unwrap_or(0)].to_owned())
        };
        let detail = Detail {
            index: self.index,
            sha256: hex(&self.digest),
            file: cut(&self.file, 4096),
            request: cut(&self.request, 1024),
            key_id: hex(key_id),
            uid,
            user: cut(&self.user, 256),
            time_ms,
        };
        serde_json::to_vec(&detail).unwrap_or_default()
    }
}

/// The message that one index signed, as the record tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// The index.
    pub index: u64,
    /// SHA-256 of the message, in hexadecimal.
    pub sha256: String,
    /// Name of the signed file, as it was given.
    pub file: Option<String>,
    /// The name of this request in the caller's own books.
    pub request: Option<String>,
    /// Names the key, in hexadecimal.
    pub key_id: String,
    /// User id of the signer.
    pub uid: u32,
    /// Name of that user.
    pub user: Option<String>,
    /// When the index was recorded, milliseconds since the Unix epoch.
    pub time_ms: u64,
}

/// Appends entries behind byte `at`, durably.
pub(crate) fn append(env: &dyn Env, dir: &Path, at: u64, lines: &[u8]) -> Result<(), StoreError> {
    let path = dir.join(NAME);
    let (file, new) = match env.open(&path) {
        Err(Errno::NOT_FOUND) => (env.create(&path).map_err(StoreError::io(Call::Open))?, true),
        file => (file.map_err(StoreError::io(Call::Open))?, false),
    };
    if file.size().map_err(StoreError::io(Call::Read))? > at {
        file.set_size(at).map_err(StoreError::io(Call::Write))?;
    }
    write_all(&*file, lines, at)?;
    sync(&*file)?;
    // Until the first entries are whole, the file's name may be one that a crash takes away.
    if !new && at > 0 {
        return Ok(());
    }
    let place = if dir.as_os_str().is_empty() { parent(&path) } else { dir };
    env.sync_dir(place).map_err(StoreError::io(Call::SyncDir))
}

/// Returns the audit log, checked, oldest entry first.
pub(crate) fn entries(
    env: &dyn Env,
    dir: &Path,
    log: &Log,
    state: &State,
) -> Result<Vec<Entry>, StoreError> {
    let records = log.records(state.seq)?;
    let mut details = Details::open(env, dir)?;
    records.iter().map(|r| Ok(Entry { signed: details.of(r)?, ..Entry::from(r) })).collect()
}

/// The file of entries, read from its beginning.
struct Details {
    file: Option<Box<dyn File>>,
    at: u64,
}

impl Details {
    fn open(env: &dyn Env, dir: &Path) -> Result<Details, StoreError> {
        match env.open_read(&dir.join(NAME)) {
            Ok(file) => Ok(Details { file: Some(file), at: 0 }),
            Err(Errno::NOT_FOUND) => Ok(Details { file: None, at: 0 }),
            Err(e) => Err(StoreError::io(Call::Open)(e)),
        }
    }

    /// Returns the entry of a record, if it is one that has an entry.
    fn of(&mut self, record: &Record) -> Result<Option<Detail>, StoreError> {
        if record.kind != Kind::Signed {
            return Ok(None);
        }
        let wrong = StoreError::Audit(Break::Detail { record: record.seq, index: record.a });
        let length = record.b.checked_sub(self.at).filter(|n| (1..=LONGEST).contains(n));
        let (Some(file), Some(length)) = (&self.file, length) else { return Err(wrong) };
        let mut line = vec![0; length as usize];
        let whole = read_up_to(&**file, &mut line, self.at)? == line.len();
        self.at = record.b;
        let same = whole && Sha256::digest(&line)[..] == record.digest;
        let detail: Option<Detail> = same.then(|| serde_json::from_slice(&line).ok()).flatten();
        detail.filter(|d| d.index == record.a).map(Some).ok_or(wrong)
    }
}

/// Checks the chain of records `1 ..= newest`, whose bytes these are, in order.
pub(crate) fn check(all: &[[u8; RECORD]], newest: u64) -> Result<Vec<Record>, StoreError> {
    let mut records: Vec<Record> = Vec::with_capacity(all.len());
    let mut before: Tag = [0; TAG];
    for (bytes, number) in all.iter().zip(1..) {
        let record = Record::decode_body(bytes).filter(|r| r.seq == number);
        let Some(record) = record else { return Err(StoreError::Audit(lacking(all, number))) };
        if !continues(&record, bytes, records.last(), &before) {
            return Err(StoreError::Audit(Break::Changed { first: number, last: number }));
        }
        before.copy_from_slice(&bytes[RECORD - TAG..]);
        if record.kind == Kind::Upgrade && !holds(&record, all) {
            return Err(StoreError::Audit(Break::Changed { first: 1, last: record.a }));
        }
        records.push(record);
    }
    match all.len() as u64 {
        there if there == newest => Ok(records),
        there => Err(StoreError::Audit(Break::Missing { first: there + 1, last: newest })),
    }
}

/// Returns whether a record carries on from the one before. Those of form 1 are vouched for by the
/// record of the upgrade.
fn continues(record: &Record, bytes: &[u8; RECORD], last: Option<&Record>, before: &Tag) -> bool {
    if bytes[1] < FORM {
        return true;
    }
    let same_file = last.is_some_and(|last| last.epoch == record.epoch);
    let from = if same_file { *before } else { link(before, record.epoch.into()) };
    chain(&from, &bytes[..RECORD - TAG])[..] == bytes[RECORD - TAG..]
}

/// Returns whether the records of form 1 are those that the upgrade found.
fn holds(upgrade: &Record, all: &[[u8; RECORD]]) -> bool {
    let old = usize::try_from(upgrade.a).ok().and_then(|count| all.get(..count));
    old.is_some_and(|old| Sha256::digest(old.as_flattened())[..] == upgrade.digest)
}

/// Returns what is wrong where record `number` should be: nothing is there up to some other one, or
/// it is another.
fn lacking(all: &[[u8; RECORD]], number: u64) -> Break {
    let at = number as usize - 1;
    let blank = all[at..].iter().take_while(|bytes| bytes.iter().all(|b| *b == 0)).count() as u64;
    let found = Record::decode_body(&all[at]).map(|r| r.seq).filter(|seq| *seq > number);
    match found {
        Some(seq) => Break::Missing { first: number, last: seq - 1 },
        None if blank > 0 => Break::Missing { first: number, last: number + blank - 1 },
        None => Break::Changed { first: number, last: number },
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
