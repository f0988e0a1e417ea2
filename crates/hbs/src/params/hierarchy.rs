//! Parameter sets of HSS: any combination of one to eight rows of LMS, one for each level.
//! RFC 8554, section 6 (Hierarchical Signatures).
//!
//! There are too many combinations for a table. The row of a combination is created when it is
//! first requested, and is kept until the program ends. The same levels give the same row.

use super::names::{find as row, same, short};
use super::{SETS, Scheme, Set};
use crate::Error;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Maximum number of levels of a key.
pub const MOST_LEVELS: usize = 8;

/// The levels of a key, the highest first.
type Levels = [&'static Set];

impl Set {
    /// Returns the HSS set with these levels, the highest first.
    ///
    /// # Errors
    /// [`Error::UnknownSet`] for no level, more than eight, or a level that is not a set of LMS.
    pub fn hss(levels: &Levels) -> Result<&'static Self, Error> {
        let are_lms = levels.iter().all(|set| matches!(set.scheme, Scheme::Lms { .. }));
        if !are_lms || levels.is_empty() || levels.len() > MOST_LEVELS {
            return Err(Error::UnknownSet);
        }
        Ok(kept(levels))
    }

    /// Returns the levels of an HSS set, the highest first. For any other set, returns the set
    /// alone.
    pub fn levels(&'static self) -> Vec<&'static Self> {
        match self.scheme {
            Scheme::Hss { levels } => levels.to_vec(),
            _ => alloc::vec![self],
        }
    }

    /// Returns the size in bytes of an HSS signature before that of the lowest tree: Nspk and the
    /// signed public keys. Returns 0 for any other set.
    pub(crate) const fn front_bytes(&self) -> usize {
        let Scheme::Hss { levels } = self.scheme else { return 0 };
        let (mut bytes, mut level) = (4, 1);
        while level < levels.len() {
            bytes += levels[level - 1].signature_bytes() + levels[level].public_key_bytes();
            level += 1;
        }
        bytes
    }
}

/// Returns the row of these levels, and creates it if there is none.
#[cfg(feature = "std")]
fn kept(levels: &Levels) -> &'static Set {
    use std::sync::{Mutex, PoisonError};
    static ROWS: Mutex<Vec<&'static Set>> = Mutex::new(Vec::new());
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    let of = |set: &&&Set| matches!(set.scheme, Scheme::Hss { levels: its } if its == levels);
    if let Some(row) = rows.iter().find(of) {
        return row;
    }
    rows.push(made(levels));
    rows[rows.len() - 1]
}

/// Creates the row of these levels. Without `std` there is no lock for a list of rows.
#[cfg(not(feature = "std"))]
fn kept(levels: &Levels) -> &'static Set {
    made(levels)
}

fn made(levels: &Levels) -> &'static Set {
    let (highest, lowest) = (levels[0], levels[levels.len() - 1]);
    let names: Vec<String> = levels.iter().map(|set| short(set)).collect();
    let of_all = |has: fn(&Set) -> bool| levels.iter().all(|set| has(set));
    Box::leak(Box::new(Set {
        name: Box::leak(format!("HSS({})", names.join(",")).into_boxed_str()),
        scheme: Scheme::Hss { levels: Box::leak(levels.into()) },
        number: highest.number,
        h: levels.iter().map(|set| set.h).sum(),
        d: levels.len() as u32,
        nist: of_all(|set| set.nist) && alike(levels),
        cnsa: false,
        ..*lowest
    }))
}

/// Returns true if all levels have the same hash function and the same n. SP 800-208, section 4
/// (Leighton-Micali Signatures (LMS) Parameter Sets) requires this of a key; RFC 8554 does not.
fn alike(levels: &Levels) -> bool {
    levels.iter().all(|set| (set.hash, set.n) == (levels[0].hash, levels[0].n))
}

/// Returns the row that `HSS(A,B)` names, or a name of wolfSSL or liboqs for several levels.
pub(super) fn find(name: &str) -> Option<&'static Set> {
    let levels = written(name).or_else(|| borrowed(name))?;
    match levels[..] {
        [level] => Some(level),
        _ => Set::hss(&levels).ok(),
    }
}

/// Reads the levels inside `HSS(...)`.
fn written(name: &str) -> Option<Vec<&'static Set>> {
    let (head, list) = name.split_at_checked(4)?;
    let list = list.strip_suffix(')').filter(|_| same(head, "HSS("))?;
    let level =
        |part: &str| row(part.trim()).filter(|set| matches!(set.scheme, Scheme::Lms { .. }));
    list.split(',').take(MOST_LEVELS + 1).map(level).collect()
}

/// Reads the levels of `L2_H10_W4`, `WC_LMS_PARM_SHA256_192_L2_H10_W4`, `LMS_SHA256_H5_W8_H5_W8`
/// and similar names. `WC_LMS_PARM_NONE` is wolfSSL's default.
fn borrowed(name: &str) -> Option<Vec<&'static Set>> {
    let upper = name.to_ascii_uppercase();
    if let Some(shapes) = upper.strip_prefix("LMS_SHA256_H") {
        return shapes
            .split("_H")
            .take(MOST_LEVELS + 1)
            .map(|shape| of_shape("SHA256_M32", shape))
            .collect();
    }
    let rest = match upper.strip_prefix("WC_LMS_PARM_") {
        Some("NONE") => "L1_H15_W2",
        Some(rest) => rest,
        None => &upper,
    };
    let hashes =
        [("SHA256_192_", "SHA256_M24"), ("SHAKE192_", "SHAKE_M24"), ("SHAKE_", "SHAKE_M32")];
    let hash = hashes.iter().find_map(|(word, hash)| Some((rest.strip_prefix(word)?, *hash)));
    let (rest, hash) = hash.unwrap_or((rest, "SHA256_M32"));
    let (count, shape) = rest.strip_prefix('L')?.split_once("_H")?;
    let count = count.parse().ok().filter(|count| (1..=MOST_LEVELS).contains(count))?;
    Some(alloc::vec![of_shape(hash, shape)?; count])
}

/// Returns the LMS row with this hash and a shape such as `10_W4`.
fn of_shape(hash: &str, shape: &str) -> Option<&'static Set> {
    let name = format!("LMS_{hash}_H{shape}");
    SETS.iter().find(|set| matches!(set.scheme, Scheme::Lms { .. }) && short(set) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hierarchy_is_found_by_every_name() {
        let w4 = row("LMS_SHA256_M32_H10_W4").unwrap();
        let two = Set::hss(&[w4, w4]).unwrap();
        assert_eq!(two.name, "HSS(LMS_SHA256_M32_H10_W4,LMS_SHA256_M32_H10_W4)");
        let long = "hss(LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4, lms_sha256_m32_h10_w4)";
        for name in
            [two.name, long, "L2_H10_W4", "WC_LMS_PARM_L2_H10_W4", "LMS_SHA256_H10_W4_H10_W4"]
        {
            assert_eq!(Set::named(name).unwrap(), two, "{name}");
            assert!(core::ptr::eq(Set::named(name).unwrap(), two), "{name}");
        }
        assert_eq!(Set::named("HSS(L1_H10_W4)").unwrap(), w4);
        let default = Set::named("WC_LMS_PARM_NONE").unwrap();
        assert_eq!(default.name, "LMS_SHA256_M32_H15/LMOTS_SHA256_N32_W2");
        assert!(Set::named("none").is_err());
        let short = Set::named("WC_LMS_PARM_SHA256_192_L3_H5_W2").unwrap();
        assert_eq!((short.n, short.d, short.h), (24, 3, 15));
    }

    #[test]
    fn what_is_no_hierarchy_is_refused() {
        let nine = "L1_H5_W1,".repeat(9);
        for name in [
            "HSS()",
            "HSS(",
            "HSS(L1_H5_W1",
            "HSS(XMSS-SHA2_10_256)",
            "L0_H5_W1",
            "L9_H5_W1",
            "L2_H6_W1",
            "é(L1_H5_W1)",
        ] {
            assert_eq!(Set::named(name), Err(Error::UnknownSet), "{name}");
        }
        assert_eq!(
            Set::named(&format!("HSS({})", &nine[..nine.len() - 1])),
            Err(Error::UnknownSet)
        );
        assert_eq!(Set::hss(&[]), Err(Error::UnknownSet));
    }

    #[test]
    fn sizes_of_a_hierarchy() {
        let two = Set::named("HSS(L1_H5_W8,L1_H10_W4)").unwrap();
        assert_eq!(two.signature_bytes(), 4 + 1_292 + 56 + 2_508);
        assert_eq!((two.public_key_bytes(), two.seed_bytes(), two.capacity()), (60, 48, 1 << 15));
        assert_eq!((two.trees(0), two.trees(1), two.place(1025)), (32, 1, (1, 1)));
        let nist = |name| Set::named(name).unwrap().nist;
        assert!(nist("HSS(LMS_SHA256_M24_H10_W4,LMS_SHA256_M24_H5_W8)"));
        assert!(!nist("HSS(LMS_SHA256_M32_H10_W4,LMS_SHAKE_M32_H5_W8)"), "two hash functions");
        assert!(!nist("HSS(LMS_SHA256_M32_H10_W4,LMS_SHA256_M24_H5_W8)"), "two lengths");
        let eight = Set::hss(&[row("LMS_SHAKE_M24_H25_W1").unwrap(); 8]).unwrap();
        assert_eq!((eight.h, eight.capacity(), eight.trees(0)), (200, u64::MAX, u64::MAX));
        assert!(eight.name.len() < 256);
    }
}
