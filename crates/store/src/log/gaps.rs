//! The log's word on an index for which it has no signing record.

use std::ops::Range;

use super::Entry;

/// Why an index has no signing record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gap {
    /// Used before the key had signing records.
    Before,
    /// Used since, by a program that did not say for what.
    Unsaid,
    /// Reserved, and never said to be used.
    Lost,
    /// Given to a shard, which keeps its own record.
    Given,
    /// Never handed out.
    Never,
}

impl Gap {
    /// Returns the reason as a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Before => {
                "the log says that the index was used, before the key had signing records: the file cannot be compared"
            }
            Self::Unsaid => "the log says that the index was used, and not for what",
            Self::Lost => {
                "the index was reserved and counts as lost: its process ended after the signature and before the record, or another copy of the key signed"
            }
            Self::Given => "the index was given to a shard: its record is the shard's",
            Self::Never => "the log never handed this index out: another copy of the key signed",
        }
    }
}

/// The log's word on every index, in the order of its records.
#[derive(Clone, Debug)]
pub struct Gaps {
    spans: Vec<(Range<u64>, Gap)>,
}

impl Gaps {
    /// Reads the log's entries.
    pub fn of(entries: &[Entry]) -> Self {
        let upgrade = entries.iter().find(|entry| entry.what == "upgrade");
        let old = upgrade.map_or(0, |entry| entry.first);
        let gap = |entry: &Entry| match entry.what {
            "used" if entry.seq <= old => Some(Gap::Before),
            "used" => Some(Gap::Unsaid),
            "reserve" => Some(Gap::Lost),
            "give" => Some(Gap::Given),
            _ => None,
        };
        let span = |entry: &Entry| entry.first..entry.first.saturating_add(entry.count);
        let spans = entries.iter().filter_map(|entry| Some((span(entry), gap(entry)?)));
        Self { spans: spans.collect() }
    }

    /// Returns what the newest record that names the index says of it.
    pub fn at(&self, index: u64) -> Gap {
        let named = |(span, _): &&(Range<u64>, Gap)| span.contains(&index);
        self.spans.iter().rev().find(named).map_or(Gap::Never, |(_, gap)| *gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Kind, Record};

    fn entry(kind: Kind, seq: u64, a: u64, b: u64) -> Entry {
        Entry::from(&Record {
            kind,
            seq,
            generation: seq,
            a,
            b,
            session: 1,
            pid: 1,
            uid: 1,
            time_ms: 0,
            epoch: 1,
            digest: [0; 32],
            host: String::new(),
        })
    }

    #[test]
    fn the_newest_record_decides() {
        let gaps = Gaps::of(&[
            entry(Kind::Reserve, 1, 0, 4),
            entry(Kind::Used, 2, 0, 1),
            entry(Kind::Upgrade, 3, 2, 1),
            entry(Kind::Used, 4, 1, 1),
            entry(Kind::Give, 5, 8, 8),
        ]);
        let found = [0, 1, 2, 8, 5].map(|index| gaps.at(index));
        assert_eq!(found, [Gap::Before, Gap::Unsaid, Gap::Lost, Gap::Given, Gap::Never]);
    }
}
