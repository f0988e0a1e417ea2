//! Which parameter set a key is made of, for a purpose and a number of signatures: by which rule,
//! and why.
//!
//! Every choice is an LMS tree, or several over each other, with SHA-256 cut to 24 bytes: what the
//! NSA recommends to sign firmware, and the smallest signatures of SP 800-208. Trees come in
//! heights of 5, 10, 15, 20 and 25. Where no state can be kept it is SLH-DSA.
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

/// Purposes of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// Software and firmware, verified by many small devices.
    Firmware,
    /// Certificates: the key of an authority.
    Ca,
}

/// The rule by which a set is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// CNSA 2.0 of the NSA.
    Cnsa,
    /// The approval of SP 800-208.
    Nist,
    /// The size of the signature.
    Size,
    /// No state is kept.
    Stateless,
}

impl Rule {
    /// The rules in the order in which they are asked: the first that picks a set decides.
    pub const ALL: [Self; 4] = [Self::Cnsa, Self::Nist, Self::Size, Self::Stateless];

    /// Returns its name as a person reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cnsa => "CNSA 2.0",
            Self::Nist => "NIST",
            Self::Size => "size",
            Self::Stateless => "no state",
        }
    }

    /// Returns its name as a program reads it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cnsa => "cnsa",
            Self::Nist => "nist",
            Self::Size => "size",
            Self::Stateless => "stateless",
        }
    }
}

/// The set that one rule picks.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The rule.
    pub rule: Rule,
    /// The set; `None` where the rule takes none.
    pub set: Option<&'static Set>,
    /// The reason, as a sentence without its end.
    pub why: String,
}

/// Heights come in steps of five, and end with five steps.
const STEP: u32 = 5;
/// Most signatures that can be asked of one key.
pub const MOST: u64 = 1 << 50;

/// Returns what every rule picks, in order; `None` for more than [`MOST`] signatures.
pub fn choices(purpose: Purpose, count: u64) -> Option<[Choice; 4]> {
    (count <= MOST).then(|| Rule::ALL.map(|rule| choice(rule, purpose, count)))
}

fn choice(rule: Rule, purpose: Purpose, count: u64) -> Choice {
    let set = name(rule, purpose, count).and_then(|name| Set::named(&name).ok());
    Choice { rule, set, why: why(rule, purpose, set) }
}

/// Returns the name of the set that a rule picks; `None` where it takes none.
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

/// Returns the heights of the fewest trees over each other that hold `count` signatures, none
/// higher than `most` steps, the highest on top: it is made once.
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

/// Returns the mean hashes of a verification with a stateful set: half the steps of every chain and
/// the path to the root, at each level.
pub fn verify_hashes(set: &'static Set) -> u64 {
    let of = |level: &&Set| (level.len() * (level.w() - 1) / 2) as u64 + u64::from(level.h);
    set.levels().iter().map(of).sum()
}

/// Returns the hashes that make a key of a stateful set: all steps of every chain, and the nodes
/// above, of one tree at each level.
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

/// Holds what the Winternitz parameter is chosen by.
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

    /// Every rule keeps its word: what it picks is approved as it says, and holds the signatures.
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
