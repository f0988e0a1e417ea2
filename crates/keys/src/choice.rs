//! Choice of a parameter set for a purpose and a number of signatures, with the rule and the
//! reason.
//!
//! Every choice is an LMS tree, or several levels of trees, with SHA-256 truncated to 24 bytes. The
//! NSA recommends it for signing firmware, and it gives the smallest signatures of SP 800-208.
//! Trees have heights of 5, 10, 15, 20 and 25. If no state can be kept, the choice is SLH-DSA.
//!
//! ```
//! use hasten_keys::choice::{Purpose, Rule, choices};
//!
//! let all = choices(Purpose::Firmware, 30_000).expect("not more than MOST");
//! let first = all.iter().find(|choice| choice.set.is_some()).expect("a rule picks one");
//! assert_eq!(first.rule, Rule::Cnsa);
//! assert_eq!(first.set.map(|set| set.capacity()), Some(32_768));
//! ```

use hasten_hbs::Set;

/// The purpose of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// Software and firmware, verified by many small devices.
    Firmware,
    /// Certificates: the key of an authority.
    Ca,
}

/// The rule by which a set is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// CNSA 2.0 of the NSA.
    Cnsa,
    /// Approved by SP 800-208.
    Nist,
    /// Smallest signature.
    Size,
    /// No state.
    Stateless,
}

impl Rule {
    /// The rules in the order of precedence: the first that chooses a set decides.
    pub const ALL: [Self; 4] = [Self::Cnsa, Self::Nist, Self::Size, Self::Stateless];

    /// Returns the name for display.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cnsa => "CNSA 2.0",
            Self::Nist => "NIST",
            Self::Size => "size",
            Self::Stateless => "no state",
        }
    }

    /// Returns the name for machine-readable output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cnsa => "cnsa",
            Self::Nist => "nist",
            Self::Size => "size",
            Self::Stateless => "stateless",
        }
    }
}

/// The set that a rule chooses.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The rule.
    pub rule: Rule,
    /// The set; `None` if the rule allows none.
    pub set: Option<&'static Set>,
    /// The reason, as a sentence without a full stop.
    pub why: String,
}

/// Tree heights are multiples of this; the highest is five times as much.
const STEP: u32 = 5;
/// Maximum number of signatures that can be requested for one key.
pub const MOST: u64 = 1 << 50;

/// Returns the choices of all rules, in order; `None` for more than [`MOST`] signatures.
pub fn choices(purpose: Purpose, count: u64) -> Option<[Choice; 4]> {
    (count <= MOST).then(|| Rule::ALL.map(|rule| choice(rule, purpose, count)))
}

fn choice(rule: Rule, purpose: Purpose, count: u64) -> Choice {
    let set = name(rule, purpose, count).and_then(|name| Set::named(&name).ok());
    Choice { rule, set, why: why(rule, purpose, set) }
}

/// Returns the name of the set that a rule chooses; `None` if it allows none.
fn name(rule: Rule, purpose: Purpose, count: u64) -> Option<String> {
    match (rule, purpose) {
        (Rule::Cnsa, Purpose::Ca) => None,
        (Rule::Cnsa, Purpose::Firmware) => {
            let levels = heights(count, 5);
            (levels.len() == 1).then(|| of_levels(&levels, 4))
        }
        (Rule::Nist, _) => Some(of_levels(&heights(count, 4), 4)),
        (Rule::Size, _) => Some(of_levels(&heights(count, 5), 8)),
        (Rule::Stateless, _) => Some("SLH-DSA-SHA2-128s".to_owned()),
    }
}

/// Returns the tree heights of a key for `count` signatures, with as few levels as possible, none
/// higher than `most` steps. The highest tree is on top, because that one is generated only once.
fn heights(count: u64, most: u32) -> Vec<u32> {
    let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
    let steps = bits.div_ceil(STEP).max(1);
    let trees = steps.div_ceil(most);
    let of_tree = |tree| steps / trees + u32::from(tree < steps % trees);
    (0..trees).map(|tree| STEP * of_tree(tree)).collect()
}

fn of_levels(heights: &[u32], w: u32) -> String {
    let names: Vec<_> = heights.iter().map(|h| format!("LMS_SHA256_M24_H{h}_W{w}")).collect();
    match &names[..] {
        [one] => one.clone(),
        several => format!("HSS({})", several.join(",")),
    }
}

/// Returns the mean number of hashes for verification with a stateful set: at each level, half the
/// steps of every chain and the path to the root.
pub fn verify_hashes(set: &'static Set) -> u64 {
    let of = |level: &&Set| (level.len() * (level.w() - 1) / 2) as u64 + u64::from(level.h);
    set.levels().iter().map(of).sum()
}

/// Returns the number of hashes for generating a key of a stateful set: at each level, all chain
/// steps of one tree and the nodes above.
pub fn keygen_hashes(set: &'static Set) -> u64 {
    let of = |level: &&Set| ((level.len() * (level.w() - 1) + 2) as u64) << level.h;
    set.levels().iter().map(of).sum()
}

fn why(rule: Rule, purpose: Purpose, set: Option<&'static Set>) -> String {
    let height = match set.map(Set::levels).as_deref() {
        Some([one]) => format!("no tree lower than {} holds so many signatures", one.h),
        _ => "trees over each other, for one alone would take too long to make".to_owned(),
    };
    match (rule, purpose, set) {
        (Rule::Cnsa, Purpose::Ca, _) => {
            "it takes LMS and XMSS for software and firmware only: ML-DSA-87 signs certificates"
                .to_owned()
        }
        (Rule::Cnsa, _, None) => {
            "it takes single trees only, and the highest has 33,554,432 signatures".to_owned()
        }
        (Rule::Cnsa, ..) => {
            format!("the NSA recommends LMS with SHA-256/192 to sign firmware; {height}; {W4}")
        }
        (Rule::Nist, ..) => format!("approved by SP 800-208; {height}; {W4}"),
        (Rule::Size, ..) => {
            format!("the smallest signature of SP 800-208; {height}; W8 takes the most hashes")
        }
        (Rule::Stateless, ..) => {
            "approved by FIPS 205 for anybody who cannot keep a state; not in CNSA 2.0".to_owned()
        }
    }
}

/// Reason for the Winternitz parameter 4.
const W4: &str =
    "W4 verifies with about an eighth of the hashes of W8, in about 1.6 times the bytes";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::published_sizes;
    use hasten_hbs::params::Scheme;

    fn is_stateful(set: &Set) -> bool {
        !matches!(set.scheme, Scheme::SlhDsa { .. })
    }

    fn chosen(purpose: Purpose, count: u64) -> Option<&'static str> {
        let all = choices(purpose, count)?;
        all.iter().find_map(|choice| choice.set).map(|set| set.name)
    }

    #[test]
    fn firmware() {
        let tree = |h| format!("LMS_SHA256_M24_H{h}/LMOTS_SHA256_N24_W4");
        for (count, heights) in [
            (1, &[5][..]),
            (32, &[5]),
            (33, &[10]),
            (30_000, &[15]),
            (32_768, &[15]),
            (32_769, &[20]),
            (1 << 25, &[25]),
            ((1 << 25) + 1, &[15, 15]),
            (1 << 35, &[20, 15]),
        ] {
            let name = match heights {
                [one] => tree(*one),
                several => format!(
                    "HSS({})",
                    several.iter().map(|h| tree(*h)).collect::<Vec<_>>().join(",")
                ),
            };
            let name = Set::named(&name).unwrap().name;
            assert_eq!(chosen(Purpose::Firmware, count), Some(name), "{count}");
        }
    }

    /// Every set is approved as its rule promises, and allows the requested number of signatures.
    #[test]
    fn rules() {
        for bits in 0..=50 {
            for (purpose, count) in [(Purpose::Firmware, 1 << bits), (Purpose::Ca, 1 << bits)] {
                let all = choices(purpose, count).unwrap();
                let bytes = |set: &'static Set| published_sizes(set).1;
                let smallest = all[2].set.map(bytes).unwrap();
                for Choice { rule, set, .. } in &all {
                    let Some(set) = *set else { continue };
                    let name = set.name;
                    assert!(set.nist && (*rule != Rule::Cnsa || set.cnsa), "{name}");
                    assert!(!is_stateful(set) || set.capacity() >= count, "{name}");
                    assert!(bytes(set) >= smallest, "{name}");
                }
            }
        }
        assert!(choices(Purpose::Firmware, MOST + 1).is_none());
    }

    #[test]
    fn no_smaller_signature_for_so_many() {
        use hasten_hbs::params::SETS;
        for count in [30, 1000, 30_000, 1 << 20, 1 << 25] {
            let holds = |set: &&Set| is_stateful(set) && set.nist && set.capacity() >= count;
            let least = SETS.iter().filter(holds).map(|set| published_sizes(set).1).min();
            let size =
                choices(Purpose::Firmware, count).unwrap()[2].set.map(|set| published_sizes(set).1);
            assert_eq!(size, least);
        }
    }
}
