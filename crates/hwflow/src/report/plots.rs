//! `hw plots`: makes the tables and plots of each core's `report.toml` from the kept rows.
//! `hw report` makes them too.

use super::description::{self, Description, Plot, Plots, chosen};
use super::formula::{Scope, field};
use super::table;
use crate::core::options::Options;
use crate::core::{generated, kept};
use crate::draw::svg;
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use serde_json::Value;
use std::path::PathBuf;

/// Makes the tables and plots, or names the stale ones with `--check`.
pub fn run(options: &Options) -> Result<(), Failure> {
    let (root, rows) = (checkout::root()?, description::values(&kept::load()?));
    let mut files = Vec::new();
    for core in description::all()? {
        for table in &core.table {
            files.push((root.join(&table.file), table::text(table, &core, &rows)?));
        }
        files.extend(drawn(&core, &rows).map_err(|fault| core.fault(fault))?);
    }
    let said = "tables and plots, as results/hardware.json has them";
    generated::keep("hw plots", &files, said, options)
}

fn drawn(core: &Description, rows: &[Value]) -> Result<Vec<(PathBuf, String)>, String> {
    let mut files = Vec::new();
    if let Some(plots) = &core.plots {
        for plot in &plots.plot {
            let path = core.folder.join("plots").join(format!("{}.svg", plot.name));
            files.push((path, plots.draw(plot, core, rows)?.svg()));
        }
    }
    Ok(files)
}

impl Plots {
    /// Draws a point for each row that has both values.
    fn draw(&self, plot: &Plot, core: &Description, rows: &[Value]) -> Result<svg::Plot, String> {
        let mut points = Vec::new();
        for row in chosen(rows, &self.from, &self.sort) {
            let scope = Scope::new(row, &core.formulas);
            let at = scope.number(&plot.x.value)?.zip(scope.number(&plot.y.value)?);
            let (series, label) = (self.series(core, row), self.text(&self.label, row));
            points.extend(at.map(|(x, y)| svg::Point { series, x, y, label }));
        }
        let (x, y) = (plot.x.says.clone(), plot.y.says.clone());
        Ok(svg::Plot { title: plot.title.clone(), x, y, points })
    }

    /// Returns the series of a row. A core by other authors is a series with its own name.
    fn series(&self, core: &Description, row: &Value) -> String {
        let name = row["core"].as_str().unwrap_or_default().split('/').next().unwrap_or_default();
        if core.folder.ends_with(name) { self.text(&self.series, row) } else { name.into() }
    }

    /// Replaces the parameters in a text by those of a row. The text is empty if a parameter is
    /// missing.
    fn text(&self, text: &str, row: &Value) -> String {
        let mut made = String::new();
        for (number, part) in text.split(['{', '}']).enumerate() {
            if number % 2 == 0 {
                made += part;
                continue;
            }
            let (name, words) = part.split_once('|').unzip();
            let Some(value) = field(&row["params"], name.unwrap_or(part)) else {
                return String::new();
            };
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            let words = words.and_then(|words| self.words.get(words));
            made +=
                &words.map_or(Some(&value), |words| words.get(&value)).cloned().unwrap_or_default();
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_with_both_values_is_a_point_with_words() {
        let core: Description = toml::from_str(
            "[plots]\nwhere={op='p'}\nseries='{inner|inner}'\nlabel='U{unroll}{rate|rate}'
             words={inner={1='theta'},rate={576=', r 576'}}
             [[plots.plot]]\nname='n'\ntitle='t'
             x={says='rounds',value='params.unroll'}\ny={says='kGE',value='kge'}",
        )
        .unwrap();
        let core = Description { folder: "rtl/keccak".into(), ..core };
        let point = |core: &str, rate: u32, kge: Value| json!({"core":core,"op":"p","kge":kge,"params":{"unroll":2,"inner":1,"rate":rate}});
        let rows = [
            point("keccak/core", 576, json!(20.5)),
            point("keccak/core", 1344, Value::Null),
            point("other/core", 1344, json!(1.0)),
        ];
        let plots = core.plots.as_ref().unwrap();
        let points = plots.draw(&plots.plot[0], &core, &rows).unwrap().points;
        let said: Vec<(&str, &str, f64)> =
            points.iter().map(|p| (p.series.as_str(), p.label.as_str(), p.y)).collect();
        assert_eq!(said, [("theta", "U2, r 576", 20.5), ("other", "U2", 1.0)]);
    }
}
