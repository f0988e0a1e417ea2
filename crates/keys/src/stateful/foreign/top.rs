//! The highest tree of an LMS or HSS key, according to its public key.

use hasten_hbs::{
    Set,
    params::{SETS, Scheme},
};

use crate::{
    encoding::PublicKey,
    error::ForeignError::{self, Levels, OtherPublic},
    registry::Family,
};

/// Size of I in bytes.
pub(super) const ID: usize = 16;
/// Size in bytes of the typecodes before I.
const TYPES: usize = 8;

/// The highest tree of a key.
pub(super) struct Top<'p> {
    /// Number of levels of the key.
    pub levels: usize,
    /// The set of the highest tree.
    pub set: &'static Set,
    /// The identifier I of the highest tree.
    pub id: &'p [u8],
}

impl<'p> Top<'p> {
    /// Returns the highest tree of a public key.
    ///
    /// # Errors
    /// `OtherPublic` if the key is of another scheme.
    pub fn of(public: &'p PublicKey) -> Result<Self, ForeignError> {
        let raw = &public.raw[..];
        let read = || match public.row.family {
            Family::Lms => Self::read(1, raw),
            Family::Hss => {
                let (levels, raw) = raw.split_first_chunk()?;
                Self::read(u32::from_be_bytes(*levels) as usize, raw)
            }
            _ => None,
        };
        read().ok_or(OtherPublic)
    }

    fn read(levels: usize, raw: &'p [u8]) -> Option<Self> {
        let set = Set::lms_by_types(raw.first_chunk()?).ok()?;
        Some(Self { levels, set, id: raw.get(TYPES..TYPES + ID)? })
    }

    /// Returns the set of a key with these levels, the highest first.
    ///
    /// # Errors
    /// `OtherPublic` if the levels do not match the public key, `Levels` if they differ in hash
    /// function or length.
    pub fn over(&self, levels: &[&'static Set]) -> Result<&'static Set, ForeignError> {
        if levels.len() != self.levels || levels.first() != Some(&self.set) {
            return Err(OtherPublic);
        }
        match levels {
            [only] => Ok(only),
            levels if levels.iter().all(|level| self.is_like(level)) => {
                Set::hss(levels).map_err(|_| Levels)
            }
            _ => Err(Levels),
        }
    }

    /// Returns the tree sets with the same hash function and length, and their LM-OTS typecodes.
    pub fn alike(&self) -> impl Iterator<Item = (&'static Set, u32)> {
        SETS.iter().filter_map(|set| match set.scheme {
            Scheme::Lms { ots } if self.is_like(set) => Some((set, ots)),
            _ => None,
        })
    }

    fn is_like(&self, set: &Set) -> bool {
        (set.hash, set.n) == (self.set.hash, self.set.n)
    }
}
