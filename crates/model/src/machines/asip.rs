//! The RISC-V processor with its unit for hash chains, described by the operations simulated on it.

use std::rc::Rc;

use hasten_kernels::Which;
use serde::Deserialize;
use serde_json::Value;

use crate::Units;
use crate::explore::{Machine, Measured, Time};

/// Name of the small processor.
const SMALL: &str = "picorv32";

/// Hash of a unit with a Keccak core.
const SHAKE: &str = "shake";

/// The fields of a row of the report that describe a machine.
#[derive(Deserialize)]
struct Row {
    processor: String,
    stage: String,
    hash: String,
    lanes: u32,
    unroll: u32,
    bits: u32,
    alg: String,
    level: String,
    op: String,
    cycles: f64,
    kge: Option<f64>,
    critical_path_ns: Option<f64>,
}

impl Row {
    /// Returns the name of the machine: the processor if it is the small one, the stage, the lanes
    /// and rounds per cycle, and the hash if it is not SHA-256.
    fn machine(&self) -> String {
        let Self { processor, stage, hash, lanes, unroll, bits, .. } = self;
        let small = if processor == SMALL { "picorv32-" } else { "" };
        let name = match (lanes, bits) {
            (0, 0) if processor == SMALL => format!("asip {SMALL}"),
            (0, 0) => format!("asip {stage}"),
            (0, _) => format!("asip {stage}-zb"),
            _ => format!("asip {small}{stage}-{lanes}-{unroll}"),
        };
        if hash == SHAKE { format!("{name}-{SHAKE}") } else { name }
    }

    /// Returns the operation at a clock period in microseconds. Its time is constant: the report
    /// has one number of cycles per operation.
    fn measured(&self, clock_us: f64) -> Measured {
        Measured {
            alg: self.alg.clone(),
            op: self.op.clone(),
            level: Some(self.level.clone()),
            signature_bytes: 0,
            time_us: Time::constant(self.cycles * clock_us),
        }
    }
}

/// Returns the processor alone and with each unit, at the clock period of its critical path, or at
/// one of `clock_us` microseconds. Sets that were not simulated on a machine cannot be chosen with
/// it.
pub fn processors(report: &Value, clock_us: Option<f64>) -> Vec<Machine> {
    let rows = report["rows"].as_array().into_iter().flatten();
    let mut machines: Vec<(String, Vec<Row>)> = Vec::new();
    for row in rows.filter_map(|row| Row::deserialize(row).ok()) {
        match machines.iter_mut().find(|(name, _)| *name == row.machine()) {
            Some((_, known)) => known.push(row),
            None => machines.push((row.machine(), vec![row])),
        }
    }
    machines.iter().filter_map(|(name, rows)| machine(name, rows, clock_us)).collect()
}

fn machine(name: &str, rows: &[Row], clock_us: Option<f64>) -> Option<Machine> {
    let row = rows.first()?;
    let clock_us = clock_us.or(row.critical_path_ns.map(|ns| ns / 1e3))?;
    // For the lower bounds: no processor without a unit computes a round in less than a cycle, and
    // a slot of a Keccak core takes 48 cycles for a permutation.
    let (lanes, unroll) = (row.lanes.max(1), row.unroll.max(1));
    let (kernel, cycles) = match &*row.hash {
        SHAKE if row.lanes == 0 => (Which::Keccak, 24.0),
        SHAKE => (Which::Keccak, 48.0),
        _ => (Which::Sha256, 64.0 / f64::from(unroll)),
    };
    let each_us = cycles * clock_us;
    Some(Machine {
        name: format!("{name} at {:.2} ns", clock_us * 1e3),
        kernel: Some(kernel),
        units: Units { count: lanes as usize, each_us },
        bulk_us: each_us / f64::from(lanes),
        overhead_us: 0.0,
        area_kge: row.kge,
        rested: Vec::new(),
        measured: Some(Rc::new(rows.iter().map(|row| row.measured(clock_us)).collect())),
        estimates: false,
    })
}
