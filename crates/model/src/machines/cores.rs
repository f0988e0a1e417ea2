//! Machines of the hardware report: kernel cores, described by their cycles, critical path and
//! area, and cores that sign and verify by themselves, described by simulated operations.

use std::rc::Rc;

use hasten_hbs::{SignerLevel, VerifierLevel};
use hasten_kernels::Which;
use serde_json::Value;

use crate::Units;
use crate::explore::{Machine, Measured, Time};

/// Returns the kernel cores of the hardware report, as machines with one, four and sixteen of each.
/// With a clock period in microseconds, the cores that sign and verify by themselves follow.
pub fn cores(report: &Value, clock_us: Option<f64>) -> Vec<Machine> {
    let rows = report["rows"].as_array().cloned().unwrap_or_default();
    let cores = rows.iter().filter_map(|row| core(row, clock_us));
    let mut machines: Vec<Machine> =
        cores.flat_map(|core| [1, 4, 16].map(|count| several(&core, count))).collect();
    machines.extend(clock_us.map(|clock| whole(&rows, clock)).into_iter().flatten());
    machines
}

/// The typical corner of the newer cell library.
const LIBRARY: &str = "sg13g2_stdcell_typ_1p20V_25C";

/// Returns a kernel core of this repository from a row of the report, with its timing in the newer
/// library, or at the given clock period if the row has no timing.
fn core(row: &Value, clock_us: Option<f64>) -> Option<Machine> {
    let kernel = match row["op"].as_str()? {
        "keccak-p1600" => Which::Keccak,
        "sha256-compress" => Which::Sha256,
        _ => return None,
    };
    let name = row["core"].as_str()?;
    let own = ["keccak/", "sha256/"].iter().any(|ours| name.starts_with(ours));
    let period = match row["liberty"].as_str() {
        Some(LIBRARY) => row["critical_path_ns"].as_f64()? / 1e3,
        Some(_) => return None,
        None => clock_us?,
    };
    let in_flight = row["in_flight"].as_u64().unwrap_or(1).max(1) as usize;
    let each_us = row["cycles"].as_f64()? * period;
    own.then(|| Machine {
        name: format!("{name} {}", params(row)),
        kernel: Some(kernel),
        units: Units { count: in_flight, each_us },
        bulk_us: each_us / in_flight as f64,
        overhead_us: 0.0,
        area_kge: row["kge"].as_f64(),
        rested: Vec::new(),
        measured: None,
        estimates: false,
    })
}

/// Returns the parameters of a row, except `alg` and `level`, joined to one word.
fn params(row: &Value) -> String {
    let given = row["params"].as_object().into_iter().flatten();
    let plain = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
    let words: Vec<String> = given
        .filter(|(name, _)| !["alg", "level"].contains(&name.as_str()))
        .map(|(_, value)| plain(value))
        .collect();
    words.join("-")
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

/// Returns the cores that sign and verify by themselves, with the operations simulated on each, in
/// the order of the report.
fn whole(rows: &[Value], clock_us: f64) -> Vec<Machine> {
    let mut machines: Vec<(String, Vec<&Value>)> = Vec::new();
    for row in rows.iter().filter(|row| operation(row, clock_us).is_some()) {
        let name = format!("{} {}", row["core"].as_str().unwrap_or_default(), params(row));
        match machines.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.push(row),
            None => machines.push((name, vec![row])),
        }
    }
    machines.into_iter().map(|(name, rows)| engine(&name, &rows, clock_us)).collect()
}

fn engine(name: &str, rows: &[&Value], clock_us: f64) -> Machine {
    let number = |name: &str| rows[0]["params"][name].as_f64().unwrap_or(1.0);
    // The permutations in flight in a Keccak core take turns, round by round.
    let (kernel, rounds) = match rows[0]["params"]["hash"].as_str() {
        Some("shake") => (Which::Keccak, 24.0 * number("cores")),
        _ => (Which::Sha256, 64.0),
    };
    let each_us = rounds / number("unroll") * clock_us;
    let measured = rows.iter().filter_map(|row| operation(row, clock_us)).collect();
    Machine {
        name: format!("{name} at {} ns", clock_us * 1e3),
        kernel: Some(kernel),
        units: Units { count: number("cores") as usize, each_us },
        bulk_us: each_us / number("cores"),
        overhead_us: 0.0,
        area_kge: rows[0]["kge"].as_f64(),
        rested: Vec::new(),
        measured: Some(Rc::new(measured)),
        estimates: rows[0]["core"] == "xmss/xmss_engine",
    }
}

/// Returns a row of such a core as an operation at this clock period.
fn operation(row: &Value, clock_us: f64) -> Option<Measured> {
    let op = row["op"].as_str().filter(|op| ["sign", "verify"].contains(op))?;
    let (alg, level, signature_bytes) = match row["core"].as_str()? {
        "xmss/xmss_engine" => {
            let alg = row["params"]["alg"].as_str().unwrap_or("XMSS-SHA2_10_256");
            (alg, Some(level(op, row["params"]["level"].as_str()?)?.to_owned()), 0)
        }
        "ed25519" => ("Ed25519", None, 64),
        _ => return None,
    };
    let us = |cycles: &Value| cycles.as_f64().map(|cycles| cycles * clock_us);
    let (mean, most) = (us(&row["cycles"])?, us(&row["cycles_max"])?);
    let time_us = Time { min: mean, p50: mean, p99: most, p999: None, max: most };
    Some(Measured { alg: alg.to_owned(), op: op.to_owned(), level, signature_bytes, time_us })
}

/// Returns the level of preparation for a level of the engine: `cold` has the tree, `prepared`
/// everything that the index determines except the table of chain values.
fn level(op: &str, level: &str) -> Option<&'static str> {
    Some(match (op, level) {
        ("sign", "cold") => SignerLevel::EarlyAuth.name(),
        ("sign", "prepared") => SignerLevel::Masks.name(),
        ("sign", "chain-table") => SignerLevel::ChainTable.name(),
        ("verify", "cold") => VerifierLevel::None.name(),
        ("verify", "prepared") => VerifierLevel::Masks.name(),
        _ => return None,
    })
}
