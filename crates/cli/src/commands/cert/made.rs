//! What is said of a certificate or a request that was made.

use std::path::{Path, PathBuf};

use hasten_keys::encoding::to_pem;
use serde::Serialize;

use crate::error::Error;
use crate::files;
use crate::output::print;
use crate::report::{self, Report};
use crate::table::grouped;

/// One certificate or request.
#[derive(Serialize)]
pub struct Row {
    pub what: &'static str,
    pub subject: String,
    pub alg: String,
    pub signed_by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_after: Option<String>,
    /// DER of this certificate alone.
    pub der_bytes: usize,
    #[serde(serialize_with = "report::path")]
    pub file: PathBuf,
    /// Certificates in the file: this one and the authorities between it and the root.
    pub in_file: usize,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "report::path_if_any")]
    pub private_key_file: Option<PathBuf>,
    /// Indices that the authority's key has left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority_remaining: Option<u64>,
}

/// Writes DER structures as PEM into a new file.
pub fn write(path: &Path, label: &str, ders: &[&[u8]]) -> Result<(), Error> {
    let mut text = String::new();
    for der in ders {
        text += &to_pem(label, der).map_err(Error::key(path))?;
    }
    files::write_new(path, text.as_bytes())
}

/// Prints the row.
pub fn say(row: Row, json: bool) -> Result<(), Error> {
    print(&match json {
        true => Report::new("hasten.cert/1", None, &[row]).json(),
        false => text(&row),
    })
}

fn text(row: &Row) -> String {
    let bytes = grouped(row.der_bytes as u64);
    let mut lines = vec![
        format!("{:<11} {}: {bytes} B, {}", row.what, row.file.display(), row.subject),
        format!("{:<11} {}, signed by {}", "key", row.alg, row.signed_by),
    ];
    if let (Some(from), Some(until)) = (&row.not_before, &row.not_after) {
        lines.push(format!("{:<11} {from} to {until}", "valid"));
    }
    if row.in_file > 1 {
        lines.push(format!("{:<11} {} certificates in the file", "chain", row.in_file));
    }
    lines.extend(row.private_key_file.iter().map(|f| format!("{:<11} {}", "private", f.display())));
    lines.extend(row.authority_remaining.map(|left| {
        format!("{:<11} {} signatures left in the authority's key", "remaining", grouped(left))
    }));
    lines.join("\n")
}
