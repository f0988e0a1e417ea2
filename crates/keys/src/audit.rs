//! Signatures against the record of a stateful key.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use hasten_store::{Detail, Gap, Gaps, Options};
use sha2::{Digest, Sha256};

use crate::{Error, encoding::PublicKey, found::Found, stateful::read_public_of};

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
    /// It is good, but the record has another message under its index.
    Other,
    /// Another signature with its index is among those given.
    Twice,
    /// Its index was used before there were signing records.
    Unrecorded,
    /// The record knows nothing of its index.
    Unknown,
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
            Self::Other => "other",
            Self::Twice => "twice",
            Self::Unrecorded => "unrecorded",
            Self::Unknown => "unknown",
            Self::Missing => "missing",
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
    /// Why there is no record, of what is unrecorded or unknown.
    pub reason: Option<&'static str>,
    bytes: [u8; 32],
}

/// Holds what the message of a signature says.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// True if the signature is good.
    pub is_good: bool,
    /// SHA-256 of the message.
    pub sha256: [u8; 32],
}

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
        let entries = Options::new().peek_audit(dir)?;
        let gaps = Gaps::of(&entries);
        let told = entries.into_iter().filter_map(|entry| entry.signed);
        Ok(Self { public, told: told.map(|detail| (detail.index, detail)).collect(), gaps })
    }

    /// Compares the signature in `file` with the record. `ask` verifies it, and is called where
    /// that says something; it returns nothing where the message is not at hand.
    ///
    /// # Errors
    /// Those of `ask`.
    pub fn compare<E>(
        &self,
        file: &Path,
        found: &Found,
        ask: impl FnOnce() -> Result<Option<Answer>, E>,
    ) -> Result<Compared, E> {
        let index = self.public.index_in(&found.signature);
        let recorded = index.and_then(|index| self.told.get(&index)).cloned();
        let gap = index.filter(|_| recorded.is_none()).map(|index| self.gaps.at(index));
        let verdict = match (&recorded, gap) {
            (Some(detail), _) => of_recorded(detail, ask()?),
            (None, Some(Gap::Before)) => of_unrecorded(ask()?),
            (None, Some(_)) => Verdict::Unknown,
            (None, None) => Verdict::Bad,
        };
        let reason = gap.filter(|_| verdict != Verdict::Bad).map(Gap::reason);
        let bytes = Sha256::digest(&found.signature).into();
        Ok(Compared { verdict, file: Some(file.to_owned()), index, recorded, reason, bytes })
    }

    /// Judges all of them together: marks different signatures with one index, and adds what is
    /// recorded and of which none was given.
    pub fn together(&self, mut all: Vec<Compared>) -> Vec<Compared> {
        mark_twice(&mut all);
        let given = |index: &u64| all.iter().any(|one| one.index == Some(*index));
        let gone = self.told.iter().filter(|(index, _)| !given(index));
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
        bytes: [0; 32],
    }
}

/// Judges an index that was used before there were signing records.
fn of_unrecorded(answer: Option<Answer>) -> Verdict {
    let is_bad = answer.is_some_and(|answer| !answer.is_good);
    if is_bad { Verdict::Bad } else { Verdict::Unrecorded }
}

/// Judges an index that is recorded.
fn of_recorded(detail: &Detail, answer: Option<Answer>) -> Verdict {
    let Some(Answer { is_good, sha256 }) = answer else { return Verdict::Unseen };
    let hex: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    match (is_good, hex == detail.sha256) {
        (false, _) => Verdict::Bad,
        (true, false) => Verdict::Other,
        (true, true) => Verdict::Good,
    }
}

/// Finds two different signatures with one index: each of them is said.
fn mark_twice(all: &mut [Compared]) {
    let mut seen: BTreeMap<u64, Vec<[u8; 32]>> = BTreeMap::new();
    for one in all.iter() {
        let with = one.index.map(|index| seen.entry(index).or_default());
        with.into_iter().for_each(|others| {
            if !others.contains(&one.bytes) {
                others.push(one.bytes);
            }
        });
    }
    let twice = |one: &&mut Compared| one.index.is_some_and(|index| seen[&index].len() > 1);
    all.iter_mut().filter(twice).for_each(|one| one.verdict = Verdict::Twice);
}
