//! The table of ARCHITECTURE.md, section Crates: which crate may use which.

use hasten_chore::failure::{Failure, read};
use std::path::Path;

/// One of our crates and what it may use. Names of ours are without `hasten-`.
#[derive(Debug, Default)]
pub struct Layer {
    /// The crate's name.
    pub name: String,
    /// Our crates it may use, in `[dependencies]` and `[build-dependencies]`.
    pub may_use: Vec<String>,
    /// Those of them that must stay behind a feature.
    pub optional: Vec<String>,
    /// Foreign crates it must not ask for.
    pub never: Vec<String>,
    /// True if a plain `cargo test` must not build it.
    pub apart: bool,
    /// True if it may hold `unsafe`, and so has lints of its own.
    pub may_hold_unsafe: bool,
}

/// The rules for the crates of the workspace.
#[derive(Debug, Default)]
pub struct Table {
    /// One layer for each crate.
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

    /// Reads the table out of the page's text.
    pub fn parse(page: &str) -> Self {
        let after = page.lines().skip_while(|line| !line.starts_with("| crate | may use")).skip(2);
        let rows = after.take_while(|line| line.starts_with('|'));
        let cells = |row: &str| -> Vec<String> {
            row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        Self { layers: rows.filter_map(|row| layer(&cells(row))).collect() }
    }

    /// Returns the layer of the package called `name`.
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

/// Returns the name of one of our packages as the table spells it.
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

/// Returns the words between backticks.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
