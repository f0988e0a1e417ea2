//! One record of the log: 128 bytes, little-endian, chained to its predecessor by a truncated
//! SHA-256.
//!
//! 128 divides every sector size, so a record never crosses a sector boundary. The chain detects
//! damage and distinguishes two histories. It is not keyed, so it proves nothing against somebody
//! who may write to the directory. The first record of a log file continues the last record of the
//! file before it, through [`link`].

use sha2::{Digest, Sha256};

/// Length of a record, in bytes.
pub const RECORD: usize = 128;
/// Length of a chain tag, in bytes.
pub const TAG: usize = 16;
const BODY: usize = RECORD - TAG;
const LABEL: usize = 48;
/// Length of the digest in the label of a record that has one, in bytes.
const DIGEST: usize = 32;
/// Format version of new records. Form 1 had no epoch and no digest.
pub(crate) const FORM: u8 = 2;

/// A chain tag: the first 16 bytes of SHA-256 over the previous tag and the body.
pub type Tag = [u8; TAG];

/// The kind of a record. `a` and `b` are its two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Indices `a .. a+b` are reserved. A commit.
    Reserve = 1,
    /// Indices `a .. a+b` were used by the running session. Not a commit: written without a sync.
    Used = 2,
    /// Indices `a .. a+b` (the top of the range) were given to another store. A commit.
    Give = 3,
    /// The exhaustion warning was acknowledged with `a` indices left. A commit.
    Acknowledge = 4,
    /// The exhaustion threshold is now `a`. A commit.
    Threshold = 5,
    /// The next index becomes at least `b`, and then `a` further indices are burned: an override or
    /// a repair. A commit.
    Burn = 6,
    /// The key is retired. A commit.
    Retire = 7,
    /// No change of indices: the first commit of a store, or the release of indices `a .. a+b`,
    /// given away before, to one shard. A commit.
    Adopt = 8,
    /// The store is bound to the public key with this digest. A commit.
    Bind = 9,
    /// The log was upgraded from form `b`. The first `a` records have that form, and their bytes
    /// have this digest. A commit.
    Upgrade = 10,
    /// Index `a` was used. The file `signed` describes what it signed in an entry that ends at byte
    /// `b` and has this digest. Not a commit.
    Signed = 11,
    /// Everything that was signed so far is recorded: guard and witness have the head of the
    /// signing record. A commit.
    Confirm = 12,
    /// Records 1 to `a`, and the entries of the file `signed` up to byte `b`, were found damaged
    /// and set aside. The digest consists of the tag of the last of these records and half a digest
    /// of the files. The first record of a log file. A commit.
    Mend = 13,
    /// Guard or log were not the files that the guard names, or were changed by somebody else, and
    /// the user accepted that. A commit.
    Moved = 14,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Kind> {
        use Kind::*;
        [
            Reserve,
            Used,
            Give,
            Acknowledge,
            Threshold,
            Burn,
            Retire,
            Adopt,
            Bind,
            Upgrade,
            Signed,
            Confirm,
            Mend,
            Moved,
        ]
        .into_iter()
        .find(|k| *k as u8 == byte)
    }

    /// Returns true if the record has a digest, which takes two thirds of the space for the host
    /// name.
    fn has_digest(self) -> bool {
        matches!(self, Kind::Bind | Kind::Upgrade | Kind::Signed | Kind::Mend)
    }

    /// Returns true if the record advances the generation (and therefore the guard).
    pub fn is_commit(self) -> bool {
        !matches!(self, Kind::Used | Kind::Signed)
    }
}

/// A decoded record without its tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The kind.
    pub kind: Kind,
    /// Number of the record, from 1.
    pub seq: u64,
    /// Generation after this record.
    pub generation: u64,
    /// First number.
    pub a: u64,
    /// Second number.
    pub b: u64,
    /// The session (one opening of the store by one process).
    pub session: u64,
    /// Process id of the writer.
    pub pid: u32,
    /// User id of the writer.
    pub uid: u32,
    /// Wall-clock time, in milliseconds since the Unix epoch.
    pub time_ms: u64,
    /// Number of the log file it was written to, counted from 1 (0 in records of form 1).
    pub epoch: u32,
    /// The digest of a [`Kind::Bind`], [`Kind::Upgrade`], [`Kind::Signed`] or [`Kind::Mend`]; zero
    /// in others.
    pub digest: [u8; DIGEST],
    /// Host name of the writer, truncated to 48 bytes, or to 16 bytes in a record with a digest.
    pub host: String,
}

impl Record {
    /// Returns the 128 bytes and the new chain tag.
    pub fn encode(&self, previous: &Tag) -> ([u8; RECORD], Tag) {
        let mut out = [0; RECORD];
        out[0] = self.kind as u8;
        out[1] = FORM;
        out[4..8].copy_from_slice(&self.pid.to_le_bytes());
        for (slot, value) in [self.seq, self.generation, self.time_ms, self.a, self.b, self.session]
            .iter()
            .enumerate()
        {
            put_u64(&mut out, 8 + 8 * slot, *value);
        }
        out[56..60].copy_from_slice(&self.uid.to_le_bytes());
        out[60..64].copy_from_slice(&self.epoch.to_le_bytes());
        self.write_label(&mut out[64..64 + LABEL]);
        let tag = chain(previous, &out[..BODY]);
        out[BODY..].copy_from_slice(&tag);
        (out, tag)
    }

    fn write_label(&self, label: &mut [u8]) {
        let at = if self.kind.has_digest() { DIGEST } else { 0 };
        label[..at].copy_from_slice(&self.digest[..at]);
        let n = self.host.len().min(LABEL - at);
        label[at..at + n].copy_from_slice(&self.host.as_bytes()[..n]);
    }

    /// Returns the record, if its tag continues the chain from `previous`.
    pub fn decode(bytes: &[u8; RECORD], previous: &Tag) -> Option<(Record, Tag)> {
        let tag = chain(previous, &bytes[..BODY]);
        if tag[..] != bytes[BODY..] {
            return None;
        }
        Some((Record::decode_body(bytes)?, tag))
    }

    /// Returns the record without checking its tag: for the archive of the audit log.
    pub fn decode_body(bytes: &[u8; RECORD]) -> Option<Record> {
        let kind = Kind::from_byte(bytes[0])?;
        let (mut digest, at) = ([0; DIGEST], if kind.has_digest() { DIGEST } else { 0 });
        digest[..at].copy_from_slice(&bytes[64..64 + at]);
        let host = bytes[64 + at..64 + LABEL].split(|b| *b == 0).next().unwrap_or_default();
        Some(Record {
            kind,
            digest,
            epoch: get_u32(bytes, 60),
            pid: get_u32(bytes, 4),
            seq: get_u64(bytes, 8),
            generation: get_u64(bytes, 16),
            time_ms: get_u64(bytes, 24),
            a: get_u64(bytes, 32),
            b: get_u64(bytes, 40),
            session: get_u64(bytes, 48),
            uid: get_u32(bytes, 56),
            host: String::from_utf8_lossy(host).into_owned(),
        })
    }
}

/// Returns SHA-256(previous, body), truncated to 16 bytes.
pub(crate) fn chain(previous: &Tag, body: &[u8]) -> Tag {
    let digest = Sha256::new().chain_update(previous).chain_update(body).finalize();
    let mut tag = [0; TAG];
    tag.copy_from_slice(&digest[..TAG]);
    tag
}

/// Returns the tag that the first record of log file `epoch` continues. It depends on the last
/// record before that file and on the file's number, so that records of another file never fit.
pub(crate) fn link(last: &Tag, epoch: u64) -> Tag {
    chain(last, &epoch.to_le_bytes())
}

pub(crate) fn put_u64(out: &mut [u8], at: usize, value: u64) {
    out[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

pub(crate) fn get_u64(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

pub(crate) fn get_u32(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}
