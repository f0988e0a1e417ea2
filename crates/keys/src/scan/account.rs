//! The account of a key: what signed with each of its indices.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

use super::{Form, ledger::Entry};
use crate::Error;

/// The verdict on an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One signature has it, and is verified.
    Good,
    /// One signature has it, and its message is not at hand.
    Unseen,
    /// Different signatures claim it, and one of them at least is not verified.
    Claimed {
        /// True if all have the path that genuine signatures of one index share; otherwise one of
        /// them at least is none of the key.
        is_one_path: bool,
    },
    /// Different signatures have it, and two of them verify.
    Reused,
}

impl Verdict {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Unseen => "unseen",
            Self::Claimed { .. } => "claimed",
            Self::Reused => "reused",
        }
    }

    /// Returns whether more than one signature has the index, or claims it.
    pub const fn is_twice(self) -> bool {
        matches!(self, Self::Claimed { .. } | Self::Reused)
    }
}

/// A file with a signature of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The number of the file.
    pub file: u32,
    /// The form of the signature.
    pub form: Form,
    /// Which of the different signatures of the index it is, from 1 on.
    pub signature: usize,
    /// True if it is verified.
    pub is_verified: bool,
}

/// An index, and the files that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The level: 0 the lowest, which signs messages.
    pub level: u32,
    /// The index, counted over its level; nothing where there is none, or 64 bits do not hold it.
    pub index: Option<u64>,
    /// The verdict.
    pub verdict: Verdict,
    /// The files; of an upper level the first one with each of the different signatures.
    pub files: Vec<Mention>,
}

impl Index {
    /// Returns it as the error of whoever takes no index twice.
    pub fn as_error(&self) -> Error {
        Error::Reused { index: self.index, level: self.level }
    }
}

/// The account of a key.
#[derive(Debug)]
pub struct Account {
    entries: Vec<Entry>,
    refuted: Vec<u32>,
    capacity: Option<u64>,
}

impl Account {
    pub(super) fn of(mut entries: Vec<Entry>, capacity: Option<u64>) -> Self {
        entries.sort_unstable_by_key(Entry::order);
        let refuted: BTreeSet<u32> = groups(&entries).flat_map(refuted).collect();
        entries.retain(|entry| entry.own.is_verified || !refuted.contains(&entry.file));
        Self { entries, refuted: refuted.into_iter().collect(), capacity }
    }

    /// Returns the files with a signature that is none of the key, as another one shows: its path
    /// is not that of a genuine signature with its index.
    pub fn refuted(&self) -> &[u32] {
        &self.refuted
    }

    /// Returns the number of signatures of the key, where it is known.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    /// Returns every index that a message was signed with, in order, and every index of an upper
    /// level that was used twice.
    pub fn indices(&self) -> impl Iterator<Item = Index> {
        let all = groups(&self.entries).map(index);
        all.filter(|index| index.level == 0 || index.verdict.is_twice())
    }

    /// Returns the highest index, and whether it is verified.
    pub fn highest(&self) -> Option<(u64, bool)> {
        let highest = self.numbers().next_back()?;
        let with = |entry: &&Entry| entry.own.level == 0 && entry.own.number == Some(highest);
        Some((highest, self.entries.iter().filter(with).any(|entry| entry.own.is_verified)))
    }

    /// Returns the ranges of indices below the highest that no signature has.
    pub fn gaps(&self) -> impl Iterator<Item = RangeInclusive<u64>> {
        let mut next = 0;
        self.numbers().filter_map(move |number| {
            let gap = (next < number).then(|| next..=number - 1);
            next = number.saturating_add(1);
            gap
        })
    }

    /// Returns how many signatures are left: of a key that counts upwards those above the highest
    /// index, of one that has no indices those that were not made.
    pub fn left(&self) -> Option<u64> {
        let used = match self.highest() {
            Some((highest, _)) => highest.saturating_add(1),
            None => self.indices().filter(|index| index.level == 0).count() as u64,
        };
        // The largest number stands for more than it.
        self.capacity.filter(|most| *most < u64::MAX).map(|most| most.saturating_sub(used))
    }

    /// Returns whether a key without indices has made more signatures than it may.
    pub fn is_over_limit(&self) -> bool {
        let made = self.indices().filter(|index| index.level == 0).count() as u64;
        self.capacity.is_some_and(|most| made > most)
    }

    /// Returns the numbers of the lowest level, in order.
    fn numbers(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.entries.iter().filter(|entry| entry.own.level == 0).filter_map(|e| e.own.number)
    }
}

/// Returns the entries of each one-time key.
fn groups(entries: &[Entry]) -> impl Iterator<Item = &[Entry]> {
    entries.chunk_by(Entry::is_beside)
}

/// Returns the files of a one-time key whose signature cannot be genuine: those with another path
/// than one that is verified.
fn refuted(group: &[Entry]) -> impl Iterator<Item = u32> {
    let genuine = group.iter().find(|entry| entry.own.is_verified).map(Entry::path);
    let others = group.iter().filter(move |entry| {
        !entry.own.is_verified && genuine.is_some_and(|path| path != entry.path())
    });
    others.map(|entry| entry.file)
}

fn index(group: &[Entry]) -> Index {
    let mut different: HashMap<[u8; 32], (usize, bool)> = HashMap::new();
    for entry in group {
        let next = different.len() + 1;
        different.entry(entry.values()).or_insert((next, false)).1 |= entry.own.is_verified;
    }
    let mention = |entry: &Entry| {
        let (signature, is_verified) = different[&entry.values()];
        Mention { file: entry.file, form: entry.form, signature, is_verified }
    };
    let files = group.iter().map(mention).collect();
    let verified = different.values().filter(|(_, is_verified)| *is_verified).count();
    let is_one_path = group.iter().all(|entry| entry.path() == group[0].path());
    let verdict = match (verified, different.len()) {
        (2.., _) => Verdict::Reused,
        (_, 2..) => Verdict::Claimed { is_one_path },
        (1, _) => Verdict::Good,
        _ => Verdict::Unseen,
    };
    Index { level: group[0].own.level, index: group[0].own.number, verdict, files }
}
