//! `hasten keygen --for PURPOSE --signatures N`: picks a parameter set, and names the rule and its
//! reason.

use clap::ValueEnum;
use hasten_hbs::Set;
use hasten_keys::choice::{self, MOST, choices, keygen_hashes, verify_hashes};
use hasten_keys::encoding::published_sizes;
use hasten_keys::registry::{self, Row as Algorithm};
use hasten_report::{Table, grouped, numbers, words};
use serde::Serialize;

use crate::error::{BadValue, Error};
use crate::output::note;
use crate::report;
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

impl From<Purpose> for choice::Purpose {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Firmware => Self::Firmware,
            Purpose::Ca => Self::Ca,
        }
    }
}

/// The set that one rule picks, as it is printed.
#[derive(Serialize)]
struct Picked {
    #[serde(rename = "for")]
    purpose: Purpose,
    signatures: u64,
    rule: &'static str,
    #[serde(skip)]
    rule_name: &'static str,
    /// True for the set with which `keygen --for` makes a key.
    chosen: bool,
    alg: Option<String>,
    #[serde(skip)]
    set: Option<&'static Set>,
    capacity: Option<u64>,
    public_key_bytes: Option<usize>,
    signature_bytes: Option<usize>,
    /// Hashes of a verification (on average) and of key generation, counted as chain steps and
    /// nodes.
    verify_hashes: Option<u64>,
    keygen_hashes: Option<u64>,
    why: String,
}

impl Choice {
    /// Returns the named algorithm, or the one that was picked for the purpose.
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

    /// Prints all choices with `--list`; otherwise notes the choice that was made, if any. Returns
    /// true if the command is done.
    pub fn shown(&self, json: bool) -> Result<bool, Error> {
        let Some((purpose, count)) = self.asked() else { return Ok(false) };
        let rows = rows(purpose, count)?;
        if self.list {
            report::show(json, "hasten.keygen-choices/1", None, &rows, || table(&rows))?;
        } else if let Some(row) = rows.iter().find(|row| row.chosen) {
            let name = row.set.map_or_else(String::new, names);
            note(&format!("{name} is chosen by the rule {}: {}", row.rule_name, row.why));
        }
        Ok(self.list)
    }
}

fn too_many(count: u64) -> Error {
    let value = BadValue::Signatures { given: grouped(count), most: grouped(MOST) };
    Error::Value { option: "--signatures", value }
}

/// Returns a row for each rule, in order. The first one with a set is the chosen one.
fn rows(purpose: Purpose, count: u64) -> Result<Vec<Picked>, Error> {
    let picked = choices(purpose.into(), count).ok_or_else(|| too_many(count))?;
    let mut rows: Vec<_> = picked.into_iter().map(|one| row(one, purpose, count)).collect();
    if let Some(first) = rows.iter_mut().find(|row| row.alg.is_some()) {
        first.chosen = true;
    }
    Ok(rows)
}

fn row(picked: choice::Choice, purpose: Purpose, count: u64) -> Picked {
    let choice::Choice { rule, set, why } = picked;
    let sizes = set.map(published_sizes);
    let stateful = set.filter(|set| crate::parse::is_stateful(set));
    Picked {
        purpose,
        signatures: count,
        rule: rule.word(),
        rule_name: rule.name(),
        chosen: false,
        alg: set.map(short),
        set,
        capacity: stateful.map(Set::capacity),
        public_key_bytes: sizes.map(|(public, _)| public),
        signature_bytes: sizes.map(|(_, signature)| signature),
        verify_hashes: stateful.map(verify_hashes),
        keygen_hashes: stateful.map(keygen_hashes),
        why,
    }
}

/// Returns the full name of a set, followed by its short name if that is different.
fn names(set: &'static Set) -> String {
    match short(set) {
        short if short == set.name => short,
        short => format!("{} ({short})", set.name),
    }
}

/// Returns the short name of a set, which is easier to type.
pub(super) fn short(set: &'static Set) -> String {
    let row = registry::find(set.name).ok();
    let short = row.and_then(|row| row.alias_of(registry::Naming::Short));
    short.unwrap_or(set.name).to_owned()
}

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
        [row.rule_name.to_owned(), set].into_iter().chain(all.map(or_none)).collect()
    };
    let table = Table::new(columns).print(&rows.iter().map(cells).collect::<Vec<_>>());
    let reason = |row: &Picked| {
        let mark = if row.chosen { " (chosen)" } else { "" };
        format!("{}{mark}: {}", row.rule_name, row.why)
    };
    let reasons: Vec<_> = rows.iter().map(reason).collect();
    format!("{table}\n\n{}\nAnother one than the chosen: --alg SET", reasons.join("\n"))
}
