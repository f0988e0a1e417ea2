//! The summary table of README, described by `docs/summary.toml`: one table from several files of
//! results.
//!
//! A cell is text in which `{SUM:DECIMALS}` stands for a number. The sum adds paths
//! `SOURCE.FIELD...`, each optionally multiplied by numbers or other paths:
//! `{lane.kge*4 + board.kge:0}`, `{sign.cycles*engine.ns*0.001:1}`. A path without decimals may
//! name a text: `{peer.peer}`.

use crate::tablespec::{field, plain, thousands};
use hasten_chore::failure::Failure;
use serde::Deserialize;
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The table as described by the file.
#[derive(Debug, Deserialize)]
pub struct Summary {
    headings: Vec<String>,
    source: BTreeMap<String, Source>,
    row: Vec<Row>,
}

/// A selection of one row from one file of results.
#[derive(Debug, Deserialize)]
struct Source {
    file: String,
    /// Fields and values that the row must have.
    #[serde(rename = "where")]
    conditions: BTreeMap<String, String>,
    /// The field that decides between several matching rows: the one with the smallest number is
    /// taken.
    least: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Row {
    cells: Vec<String>,
}

/// Reads a file of results.
type Load<'l> = &'l dyn Fn(&str) -> Result<String, Failure>;

/// Returns the table in Markdown, and the lines that name its files.
pub fn render(text: &str, load: Load<'_>) -> Result<String, String> {
    let summary: Summary = toml::from_str(text).map_err(|error| error.to_string())?;
    let rows = summary.rows(load)?;
    let mut out = head(&summary.headings);
    for row in &summary.row {
        if row.cells.len() != summary.headings.len() {
            return Err(format!("{:?} has {} cells", row.cells.first(), row.cells.len()));
        }
        let cells: Result<Vec<_>, _> = row.cells.iter().map(|cell| fill(cell, &rows)).collect();
        out += &format!("| {} |\n", cells?.join(" | "));
    }
    Ok(out + &summary.origin())
}

impl Summary {
    /// Finds the row of each source; there must be exactly one.
    fn rows(&self, load: Load<'_>) -> Result<BTreeMap<String, Value>, String> {
        let mut rows = BTreeMap::new();
        for (name, source) in &self.source {
            let text = load(&source.file).map_err(|error| error.to_string())?;
            let row = source.row(&text).map_err(|fault| format!("{name}: {fault}"))?;
            rows.insert(name.clone(), row);
        }
        Ok(rows)
    }

    /// Returns the line below the table, which names the files that it is made from.
    fn origin(&self) -> String {
        let files: BTreeSet<_> = self.source.values().map(|s| s.file.as_str()).collect();
        let names: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
        format!("\n{}; each names its command and its machine.\n", names.join(", "))
    }
}

impl Source {
    fn row(&self, text: &str) -> Result<Value, String> {
        let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let rows = document["rows"].as_array().ok_or("the file has no rows")?;
        let meets = |row: &&Value| {
            let mut all = self.conditions.iter();
            all.all(|(path, wanted)| field(row, path).is_some_and(|value| plain(value) == *wanted))
        };
        let mut found: Vec<&Value> = rows.iter().filter(meets).collect();
        if let Some(path) = &self.least {
            let number = |row: &Value| field(row, path).and_then(Value::as_f64);
            found.sort_by(|a, b| number(a).partial_cmp(&number(b)).unwrap_or(Ordering::Equal));
            found.truncate(1);
        }
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(row), None) => Ok(row.clone()),
            (None, _) => Err("no row meets the conditions".into()),
            _ => Err("several rows meet the conditions".into()),
        }
    }
}

fn head(headings: &[String]) -> String {
    let rules: Vec<&str> =
        (0..headings.len()).map(|at| if at == 0 { "---" } else { "---:" }).collect();
    format!("| {} |\n| {} |\n", headings.join(" | "), rules.join(" | "))
}

/// Replaces the expressions in braces by their values.
fn fill(cell: &str, rows: &BTreeMap<String, Value>) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), cell);
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, behind) = after.split_once('}').ok_or("a brace is not closed")?;
        out += before;
        out += &value(inside, rows).ok_or_else(|| format!("{{{inside}}} has no value"))?;
        rest = behind;
    }
    Ok(out + rest)
}

/// Returns the text for `PATH` or `SUM:DECIMALS`.
fn value(inside: &str, rows: &BTreeMap<String, Value>) -> Option<String> {
    let Some((sum, decimals)) = inside.split_once(':') else {
        return find(inside.trim(), rows).map(plain).filter(|text| text != "-");
    };
    let decimals: usize = decimals.trim().parse().ok()?;
    let sum: f64 = sum.split('+').map(|term| number(term, rows)).sum::<Option<f64>>()?;
    let text = format!("{sum:.decimals$}");
    Some(match text.split_once('.') {
        Some((whole, part)) => format!("{}.{part}", thousands(whole)),
        None => thousands(&text),
    })
}

/// Returns the value of `PATH`, or of a product of paths and numbers.
fn number(term: &str, rows: &BTreeMap<String, Value>) -> Option<f64> {
    let factor = |text: &str| match text.trim().parse() {
        Ok(number) => Some(number),
        Err(_) => find(text.trim(), rows)?.as_f64(),
    };
    term.split('*').map(factor).product()
}

fn find<'r>(path: &str, rows: &'r BTreeMap<String, Value>) -> Option<&'r Value> {
    let (source, path) = path.split_once('.')?;
    field(rows.get(source)?, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        headings = ["", "us", "peer"]
        [source.a]
        file = "a.json"
        where = { alg = "A", "params.cores" = "4" }
        [[row]]
        cells = ["A", "{a.us.p50*2 + a.us.min*a.us.p50*0.8:1} and {a.us.min*1000:0}", "{a.peer}"]
    "#;

    fn load(_: &str) -> Result<String, Failure> {
        Ok(r#"{"rows":[{"alg":"A","params":{"cores":4},"us":{"p50":1.25,"min":1},"peer":"P"},
            {"alg":"A","params":{"cores":8}}]}"#
            .into())
    }

    #[test]
    fn numbers_of_several_rows_stand_in_one_cell() {
        let table = render(TEXT, &load).unwrap();
        assert!(table.contains("| A | 3.5 and 1,000 | P |\n"), "{table}");
        assert!(table.contains("`a.json`"));
    }

    #[test]
    fn the_least_of_several_rows_is_taken() {
        let several = TEXT.replace(r#", "params.cores" = "4""#, "");
        let least = several.replace("[[row]]", "least = \"params.cores\"\n[[row]]");
        assert!(render(&least, &load).unwrap().contains("| P |"));
    }

    #[test]
    fn a_source_that_is_not_one_row_and_a_cell_without_value_fail() {
        let several = TEXT.replace(r#", "params.cores" = "4""#, "");
        let none = TEXT.replace("\"A\",", "\"B\",");
        let nowhere = TEXT.replace("us.min", "us.max");
        for text in [several, none, nowhere, TEXT.replace("\"us\", ", "")] {
            assert!(render(&text, &load).is_err(), "{text}");
        }
    }
}
