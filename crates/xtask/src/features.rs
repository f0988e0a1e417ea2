//! `cargo xtask features [--few] [CRATE]...`: runs `cargo check` on each publishable crate with
//! every combination of its features. A warning counts as an error. Clippy checks each crate in a
//! separate part of `./test`. With `--few`, a crate with more than three features is checked only
//! with all features, with none, with each feature alone and with each feature left out.
//!
//! Combinations that enable the same features are checked once: a feature also enables the features
//! that it implies. A feature that the crate's sources never name only enables something in a
//! dependency. All such features are enabled together in one last combination and disabled in the
//! others.

use hasten_chore::failure::{Failure, read, report};
use hasten_chore::program;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::metadata::{self, Package};

/// Names of the enabled features.
type Set = BTreeSet<String>;

/// Checks the crates in `args`, or every publishable crate if none is named.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let is_few = args.iter().any(|arg| arg == "--few");
    let args: Vec<&String> = args.iter().filter(|arg| *arg != "--few").collect();
    let metadata = metadata::load()?;
    let published = metadata.members().filter(|package| package.is_published());
    let named = |package: &&Package| args.is_empty() || args.contains(&&package.name);
    let chosen: Vec<&Package> = published.filter(named).collect();
    if let Some(other) = args.iter().find(|arg| !chosen.iter().any(|p| p.name == ***arg)) {
        return Err(Failure::Usage(format!("no published crate is called {other}")));
    }
    let (mut found, mut count) = (Vec::new(), 0);
    for package in &chosen {
        let sets = combinations(package, &sources(package)?, is_few);
        eprintln!("{}: {} combinations", package.name, sets.len());
        count += sets.len();
        for set in &sets {
            found.extend(fault(package, set)?);
        }
    }
    let crates = chosen.len();
    report("features", format!("{count} combinations of {crates} crates, no warning"), found)
}

/// Returns a message if the crate does not compile without warnings with exactly these features.
fn fault(package: &Package, set: &Set) -> Result<Option<String>, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let features = set.iter().cloned().collect::<Vec<_>>().join(",");
    let what = ["check", "--quiet", "--locked", "--lib", "-p", &package.name];
    let how = ["--no-default-features", "--features", &features];
    let (good, _, said) = program::attempt(cargo, &[&what[..], &how].concat())?;
    let is_fault = |line: &&str| line.starts_with("error") || line.starts_with("warning");
    let first = said.lines().find(is_fault);
    let place = said.lines().find(|line| line.trim_start().starts_with("-->")).unwrap_or("").trim();
    let said = first.or((!good).then_some("failed"));
    Ok(said.map(|said| format!("{} --features '{features}': {said} {place}", package.name)))
}

/// Returns the sets of features to check the crate with.
fn combinations(package: &Package, sources: &str, is_few: bool) -> BTreeSet<Set> {
    let is_named = |name: &&String| sources.contains(&format!("feature = \"{name}\""));
    let all = package.features.keys().filter(|name| *name != "default");
    let (named, passed_on): (Vec<&String>, Vec<&String>) = all.partition(is_named);
    let chosen = |set: &Set| {
        let (on, all) = (set.len(), named.len());
        !is_few || all <= FEW || on <= 1 || on + 1 >= all
    };
    let subsets = subsets(&named).into_iter().filter(chosen);
    let mut sets: BTreeSet<Set> = subsets.map(|set| with_implied(package, set)).collect();
    if !passed_on.is_empty() {
        sets.insert(named.into_iter().chain(passed_on).cloned().collect());
    }
    sets
}

/// Largest number of features for which `--few` still checks every combination.
const FEW: usize = 3;

fn subsets(names: &[&String]) -> Vec<Set> {
    names.iter().fold(vec![Set::new()], |sets, name| {
        let with = |set: &Set| set.iter().cloned().chain([name.to_string()]).collect();
        let more: Vec<Set> = sets.iter().map(with).collect();
        [sets, more].concat()
    })
}

/// Adds the features of the same crate that the features in `set` imply.
fn with_implied(package: &Package, mut set: Set) -> Set {
    loop {
        let on = set.iter().filter_map(|name| package.features.get(name)).flatten();
        let more: Vec<String> =
            on.filter(|name| package.features.contains_key(*name)).cloned().collect();
        let before = set.len();
        set.extend(more);
        if set.len() == before {
            return set;
        }
    }
}

/// Returns the concatenated text of the crate's source files.
fn sources(package: &Package) -> Result<String, Failure> {
    let mut text = String::new();
    let mut open = vec![package.manifest_path.with_file_name("src")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(entries(&path)?);
        } else if path.extension().is_some_and(|end| end == "rs") {
            text += &read(&path)?;
        }
    }
    Ok(text)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let io = |error| Failure::Io(folder.to_path_buf(), error);
    let entries = std::fs::read_dir(folder).map_err(io)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(io)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::sample::workspace;

    fn checked(features: &[(&str, &[&str])], sources: &str) -> Vec<String> {
        all_or_few(features, sources, false)
    }

    fn all_or_few(features: &[(&str, &[&str])], sources: &str, is_few: bool) -> Vec<String> {
        let mut package = workspace(&[("a", &[])]).packages.remove(0);
        for (name, on) in features {
            let on = on.iter().map(ToString::to_string).collect();
            package.features.insert(name.to_string(), on);
        }
        let join = |set: Set| set.into_iter().collect::<Vec<_>>().join(",");
        combinations(&package, sources, is_few).into_iter().map(join).collect()
    }

    #[test]
    fn every_combination_is_there_once() {
        let sources = r#"feature = "x" feature = "y""#;
        let plain: &[(&str, &[&str])] = &[("x", &[]), ("y", &[]), ("default", &["x"])];
        assert_eq!(checked(plain, sources), ["", "x", "x,y", "y"]);
        assert_eq!(checked(&[("x", &[]), ("y", &["x"])], sources), ["", "x", "x,y"]);
    }

    #[test]
    fn few_have_each_feature_on_and_off_alone() {
        let sources = r#"feature = "v" feature = "x" feature = "y" feature = "z""#;
        let four: &[(&str, &[&str])] = &[("v", &[]), ("x", &[]), ("y", &[]), ("z", &[])];
        let few = ["", "v", "v,x,y", "v,x,y,z", "v,x,z", "v,y,z", "x", "x,y,z", "y", "z"];
        assert_eq!(all_or_few(four, sources, true), few);
        assert_eq!(all_or_few(&four[1..], sources, true).len(), 8);
    }

    #[test]
    fn a_feature_that_is_passed_on_is_on_in_the_last_alone() {
        let sources = r#"feature = "x""#;
        assert_eq!(checked(&[("x", &[]), ("z", &["b/z"])], sources), ["", "x", "x,z"]);
    }

    #[test]
    fn a_crate_that_is_none_is_a_usage_error() {
        assert_eq!(run(&["hasten-none".to_string()]).unwrap_err().status(), 2);
    }
}
