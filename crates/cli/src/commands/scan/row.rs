//! The result as JSON: a row for each index, gap and other file, followed by the sum.

use std::path::Path;

use hasten_keys::scan::{Index, Verdict};
use serde::Serialize;

use super::read::{Counts, Scanned};
use crate::report;

/// A row. The field `what` names its kind.
#[derive(Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Row<'r> {
    Index(IndexRow<'r>),
    Gap {
        first: u64,
        last: u64,
    },
    File {
        verdict: &'static str,
        #[serde(serialize_with = "report::path")]
        file: &'r Path,
        reason: &'r str,
    },
    Sum(Sum<'r>),
}

#[derive(Serialize)]
pub struct IndexRow<'r> {
    verdict: &'static str,
    /// Level of the tree. Level 0 is the lowest, which signs messages.
    level: u32,
    index: Option<u64>,
    /// For a claimed index: true if all its signatures have the same path, as genuine ones do.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_path: Option<bool>,
    files: Vec<FileRow<'r>>,
}

#[derive(Serialize)]
struct FileRow<'r> {
    #[serde(serialize_with = "report::path")]
    file: &'r Path,
    form: &'static str,
    /// Number of the signature among the different ones with this index.
    signature: usize,
    verified: bool,
}

#[derive(Serialize)]
pub struct Sum<'r> {
    alg: &'r str,
    indices: u64,
    /// Indices with an unverified signature.
    unverified: u64,
    reused: u64,
    claimed: u64,
    upper_reused: u64,
    upper_claimed: u64,
    over_limit: bool,
    gaps: u64,
    highest: Option<u64>,
    /// False if no verified signature has the highest index.
    highest_verified: Option<bool>,
    capacity: Option<u64>,
    left: Option<u64>,
    files: u64,
    files_with_signatures: u64,
    other_key: u64,
    other_set: u64,
    no_signature: u64,
    passed_over: u64,
    unread: u64,
}

/// Returns all rows.
pub fn all<'r>(scanned: &'r Scanned<'_>) -> impl Iterator<Item = Row<'r>> {
    let indices = scanned.account.indices().map(|index| Row::Index(row(scanned, index)));
    let gap =
        |gap: std::ops::RangeInclusive<u64>| Row::Gap { first: *gap.start(), last: *gap.end() };
    let files = scanned.passed.iter().map(|one| Row::File {
        verdict: one.verdict,
        file: &one.file,
        reason: &one.reason,
    });
    let sum = std::iter::once_with(|| Row::Sum(sum(scanned)));
    indices.chain(scanned.account.gaps().map(gap)).chain(files).chain(sum)
}

fn row<'r>(scanned: &'r Scanned<'_>, index: Index) -> IndexRow<'r> {
    let file = |mention: &hasten_keys::scan::Mention| FileRow {
        file: scanned.names.name(mention.file as usize),
        form: mention.form.name(),
        signature: mention.signature,
        verified: mention.is_verified,
    };
    let one_path = match index.verdict {
        Verdict::Claimed { is_one_path } => Some(is_one_path),
        _ => None,
    };
    let (verdict, files) = (index.verdict.name(), index.files.iter().map(file).collect());
    IndexRow { verdict, level: index.level, index: index.index, one_path, files }
}

fn sum<'r>(scanned: &'r Scanned<'_>) -> Sum<'r> {
    let (account, highest) = (&scanned.account, scanned.account.highest());
    let Counts { used, reused, claimed, upper_reused, upper_claimed, gaps, .. } = scanned.counts;
    let Counts { files, files_with_signatures, other_key, other_set, .. } = scanned.counts;
    let Counts { no_signature, passed_over, unread, .. } = scanned.counts;
    Sum {
        alg: &scanned.scanner.key().tree().name,
        indices: used,
        unverified: scanned.counts.unverified,
        reused,
        claimed,
        upper_reused,
        upper_claimed,
        over_limit: account.is_over_limit(),
        gaps,
        highest: highest.map(|(index, _)| index),
        highest_verified: highest.map(|(_, is_verified)| is_verified),
        capacity: account.capacity(),
        left: account.left(),
        files,
        files_with_signatures,
        other_key,
        other_set,
        no_signature,
        passed_over,
        unread,
    }
}
