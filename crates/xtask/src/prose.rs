//! `cargo xtask prose [--check]`: checks that lines of pages and comments have at most 100 columns
//! and that subjects of commits have at most 72 characters.
//!
//! Tables, code blocks, generated text and words that cannot break are exempt.

use crate::metadata;
use hasten_chore::failure::{Failure, read, report};
use std::path::Path;
use std::process::Command;

const COLUMNS: usize = 100;
const SUBJECT: usize = 72;

/// Only commits after this one are checked.
const SUBJECTS_AFTER: &str = "d7ac95e";

/// Fails if any line or subject is too long.
pub fn run(args: &[String]) -> Result<(), Failure> {
    if !args.iter().all(|arg| arg == "--check") {
        return Err(Failure::Usage("Usage: cargo xtask prose [--check]".into()));
    }
    let root = metadata::root()?;
    let mut faults = Vec::new();
    let files = git(&root, &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    for file in files.lines().filter(|file| is_ours(file) && root.join(file).is_file()) {
        let lines = wide_lines(file, &read(&root.join(file))?);
        faults
            .extend(lines.into_iter().map(|line| format!("{file}:{line}: over {COLUMNS} columns")));
    }
    match git(&root, &["log", "--format=%h %s", &format!("{SUBJECTS_AFTER}..HEAD")]) {
        Ok(log) => faults.extend(long_subjects(&log)),
        Err(_) => {
            let why = format!("there is no commit {SUBJECTS_AFTER} here");
            hasten_report::skipped("commits", &why, "git fetch --unshallow");
        }
    }
    report("prose", "columns and subjects fit".into(), faults)
}

fn git(root: &Path, args: &[&str]) -> Result<String, Failure> {
    let failed = |why: String| Failure::Tool(format!("git {}: {why}", args[0]));
    let output = Command::new("git").args(args).current_dir(root).output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().into()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into())
}

/// Returns true for pages and sources of this project. Licences are excluded, and so are the files
/// in `vectors` other than pages and Rust sources.
fn is_ours(file: &str) -> bool {
    let extension = Path::new(file).extension().and_then(|end| end.to_str()).unwrap_or("");
    ["md", "rs", "sv", "toml", "sh", "py"].contains(&extension)
        && !file.starts_with("LICENSES/")
        && (!file.starts_with("vectors/") || extension == "md" || extension == "rs")
}

/// Returns the numbers of the lines that are too wide although they could be broken.
fn wide_lines(file: &str, text: &str) -> Vec<usize> {
    let sign = match Path::new(file).extension().and_then(|end| end.to_str()) {
        Some("md") => "",
        Some("rs" | "sv") => "//",
        _ => "#",
    };
    let (mut fenced, mut generated, mut wide) = (false, false, Vec::new());
    for (at, line) in text.lines().enumerate() {
        let Some(text) = line.trim_start().strip_prefix(sign) else {
            fenced = false;
            let comment = trailing(sign, line).filter(|_| line.chars().count() > COLUMNS);
            wide.extend(comment.filter(|text| can_break(line, text)).map(|_| at + 1));
            continue;
        };
        let text = if sign.is_empty() { text } else { text.trim_start_matches(['/', '!', '#']) };
        let text = text.trim_start();
        fenced ^= text.starts_with("```") || text.starts_with("~~~");
        generated |= text.starts_with("<!-- table: ");
        let skipped = fenced || generated || text.starts_with(['|', '<']);
        if !skipped && line.chars().count() > COLUMNS && can_break(line, text) {
            wide.push(at + 1);
        }
        generated &= text != "<!-- end of table -->";
    }
    wide
}

/// Returns the comment after code on the same line, unless its sign may be inside a string.
fn trailing<'t>(sign: &str, line: &'t str) -> Option<&'t str> {
    let at = line.find(&format!(" {sign} "))?;
    let before = &line[..at];
    let quotes = before.matches('"').count() - before.matches("\\\"").count();
    let outside = quotes.is_multiple_of(2) && !before.contains('\'');
    outside.then(|| &line[at + sign.len() + 2..])
}

/// Returns true if the text has a space between words before the last column. A code span is one
/// word.
fn can_break(line: &str, text: &str) -> bool {
    let before = line.len() - text.len();
    let mut code = false;
    let solid = text.chars().map(|c| {
        code ^= c == '`';
        if code && c == ' ' { '_' } else { c }
    });
    let room: String = solid.take(COLUMNS.saturating_sub(before)).collect();
    room.trim_start_matches(['-', '*', '>', ' ']).contains(' ')
}

/// Returns a message for each line `HASH SUBJECT` whose subject is too long.
fn long_subjects(log: &str) -> Vec<String> {
    let lines = log.lines().filter_map(|line| line.split_once(' '));
    let long = lines.filter(|(_, subject)| subject.chars().count() > SUBJECT);
    long.map(|(hash, subject)| format!("commit {hash}: over {SUBJECT} characters: {subject}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_line_is_found_where_it_could_break() {
        let wide = "word ".repeat(25);
        assert_eq!(wide_lines("a.md", &format!("# T\n\n{wide}\n")), [3]);
        assert_eq!(wide_lines("a.rs", &format!("/// {wide}\nfn f() {{}}\n")), [1]);
        assert_eq!(wide_lines("a.sh", &format!("cd .\n# {wide}\n")), [2]);
        assert_eq!(wide_lines("a.sv", &format!("wire a;  // {wide}\n")), [1]);
    }

    #[test]
    fn tables_code_and_long_words_may_be_wide() {
        let wide = "word ".repeat(25);
        let link = format!("- https://{}\n", "a".repeat(100));
        let made = format!("<!-- table: f | A = a -->\n{wide}\n<!-- end of table -->\n");
        let span = format!("- `{wide}`\n");
        for text in [span, format!("| {wide} |\n"), format!("```\n{wide}\n```\n"), link, made] {
            assert!(wide_lines("a.md", &text).is_empty(), "{text}");
        }
        assert!(wide_lines("a.rs", &format!("//! ```text\n//! {wide}\n//! ```\n")).is_empty());
        assert!(wide_lines("a.rs", &format!("let text = \"{wide} // {wide}\";\n")).is_empty());
        assert_eq!(wide_lines("a.md", &format!("```\nx\n```\n{wide}\n")), [4]);
    }

    #[test]
    fn a_long_subject_is_found() {
        let log = format!("abc Short\ndef {}\n", "x".repeat(73));
        assert_eq!(long_subjects(&log).len(), 1);
    }

    #[test]
    fn licences_and_vectors_are_not_ours() {
        for name in ["README.md", "vectors/lms/README.md", "rtl/a/a.sv", "tools/a.py"] {
            assert!(is_ours(name), "{name}");
        }
        for name in ["LICENSES/README.md", "vectors/a.toml", "a.json"] {
            assert!(!is_ours(name), "{name}");
        }
    }
}
