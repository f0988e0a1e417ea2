//! `hasten list`: the parameter sets.

mod appendix;

use std::process::ExitCode;

use hasten_hbs::Set;
use hasten_hbs::params::{DRAFT, Hash, Number, SETS, Scheme};
use hasten_keys::encoding::published_sizes;
use hasten_report::{Table, grouped, numbers, words};
use serde::Serialize;

use super::choose::short;
use crate::error::Error;
use crate::parse;
use crate::report;

/// Arguments of `hasten list`.
#[derive(clap::Args)]
#[command(after_help = include_str!("list.txt"))]
pub struct Args {
    /// Only these sets.
    #[arg(long, value_name = "NAME", value_parser = parse::set)]
    alg: Vec<&'static Set>,
    /// Only sets that CNSA 2.0 has, those that the NSA recommends first.
    #[arg(long)]
    cnsa: bool,
    /// Another program's table, recomputed: wolfSSL's of LMS/HSS or of XMSS/XMSS^MT.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["alg", "cnsa"])]
    table: Option<appendix::Which>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    alg: &'static str,
    #[serde(skip)]
    short: String,
    aliases: Vec<String>,
    /// Number assigned to the set; null if it has none yet.
    oid: Option<u32>,
    n: usize,
    w: usize,
    len: usize,
    height: u32,
    capacity: Option<u64>,
    public_key_bytes: usize,
    signature_bytes: usize,
    /// Bytes that HSS form adds to the public key and the signature, which are written in that
    /// form.
    hss_bytes: usize,
    /// Sizes in that form, as `keygen` and `sign` report them.
    written_public_key_bytes: usize,
    written_signature_bytes: usize,
    nist: bool,
    cnsa: bool,
    /// Whether the NSA recommends this set among those of CNSA 2.0.
    cnsa_recommended: bool,
    /// Whether the set comes from a draft.
    draft: bool,
    /// Name of the draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft_of: Option<&'static str>,
    /// Sets of all HSS levels, the highest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<&'static str>>,
}

impl From<&'static Set> for Row {
    fn from(set: &'static Set) -> Self {
        let (written_public_key_bytes, written_signature_bytes) = published_sizes(set);
        Self {
            alg: set.name,
            short: short(set),
            aliases: set.aliases(),
            oid: (set.number != Number::None).then(|| set.number.get()),
            n: set.n,
            w: set.w(),
            len: set.len(),
            height: set.h,
            capacity: set.is_stateful().then(|| set.capacity()),
            public_key_bytes: set.public_key_bytes(),
            signature_bytes: set.signature_bytes(),
            hss_bytes: written_signature_bytes - set.signature_bytes(),
            written_public_key_bytes,
            written_signature_bytes,
            nist: set.nist,
            cnsa: set.cnsa,
            cnsa_recommended: is_recommended(set),
            draft: set.draft,
            draft_of: set.draft.then_some(DRAFT),
            levels: matches!(set.scheme, Scheme::Hss { .. })
                .then(|| set.levels().iter().map(|level| level.name).collect()),
        }
    }
}

/// Whether the set is LMS with SHA-256/192, which the NSA recommends for signing software and
/// firmware.
fn is_recommended(set: &Set) -> bool {
    set.cnsa && matches!(set.scheme, Scheme::Lms { .. }) && set.hash == Hash::Sha256 && set.n == 24
}

/// Prints the table.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    if let Some(which) = args.table {
        return appendix::run(which, args.json);
    }
    let of_table = SETS.iter().filter(|set| args.alg.is_empty() || args.alg.contains(set));
    let others = args.alg.iter().filter(|set| !SETS.contains(set));
    let mut rows: Vec<Row> = of_table.chain(others.copied()).map(Row::from).collect();
    if args.cnsa {
        rows.retain(|row| row.cnsa);
        rows.sort_by_key(|row| !row.cnsa_recommended);
    }
    report::show(args.json, "hasten.list/1", None, &rows, || table(&rows))
}

fn table(rows: &[Row]) -> String {
    let has_short = rows.iter().any(|row| row.short != row.alg);
    let has_hss = rows.iter().any(|row| row.hss_bytes > 0);
    let columns = [
        (true, words("set")),
        (has_short, words("short name")),
        (true, numbers("number")),
        (true, numbers("n")),
        (true, numbers("w")),
        (true, numbers("chains")),
        (true, numbers("signatures")),
        (true, numbers("public key")),
        (true, numbers("signature")),
        (has_hss, numbers("of it HSS")),
        (true, words("NIST")),
        (true, words("CNSA 2.0")),
    ];
    let is_shown = columns.each_ref().map(|(is_shown, _)| *is_shown);
    let columns = columns.into_iter().filter(|(is_shown, _)| *is_shown);
    let shown = |row: &Row| {
        let cells = cells(row).into_iter().zip(is_shown).filter(|(_, is_shown)| *is_shown);
        cells.map(|(cell, _)| cell).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(shown).collect();
    Table::new(columns.map(|(_, column)| column).collect()).print(&rows)
}

fn cells(row: &Row) -> [String; 12] {
    [
        row.alg.to_owned(),
        if row.short == row.alg { "-".to_owned() } else { row.short.clone() },
        row.oid.map_or_else(|| "-".to_owned(), |number| format!("0x{number:08x}")),
        row.n.to_string(),
        row.w.to_string(),
        row.len.to_string(),
        row.capacity.map_or_else(|| "stateless".to_owned(), grouped),
        row.written_public_key_bytes.to_string(),
        row.written_signature_bytes.to_string(),
        if row.hss_bytes == 0 { "-".to_owned() } else { row.hss_bytes.to_string() },
        if row.draft { "draft SP 800-230".to_owned() } else { yes(row.nist) },
        if row.cnsa_recommended { "recommended".to_owned() } else { yes(row.cnsa) },
    ]
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}
