//! `rtl/NAME/report.toml`: the claims, tables and plots of a core.
//!
//! `flow/README.md` describes the format.

use super::formula::{Names, field};
use crate::core::row::Row;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Content of a `report.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Formulas that other formulas may name.
    #[serde(default)]
    pub formulas: Names,
    /// Claims about netlists.
    #[serde(default)]
    pub netlist: Vec<Netlist>,
    /// Claims about kept rows.
    #[serde(default)]
    pub claim: Vec<RowClaim>,
    /// Files of `results/` made from kept rows.
    #[serde(default)]
    pub table: Vec<Table>,
    /// Plots of kept rows.
    #[serde(default)]
    pub plots: Option<Plots>,
    /// Folder of the core.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Conditions on the fields of a row. Each is a value, or a list of values of which one must fit.
pub type Where = BTreeMap<String, Value>;

/// A module mapped to gates, and a claim about it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Netlist {
    /// Source files, relative to the root of the checkout.
    pub files: Vec<String>,
    /// Name of the module.
    pub top: String,
    /// Parameters of the module.
    pub params: BTreeMap<String, i64>,
    /// Input at which paths begin, in addition to registers.
    pub from: String,
    /// Net whose readers are counted.
    #[serde(default)]
    pub net: String,
    /// Kinds of gates that count as readers.
    #[serde(default)]
    pub readers: Vec<String>,
    /// Command of abc. The depth after it is printed for comparison.
    #[serde(default)]
    pub balance: Option<String>,
    /// Claim about `depth` and `count`.
    pub claim: Claim,
}

/// A claim about one row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowClaim {
    /// Conditions that select the row.
    #[serde(rename = "where")]
    pub row: Where,
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
}

/// A sentence, and the bounds that must hold.
#[derive(Debug, Deserialize)]
pub struct Claim {
    /// Text before the bounds.
    pub what: String,
    /// Bounds, printed one after the other.
    pub bounds: Vec<Bound>,
}

/// A bound on a formula.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// Formula of the value.
    pub value: String,
    /// Maximum of the value.
    #[serde(default)]
    pub at_most: Option<f64>,
    /// Minimum of the value.
    #[serde(default)]
    pub at_least: Option<f64>,
    /// Text, with `{}` for the value.
    pub says: String,
}

/// A file of `results/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Path of the file, relative to the root of the checkout.
    pub file: String,
    /// Schema that the file names.
    pub schema: String,
    /// Rows of the file, one kind after the other.
    pub rows: Vec<Rows>,
}

/// Rows of one kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// Conditions that select the kept rows.
    #[serde(rename = "where")]
    pub from: Where,
    /// Required fields. A row without one of them is left out.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Fields by which the rows are sorted. Without any, the rows keep their order.
    #[serde(default)]
    pub sort: Vec<String>,
    /// Parameters to group by. Rows with equal values of these become one row.
    #[serde(default)]
    pub group: Vec<String>,
    /// Formula for the name of each row in its group.
    #[serde(default)]
    pub by: Option<String>,
    /// Map that is taken from other rows with the same parameters.
    #[serde(default)]
    pub join: Option<Join>,
    /// Columns by name.
    pub columns: BTreeMap<String, Column>,
}

/// A map that is made from other rows: one field is the key, another the value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// Name of the map.
    pub name: String,
    /// Conditions that select the other rows.
    #[serde(rename = "where")]
    pub from: Where,
    /// Field that is the key.
    pub key: String,
    /// Field that is the value.
    pub value: String,
    /// Parameters that may differ.
    pub apart_from: Vec<String>,
    /// Values of parameters that count as if the parameter were absent.
    pub same_as_none: BTreeMap<String, Value>,
}

/// A column.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Column {
    /// A formula over the row.
    Formula(String),
    /// A formula for each number of a map. The formula may use the number as `n`.
    Each {
        /// Name of the map.
        each: String,
        /// The formula.
        formula: String,
    },
    /// Nested columns.
    Nested(BTreeMap<String, Column>),
}

/// Plots of the same rows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plots {
    /// Conditions that select the rows.
    #[serde(rename = "where")]
    pub from: Where,
    /// Fields by which the rows are sorted.
    #[serde(default)]
    pub sort: Vec<String>,
    /// Text for the series of a row, in which `{parameter}` and `{parameter|words}` are replaced.
    pub series: String,
    /// Text for the label of a point, of the same form.
    pub label: String,
    /// Words for values of parameters, by the names that the texts use for them.
    #[serde(default)]
    pub words: BTreeMap<String, BTreeMap<String, String>>,
    /// The plots.
    pub plot: Vec<Plot>,
}

/// A plot.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// Name of the file, without `.svg`.
    pub name: String,
    /// Title above the plot.
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
    /// Label of the axis.
    pub says: String,
    /// Formula of the value.
    pub value: String,
}

/// Returns the descriptions of all cores, sorted by folder.
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
    /// Returns the failure for a fault in a formula of this file.
    pub fn fault(&self, fault: String) -> Failure {
        Failure::Form(self.folder.join("report.toml"), fault)
    }
}

/// Returns the rows as values that formulas can use.
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

/// Returns the rows that meet the conditions, sorted by these fields.
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

/// Compares numbers by value, and other values as text.
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
