//! `cargo xtask prose [--check | --json] [PATH...]`: the form of prose in pages and comments.
//!
//! | rule | holds for | demands |
//! |---|---|---|
//! | `columns` | Markdown, comments | at most 100 columns |
//! | `opening` | Markdown, comments | no sentence begins with "What", "Whether" or "Of" |
//! | `verb` | `///` of a Rust function | its first word is a verb in the third person: "Returns" |
//! | `subject` | commits after `tools/prose.toml` began | a subject of at most 72 characters |
//!
//! Tables, code blocks and words that cannot break are left out of the first two; a question may
//! begin as it likes. `--check` fails on a finding outside the places that `tools/prose.toml` lists
//! as not rewritten yet, and on a listed place that has no finding left.

mod comments;
mod commits;
mod functions;
mod markdown;
mod pending;
mod rules;

use crate::metadata;
use hasten_chore::failure::{Failure, read, report};
use pending::Pending;
use std::path::Path;
use std::process::Command;

/// Endings of the files that are read.
const EXTENSIONS: &[&str] = &["md", "rs", "sv", "toml", "sh", "py"];

/// One breach of a rule.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    /// Path from the root, or `commit`.
    file: String,
    /// Line, from 1; 0 for a commit.
    line: usize,
    /// Name of the rule.
    rule: &'static str,
    /// The text that breaks it.
    text: String,
}

/// Prints every finding, or with `--check` fails on those that no row of the list allows.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let (flags, paths): (Vec<&String>, Vec<&String>) =
        args.iter().partition(|arg| arg.starts_with("--"));
    let flags: Vec<&str> = flags.into_iter().map(String::as_str).collect();
    let root = metadata::root()?;
    let pending = Pending::load(&root.join("tools/prose.toml"))?;
    let mut found = findings(&root, &paths)?;
    if paths.is_empty() {
        found.extend(commits::findings(&root, pending.commits_after())?);
    }
    match flags.as_slice() {
        [] => print_lines(&found),
        ["--json"] => print_json(&found),
        ["--check"] => return check(&found, &pending, paths.is_empty()),
        _ => return Err(usage()),
    }
    Ok(())
}

fn usage() -> Failure {
    Failure::Usage("Usage: cargo xtask prose [--check | --json] [PATH...]".into())
}

fn check(found: &[Finding], pending: &Pending, whole: bool) -> Result<(), Failure> {
    let new = found.iter().filter(|finding| !pending.allows(finding)).map(line);
    let mut faults: Vec<String> = new.collect();
    if whole {
        faults.extend(pending.idle(found));
    }
    let good = format!("no new finding; {} in {} places left", found.len(), pending.len());
    report("prose", good, faults)
}

fn line(finding: &Finding) -> String {
    format!("{}:{}: {}: {}", finding.file, finding.line, finding.rule, finding.text)
}

fn print_lines(found: &[Finding]) {
    found.iter().for_each(|finding| println!("{}", line(finding)));
    for rule in rules::NAMES {
        println!("{rule}: {}", found.iter().filter(|finding| finding.rule == *rule).count());
    }
}

fn print_json(found: &[Finding]) {
    let rows: Vec<serde_json::Value> = found
        .iter()
        .map(
            |f| serde_json::json!({"file": f.file, "line": f.line, "rule": f.rule, "text": f.text}),
        )
        .collect();
    println!("{:#}", serde_json::json!({"schema": "hasten.prose/1", "rows": rows}));
}

fn findings(root: &Path, paths: &[&String]) -> Result<Vec<Finding>, Failure> {
    let mut found = Vec::new();
    for file in files(root)? {
        if paths.is_empty() || paths.iter().any(|path| pending::is_under(&file, path)) {
            found.extend(findings_in(&file, &read(&root.join(&file))?));
        }
    }
    Ok(found)
}

/// Returns the findings of one file, by the line.
fn findings_in(file: &str, text: &str) -> Vec<Finding> {
    let extension = Path::new(file).extension().and_then(|e| e.to_str()).unwrap_or("");
    let blocks = match extension {
        "md" => vec![markdown::page(text)],
        _ => comments::blocks(extension, text),
    };
    let prose: Vec<markdown::Prose<'_>> = blocks.iter().map(|b| markdown::prose(b)).collect();
    let mut found: Vec<(usize, &'static str, String)> = Vec::new();
    for block in &prose {
        found.extend(rules::columns(block));
        found.extend(rules::openings(block));
    }
    if extension == "rs" {
        found.extend(rules::verbs(&functions::documented(text)));
    }
    found.sort();
    let finding = |(line, rule, text)| Finding { file: file.into(), line, rule, text };
    found.into_iter().map(finding).collect()
}

/// Lists the files under version control, or about to be, whose prose is ours.
fn files(root: &Path) -> Result<Vec<String>, Failure> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| Failure::Tool(format!("git ls-files: {error}")))?;
    let names = String::from_utf8_lossy(&output.stdout);
    let wanted = |name: &&str| is_ours(name) && root.join(name).is_file();
    let mut names: Vec<String> = names.lines().filter(wanted).map(String::from).collect();
    names.sort();
    Ok(names)
}

/// Returns true for prose that is written here: not licences, not vectors but for their pages, and
/// not the examples of wrong sentences that test this command.
fn is_ours(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or("");
    EXTENSIONS.contains(&extension)
        && !name.starts_with("LICENSES/")
        && !name.starts_with("crates/xtask/src/prose/tests")
        && (!name.starts_with("vectors/") || extension == "md" || extension == "rs")
}

#[cfg(test)]
mod tests;
