//! Names and indices according to a public key and its signatures.

use hasten_hbs::Set;

use super::hash_based::{self, SignatureReading};
use super::public::{PublicKey, is_of};
use crate::registry::{Family, Row};

impl PublicKey {
    /// Returns true if the key matches the given algorithm: that of the key, that of its tree, or
    /// an HSS set with the same number of levels and the same highest level.
    pub fn is_of(&self, row: &'static Row) -> bool {
        row == self.tree() || is_of(row, self.row, &self.raw)
    }

    /// Returns the algorithm of the tree if the key is an LMS key in HSS form; otherwise the
    /// algorithm of the key.
    pub fn tree(&self) -> &'static Row {
        match hash_based::hss_public(&self.raw) {
            Some((1, row)) if self.row.family == Family::Hss => row,
            _ => self.row,
        }
    }

    /// Returns the name of the set of the key. The public key of HSS with several levels names only
    /// the highest level; a signature names all of them.
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

    /// Returns the index in a signature of a stateful key.
    pub fn index_in(&self, signature: &[u8]) -> Option<u64> {
        self.reading(signature)?.index
    }

    fn reading(&self, signature: &[u8]) -> Option<SignatureReading> {
        let stateful = [Family::Xmss, Family::XmssMt, Family::Lms, Family::Hss];
        let mut readings = hash_based::signature_readings(signature).into_iter();
        readings.find(|found| stateful.contains(&found.family) && found.family == self.row.family)
    }
}
