//! The account of a key: which signatures used each index.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

use super::{Form, ledger::Entry};
use crate::Error;

/// The verdict on an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Exactly one signature has the index, and it is verified.
    Good,
    /// Exactly one signature has the index; its message is not available.
    Unseen,
    /// Different signatures claim the index, and at most one of them is verified.
    Claimed {
        /// True if all have the same authentication path, as genuine signatures of one index do.
        /// Otherwise at least one of them is not of this key.
        is_one_path: bool,
    },
    /// Different signatures have the index, and at least two of them are verified.
    Reused,
}

impl Verdict {
    /// Returns the name of the verdict.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Unseen => "unseen",
            Self::Claimed { .. } => "claimed",
            Self::Reused => "reused",
        }
    }

    /// Returns true if more than one signature has or claims the index.
    pub const fn is_twice(self) -> bool {
        matches!(self, Self::Claimed { .. } | Self::Reused)
    }
}

/// A file that contains a signature with the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The number of the file.
    pub file: u32,
    /// The form of the signature.
    pub form: Form,
    /// The number of the signature among the different signatures with this index, starting from 1.
    pub signature: usize,
    /// True if the signature is verified.
    pub is_verified: bool,
}

/// An index and the files with signatures that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// The level; 0 is the lowest, which signs messages.
    pub level: u32,
    /// The index, counted over its level; `None` if there is none, or if it does not fit into 64
    /// bits.
    pub index: Option<u64>,
    /// The verdict.
    pub verdict: Verdict,
    /// The files. For an upper level only the first file of each different signature.
    pub files: Vec<Mention>,
}

impl Index {
    /// Returns the reuse of this index as an error.
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

    /// Returns the files with a signature that is proven not to be of the key: its authentication
    /// path differs from that of a verified signature with the same index.
    pub fn refuted(&self) -> &[u32] {
        &self.refuted
    }

    /// Returns the number of signatures that the key can make, if known.
    pub fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    /// Returns every index that signed a message, in order, and every index of an upper level that
    /// was used twice.
    pub fn indices(&self) -> impl Iterator<Item = Index> {
        let all = groups(&self.entries).map(index);
        all.filter(|index| index.level == 0 || index.verdict.is_twice())
    }

    /// Returns the highest index, and true if it is verified.
    pub fn highest(&self) -> Option<(u64, bool)> {
        let highest = self.numbers().next_back()?;
        let with = |entry: &&Entry| entry.own.level == 0 && entry.own.number == Some(highest);
        Some((highest, self.entries.iter().filter(with).any(|entry| entry.own.is_verified)))
    }

    /// Returns the ranges of unused indices below the highest one.
    pub fn gaps(&self) -> impl Iterator<Item = RangeInclusive<u64>> {
        let mut next = 0;
        self.numbers().filter_map(move |number| {
            let gap = (next < number).then(|| next..=number - 1);
            next = number.saturating_add(1);
            gap
        })
    }

    /// Returns the number of signatures left. For a key with indices these are the ones above the
    /// highest used index, for a key without indices those not made yet.
    pub fn left(&self) -> Option<u64> {
        let used = match self.highest() {
            Some((highest, _)) => highest.saturating_add(1),
            None => self.indices().filter(|index| index.level == 0).count() as u64,
        };
        // `u64::MAX` stands for any larger capacity.
        self.capacity.filter(|most| *most < u64::MAX).map(|most| most.saturating_sub(used))
    }

    /// Returns true if a key without indices has exceeded its signature limit.
    pub fn is_over_limit(&self) -> bool {
        let made = self.indices().filter(|index| index.level == 0).count() as u64;
        self.capacity.is_some_and(|most| made > most)
    }

    /// Returns the indices of the lowest level, in order.
    fn numbers(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.entries.iter().filter(|entry| entry.own.level == 0).filter_map(|e| e.own.number)
    }
}

/// Groups the entries by one-time key.
fn groups(entries: &[Entry]) -> impl Iterator<Item = &[Entry]> {
    entries.chunk_by(Entry::is_beside)
}

/// Returns the files of a one-time key whose signature cannot be genuine: its authentication path
/// differs from that of a verified one.
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
