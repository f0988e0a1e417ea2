//! Rows of `results/asip.json`.

use super::{Processor, Rung};
use hasten_chore::failure::{Failure, read};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// The cell library of the machines' areas and critical paths.
const LIBRARY: &str = "sg13g2_stdcell_typ_1p20V_25C";

/// The cv32e40x machine without and with its memories (`rtl/asip/whole.toml`).
const CORES: [&str; 2] = ["asip", "asip-whole/asip_whole"];

/// The picorv32 machine without and with its memories.
const SMALL: [&str; 2] = ["asip/asip_small", "asip-whole/asip_small_whole"];

/// Tolerated change of a program's cycles, in thousandths. They change with every change of the
/// code that the program is compiled from.
const DRIFT: u64 = 20;

/// What a program reports of an operation: all cycles; the cycles of loads and stores, with one
/// cycle of each instruction of the unit; the cycles that wait for the unit; and all others.
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
    /// The hash function that the program uses: `sha256` or `shake`.
    #[serde(default = "sha256")]
    pub hash: String,
    pub lanes: i64,
    pub unroll: i64,
    pub bits: i64,
    #[serde(flatten)]
    pub said: Said,
    #[serde(flatten)]
    pub figures: Figures,
}

/// Figures from the machine's netlist.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Figures {
    /// Area of the processor, the unit and their RAM port, without memories.
    pub kge: Option<f64>,
    pub critical_path_ns: Option<f64>,
    pub us: Option<f64>,
    /// Energy of the netlist and of the accesses to its memories, in nanojoules.
    #[serde(default)]
    pub nj: Option<f64>,
    #[serde(default)]
    pub memory_nj: Option<f64>,
    /// `whole` if the netlist ran the whole operation, `window` if it ran a part of the program
    /// whose energy per cycle is used for the operation.
    #[serde(default)]
    pub nj_of: Option<String>,
    /// Area of the memory macros, and figures of the whole machine with them.
    #[serde(default)]
    pub memory_kge: Option<f64>,
    #[serde(default)]
    pub whole_path_ns: Option<f64>,
    #[serde(default)]
    pub whole_us: Option<f64>,
    /// All area times the time of the whole machine, and that times all energy: kGE us, kGE us uJ.
    #[serde(default)]
    pub at: Option<f64>,
    #[serde(default)]
    pub ate: Option<f64>,
}

/// Returns the mapped machines' rows, without and with their memories.
pub(super) fn mapped(path: &Path) -> Result<Vec<Value>, Failure> {
    let form = |fault: serde_json::Error| Failure::Form(path.into(), fault.to_string());
    let kept: Value = serde_json::from_str(&read(path)?).map_err(form)?;
    let is_one = |row: &&Value| {
        CORES.iter().chain(&SMALL).any(|core| row["core"] == *core) && row["liberty"] == LIBRARY
    };
    let rows = kept["rows"].as_array().into_iter().flatten();
    Ok(rows.filter(is_one).cloned().collect())
}

impl Row {
    /// Takes area and critical path of a rung's machine, if it was mapped, and computes time and
    /// products from them.
    pub fn take(&mut self, rung: &Rung, mapped: &[Value]) {
        let is_small = rung.processor == Processor::Small;
        let [alone, whole] = if is_small { SMALL } else { CORES };
        let is_it = |row: &&Value| {
            let given = row["params"].as_object().map_or(0, serde_json::Map::len);
            let has = |(name, value): &(&str, i64)| row["params"][name].as_i64() == Some(*value);
            given == rung.params.len() + usize::from(is_small) && rung.params.iter().all(has)
        };
        let number = |core: &str, name: &str| {
            mapped.iter().filter(is_it).find(|row| row["core"] == core)?[name].as_f64()
        };
        let cycles = self.said.cycles as f64;
        let micros = |ns: f64| rounded(cycles * ns / 1000.0);
        let figures = &mut self.figures;
        (figures.kge, figures.critical_path_ns) =
            (number(alone, "kge"), number(alone, "critical_path_ns"));
        figures.us = figures.critical_path_ns.map(micros);
        figures.memory_kge = number(whole, "memory_kge");
        figures.whole_path_ns = number(whole, "critical_path_ns");
        figures.whole_us = figures.whole_path_ns.map(micros);
        let area =
            number(whole, "kge").zip(figures.memory_kge).map(|(cells, macros)| cells + macros);
        let at = area.zip(figures.whole_us).map(|(area, time)| area * time);
        let energy = figures.nj.zip(figures.memory_nj).map(|(cells, macros)| cells + macros);
        figures.at = at.map(rounded);
        figures.ate = at.zip(energy).map(|(at, energy)| rounded(at * energy / 1000.0));
    }

    /// Takes the energy of a row of the same operation with nearly the same cycles.
    pub fn take_energy(&mut self, kept: &[Self]) {
        if let Some(old) = kept.iter().find(|old| self.is_near(old)) {
            let Figures { nj, memory_nj, ref nj_of, .. } = old.figures;
            self.figures = Figures { nj, memory_nj, nj_of: nj_of.clone(), ..self.figures.clone() };
        }
    }

    /// Returns true if the rows are the same except for a tolerated change of cycles.
    pub fn is_kept_as(&self, old: &Self) -> bool {
        self.is_near(old) && self.said.heap_bytes == old.said.heap_bytes
    }

    /// Returns true if the rows are of the same operation and its cycles changed by no more than
    /// they do with every compiler.
    pub fn is_near(&self, old: &Self) -> bool {
        let (new, kept) = (&self.said, &old.said);
        let machine = |row: &Self| (row.lanes, row.unroll, row.bits);
        let is_same = machine(self) == machine(old)
            && (&self.processor, &self.stage, &self.hash)
                == (&old.processor, &old.stage, &old.hash)
            && (&new.alg, &new.level, &new.op) == (&kept.alg, &kept.level, &kept.op);
        is_same && 1000 * new.cycles.abs_diff(kept.cycles) <= DRIFT * kept.cycles
    }
}

/// Returns the hash of rows from the time when there was only one.
fn sha256() -> String {
    "sha256".into()
}

/// Rounds to a tenth.
fn rounded(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}
