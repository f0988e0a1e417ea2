//! `cargo xtask cite`: checks that `docs/standards.toml` has the number and name of every citation.
//!
//! A citation names the standard, the part and the part's name:
//! `FIPS 205, Algorithm 6 (wots_pkGen)`, `RFC 8391, section 2.5 (Hash Function Address Scheme)`. A
//! standard that is only mentioned must be in the table too, so that its edition is fixed.

use crate::metadata;
use crate::standards::{Standard, Standards};
use hasten_chore::failure::{Failure, read, report};
use regex::{Captures, Regex};
use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// Extensions of the files to check.
const EXTENSIONS: &[&str] = &["rs", "sv", "md", "toml", "py", "sh", "java"];

/// Checks every file that git tracks or would add.
pub fn run(_args: &[String]) -> Result<(), Failure> {
    let root = metadata::root()?;
    let standards = Standards::load(&root.join("docs/standards.toml"))?;
    let checker = Checker::new(&standards);
    let (mut found, mut seen) = (Vec::new(), 0);
    for file in files(&root)? {
        let text = read(&root.join(&file))?;
        seen += checker.count(&text);
        found.extend(
            checker.check(&text).into_iter().map(|(line, fault)| format!("{file}:{line}: {fault}")),
        );
    }
    report("cite", format!("{seen} mentions of standards, every one in the table"), found)
}

/// Returns the files that git tracks or would add and that may contain citations.
fn files(root: &Path) -> Result<Vec<String>, Failure> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| Failure::Tool(format!("git ls-files: {error}")))?;
    let names = String::from_utf8_lossy(&output.stdout);
    let wanted = |name: &&str| {
        let path = Path::new(name);
        path.extension().is_some_and(|e| EXTENSIONS.iter().any(|x| e == *x)) && is_ours(name)
    };
    Ok(names.lines().filter(wanted).filter(|n| root.join(n).is_file()).map(String::from).collect())
}

/// Returns false for the table itself, for this checker's examples of wrong citations, and for
/// texts by other authors.
fn is_ours(name: &str) -> bool {
    name != "docs/standards.toml"
        && name != "crates/xtask/src/cite_tests.rs"
        && !name.starts_with("vectors/")
        && !name.starts_with("LICENSES/")
}

/// Finds citations and looks them up: the name of a standard, the parts that follow it, and parts
/// that follow no standard.
struct Checker<'a> {
    standards: &'a Standards,
    leader: Regex,
    mention: Regex,
    next: Regex,
    part: Regex,
}

const PART: &str = r"(?<kind>[Aa]lgorithm|[Ss]ection|[Tt]able|[Aa]ppendix)(?<plural>s|es)? (?<number>[0-9A-Z][0-9A-Za-z.']*)(?: \((?<name>(?:[^()]|\([^()]*\))*)\))?";

impl<'a> Checker<'a> {
    fn new(standards: &'a Standards) -> Self {
        let regex = |text: &str| Regex::new(text).expect("a constant pattern");
        Self {
            standards,
            leader: regex(r"^\s*(?://[/!]?|#|\*)?\s*"),
            mention: regex(r"\b(?:FIPS|RFC|SP) \d+(?:-\d+)*"),
            next: regex(&format!(r"^(?:,? |,? and ){PART}")),
            part: regex(&format!(r"\b{PART}")),
        }
    }

    fn count(&self, text: &str) -> usize {
        self.mention.find_iter(&self.flatten(text).0).count()
    }

    /// Returns the line and the fault of every wrong citation.
    fn check(&self, text: &str) -> Vec<(usize, String)> {
        let (flat, starts) = self.flatten(text);
        let (mut faults, mut spans) = (Vec::new(), Vec::new());
        for mention in self.mention.find_iter(&flat) {
            match self.standards.get(mention.as_str()) {
                Some(standard) => {
                    faults.extend(self.parts(standard, &flat, mention.end(), &mut spans))
                }
                None => faults.push((mention.start(), unknown(mention.as_str()))),
            }
        }
        faults.extend(self.strays(&flat, &spans));
        let line = |at: usize| starts.partition_point(|start| *start <= at);
        faults.into_iter().map(|(at, fault)| (line(at), fault)).collect()
    }

    /// Checks the consecutive parts that follow the name of a standard, and returns the faults.
    /// Adds the position of each part to `spans`.
    fn parts(
        &self,
        standard: &Standard,
        flat: &str,
        from: usize,
        spans: &mut Vec<Range<usize>>,
    ) -> Vec<(usize, String)> {
        let (mut faults, mut at) = (Vec::new(), from);
        while let Some(part) = self.next.captures(&flat[at..]) {
            faults.extend(part_fault(standard, &part).map(|fault| (from, fault)));
            let end = at + part[0].len();
            spans.push(at..end);
            at = end;
        }
        faults
    }

    /// Checks an algorithm that is cited without a standard, such as `Algorithm 7 (wots_sign)`:
    /// some standard must have this number and name.
    fn strays(&self, flat: &str, spans: &[Range<usize>]) -> Vec<(usize, String)> {
        let outside = |at: usize| !spans.iter().any(|span| span.contains(&at));
        self.part
            .captures_iter(flat)
            .filter_map(|part| part.get(0).map(|whole| (whole.start(), part)))
            .filter(|(at, _)| outside(*at))
            .filter_map(|(at, part)| self.stray_fault(&part).map(|fault| (at, fault)))
            .collect()
    }

    fn stray_fault(&self, part: &Captures<'_>) -> Option<String> {
        let (kind, number) = (&part["kind"], trimmed(part));
        let said = part.name("name")?.as_str();
        let known = |standard: &Standard| {
            standard.name(kind, number).is_some_and(|name| same(kind, name, said))
        };
        (kind.eq_ignore_ascii_case("algorithm") && !self.standards.standard.iter().any(known))
            .then(|| format!("no standard of the table has {kind} {number} ({said})"))
    }

    /// Returns the text as one line without comment leaders, and the position in it of each
    /// original line.
    fn flatten(&self, text: &str) -> (String, Vec<usize>) {
        let (mut flat, mut starts) = (String::new(), Vec::new());
        for line in text.lines() {
            starts.push(flat.len());
            flat += self.leader.replace(line, "").trim_end();
            flat.push(' ');
        }
        (flat, starts)
    }
}

fn unknown(id: &str) -> String {
    format!("{id} is not in docs/standards.toml; add it with title and edition")
}

fn part_fault(standard: &Standard, part: &Captures<'_>) -> Option<String> {
    let (id, kind, number) = (&standard.id, part.name("kind")?.as_str(), trimmed(part));
    if part.name("plural").is_some() {
        return Some(format!("{id}: cite each part by itself, with its name"));
    }
    match (standard.name(kind, number), part.name("name")) {
        (None, _) => Some(format!("{id} has no {kind} {number} in docs/standards.toml")),
        (Some(name), None) => Some(format!("{id}, {kind} {number} lacks its name: ({name})")),
        (Some(name), Some(said)) => (!same(kind, name, said.as_str()))
            .then(|| format!("{id}, {kind} {number} is ({name}), not ({})", said.as_str())),
    }
}

/// Returns the number without the full stop that may end the sentence.
fn trimmed<'t>(found: &'t Captures<'_>) -> &'t str {
    found.name("number").map_or("", |number| number.as_str()).trim_end_matches('.')
}

/// Compares algorithm names exactly and headings without regard to case.
fn same(kind: &str, name: &str, said: &str) -> bool {
    if kind.eq_ignore_ascii_case("algorithm") {
        name == said
    } else {
        name.eq_ignore_ascii_case(said)
    }
}

#[cfg(test)]
#[path = "cite_tests.rs"]
mod tests;
