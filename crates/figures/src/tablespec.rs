//! Markers of tables: parsing one and rendering its table.

use serde_json::Value;

/// A table described by a marker: its file, the conditions on rows, and the columns.
#[derive(Debug)]
pub struct Spec {
    /// Path of the results file, relative to the root of the repository.
    pub file: String,
    conditions: Vec<(String, String)>,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    heading: String,
    path: String,
    factor: f64,
    decimals: Option<usize>,
}

impl Spec {
    /// Parses the part of a marker after `<!-- table: `.
    pub fn parse(text: &str) -> Option<Self> {
        let mut cells = text.strip_suffix("-->")?.split('|').map(str::trim);
        let file = cells.next()?.to_string();
        let (mut conditions, mut columns) = (Vec::new(), Vec::new());
        for cell in cells {
            match cell.strip_prefix("where ") {
                Some(list) => conditions.extend(parse_conditions(list)?),
                None => columns.push(Column::parse(cell)?),
            }
        }
        (!columns.is_empty()).then_some(Self { file, conditions, columns })
    }

    /// Returns the table in Markdown, followed by a line that names its source.
    pub fn render(&self, json: &str) -> Result<String, String> {
        let document: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let rows = document["rows"].as_array().ok_or("the file has no rows")?;
        let chosen: Vec<&Value> = rows.iter().filter(|row| self.wants(row)).collect();
        let first = *chosen.first().ok_or("no row meets the conditions")?;
        if let Some(column) = self.columns.iter().find(|column| column.is_nowhere(&chosen)) {
            return Err(format!("no row has {}", column.path));
        }
        let mut out = self.head(first);
        for row in chosen {
            let cells: Vec<String> = self.columns.iter().map(|column| column.cell(row)).collect();
            out += &format!("| {} |\n", cells.join(" | "));
        }
        Ok(out + &self.origin(&document))
    }

    fn wants(&self, row: &Value) -> bool {
        self.conditions
            .iter()
            .all(|(path, wanted)| field(row, path).is_some_and(|value| is(value, wanted)))
    }

    fn head(&self, first: &Value) -> String {
        let headings: Vec<&str> =
            self.columns.iter().map(|column| column.heading.as_str()).collect();
        let rules: Vec<&str> = self
            .columns
            .iter()
            .map(|column| {
                if field(first, &column.path).is_some_and(Value::is_number) {
                    "---:"
                } else {
                    "---"
                }
            })
            .collect();
        format!("| {} |\n| {} |\n", headings.join(" | "), rules.join(" | "))
    }

    fn origin(&self, document: &Value) -> String {
        let mut line = format!("\n{}", self.file);
        if let Some(command) = document["command"].as_str() {
            line += &format!(": `{command}`");
        }
        if let Some(cpu) = document["machine"]["cpu"].as_str() {
            line += &format!(", measured on {cpu}");
        }
        line + "\n"
    }
}

impl Column {
    /// Parses `HEADING = PATH[*FACTOR][:DECIMALS]`.
    fn parse(cell: &str) -> Option<Self> {
        let (heading, rest) = cell.split_once(" = ")?;
        let (rest, decimals) = match rest.split_once(':') {
            Some((rest, decimals)) => (rest, Some(decimals.trim().parse().ok()?)),
            None => (rest, None),
        };
        let (path, factor) = match rest.split_once('*') {
            Some((path, factor)) => (path, factor.trim().parse().ok()?),
            None => (rest, 1.0),
        };
        Some(Self { heading: heading.trim().into(), path: path.trim().into(), factor, decimals })
    }

    fn is_nowhere(&self, rows: &[&Value]) -> bool {
        rows.iter().all(|row| field(row, &self.path).is_none())
    }

    /// Returns the cell of this column in `row`: `-` if the row has no such field.
    fn cell(&self, row: &Value) -> String {
        let value = field(row, &self.path).unwrap_or(&Value::Null);
        match (value.as_f64(), self.decimals) {
            (Some(number), Some(decimals)) => format!("{:.decimals$}", number * self.factor),
            (Some(number), None) if self.factor != 1.0 => format!("{}", number * self.factor),
            _ => plain(value),
        }
    }
}

/// Returns true if a condition names this value. Conditions write numbers without thousands
/// separators, because commas separate conditions.
fn is(value: &Value, wanted: &str) -> bool {
    plain(value) == wanted || value.as_number().is_some_and(|number| number.to_string() == wanted)
}

fn parse_conditions(list: &str) -> Option<Vec<(String, String)>> {
    list.split(',')
        .map(|pair| {
            pair.split_once('=').map(|(path, value)| (path.trim().into(), value.trim().into()))
        })
        .collect()
}

/// Returns the value at a path of field names joined by dots.
pub fn field<'v>(row: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(row, |value, name| value.get(name))
}

/// Returns a value as it is shown to readers: whole numbers have thousands separators.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Null => "-".into(),
        Value::Number(number) if number.is_u64() => thousands(&number.to_string()),
        other => other.to_string(),
    }
}

/// Inserts commas as thousands separators.
pub fn thousands(digits: &str) -> String {
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_scaled_rounded_and_set_apart() {
        let spec = Spec::parse("f | N = n | S = t.min*1000:1 | B = b -->").unwrap();
        let json = r#"{"rows":[{"n":1234567,"t":{"min":0.0221},"b":true}]}"#;
        assert!(spec.render(json).unwrap().contains("| 1,234,567 | 22.1 | yes |"));
    }

    #[test]
    fn a_condition_names_a_number_without_its_marks() {
        let json = r#"{"rows":[{"n":1000,"w":"a"},{"n":4000,"w":"b"}]}"#;
        let table = Spec::parse("f | where n=4000 | N = n | W = w -->").unwrap().render(json);
        let table = table.unwrap();
        assert!(table.contains("| 4,000 | b |") && !table.contains("| a |"), "{table}");
    }

    #[test]
    fn a_row_may_lack_what_another_has() {
        let json = r#"{"rows":[{"n":1},{"n":2,"h":1}]}"#;
        let table = |text| Spec::parse(text).unwrap().render(json);
        assert!(table("f | N = n | H = h -->").unwrap().contains("| 1 | - |\n| 2 | 1 |\n"));
        assert!(table("f | N = n | X = x -->").is_err());
    }

    #[test]
    fn what_is_no_marker_is_refused() {
        assert!(Spec::parse("f -->").is_none());
        assert!(Spec::parse("f | N = n").is_none());
        assert!(Spec::parse("f | N = n*x -->").is_none());
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(["1", "123", "1234", "123456"].map(thousands), ["1", "123", "1,234", "123,456"]);
    }
}
