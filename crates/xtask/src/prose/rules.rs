//! The rules, each over what a file says.

use super::markdown::{Line, Paragraph, Prose};
use regex::Regex;
use std::sync::LazyLock;

/// The rules' names.
pub const NAMES: &[&str] = &["columns", "opening", "verb", "subject"];

/// The widest line.
const COLUMNS: usize = 100;

/// Words that end in s and are no verb.
const NOT_VERBS: &[&str] = &[
    "addresses",
    "always",
    "as",
    "bits",
    "blocks",
    "bounds",
    "bytes",
    "candidates",
    "cells",
    "chains",
    "columns",
    "commands",
    "compressions",
    "cycles",
    "digits",
    "elements",
    "errors",
    "files",
    "functions",
    "hashes",
    "indices",
    "its",
    "keys",
    "lanes",
    "leaves",
    "less",
    "levels",
    "lines",
    "masks",
    "messages",
    "nodes",
    "numbers",
    "options",
    "others",
    "parts",
    "paths",
    "perhaps",
    "permutations",
    "permits",
    "pieces",
    "ports",
    "programs",
    "records",
    "rows",
    "samples",
    "secrets",
    "seeds",
    "sets",
    "signatures",
    "sizes",
    "steps",
    "this",
    "thus",
    "times",
    "trees",
    "us",
    "values",
    "various",
    "windows",
    "words",
];

/// Among them, those that are verbs too: they are one unless "of" follows.
const BOTH: &[&str] = &[
    "blocks",
    "bounds",
    "chains",
    "commands",
    "files",
    "functions",
    "hashes",
    "keys",
    "leaves",
    "levels",
    "lines",
    "masks",
    "numbers",
    "paths",
    "permits",
    "records",
    "samples",
    "seeds",
    "sets",
    "sizes",
    "steps",
    "times",
    "values",
    "windows",
    "words",
];

/// The openings that are refused, at the beginning of a sentence.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?:^[\s>#]*(?:[-*+] |\d+[.)] )?|[.!?][)"'`*_]*\s+)["'(*_]*(?:What|Whether|Of)\b"#)
        .expect("a constant pattern")
});

/// The end of a sentence.
static END: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"[.!?](?:[)"'`*_]*(?:\s|$))"#).expect("a constant pattern"));

type Fault = (usize, &'static str, String);

/// Returns the lines that are too wide and could break.
pub fn columns(prose: &Prose<'_>) -> Vec<Fault> {
    let wide = |line: &&Line<'_>| line.whole.chars().count() > COLUMNS && can_break(line);
    let text = |line: &Line<'_>| format!("{} columns", line.whole.chars().count());
    prose.iter().flatten().filter(wide).map(|line| (line.number, "columns", text(line))).collect()
}

/// Returns true if a space stands between words before the last column; words in one code span are
/// one word.
fn can_break(line: &Line<'_>) -> bool {
    let before = line.whole.len() - line.text.trim_start().len();
    let mut code = false;
    let solid = line.whole.chars().map(|c| {
        code ^= c == '`';
        if code && c == ' ' { '_' } else { c }
    });
    let room: String = solid.skip(before).take(COLUMNS.saturating_sub(before)).collect();
    room.trim_start_matches(['-', '*', '>', ' ']).contains(' ')
}

/// Returns the sentences that begin with a refused word, questions aside.
pub fn openings(prose: &Prose<'_>) -> Vec<Fault> {
    prose.iter().flat_map(openings_of).collect()
}

fn openings_of(paragraph: &Paragraph<'_>) -> Vec<Fault> {
    let (mut flat, mut starts) = (String::new(), Vec::new());
    for line in paragraph {
        starts.push(flat.len());
        flat += line.text.trim();
        flat.push(' ');
    }
    let line = |at: usize| paragraph[starts.partition_point(|start| *start <= at) - 1].number;
    let refused = OPENING.find_iter(&flat).filter(|found| !is_question(&flat[found.end()..]));
    refused
        .map(|found| {
            (line(found.end() - 1), "opening", sentence(&flat, found.start(), found.end()))
        })
        .collect()
}

/// Returns true if the sentence that goes on here ends with a question mark.
fn is_question(rest: &str) -> bool {
    END.find(rest).is_some_and(|end| end.as_str().starts_with('?'))
}

/// Returns the beginning of the sentence found.
fn sentence(flat: &str, start: usize, end: usize) -> String {
    let text = flat[start..].trim_start_matches(|c: char| !c.is_alphanumeric());
    let rest = flat.len() - text.len();
    text.chars().take(60.max(end - rest.min(end))).collect::<String>().trim_end().to_string()
}

/// Returns the doc comments of functions that do not begin with a verb.
pub fn verbs(functions: &[(usize, String)]) -> Vec<Fault> {
    let wrong = functions.iter().filter(|(_, text)| !begins_with_verb(text));
    wrong.map(|(line, text)| (*line, "verb", text.clone())).collect()
}

/// Returns true if the first word looks like a verb in the third person.
pub fn begins_with_verb(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or("").trim_end_matches([',', ':', ';']);
    let (word, second) = (first.to_lowercase(), words.next().unwrap_or(""));
    let known = !NOT_VERBS.contains(&word.as_str()) || BOTH.contains(&word.as_str());
    let letters = word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    letters && word.ends_with('s') && known && !(BOTH.contains(&word.as_str()) && second == "of")
}
