//! One record of the log: 128 bytes, little-endian, chained to its predecessor by a truncated
//! SHA-256.
//!
//! 128 divides every sector size, so a record never lies across two sectors. The chain finds damage
//! and tells two histories apart; it is not keyed and proves nothing against somebody who may write
//! to the directory. The first record of a log file continues the last record of the file before
//! it, through [`link`].

use sha2::{Digest, Sha256};

/// Bytes of a record.
pub const RECORD: usize = 128;
/// Bytes of a chain tag.
pub const TAG: usize = 16;
const BODY: usize = RECORD - TAG;
const LABEL: usize = 48;
/// Bytes of the label that a digest takes, in records that carry one.
const DIGEST: usize = 32;
/// The form of the records written: 1 was without epoch and without digest.
pub(crate) const FORM: u8 = 2;

/// A chain tag: the first 16 bytes of SHA-256 over the previous tag and the body.
pub type Tag = [u8; TAG];

/// The kind of a record. `a` and `b` are its two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Indices `a .. a+b` are reserved. A commit.
    Reserve = 1,
    /// Indices `a .. a+b` were used by the running session. Not a commit: written without waiting.
    Used = 2,
    /// Indices `a .. a+b` (the top of the range) were given to another store. A commit.
    Give = 3,
    /// The exhaustion warning was acknowledged with `a` indices left. A commit.
    Acknowledge = 4,
    /// The exhaustion threshold is now `a`. A commit.
    Threshold = 5,
    /// `a` further indices are burned and the next one is at least `b`: an override or a repair. A
    /// commit.
    Burn = 6,
    /// The key is retired. A commit.
    Retire = 7,
    /// A session with no other change (used by an override that lost its guard). A commit.
    Adopt = 8,
    /// The key is the one whose public key has this digest, from now on. A commit.
    Bind = 9,
    /// The log was brought up from form `b`; the first `a` records are of it, and their bytes have
    /// this digest. A commit.
    Upgrade = 10,
    /// Index `a` was used, and what it signed is told in the file `signed`, up to byte `b`, with
    /// this digest. Not a commit.
    Signed = 11,
    /// Everything that was signed until here is recorded: guard and witness hold the head of the
    /// record. A commit.
    Confirm = 12,
    /// Records 1 to `a`, and the entries of what was signed up to byte `b`, were found damaged and
    /// set aside; the digest is the tag of the last of them, and half a digest of the files. The
    /// first record of a log file. A commit.
    Mend = 13,
    /// Guard or log were found to be other files than the guard says, or changed by somebody else,
    /// and that was accepted. A commit.
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

    /// Returns whether the record carries a digest, which then takes two thirds of the host's name.
    fn has_digest(self) -> bool {
        matches!(self, Kind::Bind | Kind::Upgrade | Kind::Signed | Kind::Mend)
    }

    /// Returns whether the record advances the generation (and so the guard).
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
    /// Wall clock, milliseconds since the Unix epoch.
    pub time_ms: u64,
    /// Number of the log file it was written to, counted from 1 (0 in records of form 1).
    pub epoch: u32,
    /// The digest of a [`Kind::Bind`], [`Kind::Upgrade`], [`Kind::Signed`] or [`Kind::Mend`]; zero
    /// in others.
    pub digest: [u8; DIGEST],
    /// Host name of the writer, cut to 48 bytes; to 16 beside a digest.
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

    /// Returns the record without looking at its tag: for the audit archive, which nothing is
    /// decided by.
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

/// Returns SHA-256(previous, body), cut to 16 bytes.
pub(crate) fn chain(previous: &Tag, body: &[u8]) -> Tag {
    let digest = Sha256::new().chain_update(previous).chain_update(body).finalize();
    let mut tag = [0; TAG];
    tag.copy_from_slice(&digest[..TAG]);
    tag
}

/// Returns what the first record of log file `epoch` continues: the last record before it, and the
/// file's number, so that records of another file never follow.
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
