//! Compares the files of `results/` with the rows of the index.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::{Entry, Index, Output};
use hasten_chore::failure::{Failure, read};

/// Returns the faults of the index and of the files: a file without a row, a row without a file or
/// with a duplicate, a file with an incomplete head, and a file that another command made.
pub fn faults(root: &Path, index: &Index) -> Result<Vec<String>, Failure> {
    let folder = root.join("results");
    let files = names(&folder)?;
    let rows: Vec<&str> = index.result.iter().map(|entry| entry.name.as_str()).collect();
    let mut found = unmatched(&files, &rows);
    for name in &files {
        let path = folder.join(format!("{name}.json"));
        let document = serde_json::from_str(&read(&path)?);
        let document = document.map_err(|fault| Failure::Form(path, fault.to_string()))?;
        found.extend(frame(name, &document));
        let row = index.result.iter().find(|entry| entry.name == *name);
        found.extend(row.and_then(|entry| other_command(entry, &document)));
    }
    Ok(found)
}

/// Returns the names of the JSON files in `folder` without `.json`.
fn names(folder: &Path) -> Result<BTreeSet<String>, Failure> {
    let io = |error| Failure::Io(folder.to_owned(), error);
    let mut names = BTreeSet::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let name = entry.map_err(io)?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".json").map(str::to_owned));
    }
    Ok(names)
}

fn unmatched(files: &BTreeSet<String>, rows: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for row in rows {
        if !files.contains(*row) {
            found.push(format!("results/index.toml: {row} has no file"));
        }
        if !seen.insert(*row) {
            found.push(format!("results/index.toml: {row} has two rows"));
        }
    }
    let missing = files.iter().filter(|file| !seen.contains(file.as_str()));
    found.extend(missing.map(|file| format!("results/{file}.json is not in results/index.toml")));
    found
}

/// Returns a message if a printed result records another command than its row, so that the row does
/// not reproduce it.
fn other_command(entry: &Entry, document: &Value) -> Option<String> {
    let command = document["command"].as_str()?;
    let differs = entry.output == Output::Printed && essence(&entry.command) != essence(command);
    differs.then(|| format!("results/{}.json was made by another command: {command}", entry.name))
}

/// Returns the words of a command that determine its figures. Words about how the tool is built or
/// where the result goes are dropped.
fn essence(command: &str) -> Vec<String> {
    let place = ["--quiet", "--locked", "--json", "--", "--tool"];
    let decides = |word: &&str| {
        !place.contains(word) && !word.ends_with(".json") && !word.ends_with("/hasten")
    };
    let plain = command.replace("./hasten", "hasten");
    // An old tool is named last: in the row by a variable, in the result by its name.
    let plain = plain.split("${HASTEN_OLD").next().unwrap_or_default();
    let plain = plain.split(" --old ").next().unwrap_or_default();
    plain.split_whitespace().filter(decides).map(str::to_owned).collect()
}

/// Returns a message for each field that the head of a result lacks.
fn frame(name: &str, document: &Value) -> Vec<String> {
    let commit = document["commit"].is_string() || document["recorded_in"].is_string();
    let has = [
        ("a schema", document["schema"].is_string()),
        ("a command", document["command"].is_string()),
        ("a commit", commit),
        ("a machine object", document["machine"].is_object()),
        ("rows", document["rows"].is_array()),
    ];
    let lacks = has.into_iter().filter(|(_, has)| !has);
    lacks.map(|(what, _)| format!("results/{name}.json has no {}", plain(what))).collect()
}

fn plain(what: &str) -> &str {
    what.strip_prefix("a ").unwrap_or(what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn files_and_rows_must_match() {
        let files = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
        assert_eq!(unmatched(&files, &["a", "b"]), Vec::<String>::new());
        assert_eq!(unmatched(&files, &["a"]).len(), 1);
        assert_eq!(unmatched(&files, &["a", "b", "c"]).len(), 1);
        assert_eq!(unmatched(&files, &["a", "a", "b"]).len(), 1);
    }

    #[test]
    fn a_row_says_how_its_result_was_made() {
        let row = |command: &str| Entry {
            name: "x".into(),
            command: command.into(),
            tools: Vec::new(),
            kind: super::super::Kind::Timed,
            output: Output::Printed,
        };
        let made = |command: &str| json!({ "command": command });
        let same = "cargo run --release -p a --example b -- results/x.json";
        let plain = row("cargo run --quiet --release --locked -p a --example b");
        assert_eq!(other_command(&plain, &made(same)), None);
        let tool = row("./hasten bench --json");
        assert_eq!(other_command(&tool, &made("hasten bench --json")), None);
        assert!(other_command(&tool, &made("hasten bench --samples 200 --json")).is_some());
        let written = Entry { output: Output::Written, ..tool };
        assert_eq!(other_command(&written, &made("hasten bench --samples 200")), None);
    }

    #[test]
    fn a_result_needs_commit_command_and_a_machine_object() {
        let whole =
            json!({ "schema": "s", "command": "c", "commit": "1", "machine": {}, "rows": [] });
        assert_eq!(frame("x", &whole), Vec::<String>::new());
        for key in ["schema", "command", "commit", "machine", "rows"] {
            let mut part = whole.clone();
            part[key] = Value::Null;
            assert_eq!(frame("x", &part).len(), 1, "{key}");
        }
        let mut sentence = whole.clone();
        sentence["machine"] = json!("none: it depends on none");
        assert_eq!(frame("x", &sentence), ["results/x.json has no machine object"]);
        let mut old = whole;
        old["commit"] = Value::Null;
        old["recorded_in"] = json!("1");
        assert_eq!(frame("x", &old), Vec::<String>::new());
    }
}
