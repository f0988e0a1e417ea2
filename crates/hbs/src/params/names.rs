//! Finding a set by name, and what was probably meant when there is none.

use super::{Hash, SETS, Scheme, Set};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Up to three sets whose names are nearest to a given one, best first.
pub type Nearest = [Option<&'static Set>; 3];

/// The row called `name`, or with that alias, up to case and `/` written as `_`.
pub(super) fn find(name: &str) -> Option<&'static Set> {
    #[cfg(feature = "legacy")]
    if let Some(set) = legacy(name) {
        return Some(set);
    }
    let has_alias = |set: &&Set| aliases(set).iter().any(|alias| same(alias, name));
    SETS.iter().find(|set| same(set.name, name)).or_else(|| SETS.iter().find(has_alias))
}

/// A set of round 3.1, by liboqs' name or the submission's, which has the hash function's number.
#[cfg(feature = "legacy")]
fn legacy(name: &str) -> Option<&'static Set> {
    let short = name.to_ascii_uppercase().replacen("SHAKE256", "SHAKE", 1);
    super::LEGACY.iter().find(|set| same(set.name, &short))
}

/// Other names of a set: for LMS the short form, and where they have it liboqs' and wolfSSL's.
pub(super) fn aliases(set: &Set) -> Vec<String> {
    let Scheme::Lms { .. } = set.scheme else { return Vec::new() };
    let (n, shape) = (set.n, format!("H{}_W{}", set.h, set.lg_w));
    match (set.hash, n) {
        (Hash::Sha256, 32) => vec![
            format!("LMS_SHA256_M32_{shape}"),
            format!("LMS_SHA256_{shape}"),
            format!("L1_{shape}"),
            format!("WC_LMS_PARM_L1_{shape}"),
        ],
        (Hash::Sha256, _) => {
            vec![format!("LMS_SHA256_M24_{shape}"), format!("WC_LMS_PARM_SHA256_192_L1_{shape}")]
        }
        _ => vec![format!("LMS_SHAKE_M{n}_{shape}")],
    }
}

/// The sets whose names differ least from `name` (edit distance, case ignored).
pub fn nearest(name: &str) -> Nearest {
    let mut best: [(usize, Option<&'static Set>); 3] = [(usize::MAX, None); 3];
    for set in SETS {
        let d = distance(set.name.as_bytes(), name.as_bytes());
        if let Some(at) = best.iter().position(|b| d < b.0) {
            best[at..].rotate_right(1);
            best[at] = (d, Some(set));
        }
    }
    best.map(|b| b.1)
}

pub(super) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().map(fold).eq(b.bytes().map(fold))
}

fn fold(c: u8) -> u8 {
    if c == b'/' { b'_' } else { c.to_ascii_uppercase() }
}

/// Levenshtein distance; what is longer than any name counts as that long.
fn distance(a: &[u8], b: &[u8]) -> usize {
    const LONGEST: usize = 64;
    let (a, b) = (&a[..a.len().min(LONGEST)], &b[..b.len().min(LONGEST)]);
    let mut row: [usize; LONGEST + 1] = core::array::from_fn(|i| i);
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(fold(*x) != fold(*y));
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_row() {
        for set in SETS {
            assert_eq!(find(set.name), Some(set));
            assert_eq!(find(&set.name.to_ascii_lowercase()), Some(set));
            assert_eq!(nearest(set.name)[0], Some(set));
        }
        assert_eq!(find("XMSS-SHA2_10_25"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn an_alias_finds_its_row_and_no_other() {
        let mut all: Vec<String> = SETS.iter().flat_map(aliases).collect();
        for set in SETS {
            aliases(set).iter().for_each(|alias| assert_eq!(find(alias), Some(set)));
        }
        let w4 = find("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4");
        for alias in ["lms_sha256_m32_h10_w4", "L1_H10_W4", "WC_LMS_PARM_L1_H10_W4"] {
            assert_eq!(find(alias), w4);
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn a_slip_is_understood() {
        let names = nearest("xmss-sha2-10-256").map(|s| s.unwrap().name);
        assert_eq!(names[0], "XMSS-SHA2_10_256");
    }

    #[test]
    fn distances() {
        assert_eq!(distance(b"kitten", b"sitting"), 3);
        assert_eq!(distance(b"", b"abc"), 3);
        assert_eq!(distance(&[b'a'; 500], b"a"), 63);
    }
}
