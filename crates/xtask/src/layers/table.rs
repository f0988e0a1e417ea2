//! The table of ARCHITECTURE.md, section Crates: which crate may use which.

use hasten_chore::failure::{Failure, read};
use std::path::Path;

/// One crate of the workspace and the crates it may use. Names of workspace crates lack the prefix
/// `hasten-`.
#[derive(Debug, Default)]
pub struct Layer {
    /// Name of the crate.
    pub name: String,
    /// Workspace crates that it may list in `[dependencies]` and `[build-dependencies]`.
    pub may_use: Vec<String>,
    /// Crates in `may_use` that must be optional dependencies.
    pub optional: Vec<String>,
    /// Foreign crates that it must not depend on, except in tests.
    pub never: Vec<String>,
    /// True if a plain `cargo test` must not build the crate.
    pub apart: bool,
    /// True if the crate may contain `unsafe` and may therefore set its own lints.
    pub may_hold_unsafe: bool,
}

/// The rules for the crates of the workspace.
#[derive(Debug, Default)]
pub struct Table {
    /// One entry per crate.
    pub layers: Vec<Layer>,
}

impl Table {
    /// Reads ARCHITECTURE.md of the repository at `root`.
    pub fn load(root: &Path) -> Result<Self, Failure> {
        let table = Self::parse(&read(&root.join("ARCHITECTURE.md"))?);
        match table.layers.is_empty() {
            true => Err(Failure::Tool("ARCHITECTURE.md has no table of crates".into())),
            false => Ok(table),
        }
    }

    /// Parses the table in the text of the page.
    pub fn parse(page: &str) -> Self {
        let after = page.lines().skip_while(|line| !line.starts_with("| crate | may use")).skip(2);
        let rows = after.take_while(|line| line.starts_with('|'));
        let cells = |row: &str| -> Vec<String> {
            row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        Self { layers: rows.filter_map(|row| layer(&cells(row))).collect() }
    }

    /// Returns the entry for the package called `name`.
    pub fn layer(&self, name: &str) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.name == own(name))
    }

    /// Returns true if the table lets `from` use `to`, directly or through others.
    pub fn reaches(&self, from: &Layer, to: &str) -> bool {
        from.may_use
            .iter()
            .any(|used| used == to || self.layer(used).is_some_and(|below| self.reaches(below, to)))
    }
}

/// Returns the name of a workspace package as the table spells it.
pub fn own(package: &str) -> &str {
    package.strip_prefix("hasten-").unwrap_or(package)
}

fn layer(row: &[String]) -> Option<Layer> {
    let [name, uses, never, kind, ..] = row else { return None };
    let optional = uses.split(',').filter(|part| part.contains("(feature)")).flat_map(names);
    Some(Layer {
        name: names(name).pop()?,
        may_use: names(uses),
        optional: optional.collect(),
        never: names(never),
        apart: kind.contains("apart"),
        may_hold_unsafe: kind.contains("unsafe"),
    })
}

/// Returns the words between backticks in `cell`.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
