//! Comparison of signatures with the signing record of a stateful key.
//!
//! An audit accuses only where the evidence is certain: a signature that does not verify although
//! its file names the key, a message other than the recorded one under a recorded index, and two
//! signatures with the same index. For everything else it reports what is known.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use hasten_store::{Detail, Gap, Gaps, Options};
use sha2::{Digest, Sha256};

pub use crate::found::Answer;
use crate::{
    Error, encoding::PublicKey, fit::fit, found::Found, registry::Family, stateful::read_public_of,
    x509::Names,
};

/// The verdict on a signature, or on a recorded index without a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The signature is valid, and its message is the recorded one.
    Good,
    /// The index is recorded; the message is not available.
    Unseen,
    /// The signature is invalid.
    Bad,
    /// The bytes cannot be a signature of the key.
    NoSignature,
    /// The signature is valid, but the record has another message under its index.
    Other,
    /// Another of the given signatures has the same index.
    Twice,
    /// The index was used before signing records existed.
    Unrecorded,
    /// The record does not show what was signed with this index.
    Unknown,
    /// The index was used before this store existed: the key was imported or recovered.
    Earlier,
    /// The index was given to a shard.
    Given,
    /// The index belongs to another part of the key.
    Elsewhere,
    /// The signature is of another key.
    Foreign,
    /// The index is recorded, but no signature with it was given.
    Missing,
}

impl Verdict {
    /// Returns the name of the verdict.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Unseen => "unseen",
            Self::Bad => "bad",
            Self::NoSignature => "no-signature",
            Self::Other => "other",
            Self::Twice => "twice",
            Self::Unrecorded => "unrecorded",
            Self::Unknown => "unknown",
            Self::Earlier => "earlier",
            Self::Given => "given",
            Self::Elsewhere => "elsewhere",
            Self::Foreign => "foreign",
            Self::Missing => "missing",
        }
    }

    fn of_gap(gap: Gap) -> Self {
        match gap {
            Gap::Before => Self::Unrecorded,
            Gap::Earlier => Self::Earlier,
            Gap::Given => Self::Given,
            Gap::Elsewhere => Self::Elsewhere,
            _ => Self::Unknown,
        }
    }
}

/// A signature and the record of its index.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The verdict.
    pub verdict: Verdict,
    /// The file of the signature, if one was given.
    pub file: Option<PathBuf>,
    /// The index of the signature.
    pub index: Option<u64>,
    /// The record of this index.
    pub recorded: Option<Detail>,
    /// The reason why there is no record.
    pub reason: Option<&'static str>,
    /// True if the signature is valid but its index was never handed out. Another copy of the key
    /// signs then, and later signatures of this copy will reuse its indices.
    pub is_of_copy: bool,
    bytes: [u8; 32],
}

impl Compared {
    /// Returns true if something is wrong: an invalid signature, another message under a recorded
    /// index, two signatures with the same index, or a signature by another copy of the key.
    pub fn accuses(&self) -> bool {
        matches!(self.verdict, Verdict::Bad | Verdict::Other | Verdict::Twice) || self.is_of_copy
    }
}

/// Reason for a signature of another key.
const FOREIGN: &str = "the file names no signature of this key";
/// Reason for bytes that cannot be a signature of the key.
const UNFIT: &str = "the bytes are no signature of this key: empty, cut short or something else";
/// Reason for an index that was never handed out, if the signed file is not available.
const NOT_HANDED_OUT: &str =
    "the log never handed this index out: if the signature is good, another copy of the key signed";
/// Reason for a signature without an index, if its message is not available.
const NO_INDEX: &str =
    "signatures of this algorithm have no index in them: the signed file would tell";
/// Reason for a signature without an index whose message is not recorded.
const NOT_RECORDED: &str = "no index is recorded with this message";

/// The signing record of a key: what was signed with each index.
#[derive(Debug)]
pub struct Record {
    /// The public key.
    pub public: PublicKey,
    told: BTreeMap<u64, Detail>,
    gaps: Gaps,
}

impl Record {
    /// Reads the record of the key in `dir` without opening the key.
    ///
    /// # Errors
    /// `State`, and the errors of reading the public key.
    pub fn of(dir: &Path) -> Result<Self, Error> {
        let public = read_public_of(dir)?;
        let world = Options::new();
        let entries = world.peek_audit(dir)?;
        let gaps = Gaps::of(&entries, world.peek_range(dir)?);
        let told = entries.into_iter().filter_map(|entry| entry.signed);
        Ok(Self { public, told: told.map(|detail| (detail.index, detail)).collect(), gaps })
    }

    /// Compares the signature in `file` with the record. `ask` verifies the signature; it returns
    /// `None` if the message is not available.
    ///
    /// # Errors
    /// The errors of `ask`.
    pub fn compare<E>(
        &self,
        file: &Path,
        found: &Found,
        ask: impl FnOnce() -> Result<Option<Answer>, E>,
    ) -> Result<Compared, E> {
        let bytes = Sha256::digest(&found.signature).into();
        let mut compared = Compared {
            verdict: Verdict::Foreign,
            file: Some(file.to_owned()),
            index: None,
            recorded: None,
            reason: Some(FOREIGN),
            is_of_copy: false,
            bytes,
        };
        if found.names() == Names::OtherKey {
            return Ok(compared);
        }
        let is_counted = self.public.row.family == Family::SlhDsa;
        let index = self.public.index_in(&found.signature);
        let answer = if index.is_some() || is_counted { ask()? } else { Some(Answer::BAD) };
        if answer.as_ref().is_some_and(|answer| !answer.is_good) {
            if found.names() != Names::ThisKey {
                return Ok(compared);
            }
            if fit(&self.public, &found.signature).is_err() {
                (compared.verdict, compared.reason) = (Verdict::NoSignature, Some(UNFIT));
            } else {
                (compared.verdict, compared.reason, compared.index) = (Verdict::Bad, None, index);
                compared.recorded = index.and_then(|index| self.told.get(&index)).cloned();
            }
            return Ok(compared);
        }
        match index {
            Some(index) => self.by_index(&mut compared, index, answer),
            None => self.by_message(&mut compared, answer),
        }
        Ok(compared)
    }

    /// Judges a signature that is not known to be invalid, by the record of its index.
    fn by_index(&self, compared: &mut Compared, index: u64, answer: Option<Answer>) {
        compared.index = Some(index);
        if let Some(detail) = self.told.get(&index) {
            compared.verdict = match answer {
                None => Verdict::Unseen,
                Some(answer) if is_recorded(detail, &answer) => Verdict::Good,
                Some(_) => Verdict::Other,
            };
            (compared.recorded, compared.reason) = (Some(detail.clone()), None);
            return;
        }
        let gap = self.gaps.at(index);
        (compared.verdict, compared.reason) = (Verdict::of_gap(gap), Some(gap.reason()));
        compared.is_of_copy = gap == Gap::Never && answer.is_some();
        if gap == Gap::Never && answer.is_none() {
            compared.reason = Some(NOT_HANDED_OUT);
        }
    }

    /// Judges a signature without an index, of a key with a signature limit, by its message.
    fn by_message(&self, compared: &mut Compared, answer: Option<Answer>) {
        (compared.verdict, compared.reason) = (Verdict::Unknown, Some(NO_INDEX));
        let Some(answer) = answer else { return };
        compared.reason = Some(NOT_RECORDED);
        let detail = self.told.values().find(|detail| is_recorded(detail, &answer));
        if let Some(detail) = detail {
            (compared.verdict, compared.reason) = (Verdict::Good, None);
            (compared.index, compared.recorded) = (Some(detail.index), Some(detail.clone()));
        }
    }

    /// Judges all signatures together: marks different signatures with the same index, and adds an
    /// entry for each recorded index without a signature.
    pub fn together(&self, mut all: Vec<Compared>) -> Vec<Compared> {
        if self.public.row.family != Family::SlhDsa {
            mark_twice(&mut all);
        }
        let given: BTreeSet<_> = all.iter().filter_map(|one| one.index).collect();
        let gone = self.told.iter().filter(|(index, _)| !given.contains(index));
        let gone: Vec<_> = gone.map(|(index, detail)| missing(*index, detail)).collect();
        all.extend(gone);
        all
    }
}

fn missing(index: u64, detail: &Detail) -> Compared {
    Compared {
        verdict: Verdict::Missing,
        file: None,
        index: Some(index),
        recorded: Some(detail.clone()),
        reason: None,
        is_of_copy: false,
        bytes: [0; 32],
    }
}

/// Returns true if a valid signature is the recorded one. An entry without the digest of the signed
/// bytes holds the digest of the message or, if an older version wrote it, of a structure's
/// content.
fn is_recorded(detail: &Detail, answer: &Answer) -> bool {
    let signed = hex(&answer.signed);
    match &detail.signed_sha256 {
        Some(told) => *told == signed,
        None => {
            detail.sha256 == signed
                || answer.content.iter().any(|content| detail.sha256 == hex(content))
        }
    }
}

fn hex(digest: &[u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Marks every signature that shares its index with a different one; invalid signatures are
/// ignored.
fn mark_twice(all: &mut [Compared]) {
    let mut seen: BTreeMap<u64, Vec<[u8; 32]>> = BTreeMap::new();
    for one in all.iter().filter(|one| one.verdict != Verdict::Bad) {
        let with = one.index.map(|index| seen.entry(index).or_default());
        with.into_iter().for_each(|others| {
            if !others.contains(&one.bytes) {
                others.push(one.bytes);
            }
        });
    }
    let is_twice = |one: &Compared| {
        let with = one.index.and_then(|index| seen.get(&index));
        one.verdict != Verdict::Bad && with.is_some_and(|others| others.len() > 1)
    };
    all.iter_mut().filter(|one| is_twice(one)).for_each(|one| one.verdict = Verdict::Twice);
}
