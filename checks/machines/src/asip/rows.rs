//! Rows of `results/asip.json`.

use hasten_chore::failure::{Failure, read};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// The library that a machine's area and path are of.
const LIBRARY: &str = "sg13g2_stdcell_typ_1p20V_25C";

/// Cycles of a program move with every change of the code that it is compiled from: so many parts
/// of a thousand are let pass.
const DRIFT: u64 = 20;

/// Holds what a program says of an operation: cycles in all; of loads and stores, with one of each
/// instruction of the unit; of those that wait for the unit; of all others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Said {
    pub alg: String,
    pub level: String,
    pub op: String,
    pub cycles: u64,
    pub moving: u64,
    pub hashing: u64,
    pub control: u64,
    pub heap_bytes: u64,
}

/// A row of the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub processor: String,
    pub stage: String,
    pub lanes: i64,
    pub unroll: i64,
    pub bits: i64,
    #[serde(flatten)]
    pub said: Said,
    /// The processor, the unit and the port of their RAM, without memories.
    pub kge: Option<f64>,
    pub critical_path_ns: Option<f64>,
    pub us: Option<f64>,
}

/// Returns the rows of the machines in standard cells.
pub(super) fn mapped(path: &Path) -> Result<Vec<Value>, Failure> {
    let form = |fault: serde_json::Error| Failure::Form(path.into(), fault.to_string());
    let kept: Value = serde_json::from_str(&read(path)?).map_err(form)?;
    let is_one = |row: &&Value| {
        (row["core"] == "asip" || row["core"] == "asip/asip_small") && row["liberty"] == LIBRARY
    };
    let rows = kept["rows"].as_array().into_iter().flatten();
    Ok(rows.filter(is_one).cloned().collect())
}

impl Row {
    /// Takes area and path of the machine with these parameters, where it was mapped.
    pub fn take(&mut self, params: &[(&str, i64)], mapped: &[Value]) {
        let is_it = |row: &&Value| {
            let small = row["params"]["processor"] == *self.processor;
            let given = row["params"].as_object().map_or(0, serde_json::Map::len);
            let has = |(name, value): &(&str, i64)| row["params"][name].as_i64() == Some(*value);
            small || (given == params.len() && params.iter().all(has))
        };
        let row = mapped.iter().find(is_it);
        let number = |name: &str| row.and_then(|row| row[name].as_f64());
        (self.kge, self.critical_path_ns) = (number("kge"), number("critical_path_ns"));
        let micros = |ns: f64| (self.said.cycles as f64 * ns / 100.0).round() / 10.0;
        self.us = self.critical_path_ns.map(micros);
    }

    /// Returns whether the rows are the same but for what moves with the compiler.
    pub fn is_near(&self, old: &Self) -> bool {
        let (new, kept) = (&self.said, &old.said);
        let is_same = (&self.processor, &self.stage, self.lanes, self.unroll, self.bits)
            == (&old.processor, &old.stage, old.lanes, old.unroll, old.bits)
            && (&new.alg, &new.level, &new.op) == (&kept.alg, &kept.level, &kept.op);
        is_same
            && new.heap_bytes == kept.heap_bytes
            && 1000 * new.cycles.abs_diff(kept.cycles) <= DRIFT * kept.cycles
    }
}
