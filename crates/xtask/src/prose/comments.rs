//! The comments of a source file, as blocks of lines with the same sign.

use super::markdown::Line;

/// Returns the comments of a file with this ending: runs of lines that hold nothing else, and each
/// comment behind code by itself.
pub fn blocks<'t>(extension: &str, text: &'t str) -> Vec<Vec<Line<'t>>> {
    let signs = signs(extension);
    let (mut blocks, mut open, mut last) = (Vec::new(), Vec::new(), "");
    for (at, whole) in text.lines().enumerate() {
        let alone = alone(signs, whole);
        if alone.is_none_or(|(sign, _)| sign != last) && !open.is_empty() {
            blocks.push(std::mem::take(&mut open));
        }
        last = alone.map_or("", |(sign, _)| sign);
        let number = at + 1;
        match alone {
            Some((_, text)) => open.push(Line { number, whole, text }),
            None => {
                blocks.extend(behind(signs, whole).map(|text| vec![Line { number, whole, text }]))
            }
        }
    }
    blocks.extend((!open.is_empty()).then_some(open));
    blocks
}

/// Returns the signs that begin a comment, the longer before the shorter.
fn signs(extension: &str) -> &'static [&'static str] {
    match extension {
        "rs" => &["///", "//!", "//"],
        "sv" => &["//"],
        _ => &["#"],
    }
}

/// Returns sign and text of a line that is a comment alone. `#!` of a script is none.
fn alone<'t>(signs: &[&'static str], line: &'t str) -> Option<(&'static str, &'t str)> {
    let line = line.trim_start();
    let sign = signs.iter().find(|sign| line.starts_with(**sign))?;
    (!line.starts_with("#!")).then(|| (*sign, &line[sign.len()..]))
}

/// Returns the comment behind code: after the last sign that stands outside a string.
fn behind<'t>(signs: &[&'static str], line: &'t str) -> Option<&'t str> {
    let sign = format!(" {} ", signs.last()?);
    let at = line.find(&sign)?;
    let quotes = line[..at].matches('"').count() - line[..at].matches("\\\"").count();
    (quotes.is_multiple_of(2) && !line[..at].contains('\'')).then(|| &line[at + sign.len() - 1..])
}
