//! `cargo xtask surface [--check]`: writes the public items of the crates that Rust programmers use
//! to `checks/surface/items`, or compares them with these files.
//!
//! rustdoc of the nightly that `tools/nightly` names lists the items as JSON, with the default
//! features and for x86-64. Other versions of Rust write another form of it.

use hasten_chore::failure::{Failure, read, report};
use hasten_chore::{checkout, program};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Package names of the crates.
const CRATES: [&str; 5] =
    ["hasten-pq", "hasten-hbs", "hasten-keys", "hasten-kernels", "hasten-store"];

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Writes the lists. With `--check`, fails if one differs from the recorded list.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err(Failure::Usage("Usage: cargo xtask surface [--check]".into())),
    };
    let root = checkout::root()?;
    let (mut found, mut count) = (Vec::new(), 0);
    for package in CRATES {
        let now = items(&root, package)?;
        count += now.lines().count();
        found.extend(settle(&recorded(&root, package), package, &now, check)?);
    }
    if !found.is_empty() {
        found.push("if it is meant: cargo xtask surface, and CONTRIBUTING.md, Versions".into());
    }
    report("surface", format!("{count} public items of {} crates", CRATES.len()), found)
}

/// Returns the path of the file with the items of a package.
fn recorded(root: &Path, package: &str) -> PathBuf {
    root.join("checks/surface/items").join(format!("{package}.txt"))
}

/// Writes the list. With `check`, returns a line for each item that is new or gone instead.
fn settle(path: &Path, package: &str, now: &str, check: bool) -> Result<Vec<String>, Failure> {
    if check {
        return Ok(changes(package, &read(path)?, now));
    }
    std::fs::write(path, now).map_err(|error| Failure::Io(path.to_path_buf(), error))?;
    Ok(Vec::new())
}

fn changes(package: &str, before: &str, now: &str) -> Vec<String> {
    let [old, new]: [BTreeSet<&str>; 2] = [before, now].map(|list| list.lines().collect());
    let gone = old.difference(&new).map(|item| format!("{package}: gone: {item}"));
    gone.chain(new.difference(&old).map(|item| format!("{package}: new: {item}"))).collect()
}

/// Returns the public items of a package, one per line.
fn items(root: &Path, package: &str) -> Result<String, Failure> {
    let nightly = read(&root.join("tools/nightly"))?;
    let place = root.join("target/miri").display().to_string();
    let what = ["run", nightly.trim(), "cargo", "rustdoc", "--quiet", "--locked", "--lib"];
    let of = ["-p", package, "--target", TARGET, "--target-dir", &place];
    let how = ["--", "-Z", "unstable-options", "--output-format", "json"];
    program::run("rustup", &[&what[..], &of, &how].concat())?;
    let json = format!("target/miri/{TARGET}/doc/{}.json", package.replace('-', "_"));
    list(&root.join(json))
}

/// Returns the items listed by rustdoc, without those that every type or derive has.
fn list(json: &Path) -> Result<String, Failure> {
    let listed = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| Failure::Form(json.to_path_buf(), error.to_string()))?;
    Ok(listed.items().map(|item| format!("{item}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_that_is_new_or_gone_is_named() {
        let (before, now) = ("pub fn a::f()\npub fn a::g()\n", "pub fn a::g()\npub fn a::h()\n");
        let expected = ["a: gone: pub fn a::f()", "a: new: pub fn a::h()"];
        assert_eq!(changes("a", before, now), expected);
        assert_eq!(changes("a", now, now), Vec::<String>::new());
    }

    #[test]
    fn each_list_is_recorded() {
        let root = checkout::root().unwrap();
        for package in CRATES {
            assert!(recorded(&root, package).is_file(), "{package}");
        }
    }
}
