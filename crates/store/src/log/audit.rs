//! The audit log: who reserved how many indices and when, and what was signed.
//!
//! All records of the log are kept. When the log switches files, the records of the old file are
//! copied to the archive, record number `s` to byte `128 (s - 1)`, so that copying twice does no
//! harm. The state of the key does not depend on the archive. The chain is checked whenever the
//! audit log is read ([`trail`]).

use super::trail::{self, Detail};
use crate::env::{File, read_up_to, sync, write_all};
use crate::error::{Call, StoreError};
use crate::record::{Kind, RECORD, Record};
use crate::state::SNAPSHOT;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// File name of the archive.
pub const NAME: &str = "audit";
/// Largest number of records in an archive. An archive with more records was not written here and
/// is not read into memory.
const MOST: u64 = 1 << 25;

/// One line of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Always `hasten.audit/1`.
    pub schema: &'static str,
    /// Number of the record, from 1.
    pub seq: u64,
    /// Generation after the record.
    pub generation: u64,
    /// Wall-clock time, in milliseconds since the Unix epoch.
    pub time_ms: u64,
    /// The kind: `reserve`, `used`, `give`, `acknowledge`, `threshold`, `burn`, `retire`, `adopt`,
    /// `bind`, `upgrade`, `signed`, `confirm`, `mend`, `moved`.
    pub what: &'static str,
    /// First index, or another number of the record, such as the new threshold.
    pub first: u64,
    /// Number of indices.
    pub count: u64,
    /// Process id.
    pub pid: u32,
    /// User id.
    pub uid: u32,
    /// Host name.
    pub host: String,
    /// The session (one opening of the store), in hexadecimal.
    pub session: String,
    /// The signed message, in an entry of kind `signed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed: Option<Detail>,
}

impl Entry {
    /// Returns its time in the form `2026-11-21 19:05:09 UTC`.
    pub fn time(&self) -> String {
        crate::calendar::utc(self.time_ms)
    }
}

impl From<&Record> for Entry {
    fn from(r: &Record) -> Entry {
        let (first, count) = match r.kind {
            Kind::Burn => (r.b, r.a),
            Kind::Signed => (r.a, 1),
            Kind::Mend => (1, r.a),
            _ => (r.a, r.b),
        };
        Entry {
            schema: "hasten.audit/1",
            seq: r.seq,
            generation: r.generation,
            time_ms: r.time_ms,
            what: name(r.kind),
            first,
            count,
            pid: r.pid,
            uid: r.uid,
            host: r.host.clone(),
            session: format!("{:016x}", r.session),
            signed: None,
        }
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Reserve => "reserve",
        Kind::Used => "used",
        Kind::Give => "give",
        Kind::Acknowledge => "acknowledge",
        Kind::Threshold => "threshold",
        Kind::Burn => "burn",
        Kind::Retire => "retire",
        Kind::Adopt => "adopt",
        Kind::Bind => "bind",
        Kind::Upgrade => "upgrade",
        Kind::Signed => "signed",
        Kind::Confirm => "confirm",
        Kind::Mend => "mend",
        Kind::Moved => "moved",
    }
}

/// Copies the records of a log file into the archive, durably.
pub(crate) fn keep(archive: &dyn File, log: &dyn File, tail: u64) -> Result<(), StoreError> {
    let records = log_records(log, tail)?;
    let Some(first) = records.first().and_then(Record::decode_body) else { return Ok(()) };
    write_all(archive, records.as_flattened(), (first.seq - 1) * RECORD as u64)?;
    sync(archive)
}

/// Checks and returns the records of the archive, then those of the active file. The last must have
/// the number `newest`.
pub(crate) fn read(
    archive: &dyn File,
    log: &dyn File,
    tail: u64,
    newest: u64,
) -> Result<Vec<Record>, StoreError> {
    let live = log_records(log, tail)?;
    let old = newest.saturating_sub(live.len() as u64);
    if let Some(at) = trail::mended(&live, old + 1) {
        return trail::check(&live[at..], old + 1 + at as u64, newest);
    }
    let size = archive.size().map_err(StoreError::io(Call::Read))? / RECORD as u64;
    if old.min(size) > MOST {
        return Err(StoreError::LogDamaged);
    }
    let there = usize::try_from(old.min(size)).unwrap_or(0);
    let mut all = vec![[0; RECORD]; there];
    read_up_to(archive, all.as_flattened_mut(), 0)?;
    if (there as u64) < old {
        // If records were cut out of the middle, the later ones have moved up. The check finds the
        // place.
        trail::check(&all, 1, old)?;
    }
    all.extend(live);
    let from = trail::mended(&all, 1).unwrap_or(0);
    trail::check(&all[from..], from as u64 + 1, newest)
}

/// Checks and returns the newest records: at least `most`, if there are so many. The first of them
/// is not compared with the record before it.
pub(crate) fn newest(
    archive: &dyn File,
    log: &dyn File,
    tail: u64,
    (newest, most): (u64, u64),
) -> Result<Vec<Record>, StoreError> {
    let live = log_records(log, tail)?;
    let old = newest.saturating_sub(live.len() as u64);
    if old <= most || trail::mended(&live, old + 1).is_some() {
        return read(archive, log, tail, newest);
    }
    let mut all = vec![[0; RECORD]; most as usize];
    let from = old - most;
    read_up_to(archive, all.as_flattened_mut(), from * RECORD as u64)?;
    all.extend(live);
    let at = trail::mended(&all, from + 1).unwrap_or(0);
    trail::check(&all[at..], from + 1 + at as u64, newest)
}

/// Returns the readable records of the archive and of the active file, unchecked. An archive with
/// more than [`MOST`] records is left out.
pub(crate) fn readable(
    archive: &dyn File,
    log: &dyn File,
    tail: u64,
) -> Result<Vec<Record>, StoreError> {
    let live = log_records(log, tail)?;
    let size = archive.size().map_err(StoreError::io(Call::Read))? / RECORD as u64;
    let mut all = vec![[0; RECORD]; if size > MOST { 0 } else { size as usize }];
    read_up_to(archive, all.as_flattened_mut(), 0)?;
    Ok(all.iter().chain(&live).filter_map(Record::decode_body).collect())
}

/// Returns the SHA-256 of all records, as the archive will contain them after the records of this
/// log file were copied to it.
pub(crate) fn digest(
    archive: &dyn File,
    log: &dyn File,
    tail: u64,
) -> Result<[u8; 32], StoreError> {
    let live = log_records(log, tail)?;
    let first = live.first().and_then(Record::decode_body).map(|r| r.seq - 1);
    let size = archive.size().map_err(StoreError::io(Call::Read))? / RECORD as u64;
    let mut hash = Sha256::new();
    for slot in 0..first.unwrap_or(size) {
        let mut bytes = [0; RECORD];
        read_up_to(archive, &mut bytes, slot * RECORD as u64)?;
        hash.update(bytes);
    }
    Ok(hash.chain_update(live.as_flattened()).finalize().into())
}

fn log_records(log: &dyn File, tail: u64) -> Result<Vec<[u8; RECORD]>, StoreError> {
    let count = usize::try_from(tail.saturating_sub(SNAPSHOT as u64)).unwrap_or(0) / RECORD;
    let mut records = vec![[0; RECORD]; count];
    read_up_to(log, records.as_flattened_mut(), SNAPSHOT as u64)?;
    Ok(records)
}
