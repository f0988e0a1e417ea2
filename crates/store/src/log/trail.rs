//! The signing record: entries in the file `signed`, each bound to the log by its digest, and the
//! check of log and entries.
//!
//! An entry is one line of JSON. It is durable before the log record with its digest is written.
//! Bytes that a crash leaves after the last entry are cut off when the next entry is written. The
//! log is one chain over all of its files, so that the check finds and locates a record that was
//! removed, changed or inserted.

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
/// Largest length of an entry, in bytes.
const LONGEST: u64 = 1 << 16;

/// The message that one index signed, as the caller describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signed {
    /// The index.
    pub index: u64,
    /// SHA-256 of the message. If a structure around the message is signed, SHA-256 of its content.
    pub digest: [u8; 32],
    /// SHA-256 of the signed bytes, if these are not the message.
    pub signed: Option<[u8; 32]>,
    /// Kind of the signed object, such as a message or a certificate; truncated to 64 bytes.
    pub purpose: Option<String>,
    /// Name of the signed file as given, or the subject of a certificate; truncated to 4,096 bytes.
    pub file: Option<String>,
    /// The caller's own name for this request; truncated to 1,024 bytes.
    pub request: Option<String>,
    /// Name of the user; truncated to 256 bytes.
    pub user: Option<String>,
}

impl Signed {
    /// Creates a description from an index and the SHA-256 of the message that it signed.
    pub fn new(index: u64, digest: [u8; 32]) -> Signed {
        Signed { index, digest, ..Signed::default() }
    }

    /// Returns the line for the file, without the line end.
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
            signed_sha256: self.signed.as_ref().map(|digest| hex(digest)),
            purpose: cut(&self.purpose, 64),
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

/// The message that one index signed, as the signing record describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// The index.
    pub index: u64,
    /// SHA-256 of the message, in hexadecimal. If a structure around the message is signed, SHA-256
    /// of its content.
    pub sha256: String,
    /// SHA-256 of the signed bytes, in hexadecimal, if these are not the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_sha256: Option<String>,
    /// Kind of the signed object, such as a message or a certificate. Entries of older tools have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Name of the signed file as given, or the subject of a certificate.
    pub file: Option<String>,
    /// The caller's own name for this request.
    pub request: Option<String>,
    /// Id of the key, in hexadecimal.
    pub key_id: String,
    /// User id of the signer.
    pub uid: u32,
    /// Name of that user.
    pub user: Option<String>,
    /// Time at which the index was recorded, in milliseconds since the Unix epoch.
    pub time_ms: u64,
}

/// Appends entries at byte `at`, durably. Anything after that byte is cut off first.
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
    // Until the first entries are complete, a crash may remove the name of the file.
    if !new && at > 0 {
        return Ok(());
    }
    let place = if dir.as_os_str().is_empty() { parent(&path) } else { dir };
    env.sync_dir(place).map_err(StoreError::io(Call::SyncDir))
}

/// Checks the audit log and returns its entries, oldest first.
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

/// Returns true if no entries follow byte `end`. The next entry would cut them off.
pub(crate) fn ends(env: &dyn Env, dir: &Path, end: u64) -> Result<bool, StoreError> {
    match env.open_read(&dir.join(NAME)) {
        Ok(file) => Ok(file.size().map_err(StoreError::io(Call::Read))? <= end),
        Err(Errno::NOT_FOUND) => Ok(true),
        Err(e) => Err(StoreError::io(Call::Open)(e).at(&dir.join(NAME))),
    }
}

/// Number of archived records that are checked whenever a store is opened for changes. Older
/// records are checked when the audit log is read.
const NEWEST: u64 = 1 << 14;

/// Checks the newest part of the signing record, which is about to be continued.
pub(crate) fn holds_together(
    env: &dyn Env,
    dir: &Path,
    log: &Log,
    state: &State,
) -> Result<(), StoreError> {
    let records = log.newest(state.seq, NEWEST)?;
    let mut details = Details::open(env, dir)?;
    if records.first().is_some_and(|record| record.seq > 1) {
        details.at = None;
    }
    records.iter().try_for_each(|record| details.of(record).map(drop))
}

/// The file of entries, read from its beginning.
struct Details {
    file: Option<Box<dyn File>>,
    /// Offset of the next entry; `None` if the entry before it is not known.
    at: Option<u64>,
}

impl Details {
    fn open(env: &dyn Env, dir: &Path) -> Result<Details, StoreError> {
        match env.open_read(&dir.join(NAME)) {
            Ok(file) => Ok(Details { file: Some(file), at: Some(0) }),
            Err(Errno::NOT_FOUND) => Ok(Details { file: None, at: Some(0) }),
            Err(e) => Err(StoreError::io(Call::Open)(e).at(&dir.join(NAME))),
        }
    }

    /// Returns the entry of a record, if the record has one.
    fn of(&mut self, record: &Record) -> Result<Option<Detail>, StoreError> {
        if record.kind == Kind::Mend {
            self.at = Some(record.b);
        }
        if record.kind != Kind::Signed {
            return Ok(None);
        }
        let Some(at) = self.at.replace(record.b) else { return Ok(None) };
        let wrong = StoreError::Audit(Break::Detail { record: record.seq, index: record.a });
        let length = record.b.checked_sub(at).filter(|n| (1..=LONGEST).contains(n));
        let (Some(file), Some(length)) = (&self.file, length) else { return Err(wrong) };
        let mut line = vec![0; length as usize];
        let whole = read_up_to(&**file, &mut line, at)? == line.len();
        let same = whole && Sha256::digest(&line)[..] == record.digest;
        let detail: Option<Detail> = same.then(|| serde_json::from_slice(&line).ok()).flatten();
        detail.filter(|d| d.index == record.a).map(Some).ok_or(wrong)
    }
}

/// Returns the position in `all` of the newest [`Kind::Mend`] record, which says that all records
/// before it were set aside. `first` is the number of the first record in `all`.
pub(crate) fn mended(all: &[[u8; RECORD]], first: u64) -> Option<usize> {
    let is_one = |at: &usize| {
        let number = first + *at as u64;
        let mend = |r: &Record| r.kind == Kind::Mend && (r.seq, r.a + 1) == (number, number);
        Record::decode_body(&all[*at]).as_ref().is_some_and(mend)
    };
    (0..all.len()).rev().find(is_one)
}

/// Checks the chain of the records `first ..= newest`, whose bytes are in `all`. If `first` is not
/// 1 and the first record is not a [`Kind::Mend`], it is not compared with the record before it.
pub(crate) fn check(
    all: &[[u8; RECORD]],
    first: u64,
    newest: u64,
) -> Result<Vec<Record>, StoreError> {
    let mut records: Vec<Record> = Vec::with_capacity(all.len());
    let mut before: Tag = [0; TAG];
    for (bytes, number) in all.iter().zip(first..) {
        let record = Record::decode_body(bytes).filter(|r| r.seq == number);
        let Some(record) = record else {
            return Err(StoreError::Audit(lacking(all, first, number)));
        };
        let base = number == first && first > 1 && record.kind != Kind::Mend;
        if !base && !continues(&record, bytes, records.last(), &before) {
            return Err(StoreError::Audit(Break::Changed { first: number, last: number }));
        }
        before.copy_from_slice(&bytes[RECORD - TAG..]);
        if record.kind == Kind::Upgrade && !holds(&record, all) {
            return Err(StoreError::Audit(Break::Changed { first: 1, last: record.a }));
        }
        records.push(record);
    }
    match first - 1 + all.len() as u64 {
        there if there == newest => Ok(records),
        there => Err(StoreError::Audit(Break::Missing { first: there + 1, last: newest })),
    }
}

/// Returns true if a record continues the chain from the record before it. Records of form 1 are
/// covered by the digest in the [`Kind::Upgrade`] record instead.
fn continues(record: &Record, bytes: &[u8; RECORD], last: Option<&Record>, before: &Tag) -> bool {
    if bytes[1] < FORM {
        return true;
    }
    let same_file = last.is_some_and(|last| last.epoch == record.epoch);
    let from = match (last, same_file) {
        (Some(_), true) => *before,
        (None, _) if record.kind == Kind::Mend => {
            let mut aside: Tag = [0; TAG];
            aside.copy_from_slice(&record.digest[..TAG]);
            link(&aside, record.epoch.into())
        }
        _ => link(before, record.epoch.into()),
    };
    chain(&from, &bytes[..RECORD - TAG])[..] == bytes[RECORD - TAG..]
}

/// Returns true if the records of form 1 are those that the upgrade found.
fn holds(upgrade: &Record, all: &[[u8; RECORD]]) -> bool {
    let old = usize::try_from(upgrade.a).ok().and_then(|count| all.get(..count));
    old.is_some_and(|old| Sha256::digest(old.as_flattened())[..] == upgrade.digest)
}

/// Returns the damage at record `number`: records are missing up to a later one, or the record was
/// changed. `first` is the number of the first record in `all`.
fn lacking(all: &[[u8; RECORD]], first: u64, number: u64) -> Break {
    let at = (number - first) as usize;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_an_older_tool_is_read() {
        let line = br#"{"index":3,"sha256":"00","file":"a","request":null,"key_id":"01","uid":1,"user":null,"time_ms":5}"#;
        let detail: Detail = serde_json::from_slice(line).expect("an entry");
        assert_eq!((detail.index, detail.purpose, detail.signed_sha256), (3, None, None));
    }

    #[test]
    fn an_entry_tells_message_and_signed_bytes_apart() {
        let mut signed = Signed::new(7, [1; 32]);
        signed.signed = Some([2; 32]);
        signed.purpose = Some("x".repeat(70));
        let line = signed.line(&[0; 16], 0, 0);
        let detail: Detail = serde_json::from_slice(&line).expect("an entry");
        assert_eq!(detail.sha256, "01".repeat(32));
        assert_eq!(detail.signed_sha256, Some("02".repeat(32)));
        assert_eq!(detail.purpose.map(|purpose| purpose.len()), Some(64));
    }
}
