//! Names of sets: their aliases, and finding a set by any of its names.

use super::{Hash, SETS, Scheme, Set};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// Returns the row with this name or alias. Case is ignored, and `_` may replace `/`.
pub(super) fn find(name: &str) -> Option<&'static Set> {
    #[cfg(feature = "legacy")]
    if let Some(set) = legacy(name) {
        return Some(set);
    }
    #[cfg(feature = "toy")]
    if let Some(set) = super::TOYS.iter().find(|set| same(set.name, name)) {
        return Some(set);
    }
    let has_alias = |set: &&Set| aliases(set).iter().any(|alias| same(alias, name));
    SETS.iter().find(|set| same(set.name, name)).or_else(|| SETS.iter().find(has_alias))
}

/// Returns a set of round 3.1 by its name in liboqs or in the submission, where `SHAKE` is written
/// `SHAKE256`.
#[cfg(feature = "legacy")]
fn legacy(name: &str) -> Option<&'static Set> {
    let short = name.to_ascii_uppercase().replacen("SHAKE256", "SHAKE", 1);
    super::LEGACY.iter().find(|set| same(set.name, &short))
}

/// Returns the short name of an LMS set, such as `LMS_SHA256_M32_H10_W4`. For any other set,
/// returns its name.
pub(super) fn short(set: &Set) -> String {
    match set.name.split_once('/') {
        Some((tree, _)) if matches!(set.scheme, Scheme::Lms { .. }) => {
            format!("{tree}_W{}", set.lg_w)
        }
        _ => String::from(set.name),
    }
}

/// Returns the other names of a set: for LMS, the short name, and the names of liboqs and wolfSSL
/// if there are any.
pub(super) fn aliases(set: &Set) -> Vec<String> {
    let Scheme::Lms { .. } = set.scheme else { return Vec::new() };
    let shape = format!("H{}_W{}", set.h, set.lg_w);
    let others = match (set.hash, set.n) {
        (Hash::Sha256, 32) => vec![
            format!("LMS_SHA256_{shape}"),
            format!("L1_{shape}"),
            format!("WC_LMS_PARM_L1_{shape}"),
        ],
        (Hash::Sha256, _) => vec![format!("WC_LMS_PARM_SHA256_192_L1_{shape}")],
        _ => Vec::new(),
    };
    [vec![short(set)], others].concat()
}

pub(super) fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().map(fold).eq(b.bytes().map(fold))
}

fn fold(c: u8) -> u8 {
    if c == b'/' { b'_' } else { c.to_ascii_uppercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_finds_its_row() {
        for set in SETS {
            assert_eq!(find(set.name), Some(set));
            assert_eq!(find(&set.name.to_ascii_lowercase()), Some(set));
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
}
