//! `hasten list`: the parameter sets.

use std::process::ExitCode;

use hasten_hbs::Set;
use hasten_hbs::params::SETS;
use serde::Serialize;

use crate::error::Error;
use crate::names;
use crate::output::print;
use crate::report::Report;
use crate::table::{Table, grouped, numbers, words};

/// Arguments of `hasten list`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hasten list\n  \
    hasten list --alg XMSS-SHA2_10_256 --json\n\n\
    NIST: approved by SP 800-208 or FIPS 205. CNSA 2.0: among its algorithms, which for XMSS means\n\
    signing software and firmware. signatures: what one key can make; a stateless key has no count.")]
pub struct Args {
    /// Only these sets.
    #[arg(long, value_name = "NAME", value_parser = names::set)]
    alg: Vec<&'static Set>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    alg: &'static str,
    aliases: Vec<String>,
    oid: u32,
    n: usize,
    w: usize,
    len: usize,
    height: u32,
    capacity: Option<u64>,
    public_key_bytes: usize,
    signature_bytes: usize,
    nist: bool,
    cnsa: bool,
}

impl From<&Set> for Row {
    fn from(set: &Set) -> Self {
        Self {
            alg: set.name,
            aliases: set.aliases(),
            oid: set.oid,
            n: set.n,
            w: set.w(),
            len: set.len(),
            height: set.h,
            capacity: names::is_stateful(set).then(|| set.capacity()),
            public_key_bytes: set.public_key_bytes(),
            signature_bytes: set.signature_bytes(),
            nist: set.nist,
            cnsa: set.cnsa,
        }
    }
}

/// Prints the table.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let all = SETS.iter().filter(|set| args.alg.is_empty() || args.alg.contains(set));
    let rows: Vec<Row> = all.map(Row::from).collect();
    print(&match args.json {
        true => Report::new("hasten.list/1", None, &rows).json(),
        false => table(&rows),
    })?;
    Ok(ExitCode::SUCCESS)
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
        format!("0x{:08x}", row.oid),
        row.n.to_string(),
        row.w.to_string(),
        row.len.to_string(),
        row.capacity.map_or_else(|| "stateless".to_owned(), grouped),
        row.public_key_bytes.to_string(),
        row.signature_bytes.to_string(),
        yes(row.nist),
        yes(row.cnsa),
    ]
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}
