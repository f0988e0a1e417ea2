//! `hw plots`: the design space of the Keccak core and the ladder of chain cores from the kept rows, as SVG beside the cores,
//! and what the rows of the Ed25519 core say together.
//! `hw report` draws them too.

use crate::checkout;
use crate::core::cores::Param;
use crate::core::generated;
use crate::core::options::Options;
use crate::core::row::Row;
use crate::draw::svg::{Plot, Point};
use crate::failure::Failure;
use crate::report::claims::bits_per_cycle;
use crate::report::closing;
use crate::report::ladder;
use crate::report::rows;

/// Draws the plots, or with `--check` says which are stale.
pub fn run(options: &Options) -> Result<(), Failure> {
    let (root, rows) = (checkout::root()?, rows::load()?);
    let mut files = vec![
        (root.join("results/ladder.json"), ladder::table(&rows)?),
        (root.join("results/ed25519.json"), closing::table(&rows)?),
    ];
    for (core, plots) in [("keccak", plots(&rows)), ("xmss", ladder::plots(&rows))] {
        let folder = root.join("rtl").join(core).join("plots");
        files.extend(
            plots.iter().map(|(name, plot)| (folder.join(format!("{name}.svg")), plot.svg())),
        );
    }
    generated::keep(
        "hw plots",
        &files,
        "plots, the ladder and Ed25519's figures, as results/hardware.json has them",
        options,
    )
}

fn number(row: &Row, name: &str) -> i64 {
    match row.params.get(name) {
        Some(Param::Number(value)) => *value,
        _ => 0,
    }
}

/// Where the registers are.
fn series(row: &Row) -> String {
    if row.core.starts_with("freecores") || row.core.starts_with("keccak-team") {
        return row.core.split('/').next().unwrap_or_default().into();
    }
    let inner = ["none", "theta2 | theta3", "theta | rho", "pi | chi"];
    let inner = inner.get(number(row, "inner") as usize).copied().unwrap_or("?");
    let outer = if number(row, "outreg") == 1 { "each round" } else { "last round" };
    let entry = if number(row, "entry") == 1 { ", msg in chi" } else { "" };
    format!("{inner}; {outer}{entry}")
}

fn label(row: &Row) -> String {
    match row.params.get("unroll") {
        Some(_) if number(row, "rate") == 576 => format!("U{}, r 576", number(row, "unroll")),
        Some(_) => format!("U{}", number(row, "unroll")),
        None => String::new(),
    }
}

/// The rows of permutations in the library of the published figures.
fn permutations(rows: &[Row]) -> Vec<&Row> {
    let library =
        |row: &&Row| row.asic.liberty.as_deref().is_some_and(|name| name.starts_with("sg13g2"));
    rows.iter().filter(|row| row.op.op == "keccak-p1600").filter(library).collect()
}

/// A plot of every row that has what it shows.
fn plot(rows: &[&Row], title: &str, x: (&str, &Value), y: (&str, &Value)) -> Plot {
    let point = |row: &&Row| {
        Some(Point { series: series(row), x: x.1(row)?, y: y.1(row)?, label: label(row) })
    };
    let points = rows.iter().filter_map(point).collect();
    Plot { title: title.into(), x: x.0.into(), y: y.0.into(), points }
}

type Value = dyn Fn(&Row) -> Option<f64>;

fn slices(row: &Row) -> Option<f64> {
    row.fpga.slices_bound.map(|slices| slices as f64)
}

/// Nanoseconds for each permutation, all slots busy.
fn time(row: &Row) -> Option<f64> {
    Some(row.op.cycles as f64 / row.op.in_flight as f64 * row.asic.critical_path_ns?)
}

fn unroll(row: &Row) -> Option<f64> {
    row.params.get("unroll").map(|_| number(row, "unroll") as f64)
}

fn plots(rows: &[Row]) -> Vec<(&'static str, Plot)> {
    let rows = permutations(rows);
    let cycle = ("bits of SHA3-512 per cycle", &(|row: &Row| Some(bits_per_cycle(row))) as &Value);
    let gbps = (
        "Gbps of SHA3-512",
        &(|row: &Row| Some(bits_per_cycle(row) / row.asic.critical_path_ns?)) as &Value,
    );
    let rounds = ("rounds unrolled", &unroll as &Value);
    let area = ("kGE (IHP SG13G2)", &(|row: &Row| row.asic.kge) as &Value);
    vec![
        (
            "fpga-throughput",
            plot(
                &rows,
                "Throughput against area, FPGA",
                ("slices, lower bound after pairing", &slices),
                cycle,
            ),
        ),
        (
            "fpga-efficiency",
            plot(
                &rows,
                "Efficiency against unrolling, FPGA (the source: 0.032 at two rounds)",
                rounds,
                ("bits per cycle and slice", &|row| Some(bits_per_cycle(row) / slices(row)?)),
            ),
        ),
        (
            "fpga-area-time",
            plot(
                &rows,
                "Area times time, FPGA (a LUT level as the unit of time)",
                rounds,
                ("slices, LUT levels and cycles per permutation", &|row| {
                    let cycles = row.op.cycles as f64 / row.op.in_flight as f64;
                    Some(slices(row)? * row.fpga.lut_levels? as f64 * cycles)
                }),
            ),
        ),
        ("asic-throughput", plot(&rows, "Throughput against area, IHP SG13G2", area, gbps)),
        (
            "asic-efficiency",
            plot(
                &rows,
                "Efficiency against unrolling, IHP SG13G2",
                rounds,
                ("Gbps per kGE", &crate::report::claims::gbps_per_kge),
            ),
        ),
        (
            "asic-area-time",
            plot(
                &rows,
                "Area times time, IHP SG13G2",
                rounds,
                ("kGE ns per permutation", &|row| Some(row.asic.kge? * time(row)?)),
            ),
        ),
        (
            "asic-area-time-energy",
            plot(
                &rows,
                "Area times time times energy, IHP SG13G2",
                rounds,
                ("kGE ns nJ per permutation", &|row| {
                    Some(row.asic.kge? * time(row)? * row.asic.pj_per_op? / 1000.0)
                }),
            ),
        ),
    ]
}
