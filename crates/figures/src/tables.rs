//! `cargo xtask tables [--check]`: the tables of numbers in README.md, docs/, rtl/ and crates/, and
//! the picture `docs/ladder.svg`, made from `results/*.json`.
//!
//! A table is placed between two comments, and this command writes everything between them:
//!
//! ```text
//! <!-- table: results/bench-kernels.json | where batch=16, backend=avx2 | Kernel = alg | ns = time_us.min*1000:1 -->
//! <!-- end of table -->
//! ```
//!
//! The first cell is the file. `where` keeps the rows whose fields have the given values. Every
//! further cell is `HEADING = PATH`, where a path is field names joined by dots; a number may be
//! followed by `*FACTOR` and `:DECIMALS`. A file that ends in `.toml` describes a table from
//! several files of results (`summary.rs`).

use crate::tablespec::Spec;
use crate::{picture, summary};
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read, report};
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- table: ";
const END: &str = "<!-- end of table -->";

/// Writes the tables. With `--check` it writes nothing and fails if a table is out of date.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err(Failure::Usage("Usage: cargo xtask tables [--check]".into())),
    };
    let root = checkout::root()?;
    let (mut stale, mut tables) = (Vec::new(), 0);
    for path in pages(&root)? {
        let old = read(&path)?;
        tables += old.lines().filter(|line| line.starts_with(BEGIN)).count();
        let new = renew(&old, &|file| read(&root.join(file)))
            .map_err(|fault| Failure::Form(path.clone(), fault.to_string()))?;
        stale.extend(settle(&path, &old, &new, check)?);
    }
    stale.extend(renew_picture(&root, check)?);
    report("tables", format!("{tables} tables and a picture, as results/ has them"), stale)
}

/// Writes a page that has changed. With `check` it returns a message instead.
fn settle(path: &Path, old: &str, new: &str, check: bool) -> Result<Option<String>, Failure> {
    if new == old {
        return Ok(None);
    }
    if check {
        return Ok(Some(format!("{}: run cargo xtask tables", path.display())));
    }
    std::fs::write(path, new).map_err(|error| Failure::Io(path.to_path_buf(), error))?;
    Ok(None)
}

fn renew_picture(root: &Path, check: bool) -> Result<Option<String>, Failure> {
    let (path, results) = (root.join("docs/ladder.svg"), root.join("results/latency.json"));
    let new = picture::draw(&read(&results)?).map_err(|fault| Failure::Form(results, fault))?;
    settle(&path, &std::fs::read_to_string(&path).unwrap_or_default(), &new, check)
}

/// Returns the Markdown files at the root, in docs/, flow/, results/ and rtl/, and in each folder
/// of rtl/ and crates/.
fn pages(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut pages = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    folders.extend(["docs", "flow", "results", "rtl"].map(|name| root.join(name)));
    for folder in ["crates", "rtl"] {
        folders.extend(folders_in(&root.join(folder))?);
    }
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        pages.extend(
            entries(folder)?.into_iter().filter(|p| p.extension().is_some_and(|e| e == "md")),
        );
    }
    pages.sort();
    Ok(pages)
}

fn folders_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let io = |error| Failure::Io(folder.to_path_buf(), error);
    std::fs::read_dir(folder)
        .map_err(io)?
        .map(|entry| entry.map(|entry| entry.path()).map_err(io))
        .collect()
}

/// Regenerates every table of the page; `load` reads a file of results.
fn renew(page: &str, load: &dyn Fn(&str) -> Result<String, Failure>) -> Result<String, Failure> {
    let mut out = String::with_capacity(page.len());
    let mut lines = page.split_inclusive('\n');
    while let Some(line) = lines.next() {
        out += line;
        let Some(spec) = line.trim_end().strip_prefix(BEGIN) else { continue };
        out += &table(spec, load)?;
        let end = lines.by_ref().find(|line| line.trim_end() == END);
        out += end.ok_or_else(|| form(line, "no end of table"))?;
    }
    Ok(out)
}

/// Returns the table described by a marker.
fn table(marker: &str, load: &dyn Fn(&str) -> Result<String, Failure>) -> Result<String, Failure> {
    if let Some(file) = marker.strip_suffix(" -->").filter(|file| file.ends_with(".toml")) {
        return summary::render(&load(file)?, load).map_err(|fault| form(file, &fault));
    }
    let spec = Spec::parse(marker)
        .ok_or_else(|| form(marker, "this is not FILE | HEADING = PATH ... -->"))?;
    spec.render(&load(&spec.file)?).map_err(|fault| form(marker, &fault))
}

fn form(line: &str, fault: &str) -> Failure {
    Failure::Tool(format!("{}: {fault}", line.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# T\n<!-- table: r.json | where op=sign | Set = alg | us = time_us.min:1 -->\nold\n<!-- end of table -->\nafter\n";

    fn load(_: &str) -> Result<String, Failure> {
        Ok(r#"{"command":"./hasten bench","machine":{"cpu":"X"},"rows":[
            {"alg":"A","op":"sign","time_us":{"min":1.25}},{"alg":"B","op":"verify","time_us":{"min":9}}]}"#
            .into())
    }

    #[test]
    fn a_stale_table_is_replaced_and_a_fresh_one_stays() {
        let new = renew(PAGE, &load).unwrap();
        assert!(new.contains("| Set | us |\n| --- | ---: |\n| A | 1.2 |\n"), "{new}");
        assert!(!new.contains("old") && !new.contains("| B |") && new.ends_with("after\n"));
        assert!(new.contains("`./hasten bench`") && new.contains("X"));
        assert_eq!(renew(&new, &load).unwrap(), new);
    }

    #[test]
    fn a_wrong_marker_fails() {
        let no_end = PAGE.replace("<!-- end of table -->\n", "");
        let no_field = PAGE.replace("time_us.min", "time_us.mid");
        let no_row = PAGE.replace("op=sign", "op=none");
        for page in [no_end, no_field, no_row, PAGE.replace("| Set = alg", "| Set")] {
            assert!(renew(&page, &load).is_err(), "{page}");
        }
    }
}
