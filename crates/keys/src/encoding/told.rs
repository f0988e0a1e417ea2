//! The names and indices that a public key and its signatures tell.

use hasten_hbs::Set;

use super::hash_based::{self, SignatureReading};
use super::public::{PublicKey, is_of};
use crate::registry::{Family, Row};

impl PublicKey {
    /// Returns whether the key is one of the algorithm asked for: under its own name, that of its
    /// family, or, where it tells them, its levels and the highest of them.
    pub fn is_of(&self, row: &'static Row) -> bool {
        row == self.tree() || is_of(row, self.row, &self.raw)
    }

    /// Returns the algorithm of the tree, where a key of LMS stands as HSS of one level; else the
    /// key's own.
    pub fn tree(&self) -> &'static Row {
        match hash_based::hss_public(&self.raw) {
            Some((1, row)) if self.row.family == Family::Hss => row,
            _ => self.row,
        }
    }

    /// Returns the name under which the key was made: of HSS with several levels the public key
    /// names the highest, and a signature of it all.
    pub fn name_in(&self, signature: &[u8]) -> String {
        let named = || {
            let set = Set::named(&self.reading(signature)?.name).ok()?;
            let (levels, top) = hash_based::hss_public(&self.raw)?;
            let same = set.d == levels && set.levels().first()?.name == top.name;
            same.then(|| set.name.to_owned())
        };
        let row = self.tree();
        let several = row.family == Family::Hss;
        several.then(named).flatten().unwrap_or_else(|| row.name.clone())
    }

    /// Returns the index in a signature of a key with a state.
    pub fn index_in(&self, signature: &[u8]) -> Option<u64> {
        self.reading(signature)?.index
    }

    fn reading(&self, signature: &[u8]) -> Option<SignatureReading> {
        let stateful = [Family::Xmss, Family::XmssMt, Family::Lms, Family::Hss];
        let mut readings = hash_based::signature_readings(signature).into_iter();
        readings.find(|found| stateful.contains(&found.family) && found.family == self.row.family)
    }
}
