//! Reasons, according to the log, why an index has no signing record.

use std::ops::Range;

use super::Entry;

/// Reason why an index has no signing record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gap {
    /// Used before the key had signing records.
    Before,
    /// Used since then, by a program that did not record what it signed.
    Unsaid,
    /// Reserved, and never recorded as used.
    Lost,
    /// Given to a shard, which keeps its own record.
    Given,
    /// Burned: another program or another copy used the key up to this index before this store did.
    Earlier,
    /// Outside the range of this store: the index belongs to another part of the key.
    Elsewhere,
    /// Never handed out.
    Never,
    /// Signed, if at all, at a time whose records were damaged and set aside.
    Damaged,
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
            Self::Damaged => {
                "the records of that time were damaged and set aside: the file cannot be compared"
            }
            Self::Earlier => {
                "the index was given up when the key was imported or recovered: what it signed before that is not in this record"
            }
            Self::Elsewhere => {
                "the index is not in the range of this part of the key: its record is that of another part"
            }
            Self::Never => "the log never handed this index out: another copy of the key signed",
        }
    }
}

/// The reason for every index, in the order of the log's records.
#[derive(Clone, Debug)]
pub struct Gaps {
    spans: Vec<(Range<u64>, Gap)>,
    /// Range of indices with which the store was created.
    whole: Range<u64>,
    /// Reason for an index of this range that no record names.
    unnamed: Gap,
}

impl Gaps {
    /// Evaluates the entries of the log. `whole` is the range with which the store was created.
    pub fn of(entries: &[Entry], whole: Range<u64>) -> Self {
        let upgrade = entries.iter().find(|entry| entry.what == "upgrade");
        let old = upgrade.map_or(0, |entry| entry.first);
        let (mut spans, mut next) = (Vec::new(), whole.start);
        for entry in entries {
            let span = entry.first..entry.first.saturating_add(entry.count);
            match entry.what {
                "used" if entry.seq <= old => spans.push((span, Gap::Before)),
                "used" => spans.push((span, Gap::Unsaid)),
                "give" => spans.push((span, Gap::Given)),
                "reserve" => {
                    next = span.end;
                    spans.push((span, Gap::Lost));
                }
                // A burn begins at the next index, or at a later one up to which the guard knew
                // of reservations.
                "burn" => {
                    let first = entry.first.max(next);
                    spans.push((next..first, Gap::Lost));
                    next = first.saturating_add(entry.count);
                    spans.push((first..next, Gap::Earlier));
                }
                _ => {}
            }
        }
        let mended = entries.iter().any(|entry| entry.what == "mend");
        let unnamed = if mended { Gap::Damaged } else { Gap::Never };
        Self { spans, whole, unnamed }
    }

    /// Returns the reason according to the newest record that names the index.
    pub fn at(&self, index: u64) -> Gap {
        let named = |(span, _): &&(Range<u64>, Gap)| span.contains(&index);
        let unnamed = if self.whole.contains(&index) { self.unnamed } else { Gap::Elsewhere };
        self.spans.iter().rev().find(named).map_or(unnamed, |(_, gap)| *gap)
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
        let records = [
            entry(Kind::Reserve, 1, 0, 4),
            entry(Kind::Used, 2, 0, 1),
            entry(Kind::Upgrade, 3, 2, 1),
            entry(Kind::Used, 4, 1, 1),
            entry(Kind::Give, 5, 8, 8),
        ];
        let gaps = Gaps::of(&records, 0..16);
        let found = [0, 1, 2, 8, 5, 16].map(|index| gaps.at(index));
        let [before, unsaid, lost] = [Gap::Before, Gap::Unsaid, Gap::Lost];
        assert_eq!(found, [before, unsaid, lost, Gap::Given, Gap::Never, Gap::Elsewhere]);
    }

    /// The first number of a burn is the count. The second is the index up to which the guard knew
    /// of reservations.
    #[test]
    fn an_index_below_a_burn_was_used_before_this_store() {
        let records = [
            entry(Kind::Burn, 1, 4, 0),
            entry(Kind::Reserve, 2, 14, 1),
            entry(Kind::Burn, 3, 2, 18),
        ];
        let gaps = Gaps::of(&records, 10..32);
        let found = [9, 10, 13, 14, 15, 17, 18, 19, 20].map(|index| gaps.at(index));
        let [earlier, lost] = [Gap::Earlier, Gap::Lost];
        let above = [lost, lost, lost, earlier, earlier, Gap::Never];
        assert_eq!(found[..3], [Gap::Elsewhere, earlier, earlier]);
        assert_eq!(found[3..], above);
    }
}
