//! The report: one JSON object around the rows.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::{Machine, Origin};

/// A result, as every `--json` prints it and every file of `results/` stores it.
#[derive(Serialize)]
pub struct Report<'r, Row: Serialize, On: Serialize = Machine> {
    /// `hasten.NAME/1`.
    pub schema: String,
    /// The command that made the result.
    pub command: String,
    /// Version, commit and compiler, each under its own key.
    #[serde(flatten)]
    pub origin: Origin,
    /// Processor features that the compiler could rely on, if they matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_features: Option<&'static str>,
    /// The machine that ran the command.
    pub machine: On,
    /// True if the memory could be locked; absent if the command held no secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_locked: Option<bool>,
    /// Remarks, if the report is printed to the error stream.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// One entry per row of the table.
    pub rows: &'r [Row],
}

impl<'r, Row: Serialize, On: Serialize> Report<'r, Row, On> {
    /// Returns a report of `rows` under `schema`.
    pub fn new(
        schema: &str,
        command: String,
        origin: Origin,
        machine: On,
        rows: &'r [Row],
    ) -> Self {
        Self {
            schema: schema.to_owned(),
            command,
            origin,
            target_features: None,
            machine,
            memory_locked: None,
            notes: Vec::new(),
            rows,
        }
    }

    /// Returns the report as one line of JSON, for results that come one by one.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("rows have string keys and finite numbers")
    }

    /// Returns the report with its head on the first line and each row on a line of its own.
    pub fn by_line(mut self) -> String {
        let text = |row| serde_json::to_string(row).expect("a row has string keys");
        let rows: Vec<String> = std::mem::take(&mut self.rows).iter().map(text).collect();
        let head = self.line();
        let head = head.strip_suffix("]}").expect("the rows come last");
        format!("{head}\n{}\n]}}\n", rows.join(",\n"))
    }

    /// Writes the report with its head on the first line and each row on a line of its own. The
    /// rows are never in memory together.
    ///
    /// # Errors
    /// Errors of the writer `to`.
    pub fn stream<One: Serialize>(
        self,
        rows: impl IntoIterator<Item = One>,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let head = Self { rows: &[], ..self }.line();
        to.write_all(head.strip_suffix("]}").expect("the rows come last").as_bytes())?;
        for (at, row) in rows.into_iter().enumerate() {
            to.write_all(if at == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *to, &row)?;
        }
        to.write_all(b"\n]}\n")
    }

    /// Returns the report as indented JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("rows have string keys and finite numbers")
    }
}

/// Writes a report to a file, with a final line break.
pub fn write<Row: Serialize, On: Serialize>(
    path: &Path,
    report: &Report<'_, Row, On>,
) -> std::io::Result<()> {
    std::fs::write(path, report.json() + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unneeded;

    #[test]
    fn the_frame_has_commit_command_and_a_machine_object() {
        let origin = Origin { rustc: None, ..Origin::built("1", "c", "") };
        let why = Unneeded::because("cycles depend on none");
        let report = Report::new("hasten.x/1", "x --json".into(), origin, why, &[1, 2]);
        assert_eq!(
            report.line(),
            r#"{"schema":"hasten.x/1","command":"x --json","version":"1","commit":"c","machine":{"needed":false,"why":"cycles depend on none"},"rows":[1,2]}"#
        );
        let text = report.by_line();
        assert!(text.ends_with("\"rows\":[\n1,\n2\n]}\n"), "{text}");
        let mut streamed = Vec::new();
        let why = Unneeded::because("cycles depend on none");
        let origin = Origin { rustc: None, ..Origin::built("1", "c", "") };
        let report = Report::<u8, _>::new("hasten.x/1", "x --json".into(), origin, why, &[]);
        report.stream([1, 2], &mut streamed).unwrap();
        assert_eq!(String::from_utf8(streamed).unwrap(), text);
    }
}
