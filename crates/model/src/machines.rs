//! Machines for a search: generic units, the calibrated processor, the cores of the hardware
//! report, and the RISC-V processor with its hash unit.
//!
//! The reports are passed as JSON; this crate reads no files.

mod asip;
mod cores;
mod efficiency;
mod reports;

use std::rc::Rc;

use serde_json::Value;

pub use self::asip::processors;
pub use self::cores::cores;
pub use self::efficiency::{Efficiency, efficiencies};
pub use self::reports::{ASIP, CALIBRATION, COMPARED, HARDWARE, Named, Reports};
use crate::Units;
use crate::costs::{Cost, Costs, What};
use crate::explore::{Machine, Measured};

/// Returns machines of `low` units, twice as many, and so on up to `high`. Each unit takes
/// `each_us` microseconds per compression.
pub fn doubled(low: usize, high: usize, each_us: f64) -> Vec<Machine> {
    let counts =
        std::iter::successors(Some(low), |count| (*count < high).then(|| (2 * count).min(high)));
    let machine = |count: usize| Machine {
        name: format!("{count} x {}", time(each_us)),
        kernel: None,
        units: Units { count, each_us },
        bulk_us: each_us / count as f64,
        overhead_us: 0.0,
        area_kge: None,
        rested: Vec::new(),
        measured: None,
        estimates: false,
    };
    counts.map(machine).collect()
}

fn time(us: f64) -> String {
    if us < 1.0 { format!("{:.4} ns", us * 1e3) } else { format!("{us:.4} us") }
        .replace(".0000", "")
}

/// Returns the calibrated processor, with its measured operations and the costs of batches.
///
/// The rows are those of `hasten analyze calibrate`, followed by those of `hasten analyze compare`.
pub fn cpu(calibration: &Value) -> Machine {
    let rows = calibration["rows"].as_array().cloned().unwrap_or_default();
    let of =
        |kind: &str| rows.iter().filter(|r| r["measured"] == kind).cloned().collect::<Vec<_>>();
    let parse = |row: Value| serde_json::from_value::<Cost>(row).ok();
    let costs = Costs::new(of("cost").into_iter().filter_map(parse).collect());
    let measured = ["prediction", "compared"].map(of).concat();
    let measured = measured.into_iter().filter_map(|row| serde_json::from_value(row).ok());
    let measured: Vec<Measured> = measured.collect();
    let one = costs.at(What::Batch, ("sha256", 32), 1);
    Machine {
        name: format!("cpu ({})", calibration["machine"]["backend"].as_str().unwrap_or("?")),
        kernel: None,
        units: Units { count: 1, each_us: one },
        bulk_us: costs.at(What::Batch, ("sha256", 32), 16) / 16.0,
        overhead_us: 0.0,
        area_kge: None,
        rested: rested(&costs),
        measured: Some(Rc::new(measured)),
        estimates: false,
    }
}

/// Returns pairs of work after rest and the time that rest adds to it, in microseconds. They are
/// sorted by work, and the added time never decreases.
fn rested(costs: &Costs) -> Vec<(f64, f64)> {
    let rows = costs.rows().iter().filter(|cost| cost.what == What::Rested);
    let mut most = 0.0_f64;
    let point = |cost: &Cost| {
        most = most.max(cost.cost_us);
        (cost.count as f64 / 1e3, most)
    };
    rows.map(point).collect()
}
