//! Tells what the log says of an index for which it has no signing record.

use std::ops::Range;

use hasten_store::Entry;

/// Why an index has no signing record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Holds what the log says of indices, in the order of its records.
pub struct Account {
    spans: Vec<(Range<u64>, Gap)>,
}

impl Account {
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
    pub fn gap(&self, index: u64) -> Gap {
        let named = |(span, _): &&(Range<u64>, Gap)| span.contains(&index);
        self.spans.iter().rev().find(named).map_or(Gap::Never, |(_, gap)| *gap)
    }
}
