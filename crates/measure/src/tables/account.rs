//! The account of the appendix: each of its rows, with its counterpart in Hasten or the reason why
//! there is none.

mod lines;
mod stateful;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::sheet::{Cell, Sheet};

pub use self::lines::lines;

/// One row of the appendix.
pub struct Line {
    /// Table of the appendix that has the row.
    pub part: &'static str,
    /// Name of the row in the appendix.
    pub row: String,
    /// Figures of the row in the appendix.
    pub figure: String,
    /// The counterpart in Hasten: the same algorithm, or the one that replaces it today.
    pub here: Here,
}

/// The counterpart of a row of the appendix, or the reason why there is none.
pub enum Here {
    /// Rows of Hasten's tables, the nearest first. A build without the feature `legacy` has only
    /// the last.
    Rows(Vec<Counterpart>),
    /// No row in Hasten's tables: the state in one word, and the reason.
    None(&'static str, &'static str),
}

impl Here {
    /// Returns the reason why Hasten's table of the same name has no such row, if it has none.
    fn elsewhere(&self) -> Option<&str> {
        match self {
            Self::None(_, why) => Some(why),
            Self::Rows(all) => {
                all.iter().find(|ours| ours.state == "counted").map(|ours| ours.note.as_str())
            }
        }
    }
}

/// A row of one of Hasten's tables.
pub struct Counterpart {
    /// The table.
    pub table: &'static str,
    /// Keys and cells that identify the row in the table.
    pub keys: Vec<(&'static str, String)>,
    /// Keys of the figures in the row.
    pub figures: &'static [&'static str],
    /// One of three words. `same`: the same algorithm. `related`: the row has what is used today
    /// instead. `counted`: the figure is from another command and of another kind, as the note
    /// explains.
    pub state: &'static str,
    /// Difference from the row of the appendix; empty if there is none.
    pub note: String,
}

/// Converts a JSON number or text to text, and a summary to the text of its median.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Object(summary) => summary.get("p50").and_then(words),
        other => Some(other.to_string()),
    }
}

impl Counterpart {
    fn is(&self, row: &Value) -> bool {
        row["table"] == self.table
            && self.keys.iter().all(|(key, wanted)| words(&row[*key]).as_ref() == Some(wanted))
    }

    /// Returns the figures from the row of this counterpart among `rows`.
    fn found(&self, rows: &[Value]) -> Option<String> {
        let row = rows.iter().find(|row| self.is(row))?;
        let figures: Option<Vec<_>> = self.figures.iter().map(|key| words(&row[*key])).collect();
        figures.map(|figures| figures.join(", "))
    }

    fn name(&self) -> String {
        let cells: Vec<_> = self.keys.iter().map(|(_, cell)| cell.as_str()).collect();
        cells.join(", ")
    }
}

/// Returns the line of the account. The figures of Hasten's tables are taken from `rows`, made in
/// the same run; the cell is empty if the table was not made.
fn row(line: &Line, rows: &[Value]) -> Vec<Cell> {
    let mut row: Vec<Cell> =
        vec![line.part.into(), line.row.as_str().into(), line.figure.as_str().into()];
    match &line.here {
        Here::None(state, why) => {
            row.extend([(*state).into(), Cell::Empty, Cell::Empty, Cell::Empty, (*why).into()]);
        }
        Here::Rows(all) => {
            let nearest = if cfg!(feature = "legacy") { all.first() } else { all.last() };
            let found = all.iter().find_map(|ours| Some((ours, Some(ours.found(rows)?))));
            let Some((ours, figure)) = found.or(nearest.map(|ours| (ours, None))) else {
                return row;
            };
            row.extend([
                ours.state.into(),
                ours.table.into(),
                ours.name().as_str().into(),
                figure.as_deref().into(),
                ours.note.as_str().into(),
            ]);
        }
    }
    row
}

/// Returns the account, with the figures of Hasten's tables taken from `rows`.
pub fn sheet(rows: &[Value]) -> Sheet {
    Sheet {
        name: "account",
        title: "Every row of the appendix, and what stands for it here",
        columns: vec![
            ("part", "Table of the appendix"),
            ("row", "Row"),
            ("figure", "Figure"),
            ("state", "State"),
            ("our_table", "Here: table"),
            ("ours", "row"),
            ("our_figure", "figure"),
            ("note", "Note"),
        ],
        rows: lines().iter().map(|line| row(line, rows)).collect(),
        notes: vec!["same: the same algorithm, set or group is in our table. related: what has its place today stands there, and the note names it. counted: the figure is no time but a number of instructions. withdrawn: nothing stands there, and the note says why. Times are microseconds, sizes bytes; memory is allocations, heap in total, its peak, and stack; connect is time of both sides here and of the server there, then MB/s sent and received. Our figures are those of the same run, or of the reports that --figures names; a row without one is of a table that is in neither.".into()],
    }
}

/// Returns the rows of the appendix for which there is neither a figure in `rows` nor a reason.
pub fn unexplained(rows: &[Value]) -> Vec<String> {
    let gap = |line: &&Line| match &line.here {
        Here::Rows(all) => {
            line.here.elsewhere().is_none() && all.iter().all(|ours| ours.found(rows).is_none())
        }
        Here::None(state, why) => state.is_empty() || why.is_empty(),
    };
    lines().iter().filter(gap).map(|line| format!("{}: {}", line.part, line.row)).collect()
}

/// Returns a sentence about the rows of this table of the appendix that have no counterpart in
/// Hasten's table.
pub fn absent(table: &str) -> Option<String> {
    let belongs = |line: &&Line| line.part == table;
    let (lines, mut reasons) = (lines(), Vec::<(&str, Vec<String>)>::new());
    for line in lines.iter().filter(belongs) {
        let Some(why) = line.here.elsewhere() else { continue };
        let said = format!("{} ({})", line.row, line.figure);
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, rows)) => rows.push(said),
            None => reasons.push((why, vec![said])),
        }
    }
    let said: Vec<_> =
        reasons.iter().map(|(why, rows)| format!("{}: {why}.", rows.join("; "))).collect();
    let any = !said.is_empty();
    any.then(|| format!("Rows of the appendix without one here. {}", said.join(" ")))
}
