//! Files of `results/` made from the kept rows, as described in a core's `report.toml`.

use super::description::{Column, Description, Join, Rows, Table, chosen, fits};
use super::formula::{Scope, each, field};
use crate::core::results;
use hasten_chore::failure::Failure;
use serde_json::{Map, Value, json};

/// Returns the text of a table.
pub fn text(table: &Table, of: &Description, rows: &[Value]) -> Result<String, Failure> {
    let mut found = Vec::new();
    for part in &table.rows {
        found.extend(part.made(of, rows).map_err(|fault| of.fault(fault))?);
    }
    results::derived(&table.schema, "cargo xtask hw plots", &found)
}

impl Rows {
    fn made(&self, of: &Description, rows: &[Value]) -> Result<Vec<Value>, String> {
        let mut chosen: Vec<Value> =
            chosen(rows, &self.from, &self.sort).into_iter().cloned().collect();
        if let Some(by) = &self.by {
            chosen = self.groups(&chosen, by, of)?;
        }
        if let Some(join) = &self.join {
            chosen.retain_mut(|row| join.add(row, rows));
        }
        chosen.retain(|row| {
            self.needs.iter().all(|name| field(row, name).is_some_and(|value| !value.is_null()))
        });
        let row = |row: &Value| columns(&self.columns, Scope::new(row, &of.formulas), row);
        chosen.iter().map(row).collect()
    }

    /// Merges rows that agree in the parameters of `group` into one row, sorted by these
    /// parameters.
    fn groups(&self, rows: &[Value], by: &str, of: &Description) -> Result<Vec<Value>, String> {
        let mut groups: Vec<(Vec<i64>, Value)> = Vec::new();
        for row in rows {
            let parameter = |name: &String| row["params"][name].as_i64().unwrap_or(0);
            let key: Vec<i64> = self.group.iter().map(parameter).collect();
            let known = groups.iter().position(|group| group.0 == key);
            let group = known.unwrap_or_else(|| {
                let named = self.group.iter().cloned().zip(key.iter().map(|value| json!(value)));
                let named = Value::Object(named.collect());
                groups.push((key, named));
                groups.len() - 1
            });
            let name = Scope::new(row, &of.formulas).value(by)?;
            groups[group].1[name.as_str().unwrap_or_default()] = row.clone();
        }
        groups.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(groups.into_iter().map(|group| group.1).collect())
    }
}

impl Join {
    /// Adds the map to a row. Returns false if no other row has the same parameters.
    fn add(&self, row: &mut Value, rows: &[Value]) -> bool {
        let wanted = self.parameters(row);
        let same = |other: &&Value| fits(other, &self.from) && self.parameters(other) == wanted;
        let pair = |other: &Value| {
            let key = field(other, &self.key)?.as_str()?.to_owned();
            Some((key, field(other, &self.value)?.clone()))
        };
        let map: Map<String, Value> = rows.iter().filter(same).filter_map(pair).collect();
        let found = !map.is_empty();
        row[self.name.as_str()] = Value::Object(map);
        found
    }

    /// Returns the parameters that must agree.
    fn parameters(&self, row: &Value) -> Map<String, Value> {
        let all = row["params"].as_object().cloned().unwrap_or_default();
        let kept = |(name, value): &(String, Value)| {
            !self.apart_from.contains(name) && self.same_as_none.get(name) != Some(value)
        };
        all.into_iter().filter(kept).collect()
    }
}

fn columns<'c>(
    of: impl IntoIterator<Item = (&'c String, &'c Column)>,
    scope: Scope<'_>,
    row: &Value,
) -> Result<Value, String> {
    let mut made = Map::new();
    for (name, column) in of {
        let value = match column {
            Column::Formula(formula) => scope.value(formula)?,
            Column::Each { each: map, formula } => {
                each(field(row, map).unwrap_or(&Value::Null), formula, scope)?
            }
            Column::Nested(below) => columns(below, scope, row)?,
        };
        made.insert(name.clone(), value);
    }
    Ok(Value::Object(made))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str, rows: &[Value]) -> Vec<Value> {
        let of: Description = toml::from_str(text).unwrap();
        of.table[0].rows.iter().flat_map(|part| part.made(&of, rows).unwrap()).collect()
    }

    #[test]
    fn a_row_meets_the_cycles_of_the_same_parameters() {
        let text = "[[table]]\nfile='f'\nschema='s'\n[[table.rows]]\nwhere={core='whole'}
            join={name='cycles',where={core='core'},key='op',value='cycles',
                  apart_from=['family'],same_as_none={lanes=1}}
            columns={us={each='cycles',formula='round(n * ns / 1000, 2)'},kind=\"'cells'\"}";
        let rows = [
            json!({"core":"core","op":"sign","cycles":1000,"params":{"latency":2}}),
            json!({"core":"core","op":"sign","cycles":1250,"params":{"latency":3,"lanes":1}}),
            json!({"core":"whole","ns":8.0,"params":{"latency":3,"family":"ecp5"}}),
            json!({"core":"whole","ns":8.0,"params":{"latency":4}}),
        ];
        assert_eq!(made(text, &rows), [json!({"us":{"sign":10.0},"kind":"cells"})]);
    }

    #[test]
    fn rows_of_one_variant_are_one_row() {
        let text = "[[table]]\nfile='f'\nschema='s'\n[[table.rows]]\nwhere={}
            group=['tile']\nby=\"default(params.family, 'xc7')\"
            columns={tile='tile',kge='asic.kge',xc7={dsp='xc7.dsp'}}";
        let rows = [
            json!({"kge":7.5,"params":{"tile":24,"family":"asic"}}),
            json!({"dsp":144,"params":{"tile":17}}),
            json!({"dsp":100,"params":{"tile":24}}),
        ];
        let wanted = [
            json!({"tile":17,"kge":null,"xc7":{"dsp":144}}),
            json!({"tile":24,"kge":7.5,"xc7":{"dsp":100}}),
        ];
        assert_eq!(made(text, &rows), wanted);
    }

    #[test]
    fn products_come_out_and_incomplete_rows_are_left_out() {
        let text = "[formulas]\ntime='cycles / 15 * ns / 1000'
            [[table]]\nfile='f'\nschema='s'\n[[table.rows]]\nwhere={}\nneeds=['ns']
            columns={ns_per_step='round(1000 * time, 1)',kge_us='round(kge * time, 3)'}";
        let rows = [json!({"cycles":480,"kge":20.0,"ns":5.0}), json!({"cycles":480,"ns":null})];
        assert_eq!(made(text, &rows), [json!({"ns_per_step":160.0,"kge_us":3.2})]);
    }
}
