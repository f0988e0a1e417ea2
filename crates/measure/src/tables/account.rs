//! The account of the appendix: every row of it, with what stands for it here, or why nothing does.

mod lines;
mod stateful;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::sheet::{Cell, Sheet};

pub use self::lines::lines;

/// One row of the appendix.
pub struct Line {
    /// Its table there.
    pub part: &'static str,
    /// Its name there.
    pub row: String,
    /// Its figures there.
    pub figure: String,
    /// The counterpart here: the same, or that of today.
    pub here: Here,
}

/// The counterpart of a row of the appendix, or the reason why there is none.
pub enum Here {
    /// Rows of our tables, the nearest first: a build without the feature `legacy` has the last.
    Rows(Vec<Counterpart>),
    /// Nothing in a table: the state of the row in one word, and the reason.
    None(&'static str, &'static str),
}

impl Here {
    /// Returns why the table of that name here has no such row.
    fn elsewhere(&self) -> Option<&str> {
        match self {
            Self::None(_, why) => Some(why),
            Self::Rows(all) => {
                all.iter().find(|ours| ours.state == "counted").map(|ours| ours.note.as_str())
            }
        }
    }
}

/// A row of one of our tables.
pub struct Counterpart {
    /// The table.
    pub table: &'static str,
    /// Keys and cells that tell it from others.
    pub keys: Vec<(&'static str, String)>,
    /// The keys of its figures.
    pub figures: &'static [&'static str],
    /// `same`, `related` where it is what today has in the place of the row, or `counted`
    /// where the figure is of another command and of another kind, as the note says.
    pub state: &'static str,
    /// How it differs from the appendix's row; empty if it does not.
    pub note: String,
}

/// Returns a number or a text of JSON as words; a summary as its median.
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

    /// Returns the figures that one of these rows has for it.
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

/// Returns the line of the account: our figures are those of `rows`, made in the same run. A table
/// that was not made there has none.
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

/// Returns the account, with the figures that these rows of our tables have.
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

/// Returns the rows of the appendix that neither `rows` have a figure for, nor a reason.
pub fn unexplained(rows: &[Value]) -> Vec<String> {
    let gap = |line: &&Line| match &line.here {
        Here::Rows(all) => {
            line.here.elsewhere().is_none() && all.iter().all(|ours| ours.found(rows).is_none())
        }
        Here::None(state, why) => state.is_empty() || why.is_empty(),
    };
    lines().iter().filter(gap).map(|line| format!("{}: {}", line.part, line.row)).collect()
}

/// Returns a sentence on the appendix's rows without a counterpart in this table of ours.
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
