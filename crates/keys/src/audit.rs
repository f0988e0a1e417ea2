//! Signatures against the record of a stateful key.
//!
//! An audit accuses only where it knows: of a signature that does not verify though its file names
//! the key, of another message under an index that is recorded, and of two signatures with one
//! index. It says of everything else what is known.

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

/// The verdict on a signature, or on an index of which none was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It is good, and its message is the recorded one.
    Good,
    /// Its index is recorded; its message is not at hand.
    Unseen,
    /// It is not good.
    Bad,
    /// The bytes are no signature that the key could look at.
    NoSignature,
    /// It is good, but the record has another message under its index.
    Other,
    /// Another signature with its index is among those given.
    Twice,
    /// Its index was used before there were signing records.
    Unrecorded,
    /// The record does not say what its index signed.
    Unknown,
    /// Its index was used before this store: the key was imported or recovered.
    Earlier,
    /// Its index was given to a shard.
    Given,
    /// Its index is of another part of the key.
    Elsewhere,
    /// It is the signature of another key.
    Foreign,
    /// Its index is recorded, and no signature with it was given.
    Missing,
}

impl Verdict {
    /// Returns its name.
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

/// A signature beside what is recorded of its index.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The verdict.
    pub verdict: Verdict,
    /// The file of the signature, where one was given.
    pub file: Option<PathBuf>,
    /// Its index.
    pub index: Option<u64>,
    /// Holds what the record tells of this index.
    pub recorded: Option<Detail>,
    /// Why there is no record, where there is none.
    pub reason: Option<&'static str>,
    /// True if it is good, and its index was never handed out: another copy of the key signs, and
    /// the next signatures here will use its indices again.
    pub is_of_copy: bool,
    bytes: [u8; 32],
}

impl Compared {
    /// Returns whether something is wrong: a bad signature, another message under an index that is
    /// recorded, two signatures with one index, or one by another copy of the key.
    pub fn accuses(&self) -> bool {
        matches!(self.verdict, Verdict::Bad | Verdict::Other | Verdict::Twice) || self.is_of_copy
    }
}

/// The reason of a signature that is of another key.
const FOREIGN: &str = "the file names no signature of this key";
/// The reason of bytes that cannot be a signature of the key.
const UNFIT: &str = "the bytes are no signature of this key: empty, cut short or something else";
/// The reason of an index that was never handed out, where the signed file is not at hand.
const NOT_HANDED_OUT: &str =
    "the log never handed this index out: if the signature is good, another copy of the key signed";
/// The reason of a signature that has no index in it, without its message.
const NO_INDEX: &str =
    "signatures of this algorithm have no index in them: the signed file would tell";
/// The reason of a signature that has no index in it, and whose message is not recorded.
const NOT_RECORDED: &str = "no index is recorded with this message";

/// The record of a key: what each index signed.
#[derive(Debug)]
pub struct Record {
    /// The public key.
    pub public: PublicKey,
    told: BTreeMap<u64, Detail>,
    gaps: Gaps,
}

impl Record {
    /// Reads the record of the key in `dir`, which is not opened.
    ///
    /// # Errors
    /// `State`, and those of the public key.
    pub fn of(dir: &Path) -> Result<Self, Error> {
        let public = read_public_of(dir)?;
        let world = Options::new();
        let entries = world.peek_audit(dir)?;
        let gaps = Gaps::of(&entries, world.peek_range(dir)?);
        let told = entries.into_iter().filter_map(|entry| entry.signed);
        Ok(Self { public, told: told.map(|detail| (detail.index, detail)).collect(), gaps })
    }

    /// Compares the signature in `file` with the record. `ask` verifies it, and returns nothing
    /// where the message is not at hand.
    ///
    /// # Errors
    /// Those of `ask`.
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

    /// Judges a signature that is not bad by what is recorded of its index.
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

    /// Judges a signature without an index, of a key that counts: by its message.
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

    /// Judges all of them together: marks different signatures with one index, and adds what is
    /// recorded and of which none was given.
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

/// Returns whether a good signature is the recorded one. An entry that does not tell the signed
/// bytes apart tells the message, or, of an older tool, the content of a structure.
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

/// Finds two different signatures with one index, none of which is bad: each of them is said.
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
