//! A long search on one core, timed in tenths:
//! `cargo run --release -p hasten-model --example sweep -- 100000`.
//!
//! It covers the sets of height 10, on 1 to 65,536 units of five speeds, over six links, in all
//! schedules. The time per choice must not grow with the number of choices.

use std::time::Instant;

use hasten_hbs::{SignerLevel, VerifierLevel};
use hasten_kernels::Kernels;
use hasten_model::explore::{Machine, Schedules, Search, Workload, usual_sets};
use hasten_model::profile::Profiles;
use hasten_model::{Delivery, Link, Units};
use hasten_report::{Machine as On, Origin, Report, published_command};
use serde_json::json;

fn main() {
    let most: usize = std::env::args().nth(1).map_or(100_000, |n| n.parse().expect("choices"));
    let (workload, machines, links, schedules) = (workload(), machines(), links(), schedules());
    let search =
        Search { workload: &workload, machines: &machines, links: &links, schedules: &schedules };
    let begun = Instant::now();
    let mut times = Vec::new();
    let mut each = |done: usize| {
        if done.is_multiple_of((most / 10).max(1)) {
            times.push(begun.elapsed().as_secs_f64());
        }
        done < most
    };
    let points = search.run(&Profiles::default(), &mut each).expect("sets of the table");
    let seconds = begun.elapsed().as_secs_f64();
    let row = |(i, pair): (usize, &[f64])| {
        json!({
            "choices": (i + 1) * most / 10,
            "seconds": round(pair[1]),
            "us_per_choice": round((pair[1] - pair[0]) * 1e7 / most as f64),
        })
    };
    let rows: Vec<_> = times.windows(2).enumerate().map(row).collect();
    let backend = Kernels::available().last().map_or("portable", |(name, _)| name);
    let command = published_command("cargo run --release -p hasten-model --example sweep --");
    let on = On { cores: 1, ..On::with(backend) };
    let report = Report::new("hasten.sweep/1", command, Origin::checked_out(), on, &rows);
    let mut report = serde_json::to_value(report).expect("rows are numbers");
    report["choices"] = points.len().into();
    report["seconds"] = round(seconds).into();
    println!("{report:#}");
}

fn workload() -> Workload {
    Workload {
        sets: usual_sets(),
        message: 64,
        rate: 100.0,
        burst: 1,
        budget_us: 100.0,
        commit_us: 4000.0,
    }
}

/// Returns machines of 1, 2, 4 to 65,536 units that take from 10 ns to 1 us per compression.
fn machines() -> Vec<Machine> {
    let units = |each_us: f64| (0..17).map(move |power| Units { count: 1 << power, each_us });
    let machine = |units: Units| Machine {
        name: format!("{} x {} ns", units.count, units.each_us * 1e3),
        kernel: None,
        bulk_us: units.each_us / units.count as f64,
        units,
        overhead_us: 0.0,
        area_kge: None,
        rested: Vec::new(),
        measured: None,
        estimates: false,
    };
    [0.01, 0.03, 0.1, 0.3, 1.0].into_iter().flat_map(units).map(machine).collect()
}

fn links() -> Vec<Link> {
    (6..12).map(|power| Link { framed: true, ..Link::bare(10_f64.powi(power)) }).collect()
}

fn schedules() -> Schedules {
    Schedules {
        signer: vec![SignerLevel::EarlyAuth, SignerLevel::Masks, SignerLevel::ChainTable],
        verifier: vec![VerifierLevel::None, VerifierLevel::Masks, VerifierLevel::OtsKey],
        delivery: Delivery::ALL.into(),
        commit_on_path: false,
        rested: false,
    }
}

fn round(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}
