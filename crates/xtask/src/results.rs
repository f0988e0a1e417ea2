//! `cargo xtask results [--check | list | command NAME]`: the index of published results.
//!
//! `results/index.toml` has one row per result file: its name, the command that makes it, the tools
//! that the command needs, and its kind. `tools/measure.sh` loops over the rows.

mod command;
mod files;

use std::path::Path;

use serde::Deserialize;

use crate::metadata;
use hasten_chore::failure::{Failure, read, report};

/// The rows of `results/index.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    result: Vec<Entry>,
}

/// One published result.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Name of the file in `results/` without `.json`.
    name: String,
    /// Shell command, run in the root of the repository.
    command: String,
    /// Programs other than cargo that the command needs.
    #[serde(default)]
    tools: Vec<String>,
    /// Reproducibility of the figures.
    kind: Kind,
    /// Way in which the result reaches its file.
    #[serde(default)]
    output: Output,
}

/// Reproducibility of the figures of a result.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// The figures are the same on every machine.
    Exact,
    /// The figures depend on the machine and on its load.
    Timed,
}

/// Way in which a result reaches its file.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Output {
    /// The command prints the result.
    #[default]
    Printed,
    /// The command writes the file itself.
    Written,
    /// The file is kept unchanged because it belongs to an older state of the source.
    Kept,
}

const USAGE: &str = "Usage: cargo xtask results --check | list [exact|timed] | command NAME | tools NAME | output NAME";

/// Checks the index, or prints a part of it for `tools/measure.sh`.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let root = metadata::root()?;
    let index = load(&root)?;
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        [] | ["--check"] => check(&root, &index),
        ["list"] => list(&index, None),
        ["list", "exact"] => list(&index, Some(Kind::Exact)),
        ["list", "timed"] => list(&index, Some(Kind::Timed)),
        [what, name] => {
            let entry = index.result.iter().find(|entry| entry.name == name);
            let entry = entry.ok_or_else(|| Failure::Usage(format!("no such result: {name}")))?;
            println!("{}", field(entry, what).ok_or_else(|| Failure::Usage(USAGE.into()))?);
            Ok(())
        }
        _ => Err(Failure::Usage(USAGE.into())),
    }
}

/// Prints the names of the results that can be made again, optionally of one kind only.
fn list(index: &Index, kind: Option<Kind>) -> Result<(), Failure> {
    let made = index.result.iter().filter(|entry| entry.output != Output::Kept);
    let wanted = made.filter(|entry| kind.is_none_or(|kind| kind == entry.kind));
    wanted.for_each(|entry| println!("{}", entry.name));
    Ok(())
}

/// Returns a field of a row in the form that the shell script expects.
fn field(entry: &Entry, what: &str) -> Option<String> {
    Some(match what {
        "command" => entry.command.clone(),
        "tools" => entry.tools.join(" "),
        "output" => format!("{:?}", entry.output).to_lowercase(),
        _ => return None,
    })
}

fn load(root: &Path) -> Result<Index, Failure> {
    let path = root.join("results/index.toml");
    let text = read(&path)?;
    toml::from_str(&text).map_err(|fault| Failure::Form(path, fault.to_string()))
}

/// Checks that files and rows match, that each command exists, and that each file has the required
/// head.
fn check(root: &Path, index: &Index) -> Result<(), Failure> {
    let targets = metadata::load()?.targets();
    let mut found = files::faults(root, index)?;
    found.extend(index.result.iter().filter_map(|entry| command::fault(root, &targets, entry)));
    report("results", format!("{} results, each with its command", index.result.len()), found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_needs_its_kind_and_no_field_is_misspelt() {
        let row = "[[result]]\nname = 'a'\ncommand = './hasten list'\n";
        assert!(toml::from_str::<Index>(row).is_err());
        assert!(toml::from_str::<Index>(&format!("{row}kind = 'timed'\n")).is_ok());
        assert!(toml::from_str::<Index>(&format!("{row}kind = 'timed'\ntool = 'x'\n")).is_err());
        assert!(toml::from_str::<Index>(&format!("{row}kind = 'rough'\n")).is_err());
    }
}
