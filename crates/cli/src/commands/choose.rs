//! `hasten keygen --for PURPOSE --signatures N`: which parameter set, by which rule, and why.
//!
//! Every choice is an LMS tree, or several over each other, with SHA-256 cut to 24 bytes: what the
//! NSA recommends to sign firmware, and the smallest signatures of SP 800-208. Trees come in
//! heights of 5, 10, 15, 20 and 25.

use clap::ValueEnum;
use hasten_hbs::Set;
use hasten_keys::encoding::published_sizes;
use hasten_keys::registry::{self, Row as Algorithm};
use serde::Serialize;

use crate::error::{BadValue, Error};
use crate::output::{note, print};
use crate::report;
use crate::table::{Table, grouped, numbers, words};
use crate::units;

/// Purposes of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Software and firmware, verified by many small devices.
    Firmware,
    /// Certificates: the key of an authority.
    Ca,
}

/// How the algorithm is named: by itself, or by what it is for.
#[derive(clap::Args)]
pub struct Choice {
    /// Algorithm or parameter set.
    #[arg(long, value_name = "NAME", value_parser = crate::parse::algorithm)]
    #[arg(required_unless_present = "purpose", conflicts_with = "purpose")]
    alg: Option<&'static Algorithm>,
    /// Purpose of the key: picks a parameter set, and says why.
    #[arg(long = "for", value_name = "PURPOSE", requires = "signatures")]
    purpose: Option<Purpose>,
    /// Signatures that the key is to make in its life.
    #[arg(long, value_name = "N", requires = "purpose", value_parser = units::count)]
    signatures: Option<usize>,
    /// Shows what each rule picks (CNSA 2.0, NIST, size, no state), and makes no key.
    #[arg(long, requires = "purpose")]
    list: bool,
}

/// Says what decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Rule {
    Cnsa,
    Nist,
    Size,
    Stateless,
}

impl Rule {
    /// In the order in which they are asked: the first that picks a set decides.
    const ALL: [Self; 4] = [Self::Cnsa, Self::Nist, Self::Size, Self::Stateless];

    fn name(self) -> &'static str {
        match self {
            Self::Cnsa => "CNSA 2.0",
            Self::Nist => "NIST",
            Self::Size => "size",
            Self::Stateless => "no state",
        }
    }
}

/// Holds what one rule picks.
#[derive(Serialize)]
struct Picked {
    #[serde(rename = "for")]
    purpose: Purpose,
    signatures: u64,
    rule: Rule,
    /// The one that `keygen --for` makes a key of.
    chosen: bool,
    alg: Option<String>,
    capacity: Option<u64>,
    public_key_bytes: Option<usize>,
    signature_bytes: Option<usize>,
    /// Mean hashes of a verification, and those that make the key, counted as chain steps and
    /// nodes.
    verify_hashes: Option<u64>,
    keygen_hashes: Option<u64>,
    why: String,
}

/// Heights come in steps of five, and end with five steps.
const STEP: u32 = 5;
/// Most signatures asked of one key.
const MOST: u64 = 1 << 50;

impl Choice {
    /// Returns the algorithm named, or the one picked.
    pub fn alg(&self) -> Result<&'static Algorithm, Error> {
        let Some((purpose, count)) = self.asked() else {
            return Ok(self.alg.expect("the arguments ask for --alg or --for"));
        };
        let rows = rows(purpose, count)?;
        let name = rows.iter().find(|row| row.chosen).and_then(|row| row.alg.as_deref());
        Ok(registry::find(name.unwrap_or_default()).expect("the registry has every set"))
    }

    fn asked(&self) -> Option<(Purpose, u64)> {
        Some((self.purpose?, self.signatures? as u64))
    }

    /// Prints the choices where that is all that is wanted; says which one is taken otherwise.
    /// Returns whether the command is done.
    pub fn shown(&self, json: bool) -> Result<bool, Error> {
        let Some((purpose, count)) = self.asked() else { return Ok(false) };
        let rows = rows(purpose, count)?;
        if self.list {
            print(&match json {
                true => report::new("hasten.keygen-choices/1", None, &rows).json(),
                false => table(&rows),
            })?;
        } else if let Some(row) = rows.iter().find(|row| row.chosen) {
            let name = row.alg.as_deref().unwrap_or_default();
            note(&format!("{name} is chosen by the rule {}: {}", row.rule.name(), row.why));
        }
        Ok(self.list)
    }
}

fn too_many(count: u64) -> Error {
    let value = BadValue::Signatures { given: grouped(count), most: grouped(MOST) };
    Error::Value { option: "--signatures", value }
}

/// Returns what every rule picks, in order.
fn rows(purpose: Purpose, count: u64) -> Result<Vec<Picked>, Error> {
    if count > MOST {
        return Err(too_many(count));
    }
    let mut rows: Vec<_> = Rule::ALL.iter().map(|rule| picked(*rule, purpose, count)).collect();
    if let Some(first) = rows.iter_mut().find(|row| row.alg.is_some()) {
        first.chosen = true;
    }
    Ok(rows)
}

fn picked(rule: Rule, purpose: Purpose, count: u64) -> Picked {
    let set = name(rule, purpose, count).and_then(|name| Set::named(&name).ok());
    let sizes = set.map(published_sizes);
    let stateful = set.filter(|set| crate::parse::is_stateful(set));
    Picked {
        purpose,
        signatures: count,
        rule,
        chosen: false,
        alg: set.map(short),
        capacity: stateful.map(Set::capacity),
        public_key_bytes: sizes.map(|(public, _)| public),
        signature_bytes: sizes.map(|(_, signature)| signature),
        verify_hashes: stateful.map(verify_hashes),
        keygen_hashes: stateful.map(keygen_hashes),
        why: why(rule, purpose, set),
    }
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

/// Returns the name that one would type.
fn short(set: &'static Set) -> String {
    let row = registry::find(set.name).ok();
    let short = row.and_then(|row| row.alias_of(registry::Naming::Short));
    short.unwrap_or(set.name).to_owned()
}

/// Returns half the steps of every chain and the path to the root, at each level.
fn verify_hashes(set: &'static Set) -> u64 {
    let of = |level: &&Set| (level.len() * (level.w() - 1) / 2) as u64 + u64::from(level.h);
    set.levels().iter().map(of).sum()
}

/// Returns all steps of every chain, and the nodes above, of one tree at each level.
fn keygen_hashes(set: &'static Set) -> u64 {
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

fn table(rows: &[Picked]) -> String {
    let columns = vec![
        words("rule"),
        words("set"),
        numbers("signatures"),
        numbers("public key"),
        numbers("signature"),
        numbers("hashes to verify"),
        numbers("to make the key"),
    ];
    let or_none = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), grouped);
    let cells = |row: &Picked| {
        let set = row.alg.clone().unwrap_or_else(|| "none".to_owned());
        let bytes = [row.public_key_bytes, row.signature_bytes].map(|n| n.map(|n| n as u64));
        let all = [row.capacity, bytes[0], bytes[1], row.verify_hashes, row.keygen_hashes];
        [row.rule.name().to_owned(), set].into_iter().chain(all.map(or_none)).collect()
    };
    let table = Table::new(columns).print(&rows.iter().map(cells).collect::<Vec<_>>());
    let reason = |row: &Picked| {
        let mark = if row.chosen { " (chosen)" } else { "" };
        format!("{}{mark}: {}", row.rule.name(), row.why)
    };
    let reasons: Vec<_> = rows.iter().map(reason).collect();
    format!("{table}\n\n{}\nAnother one than the chosen: --alg SET", reasons.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(purpose: Purpose, count: u64) -> Option<String> {
        rows(purpose, count).unwrap().into_iter().find(|row| row.chosen)?.alg
    }

    #[test]
    fn firmware() {
        for (count, name) in [
            (1, "LMS_SHA256_M24_H5_W4"),
            (32, "LMS_SHA256_M24_H5_W4"),
            (33, "LMS_SHA256_M24_H10_W4"),
            (30_000, "LMS_SHA256_M24_H15_W4"),
            (32_768, "LMS_SHA256_M24_H15_W4"),
            (32_769, "LMS_SHA256_M24_H20_W4"),
            (1 << 25, "LMS_SHA256_M24_H25_W4"),
            ((1 << 25) + 1, "HSS(LMS_SHA256_M24_H15_W4,LMS_SHA256_M24_H15_W4)"),
            (1 << 35, "HSS(LMS_SHA256_M24_H20_W4,LMS_SHA256_M24_H15_W4)"),
        ] {
            assert_eq!(chosen(Purpose::Firmware, count).as_deref(), Some(name), "{count}");
        }
    }

    /// Every rule keeps its word: what it picks is approved as it says, and holds the signatures.
    #[test]
    fn rules() {
        for bits in 0..=50 {
            for (purpose, count) in [(Purpose::Firmware, 1 << bits), (Purpose::Ca, 1 << bits)] {
                let rows = rows(purpose, count).unwrap();
                assert_eq!(rows.iter().filter(|row| row.chosen).count(), 1);
                let smallest = rows[2].signature_bytes.unwrap();
                for row in &rows {
                    let Some(name) = &row.alg else { continue };
                    let set = Set::named(name).unwrap();
                    assert!(set.nist && (row.rule != Rule::Cnsa || set.cnsa), "{name}");
                    assert!(row.capacity.is_none_or(|capacity| capacity >= count), "{name}");
                    assert!(row.signature_bytes.unwrap() >= smallest, "{name}");
                }
            }
        }
        assert!(rows(Purpose::Firmware, MOST + 1).is_err());
    }

    #[test]
    fn no_smaller_signature_for_so_many() {
        use hasten_hbs::params::SETS;
        for count in [30, 1000, 30_000, 1 << 20, 1 << 25] {
            let holds =
                |set: &&Set| crate::parse::is_stateful(set) && set.nist && set.capacity() >= count;
            let least = SETS.iter().filter(holds).map(|set| published_sizes(set).1).min();
            assert_eq!(rows(Purpose::Firmware, count).unwrap()[2].signature_bytes, least);
        }
    }
}
