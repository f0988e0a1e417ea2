//! `hasten list`: the parameter sets.

mod appendix;

use std::process::ExitCode;

use hasten_hbs::Set;
use hasten_hbs::params::{DRAFT, Hash, Number, SETS, Scheme};
use hasten_report::{Table, grouped, numbers, words};
use serde::Serialize;

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
    aliases: Vec<String>,
    /// Null for a set that has no number yet.
    oid: Option<u32>,
    n: usize,
    w: usize,
    len: usize,
    height: u32,
    capacity: Option<u64>,
    public_key_bytes: usize,
    signature_bytes: usize,
    nist: bool,
    cnsa: bool,
    /// Recommended by the NSA among those of CNSA 2.0.
    cnsa_recommended: bool,
    /// From a draft.
    draft: bool,
    /// Which draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft_of: Option<&'static str>,
    /// The sets of all levels of HSS, the highest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<&'static str>>,
}

impl From<&'static Set> for Row {
    fn from(set: &'static Set) -> Self {
        Self {
            alg: set.name,
            aliases: set.aliases(),
            oid: (set.number != Number::None).then(|| set.number.get()),
            n: set.n,
            w: set.w(),
            len: set.len(),
            height: set.h,
            capacity: set.is_stateful().then(|| set.capacity()),
            public_key_bytes: set.public_key_bytes(),
            signature_bytes: set.signature_bytes(),
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

/// LMS with SHA-256/192: what the NSA recommends to sign software and firmware.
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
    let columns = vec![
        words("set"),
        numbers("number"),
        numbers("n"),
        numbers("w"),
        numbers("chains"),
        numbers("signatures"),
        numbers("public key"),
        numbers("signature"),
        words("NIST"),
        words("CNSA 2.0"),
    ];
    Table::new(columns).print(&rows.iter().map(cells).collect::<Vec<_>>())
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.alg.to_owned(),
        row.oid.map_or_else(|| "-".to_owned(), |number| format!("0x{number:08x}")),
        row.n.to_string(),
        row.w.to_string(),
        row.len.to_string(),
        row.capacity.map_or_else(|| "stateless".to_owned(), grouped),
        row.public_key_bytes.to_string(),
        row.signature_bytes.to_string(),
        if row.draft { "draft SP 800-230".to_owned() } else { yes(row.nist) },
        if row.cnsa_recommended { "recommended".to_owned() } else { yes(row.cnsa) },
    ]
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}
