//! The result as a table, followed by one line.

use std::io::{self, Write};

use hasten_keys::scan::{Index, Verdict};
use hasten_report::{Table, grouped, numbers, words};

use super::read::{Passed, Scanned};
use crate::output::visible;
use crate::units::counted;

/// Writes the table, the files that contribute nothing, and the sum.
pub fn write(scanned: &Scanned<'_>, to: &mut dyn Write) -> io::Result<()> {
    let table = Table::new(vec![
        numbers("index").at_least(12),
        words("verdict").at_least(9),
        words("files"),
    ]);
    if scanned.counts.used > 0 {
        writeln!(to, "{}", table.heading())?;
    }
    let mut gaps = scanned.account.gaps().peekable();
    for index in scanned.account.indices() {
        let is_below = |gap: &std::ops::RangeInclusive<u64>| {
            index.level == 0 && index.index.is_some_and(|index| *gap.start() < index)
        };
        while let Some(gap) = gaps.next_if(is_below) {
            let range = match gap.start() == gap.end() {
                true => gap.start().to_string(),
                false => format!("{}-{}", gap.start(), gap.end()),
            };
            writeln!(to, "{}", table.row(&[range, "gap".to_owned(), String::new()]))?;
        }
        writeln!(to, "{}", table.row(&cells(scanned, &index)))?;
    }
    let is_told = |one: &&Passed| one.verdict != "no-signature" || !one.reason.is_empty();
    let shown = scanned.passed.iter().filter(is_told);
    for one in shown {
        writeln!(to, "{:<12}  {}  {}", one.verdict, visible(&one.file), one.reason)?;
    }
    writeln!(to, "{}", sum(scanned))
}

fn cells(scanned: &Scanned<'_>, index: &Index) -> [String; 3] {
    let number = index.index.map_or("-".to_owned(), |index| index.to_string());
    let number = match index.level {
        0 => number,
        level => format!("{number}, level {level}"),
    };
    let (verdict, remark) = match index.verdict {
        Verdict::Reused => ("REUSED", ""),
        Verdict::Claimed { is_one_path: true } => ("CLAIMED", "  (not all verified; one path)"),
        Verdict::Claimed { is_one_path: false } => (
            "CLAIMED",
            "  (not all verified; different paths, so that one at least is of another key or bad)",
        ),
        verdict => (verdict.name(), ""),
    };
    [number, verdict.to_owned(), files(scanned, index) + remark]
}

/// Returns the files of an index. Copies of the same signature are joined by an equals sign.
fn files(scanned: &Scanned<'_>, index: &Index) -> String {
    let mut mentions: Vec<_> = index.files.iter().collect();
    mentions.sort_by_key(|mention| mention.signature);
    let mut text = String::new();
    for (at, mention) in mentions.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| mentions[before].signature);
        text += match before {
            None => "",
            Some(signature) if signature == mention.signature => " = ",
            Some(_) => ", ",
        };
        text += &visible(scanned.names.name(mention.file as usize));
    }
    text
}

fn sum(scanned: &Scanned<'_>) -> String {
    let (counts, account) = (&scanned.counts, &scanned.account);
    let mut parts = Vec::new();
    let used = match scanned.scanner.has_indices() {
        true => counted(counts.used, "index used", "indices used"),
        false => counted(counts.used, "signature", "signatures"),
    };
    parts.push(used);
    if counts.unverified > 0 {
        parts.push(format!("{} not verified", grouped(counts.unverified)));
    }
    if scanned.scanner.has_indices() {
        let twice = |proven: u64, claimed: u64| match claimed {
            0 => format!("{} twice", grouped(proven)),
            _ => format!("{} twice, {} claimed twice", grouped(proven), grouped(claimed)),
        };
        parts.push(twice(counts.reused, counts.claimed));
        if counts.upper_reused + counts.upper_claimed > 0 {
            parts.push(twice(counts.upper_reused, counts.upper_claimed) + " above");
        }
        parts.push(counted(counts.gaps, "gap", "gaps"));
    }
    if let Some((highest, is_verified)) = account.highest() {
        let doubt = if is_verified { "" } else { " (not verified)" };
        parts.push(format!("highest {highest}{doubt}"));
    }
    if let (Some(left), Some(capacity)) = (account.left(), account.capacity()) {
        parts.push(format!("{} of {} left", grouped(left), grouped(capacity)));
    }
    if account.is_over_limit() {
        parts.push("MORE THAN THE LIMIT".to_owned());
    }
    let mut files = vec![counted(counts.files, "file", "files")];
    let kinds = [
        (counts.other_key, "of another key or bad"),
        (counts.other_set, "of another set"),
        (counts.no_signature, "that are no signatures"),
        (counts.passed_over, "passed over"),
        (counts.unread, "not read"),
    ];
    let some = kinds.iter().filter(|(count, _)| *count > 0);
    files.extend(some.map(|(count, kind)| format!("{} {kind}", grouped(*count))));
    format!("{}; {}", parts.join(", "), files.join(", "))
}
