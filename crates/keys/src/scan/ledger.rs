//! The one-time signatures that were found, stored as digests.

use std::collections::HashMap;

use hasten_hbs::OneTimeSignature;

use super::{Account, Form, Signature, forms::digest};

/// The data of a one-time signature that are needed for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The level; 0 is the lowest, which signs messages.
    pub level: u32,
    /// The number of the one-time key in its level; `None` if there is none, or if it does not fit
    /// into 64 bits.
    pub number: Option<u64>,
    /// True if the signature is known to be genuine.
    pub is_verified: bool,
    /// Identifies the one-time key: tree and leaf.
    one_time_key: [u8; 16],
    /// The values that differ between two signatures of the same one-time key.
    values: [u8; 32],
    /// The authentication path, which is the same for both.
    path: [u8; 16],
}

/// Returns the first bytes of a digest.
fn short(parts: &[&[u8]]) -> [u8; 16] {
    *digest(parts).first_chunk().expect("a digest is longer")
}

impl Use {
    /// Converts a one-time signature of a tree. Those of upper HSS levels are verified already.
    pub(super) fn of(one: &OneTimeSignature<'_>) -> Self {
        let place = [one.tree.as_bytes(), &one.level.to_be_bytes(), &one.leaf.to_be_bytes()];
        Self {
            level: one.level,
            number: one.number,
            is_verified: !one.signed_key.is_empty(),
            one_time_key: short(&place),
            values: digest(&[one.randomizer, one.chains, one.signed_key]),
            path: short(&[one.path]),
        }
    }

    /// Converts a signature that is only counted.
    pub(super) fn counted(signature: &[u8]) -> Self {
        let values = digest(&[signature]);
        Self {
            level: 0,
            number: None,
            is_verified: false,
            one_time_key: short(&[signature]),
            values,
            path: [0; 16],
        }
    }
}

/// A one-time signature and its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub own: Use,
    pub file: u32,
    pub form: Form,
}

impl Entry {
    /// Returns the sort key; it keeps the entries of each one-time key together.
    pub fn order(&self) -> (u32, u64, [u8; 16], u32, [u8; 32]) {
        let number = self.own.number.unwrap_or(u64::MAX);
        (self.own.level, number, self.own.one_time_key, self.file, self.own.values)
    }

    /// Returns true if both have the same one-time key.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.own.one_time_key == other.own.one_time_key && self.own.level == other.own.level
    }

    pub fn values(&self) -> [u8; 32] {
        self.own.values
    }

    pub fn path(&self) -> [u8; 16] {
        self.own.path
    }
}

/// An upper one-time signature: the one-time key, the values, the path.
type Upper = ([u8; 16], [u8; 32], [u8; 16]);

/// Collects the signatures of many files.
#[derive(Debug, Default)]
pub struct Ledger {
    entries: Vec<Entry>,
    /// Upper one-time signatures that were seen. The same one occurs in many files; only the first
    /// is kept.
    uppers: HashMap<Upper, usize>,
    capacity: Option<u64>,
}

impl Ledger {
    /// Creates an empty ledger for a key with this number of signatures, if known.
    pub fn new(capacity: Option<u64>) -> Self {
        Self { capacity, ..Self::default() }
    }

    /// Adds a signature from the file with this number.
    pub fn add(&mut self, file: u32, signature: &Signature) {
        self.capacity = self.capacity.or(signature.capacity);
        for own in &signature.uses {
            let entry = Entry { own: *own, file, form: signature.form };
            if own.level > 0 {
                let upper = (own.one_time_key, own.values, own.path);
                let at = *self.uppers.entry(upper).or_insert(self.entries.len());
                if let Some(kept) = self.entries.get_mut(at) {
                    kept.own.is_verified |= own.is_verified;
                    kept.file = kept.file.min(file);
                    continue;
                }
            }
            self.entries.push(entry);
        }
    }

    /// Returns the account of all added signatures.
    pub fn finish(self) -> Account {
        Account::of(self.entries, self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{Form, Signature, Verdict};

    /// Returns a one-time signature of a level. `values` and `path` stand for its contents.
    fn own(level: u32, number: u64, values: u8, path: u8, is_verified: bool) -> Use {
        let place = [level.to_be_bytes().to_vec(), number.to_be_bytes().to_vec()].concat();
        let (values, path) = ([values; 32], [path; 16]);
        Use {
            level,
            number: Some(number),
            is_verified,
            one_time_key: short(&[&place]),
            values,
            path,
        }
    }

    fn account(files: &[&[Use]]) -> Account {
        let mut ledger = Ledger::new(Some(1 << 20));
        for (file, uses) in files.iter().enumerate() {
            let is_verified = uses.iter().all(|one| one.is_verified);
            let uses = uses.to_vec();
            let signature = Signature { form: Form::Raw, is_verified, capacity: None, uses };
            ledger.add(file as u32, &signature);
        }
        ledger.finish()
    }

    /// Two XMSS^MT signatures whose shared upper one-time key signed two roots. A fault or another
    /// program can cause this.
    #[test]
    fn an_upper_key_that_signed_two_roots_is_named_and_not_its_repetition() {
        let [one, two] = [7, 8].map(|values| own(1, 0, values, 1, true));
        let lower = |number| own(0, number, number as u8, 1, true);
        let good = account(&[&[one, lower(0)], &[one, lower(1)]]);
        assert!(good.indices().all(|index| index.level == 0 && index.verdict == Verdict::Good));
        let wrong = account(&[&[one, lower(0)], &[one, lower(1)], &[two, lower(2)]]);
        let reused: Vec<_> = wrong.indices().filter(|index| index.verdict.is_twice()).collect();
        assert_eq!(reused.len(), 1);
        assert_eq!((reused[0].level, reused[0].verdict), (1, Verdict::Reused));
        assert_eq!(reused[0].files.iter().map(|file| file.file).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn what_is_not_verified_accuses_nobody_for_certain() {
        let verdict = |uses: &[&[Use]]| {
            let account = account(uses);
            let indices: Vec<_> = account.indices().map(|index| index.verdict).collect();
            (indices, account.refuted().to_vec())
        };
        let good = own(0, 3, 1, 1, true);
        let claim = |values, path| own(0, 3, values, path, false);
        let one_path = |is_one_path| vec![Verdict::Claimed { is_one_path }];
        assert_eq!(verdict(&[&[good], &[claim(2, 1)]]), (one_path(true), vec![]));
        assert_eq!(verdict(&[&[good], &[claim(2, 2)]]), (vec![Verdict::Good], vec![1]));
        assert_eq!(verdict(&[&[claim(1, 1)], &[claim(2, 2)]]), (one_path(false), vec![]));
        assert_eq!(verdict(&[&[good], &[claim(1, 1)]]), (vec![Verdict::Good], vec![]));
        assert_eq!(verdict(&[&[claim(1, 1)], &[claim(1, 1)]]), (vec![Verdict::Unseen], vec![]));
        let reused = verdict(&[&[good], &[own(0, 3, 2, 1, true)], &[claim(3, 2)]]);
        assert_eq!(reused, (vec![Verdict::Reused], vec![2]));
    }

    #[test]
    fn gaps_are_ranges_and_what_is_left_follows_the_highest() {
        let used: Vec<_> = [2, 3, 9].map(|number| vec![own(0, number, 1, 1, true)]).into();
        let account = account(&used.iter().map(Vec::as_slice).collect::<Vec<_>>());
        assert_eq!(account.gaps().collect::<Vec<_>>(), [0..=1, 4..=8]);
        assert_eq!(account.highest(), Some((9, true)));
        assert_eq!(account.left(), Some((1 << 20) - 10));
        let empty = Ledger::new(Some(8)).finish();
        assert_eq!((empty.left(), empty.highest(), empty.gaps().count()), (Some(8), None, 0));
    }
}
