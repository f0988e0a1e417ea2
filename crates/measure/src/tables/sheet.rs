//! A table as Markdown and as rows of JSON.

use hasten_report::Summary;
use serde_json::{Map, Value};

use hasten_report::grouped;

/// One cell.
#[derive(Clone, Debug)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A number and its count of decimals.
    Number(f64, usize),
    /// A time in microseconds; the table shows its median.
    Time(Summary),
    /// An empty cell.
    Empty,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        if text.is_empty() { Self::Empty } else { Self::Text(text.to_owned()) }
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

impl Cell {
    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => grouped(*count),
            Self::Number(number, decimals) => format!("{number:.decimals$}"),
            Self::Time(time) => format!("{:.1}", time.p50),
            Self::Empty => String::new(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Count(count) => (*count).into(),
            Self::Number(number, _) => hasten_report::round(*number).into(),
            Self::Time(time) => serde_json::to_value(time).unwrap_or_default(),
            Self::Empty => Value::Null,
        }
    }

    fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }
}

/// A table.
pub struct Sheet {
    /// Name of the table on the command line.
    pub name: &'static str,
    /// Heading of the table.
    pub title: &'static str,
    /// Key in JSON and heading of each column.
    pub columns: Vec<(&'static str, &'static str)>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
}

impl Sheet {
    /// Removes the columns whose keys start with `prefix`.
    pub fn without(mut self, prefix: &str) -> Self {
        let kept: Vec<_> = self.columns.iter().map(|(key, _)| !key.starts_with(prefix)).collect();
        let keep = |row: Vec<Cell>| {
            row.into_iter().zip(&kept).filter(|(_, k)| **k).map(|(c, _)| c).collect()
        };
        self.rows = self.rows.into_iter().map(keep).collect();
        self.columns.retain(|(key, _)| !key.starts_with(prefix));
        self
    }

    /// Returns the table as Markdown.
    pub fn markdown(&self) -> String {
        let numeric = |at: usize| self.rows.iter().all(|row| row[at].is_number());
        let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
        let rule = (0..self.columns.len()).map(|at| if numeric(at) { "---:" } else { "---" });
        let mut lines = vec![
            format!("## {}", self.title),
            String::new(),
            line(self.columns.iter().map(|(_, head)| (*head).to_owned()).collect()),
            line(rule.map(str::to_owned).collect()),
        ];
        lines.extend(self.rows.iter().map(|row| line(row.iter().map(Cell::shown).collect())));
        for note in &self.notes {
            lines.extend([String::new(), note.clone()]);
        }
        lines.push(String::new());
        lines.join("\n")
    }

    /// Returns the rows as JSON objects, each with the name of the table.
    pub fn json(&self) -> impl Iterator<Item = Value> + '_ {
        self.rows.iter().map(|row| {
            let mut map = Map::new();
            map.insert("table".into(), self.name.into());
            for ((key, _), cell) in self.columns.iter().zip(row) {
                map.insert((*key).into(), cell.json());
            }
            map.into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let sheet = Sheet {
            name: "n",
            title: "T",
            columns: vec![("alg", "Algorithm"), ("bytes", "Bytes"), ("theirs_bytes", "Appendix")],
            rows: vec![vec!["a".into(), 1234usize.into(), Cell::Empty]],
            notes: vec!["Note.".into()],
        };
        assert_eq!(sheet.json().next().unwrap()["bytes"], 1234);
        let text = sheet.without("theirs").markdown();
        assert_eq!(text, "## T\n\n| Algorithm | Bytes |\n| --- | ---: |\n| a | 1,234 |\n\nNote.\n");
    }
}
