//! `cargo xtask layers`: checks that each crate uses only the crates it may use, and that the
//! folders of a crate do not import each other in a circle. The rules for crates are the table of
//! ARCHITECTURE.md, section Crates. A second table there limits the size of `cli`.
//!
//! `cargo xtask layers --modules` prints the circles. With `--imports` it also prints the imports
//! of every folder.

mod hazmat;
mod modules;
mod size;
mod table;

use crate::metadata::{self, Dependency, Metadata, Package};
use hasten_chore::failure::{Failure, read, report};
use table::{Layer, Table, own};

/// Checks the crates of this workspace.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let metadata = metadata::load()?;
    let root = metadata::root()?;
    let table = Table::load(&root)?;
    if args.iter().any(|arg| arg == "--modules") {
        return print(&metadata, args.iter().any(|arg| arg == "--imports"));
    }
    let mut found = check(&table, &metadata);
    for package in metadata.members() {
        found.extend(lints(&table, &package.name, &read(&package.manifest_path)?));
        found.extend(circle_faults(&package.name, &circles(package)?));
    }
    found.extend(hazmat::faults(&root)?);
    found.extend(size::faults(&root)?);
    let count = metadata.members().count();
    report("layers", format!("{count} crates, every edge allowed, no circle"), found)
}

/// Prints the circles of every crate and, if `all` is true, the imports of every folder.
fn print(metadata: &Metadata, all: bool) -> Result<(), Failure> {
    for package in metadata.members() {
        let imports = modules::imports(&package.manifest_path.with_file_name("src"))?;
        let circles = modules::circles(&imports);
        println!("{}: {} folders, {} circles", package.name, imports.len(), circles.len());
        circles.iter().for_each(|circle| println!("  circle: {}", circle.join(", ")));
        for (folder, used) in imports.iter().filter(|(_, used)| all && !used.is_empty()) {
            let used: Vec<&str> = used.iter().map(String::as_str).collect();
            println!("  {folder} -> {}", used.join(", "));
        }
    }
    Ok(())
}

fn circles(package: &Package) -> Result<Vec<Vec<String>>, Failure> {
    Ok(modules::circles(&modules::imports(&package.manifest_path.with_file_name("src"))?))
}

/// Returns one message per circle of folders.
fn circle_faults(package: &str, circles: &[Vec<String>]) -> Vec<String> {
    let line = |circle: &Vec<String>| format!("{package}: circle of folders {}", circle.join(", "));
    circles.iter().map(line).collect()
}

/// Returns one message per unknown crate and per dependency that the table does not allow.
fn check(table: &Table, metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata.members() {
        match table.layer(&package.name) {
            Some(layer) => {
                let edges = package.dependencies.iter();
                found.extend(edges.filter_map(|edge| fault(table, layer, edge)));
                found.extend(membership(layer, package, metadata));
            }
            None => found.push(format!("{} is not in the table of crates", package.name)),
        }
    }
    found
}

fn fault(table: &Table, layer: &Layer, edge: &Dependency) -> Option<String> {
    let (user, used) = (&layer.name, own(&edge.name));
    let holds = |list: &[String]| list.iter().any(|name| name == used);
    match table.layer(&edge.name) {
        None if holds(&layer.never) && !edge.is_dev() => {
            Some(format!("{user} must never use {used}"))
        }
        None => None,
        Some(below) if edge.is_dev() => table
            .reaches(below, user)
            .then(|| format!("{user} must not use {used}, even in tests: it lies above")),
        Some(_) if !holds(&layer.may_use) => Some(format!("{user} may not use {used}")),
        Some(_) => (holds(&layer.optional) && !edge.optional)
            .then(|| format!("{user} may use {used} only behind a feature")),
    }
}

fn membership(layer: &Layer, package: &Package, metadata: &Metadata) -> Option<String> {
    let is_default = metadata.workspace_default_members.contains(&package.id);
    (is_default && layer.apart)
        .then(|| format!("{} must not be a default member of the workspace", layer.name))
}

/// Returns a message if a crate that may not contain `unsafe` does not inherit the workspace's
/// lints, which forbid it.
fn lints(table: &Table, name: &str, manifest: &str) -> Option<String> {
    let inherits = manifest
        .parse::<toml::Table>()
        .ok()
        .and_then(|table| table.get("lints")?.get("workspace")?.as_bool())
        .unwrap_or(false);
    let may_differ = table.layer(name).is_some_and(|layer| layer.may_hold_unsafe);
    (!inherits && !may_differ).then(|| format!("{name} does not take the workspace's lints"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::sample::workspace;

    fn table() -> Table {
        Table::load(&metadata::root().expect("a checkout")).expect("the table of this repository")
    }

    fn one(name: &str, edge: (&str, &str, bool)) -> Vec<String> {
        check(&table(), &workspace(&[(name, &[edge])]))
    }

    #[test]
    fn allowed_edges_pass() {
        let good = workspace(&[
            ("hasten-kernels", &[("zeroize", "", false), ("sha2", "dev", false)]),
            ("hasten-hbs", &[("hasten-kernels", "", false), ("getrandom", "dev", false)]),
            ("hasten-cli", &[("hasten-hbs", "", false), ("hasten-store-etcd", "", true)]),
        ]);
        assert_eq!(check(&table(), &good), Vec::<String>::new());
    }

    #[test]
    fn an_unknown_crate_fails() {
        assert_eq!(check(&table(), &workspace(&[("hasten-new", &[])])).len(), 1);
    }

    #[test]
    fn an_edge_upwards_fails_in_every_kind() {
        for kind in ["", "build", "dev"] {
            assert_eq!(one("hasten-kernels", ("hasten-hbs", kind, false)).len(), 1, "{kind}");
        }
        assert_eq!(one("hasten-kernels", ("hasten-keys", "dev", false)).len(), 1);
    }

    #[test]
    fn a_test_may_use_a_neighbour() {
        assert_eq!(one("hasten-store", ("hasten-kernels", "dev", false)).len(), 0);
        assert_eq!(one("hasten-store", ("hasten-kernels", "", false)).len(), 1);
    }

    #[test]
    fn a_banned_foreign_crate_fails() {
        assert_eq!(one("hasten-store", ("tokio", "", false)).len(), 1);
        assert_eq!(one("hasten-hbs", ("getrandom", "build", false)).len(), 1);
    }

    #[test]
    fn what_must_be_optional_fails_when_it_is_not() {
        assert_eq!(one("hasten-cli", ("hasten-rtlsim", "", false)).len(), 1);
        assert_eq!(one("hasten-cli", ("hasten-rtlsim", "", true)).len(), 0);
    }

    #[test]
    fn what_must_not_be_a_default_member_fails_when_it_is() {
        assert_eq!(check(&table(), &workspace(&[("hasten-rtlsim", &[])])).len(), 1);
    }

    #[test]
    fn a_crate_with_lints_of_its_own_fails_unless_it_may_hold_unsafe() {
        let own = "[lints.rust]\nmissing_docs = 'warn'\n";
        assert!(lints(&table(), "hasten-hbs", own).is_some());
        assert!(lints(&table(), "hasten-hbs", "[lints]\nworkspace = true\n").is_none());
        assert!(lints(&table(), "hasten-kernels", own).is_none());
    }

    #[test]
    fn the_table_has_no_circle() {
        let table = table();
        for layer in &table.layers {
            assert!(!table.reaches(layer, &layer.name), "{}", layer.name);
        }
    }

    #[test]
    fn the_marks_of_a_row_are_read() {
        let page = "| crate | may use (ours) | never asks for | kind | must never |\n|-|-|-|-|-|\n\
            | `a` | `b`, `c` (feature) | `x` | apart, unsafe | fail |\n| `b` | - | - | - | - |\n";
        let table = Table::parse(page);
        let layer = table.layer("hasten-a").unwrap();
        assert_eq!(
            (&layer.may_use[..], &layer.optional[..]),
            (&["b".into(), "c".into()][..], &["c".into()][..])
        );
        assert!(layer.apart && layer.may_hold_unsafe && layer.never == ["x"]);
        assert!(!table.layers[1].apart && table.layers[1].may_use.is_empty());
    }

    #[test]
    fn any_circle_fails() {
        let circle: Vec<String> = vec!["x".into(), "y".into()];
        assert_eq!(circle_faults("hasten-a", &[circle]), ["hasten-a: circle of folders x, y"]);
        assert_eq!(circle_faults("hasten-a", &[]), Vec::<String>::new());
    }
}
