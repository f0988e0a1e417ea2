//! The table of `hasten latency`, row by row as they are measured, and what is said below it.

use hasten_hbs::params::Set;
use hasten_measure::latency::{Row, advice, fit};

use super::Args;
use crate::error::Error;
use crate::output::{note, print};
use crate::report::Machine;
use crate::table::{Table, grouped, numbers, words};
use crate::units::show_time;

/// Returns the table, wide enough for every one of `sets`.
pub fn table(sets: &[&Set]) -> Table {
    let widest = sets.iter().map(|set| set.name.len()).max().unwrap_or(0);
    Table::new(vec![
        words("set").at_least(widest),
        words("signer").at_least(11),
        words("verifier").at_least(10),
        numbers("signature"),
        numbers("announced"),
        numbers("sign").at_least(7),
        numbers("wire").at_least(6),
        numbers("verify").at_least(6),
        numbers("total").at_least(7),
        numbers("p99").at_least(7),
        numbers("(loopback)"),
        words("verdict"),
    ])
}

/// Prints what is measured, and the heading of the table.
pub fn opening(args: &Args, machine: &Machine, sets: &[&Set]) -> Result<(), Error> {
    for set in sets {
        capped(args, set);
    }
    print(&format!(
        "budget {}, link {}, message {} bytes, {} messages a row, backend {} on {} ({} cores)",
        show_time(args.budget),
        args.link,
        args.message,
        grouped(args.samples as u64),
        machine.backend.as_deref().unwrap_or("none"),
        machine.cpu,
        machine.cores
    ))?;
    print(&waiting(args))?;
    print(&table(sets).heading())
}

fn waiting(args: &Args) -> String {
    let rest = match args.idle.is_zero() {
        true => "no rest between messages".to_owned(),
        false => format!("{} of rest before every message", show_time(args.idle)),
    };
    let warm = if args.keep_warm { ", one dummy step every 200us while waiting" } else { "" };
    format!("{rest}{warm}; times in us: medians, and the 99th percentile of the total\n")
}

/// Says so where fewer messages than asked for can be signed.
pub fn capped(args: &Args, set: &Set) {
    let (samples, _) = fit(args.samples, set.capacity());
    if samples < args.samples {
        note(&format!(
            "{} samples asked for, but a key of {} signs {} messages: that many are taken",
            grouped(args.samples as u64),
            set.name,
            grouped(set.capacity())
        ));
    }
}

/// Prints one row.
pub fn row(table: &Table, row: &Row) -> Result<(), Error> {
    let one = |micros: f64| format!("{micros:.1}");
    print(&table.row(&[
        row.alg.to_owned(),
        row.signer.to_owned(),
        row.verifier.to_owned(),
        row.signature_bytes.to_string(),
        row.announce_bytes.to_string(),
        one(row.sign_us.p50),
        one(row.wire_us.p50),
        one(row.verify_us.p50),
        one(row.total_us.p50),
        one(row.total_us.p99),
        format!("({:.1})", row.loopback_us.p50),
        advice::verdict(row),
    ]))
}

/// Prints what is counted, and the advice.
pub fn closing(args: &Args, rows: &[Row]) -> Result<(), Error> {
    print(
        "\nmet: the 99th percentile of sign + wire + verify is within the budget. wire: message and signature",
    )?;
    print(
        "in Ethernet frames at the link's rate. loopback: sending and waking up here; not counted.",
    )?;
    if let Some(cost) = dearest(rows) {
        print(&format!("keeping warm cost at most {cost:.1} % of a core while waiting."))?;
    }
    match advice::line(rows, args.budget) {
        Some(line) => print(&format!("advice: {line}")),
        None => Ok(()),
    }
}

fn dearest(rows: &[Row]) -> Option<f64> {
    rows.iter().filter_map(|row| row.keep_warm_cpu_percent).max_by(f64::total_cmp)
}
