//! `rtl/NAME/report.toml`: the claims, tables and plots of a core.
//!
//! The form is described in `flow/README.md`.

use super::formula::{Names, field};
use crate::core::row::Row;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A `report.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Formulas that others may name.
    #[serde(default)]
    pub formulas: Names,
    /// Claims about netlists.
    #[serde(default)]
    pub netlist: Vec<Netlist>,
    /// Claims about kept rows.
    #[serde(default)]
    pub claim: Vec<RowClaim>,
    /// Files of results made from kept rows.
    #[serde(default)]
    pub table: Vec<Table>,
    /// Pictures of kept rows.
    #[serde(default)]
    pub plots: Option<Plots>,
    /// The core's folder.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Conditions on the fields of a row: each a value, or a list of which one must fit.
pub type Where = BTreeMap<String, Value>;

/// A module mapped to gates, and what is claimed of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Netlist {
    /// Its sources, from the root of the checkout.
    pub files: Vec<String>,
    /// The module.
    pub top: String,
    /// Its parameters.
    pub params: BTreeMap<String, i64>,
    /// The input at which paths begin, beside registers.
    pub from: String,
    /// The net whose readers are counted.
    #[serde(default)]
    pub net: String,
    /// Kinds of gates that count as its readers.
    #[serde(default)]
    pub readers: Vec<String>,
    /// A command of abc, after which the depth is printed for comparison.
    #[serde(default)]
    pub balance: Option<String>,
    /// The claim, over `depth` and `count`.
    pub claim: Claim,
}

/// A claim about one row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowClaim {
    /// The row.
    #[serde(rename = "where")]
    pub row: Where,
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
}

/// A sentence, and the bounds that must hold.
#[derive(Debug, Deserialize)]
pub struct Claim {
    /// The sentence before the bounds.
    pub what: String,
    /// The bounds, printed one after the other.
    pub bounds: Vec<Bound>,
}

/// A bound on a formula.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// The formula.
    pub value: String,
    /// The value must not be larger.
    #[serde(default)]
    pub at_most: Option<f64>,
    /// The value must not be smaller.
    #[serde(default)]
    pub at_least: Option<f64>,
    /// The words, with `{}` for the value.
    pub says: String,
}

/// A file of results.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its path from the root of the checkout.
    pub file: String,
    /// The schema that it names.
    pub schema: String,
    /// Its rows, one kind after the other.
    pub rows: Vec<Rows>,
}

/// Rows of one kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// The kept rows that they are made from.
    #[serde(rename = "where")]
    pub from: Where,
    /// Fields without which a row is left out.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Fields by which the rows are sorted; without them they keep their order.
    #[serde(default)]
    pub sort: Vec<String>,
    /// Parameters whose equal values make one row of several.
    #[serde(default)]
    pub group: Vec<String>,
    /// The formula that names each row of a group.
    #[serde(default)]
    pub by: Option<String>,
    /// A map that is taken from other rows of the same parameters.
    #[serde(default)]
    pub join: Option<Join>,
    /// Columns by name.
    pub columns: BTreeMap<String, Column>,
}

/// A map from operations to a field of other rows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The name of the map.
    pub name: String,
    /// The other rows.
    #[serde(rename = "where")]
    pub from: Where,
    /// The field that is the key.
    pub key: String,
    /// The field that is the value.
    pub value: String,
    /// Parameters that need not be the same.
    pub apart_from: Vec<String>,
    /// Values of parameters that mean the same as no such parameter.
    pub same_as_none: BTreeMap<String, Value>,
}

/// A column.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Column {
    /// A formula over the row.
    Formula(String),
    /// A formula for each number of a map, where `n` is that number.
    Each {
        /// The name of the map.
        each: String,
        /// The formula.
        formula: String,
    },
    /// Columns below it.
    Nested(BTreeMap<String, Column>),
}

/// Plots of the same rows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plots {
    /// The rows.
    #[serde(rename = "where")]
    pub from: Where,
    /// Fields by which the rows are sorted.
    #[serde(default)]
    pub sort: Vec<String>,
    /// The series of a row: a text with `{parameter}` in it, or `{parameter|words}`.
    pub series: String,
    /// The words beside a point, of the same form.
    pub label: String,
    /// Words for values of parameters, by the names that the texts use.
    #[serde(default)]
    pub words: BTreeMap<String, BTreeMap<String, String>>,
    /// The plots.
    pub plot: Vec<Plot>,
}

/// A plot.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// The name of its file.
    pub name: String,
    /// The words above it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
}

/// An axis.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The words beside it.
    pub says: String,
    /// The formula.
    pub value: String,
}

/// Returns the descriptions of all cores, by the names of their folders.
pub fn all() -> Result<Vec<Description>, Failure> {
    let rtl = checkout::root()?.join("rtl");
    let entries = std::fs::read_dir(&rtl).map_err(|error| Failure::Io(rtl.clone(), error))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join("report.toml")))
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    files.iter().map(|file| load(file)).collect()
}

fn load(file: &Path) -> Result<Description, Failure> {
    let form = |fault: toml::de::Error| Failure::Form(file.into(), fault.to_string());
    let mut description: Description = toml::from_str(&read(file)?).map_err(form)?;
    description.folder = file.parent().unwrap_or(Path::new(".")).into();
    Ok(description)
}

impl Description {
    /// Returns the failure of a formula of this file.
    pub fn fault(&self, fault: String) -> Failure {
        Failure::Form(self.folder.join("report.toml"), fault)
    }
}

/// Returns the rows as formulas see them.
pub fn values(rows: &[Row]) -> Vec<Value> {
    rows.iter().map(|row| serde_json::json!(row)).collect()
}

/// Returns true if the row meets every condition.
pub fn fits(row: &Value, conditions: &Where) -> bool {
    conditions.iter().all(|(name, wanted)| {
        let found = field(row, name).unwrap_or(&Value::Null);
        match wanted {
            Value::Array(any) => any.contains(found),
            one => one == found,
        }
    })
}

/// Returns the rows that fit, sorted by these fields.
pub fn chosen<'v>(rows: &'v [Value], conditions: &Where, sort: &[String]) -> Vec<&'v Value> {
    let mut chosen: Vec<&Value> = rows.iter().filter(|row| fits(row, conditions)).collect();
    chosen.sort_by(|a, b| {
        let keys = sort.iter().map(|name| (field(a, name), field(b, name)));
        keys.map(|(a, b)| order(a, b))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    chosen
}

/// Compares numbers by size, and other values by their texts.
fn order(a: Option<&Value>, b: Option<&Value>) -> std::cmp::Ordering {
    let number = |value: Option<&Value>| value.and_then(Value::as_f64);
    match number(a).zip(number(b)) {
        Some((a, b)) => a.total_cmp(&b),
        None => a.map(Value::to_string).cmp(&b.map(Value::to_string)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_are_chosen_and_sorted() {
        let row = |n: u32, kind: &str| json!({"params": {"n": n}, "kind": kind});
        let rows = [row(10, "b"), row(9, "a"), row(2, "c"), row(1, "b")];
        let conditions = Where::from([("kind".into(), json!(["b", "a"]))]);
        let found = chosen(&rows, &conditions, &["params.n".into()]);
        assert_eq!(found, [&rows[3], &rows[1], &rows[0]]);
        assert!(!fits(&rows[0], &Where::from([("none".into(), json!(1))])));
    }

    #[test]
    fn every_description_of_the_checkout_is_read() {
        assert!(all().unwrap().len() >= 3);
        assert!(toml::from_str::<Description>("unknown = 1").is_err());
    }
}
