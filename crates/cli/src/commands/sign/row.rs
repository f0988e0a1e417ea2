//! Report on a signature, as JSON and as text.

use std::path::PathBuf;

use hasten_report::{Summary, grouped};
use serde::Serialize;

use super::Args;
use crate::form::{Digest, Format};
use crate::output::visible;
use crate::report;
use crate::units::read_by_people;

/// One signature.
#[derive(Serialize)]
pub struct Row {
    pub alg: String,
    #[serde(flatten)]
    pub state: Option<State>,
    pub finish_us: Summary,
    #[serde(flatten)]
    pub form: Form,
    pub signature_bytes: usize,
    #[serde(serialize_with = "report::path")]
    pub signature_file: PathBuf,
    /// Clock cycles of the simulated core so far, including preparation. For a core that signs on
    /// its own, they begin at the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u64>,
    /// Time of these cycles, if the core signs on its own: from the message to the last value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_us: Option<Summary>,
}

/// Requested form of the signature, and the digest that was signed in place of the file.
#[derive(Serialize)]
pub struct Form {
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'static str>,
}

impl Form {
    pub fn of(args: &Args) -> Self {
        let digest = args.format.digest(args.digest);
        let format = (args.format != Format::Raw).then_some(args.format.name());
        Self { format, digest: digest.map(Digest::name) }
    }

    /// Returns the text to append to the algorithm.
    fn text(&self) -> String {
        let format = self.format.map_or(String::new(), |format| format!(", format {format}"));
        let digest = self.digest.map_or(String::new(), |digest| format!(", digest {digest}"));
        format + &digest
    }
}

/// State of the key, and the times of the steps before the message is signed. `remaining` and
/// `lost` are the values at the end of the command.
#[derive(Serialize)]
pub struct State {
    pub index: u64,
    pub capacity: u64,
    #[serde(flatten)]
    pub reserved: Reserved,
    pub reserve_us: Summary,
    pub prepare_us: Summary,
    pub read_us: Summary,
    pub remaining: u64,
    pub lost: u64,
}

/// How the index was reserved. `reserve_us` is the time spent waiting for the reservation.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Reserved {
    Now { reserved_first: u64, reserved_count: u64 },
    Ahead { reserved_ahead: bool },
}

/// Returns the text: one signature in full, or several with one line each.
pub fn text(rows: &[Row]) -> String {
    match rows {
        [row] => in_full(row),
        rows => several(rows),
    }
}

fn in_full(row: &Row) -> String {
    let mut lines = Vec::new();
    if let Some(state) = &row.state {
        let reserved = match state.reserved {
            Reserved::Now { reserved_count: 1, .. } => "reserved durably before use".to_owned(),
            Reserved::Now { reserved_first: first, reserved_count: count } => {
                let (first, last) = (grouped(first), grouped(first + count - 1));
                format!("{} reserved durably before use: {first} to {last}", grouped(count))
            }
            Reserved::Ahead { .. } => "reserved ahead, durably before use".to_owned(),
        };
        let (index, capacity) = (grouped(state.index), grouped(state.capacity));
        lines.push(format!("index      {index} of {capacity}, {reserved}"));
        lines.push(format!("time       reserve {}", times(row, state)));
    } else {
        lines.push(format!("time       sign {}", read_by_people(row.finish_us.min)));
    }
    let bytes = grouped(row.signature_bytes as u64);
    let (file, form) = (visible(&row.signature_file), row.form.text());
    lines.push(format!("signature  {file}: {bytes} B, {}{form}", row.alg));
    let core = row.core_us.map_or(String::new(), |core| format!(", {}", read_by_people(core.min)));
    lines.extend(
        row.cycles.map(|cycles| format!("core       {} clock cycles{core}", grouped(cycles))),
    );
    lines
        .extend(row.state.as_ref().map(|state| format!("remaining  {}", grouped(state.remaining))));
    lines.join("\n")
}

fn times(row: &Row, state: &State) -> String {
    let State { reserve_us, prepare_us, read_us, .. } = state;
    let times = [reserve_us, prepare_us, read_us, &row.finish_us];
    let [reserve, prepare, read, finish] = times.map(|time| read_by_people(time.min));
    format!("{reserve}, prepare {prepare}, read {read}, finish {finish}")
}

fn several(rows: &[Row]) -> String {
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if let Some(Row { alg, signature_bytes, state, form, .. }) = rows.last() {
        let (count, bytes) = (grouped(rows.len() as u64), grouped(*signature_bytes as u64));
        let form = form.text();
        lines.push(format!("signatures {count} of {bytes} B, {alg}{form}"));
        lines.extend(state.as_ref().map(|s| format!("remaining  {}", grouped(s.remaining))));
    }
    lines.join("\n")
}

fn line(row: &Row) -> String {
    let file = visible(&row.signature_file);
    match &row.state {
        Some(state) => {
            format!("{file}: index {}, waited {}", grouped(state.index), times(row, state))
        }
        None => format!("{file}: sign {}", read_by_people(row.finish_us.min)),
    }
}
