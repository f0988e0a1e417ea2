//! Machines: units, the calibrated processor, the cores of the hardware report.

mod rtl;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use hasten_model::Units;
use hasten_model::costs::{Cost, Costs, What};
use hasten_model::explore::{Machine, Measured};
use serde_json::Value;

use crate::error::{BadValue, Error};
use crate::units;

/// The results that are built in.
const CALIBRATION: &str = include_str!("../../../../../results/calibration.json");
const COMPARED: &str = include_str!("../../../../../results/compared.json");

/// A machine as it is named on the command line.
#[derive(Clone, Debug)]
pub enum Named {
    /// The calibrated processor.
    Cpu,
    /// The cores of the hardware report; with a clock's period in microseconds, those too that have
    /// been simulated and have no timing of their own.
    Rtl(Option<f64>),
    /// Units, from so many to so many, and microseconds of a compression.
    Units(usize, usize, f64),
}

/// Reads `cpu`, `rtl`, `rtl@10ns`, `8@100ns` or `1..256@100ns`.
pub fn parse(text: &str) -> Result<Named, BadValue> {
    match text {
        "cpu" => return Ok(Named::Cpu),
        "rtl" => return Ok(Named::Rtl(None)),
        _ => {}
    }
    let unknown = || BadValue::Name {
        what: "machine",
        given: text.to_owned(),
        near: vec!["cpu", "rtl", "rtl@10ns", "8@100ns", "1..256@100ns"],
    };
    let (count, time) = text.split_once('@').ok_or_else(unknown)?;
    let each = hasten_report::micros(units::positive_time(time)?);
    if count == "rtl" {
        return Ok(Named::Rtl(Some(each)));
    }
    let (low, high) = count.split_once("..").unwrap_or((count, count));
    let (low, high) = (units::count(low)?, units::count(high)?);
    if low > high || high > 1 << 16 { Err(unknown()) } else { Ok(Named::Units(low, high, each)) }
}

/// Returns the machines asked for.
pub fn all(named: &[Named], calibration: &Value) -> Vec<Machine> {
    let default = [Named::Cpu, Named::Rtl(None), Named::Units(1, 256, 0.1)];
    let named = if named.is_empty() { &default } else { named };
    let of = |named: &Named| match named {
        Named::Cpu => vec![cpu(calibration)],
        Named::Rtl(clock) => rtl::all(*clock),
        Named::Units(low, high, each) => doubled(*low, *high, *each),
    };
    named.iter().flat_map(of).collect()
}

/// Returns the rows that are built in: the calibration, and what other algorithms took; or those of
/// files.
pub fn calibration(files: &[PathBuf]) -> Result<Value, Error> {
    let reports = match files {
        [] => vec![json(CALIBRATION), json(COMPARED)],
        files => files.iter().map(|file| read(file)).collect::<Result<_, _>>()?,
    };
    let mut all = reports[0].clone();
    let rows = reports.iter().filter_map(|report| report["rows"].as_array()).flatten();
    all["rows"] = rows.cloned().collect();
    Ok(all)
}

fn read(path: &Path) -> Result<Value, Error> {
    let failed = |cause| Error::File { path: path.to_owned(), doing: "reading", cause };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    serde_json::from_str(&text).map_err(|cause| failed(cause.into()))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("a file of results/ is JSON")
}

fn doubled(low: usize, high: usize, each_us: f64) -> Vec<Machine> {
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
    };
    counts.map(machine).collect()
}

fn time(us: f64) -> String {
    if us < 1.0 { format!("{:.4} ns", us * 1e3) } else { format!("{us:.4} us") }
        .replace(".0000", "")
}

/// Returns the processor that was calibrated: its measured operations, and what batches cost.
fn cpu(calibration: &Value) -> Machine {
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
    }
}

/// Returns work after rest in microseconds, and what is added to it: the least work first, and
/// never less for more.
fn rested(costs: &Costs) -> Vec<(f64, f64)> {
    let rows = costs.rows().iter().filter(|cost| cost.what == What::Rested);
    let mut most = 0.0_f64;
    let point = |cost: &Cost| {
        most = most.max(cost.cost_us);
        (cost.count as f64 / 1e3, most)
    };
    rows.map(point).collect()
}
