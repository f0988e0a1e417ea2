//! Machines: units, the calibrated processor, the cores of the hardware report.

use std::path::Path;
use std::rc::Rc;

use hasten_kernels::Which;
use hasten_model::Units;
use hasten_model::costs::{Cost, Costs, What};
use hasten_model::explore::{Machine, Measured};
use serde_json::Value;

use crate::error::{BadValue, Error};
use crate::units;

/// The results that are built in.
const CALIBRATION: &str = include_str!("../../../../../results/calibration.json");
const HARDWARE: &str = include_str!("../../../../../results/hardware.json");

/// A machine as it is named on the command line.
#[derive(Clone, Debug)]
pub enum Named {
    /// The calibrated processor.
    Cpu,
    /// The cores of the hardware report.
    Rtl,
    /// Units, from so many to so many, and microseconds of a compression.
    Units(usize, usize, f64),
}

/// `cpu`, `rtl`, `8@100ns` or `1..256@100ns`.
pub fn parse(text: &str) -> Result<Named, BadValue> {
    match text {
        "cpu" => return Ok(Named::Cpu),
        "rtl" => return Ok(Named::Rtl),
        _ => {}
    }
    let unknown = || BadValue::Name {
        what: "machine",
        given: text.to_owned(),
        near: vec!["cpu", "rtl", "8@100ns", "1..256@100ns"],
    };
    let (count, time) = text.split_once('@').ok_or_else(unknown)?;
    let (low, high) = count.split_once("..").unwrap_or((count, count));
    let each = units::micros(units::positive_time(time)?);
    let (low, high) = (units::count(low)?, units::count(high)?);
    if low > high || high > 1 << 16 { Err(unknown()) } else { Ok(Named::Units(low, high, each)) }
}

/// The machines asked for.
pub fn all(named: &[Named], calibration: &Value) -> Vec<Machine> {
    let default = [Named::Cpu, Named::Rtl, Named::Units(1, 256, 0.1)];
    let named = if named.is_empty() { &default } else { named };
    let of = |named: &Named| match named {
        Named::Cpu => vec![cpu(calibration)],
        Named::Rtl => rtl(),
        Named::Units(low, high, each) => doubled(*low, *high, *each),
    };
    named.iter().flat_map(of).collect()
}

/// The calibration that is built in, or that of a file.
pub fn calibration(file: Option<&Path>) -> Result<Value, Error> {
    let Some(path) = file else { return Ok(json(CALIBRATION)) };
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
        measured: None,
    };
    counts.map(machine).collect()
}

fn time(us: f64) -> String {
    if us < 1.0 { format!("{:.4} ns", us * 1e3) } else { format!("{us:.4} us") }
        .replace(".0000", "")
}

/// The processor that was calibrated: its measured operations, and what batches cost.
fn cpu(calibration: &Value) -> Machine {
    let rows = calibration["rows"].as_array().cloned().unwrap_or_default();
    let of =
        |kind: &str| rows.iter().filter(|r| r["measured"] == kind).cloned().collect::<Vec<_>>();
    let parse = |row: Value| serde_json::from_value::<Cost>(row).ok();
    let costs = Costs::new(of("cost").into_iter().filter_map(parse).collect());
    let measured = ["prediction", "compared"].map(of).concat();
    let measured = measured.into_iter().filter_map(|row| serde_json::from_value(row).ok());
    let measured: Vec<Measured> = measured.collect();
    let one = costs.at(What::Batch, "sha256", 1);
    Machine {
        name: format!("cpu ({})", calibration["machine"]["backend"].as_str().unwrap_or("?")),
        kernel: None,
        units: Units { count: 1, each_us: one },
        bulk_us: costs.at(What::Batch, "sha256", 16) / 16.0,
        overhead_us: 0.0,
        area_kge: None,
        measured: Some(Rc::new(measured)),
    }
}

/// Kernel cores out of the hardware report, one and four of each.
fn rtl() -> Vec<Machine> {
    let report = json(HARDWARE);
    let rows = report["rows"].as_array().cloned().unwrap_or_default();
    rows.iter()
        .filter_map(core)
        .flat_map(|core| [1, 4, 16].map(|count| several(&core, count)))
        .collect()
}

/// One core of the report: kernels of ours that were timed against the newer library.
fn core(row: &Value) -> Option<Machine> {
    let kernel = match row["op"].as_str()? {
        "keccak-p1600" => Which::Keccak,
        "sha256-compress" | "sha256" | "compress" | "chain-step" => Which::Sha256,
        _ => return None,
    };
    let name = row["core"].as_str()?;
    let own = ["keccak/", "sha256/", "xmss/"].iter().any(|ours| name.starts_with(ours));
    let newer = row["liberty"].as_str()?.starts_with("sg13g2");
    let (cycles, period) = (row["cycles"].as_f64()?, row["critical_path_ns"].as_f64()?);
    let in_flight = row["in_flight"].as_u64().unwrap_or(1).max(1) as usize;
    let each_us = cycles * period / 1e3;
    let params: Vec<String> = row["params"].as_object()?.values().map(Value::to_string).collect();
    (own && newer).then(|| Machine {
        name: format!("{name} {}", params.join("-")),
        kernel: Some(kernel),
        units: Units { count: in_flight, each_us },
        bulk_us: each_us / in_flight as f64,
        overhead_us: 0.0,
        area_kge: row["kge"].as_f64(),
        measured: None,
    })
}

fn several(core: &Machine, count: usize) -> Machine {
    let units = Units { count: core.units.count * count, ..core.units };
    Machine {
        name: format!("{count} x {}", core.name),
        units,
        bulk_us: core.bulk_us / count as f64,
        area_kge: core.area_kge.map(|area| area * count as f64),
        ..core.clone()
    }
}
