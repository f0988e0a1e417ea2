//! The file of a new certificate or request, and the report on it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hasten_keys::encoding::to_pem;
use hasten_report::grouped;
use serde::Serialize;

use crate::error::Error;
use crate::files::{self, Output, Wanted};
use crate::output::visible;
use crate::report;
use crate::units;

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
    /// Length of this certificate or request in DER.
    pub der_bytes: usize,
    #[serde(serialize_with = "report::path")]
    pub file: PathBuf,
    /// Certificates in the file: this one and the authorities between it and the root.
    pub in_file: usize,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "report::path_if_any")]
    pub private_key_file: Option<PathBuf>,
    /// Indices left in the signing key, if it is stateful.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority_remaining: Option<u64>,
}

/// Makes the folders above a file and returns an error if the file exists, before a key signs for
/// it.
pub fn new_name(path: &Path) -> Result<(), Error> {
    files::make_folders_above(path)?;
    Ok(files::must_be_new(path)?)
}

/// A new PEM file, begun before a key signs its content.
pub struct NewFile {
    path: PathBuf,
    out: Output,
}

impl NewFile {
    /// Begins the file. An existing file or a full disk is an error here, before the signature.
    pub fn begin(path: &Path) -> Result<Self, Error> {
        let wanted = Wanted { bytes: ROOM, ..Wanted::default() };
        Ok(Self { path: path.to_owned(), out: Output::begin(path, wanted)? })
    }

    /// Writes DER structures as PEM.
    pub fn finish(self, label: &str, ders: &[&[u8]]) -> Result<(), Error> {
        let mut text = String::new();
        for der in ders {
            text += &to_pem(label, der).map_err(Error::key(&self.path))?;
        }
        Ok(self.out.finish(text.as_bytes())?)
    }
}

/// Bytes reserved for a certificate: enough for the longest signature here.
const ROOM: usize = 1 << 17;

/// Prints the row and returns the exit status.
pub fn say(row: &Row, json: bool) -> Result<ExitCode, Error> {
    report::show(json, "hasten.cert/1", None, &[row], || text(row))
}

fn text(row: &Row) -> String {
    let bytes = grouped(row.der_bytes as u64);
    let mut lines = vec![
        format!("{:<11} {}: {bytes} B, {}", row.what, visible(&row.file), row.subject),
        format!("{:<11} {}, signed by {}", "key", row.alg, row.signed_by),
    ];
    if let (Some(from), Some(until)) = (&row.not_before, &row.not_after) {
        lines.push(format!("{:<11} {from} to {until}", "valid"));
    }
    if row.in_file > 1 {
        lines.push(format!("{:<11} {} certificates in the file", "chain", row.in_file));
    }
    lines.extend(row.private_key_file.iter().map(|f| format!("{:<11} {}", "private", visible(f))));
    lines.extend(row.authority_remaining.map(|left| {
        let left = units::signatures(left);
        format!("{:<11} {left} left in the authority's key", "remaining")
    }));
    lines.join("\n")
}
