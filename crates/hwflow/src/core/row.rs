//! One row of `results/hardware.json`.

use crate::core::cores::Param;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An operation as a bench measures it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Op {
    /// Name of the operation.
    pub op: String,
    /// Clock cycles.
    pub cycles: u64,
    /// Clock cycles in the worst case.
    pub cycles_max: u64,
    /// Number of operations in flight at once.
    pub in_flight: u64,
    /// Preparation before the operation, such as `cold` or `prepared`. It becomes a parameter of
    /// the row.
    #[serde(default, skip_serializing)]
    pub level: Option<String>,
    /// Parameter set of the operation. It becomes a parameter of the row.
    #[serde(default, skip_serializing)]
    pub alg: Option<String>,
    /// Number of random cases that were compared (`hw random`).
    #[serde(default, skip_serializing)]
    pub checked: Option<u64>,
}

impl Op {
    /// Returns the operation as a line of text.
    pub fn line(&self) -> String {
        let Self { op, cycles, cycles_max, in_flight, .. } = self;
        let words: String =
            [&self.alg, &self.level].into_iter().flatten().map(|word| format!(" {word}")).collect();
        format!("{op}{words}: {cycles} cycles (at most {cycles_max}), {in_flight} in flight")
    }
}

/// Figures of an FPGA mapping.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Fpga {
    /// LUTs, each counted separately.
    pub lut: Option<u64>,
    /// LUTs after pairing.
    pub lut_paired: Option<u64>,
    /// Flip-flops.
    pub ff: Option<u64>,
    /// DSP blocks.
    pub dsp: Option<u64>,
    /// Block RAMs, halves counted as 0.5.
    pub bram: Option<f64>,
    /// max(LUT / 4, FF / 8) after pairing.
    pub slices_bound: Option<u64>,
    /// Maximum number of LUTs on a path between registers.
    pub lut_levels: Option<u64>,
}

/// Figures of a mapping to standard cells.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Asic {
    /// Area in thousands of NAND2.
    pub kge: Option<f64>,
    /// Number of flip-flops in the netlist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flip_flops: Option<u64>,
    /// Area of the flip-flops, which `kge` includes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flip_flops_kge: Option<f64>,
    /// Area of macros such as memories, which `kge` does not include. It is 0 for a whole core
    /// without macros.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_kge: Option<f64>,
    /// `whole` if the netlist is a complete core with its macros, otherwise `part`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_of: Option<String>,
    /// Corner: process, voltage and temperature as the library names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corner: Option<String>,
    /// Name of the library.
    pub liberty: Option<String>,
    /// SHA-256 of the library.
    pub liberty_sha256: Option<String>,
    /// Longest path, nanoseconds.
    pub critical_path_ns: Option<f64>,
    /// Energy of one operation, picojoules.
    pub pj_per_op: Option<f64>,
    /// For a netlist joined from pieces: figures of each piece.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, Parts>,
    /// For a netlist joined from pieces: start and end of the longest path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<String>,
}

/// Figures of a piece, for all its instances together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// Area in thousands of NAND2.
    pub kge: f64,
    /// Longest path from anywhere into one of its registers, nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ns: Option<f64>,
}

/// The area of cells, in thousands of the smallest two-input NAND.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Area {
    /// Area of all cells.
    pub kge: f64,
    /// Number of flip-flops among the cells.
    pub flip_flops: u64,
    /// Area of the flip-flops.
    pub flip_flops_kge: f64,
}

impl Asic {
    /// Sets the area figures of a netlist.
    pub fn with(mut self, area: &Area) -> Self {
        self.kge = Some(round(area.kge, 3));
        self.flip_flops = Some(area.flip_flops);
        self.flip_flops_kge = Some(round(area.flip_flops_kge, 3));
        self
    }

    /// Marks the netlist as a part of a core or as a whole core.
    pub fn of(mut self, part: bool) -> Self {
        if !part {
            self.memory_kge.get_or_insert(0.0);
        }
        self.area_of = Some(if part { "part" } else { "whole" }.into());
        self
    }
}

impl Fpga {
    /// Adds a piece that is instantiated `count` times. `lut_levels` is not added, because paths
    /// may go through several pieces.
    pub fn add(&mut self, piece: &Self, count: u64) {
        let sum = |a: Option<u64>, b: Option<u64>| b.map(|b| a.unwrap_or(0) + count * b).or(a);
        self.lut = sum(self.lut, piece.lut);
        self.lut_paired = sum(self.lut_paired, piece.lut_paired);
        self.ff = sum(self.ff, piece.ff);
        self.dsp = sum(self.dsp, piece.dsp);
        self.bram = Some(self.bram.unwrap_or(0.0) + count as f64 * piece.bram.unwrap_or(0.0));
        self.slices_bound =
            self.lut_paired.zip(self.ff).map(|(lut, ff)| lut.div_ceil(4).max(ff.div_ceil(8)));
    }
}

/// A row of the results.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    /// Core and top module.
    pub core: String,
    /// Parameters, with names in lower case.
    pub params: BTreeMap<String, Param>,
    /// The operation with its cycles.
    #[serde(flatten)]
    pub op: Op,
    /// FPGA figures.
    #[serde(flatten)]
    pub fpga: Fpga,
    /// Standard-cell figures.
    #[serde(flatten)]
    pub asic: Asic,
    /// Clock rate after place and route, megahertz.
    pub fmax_mhz: Option<f64>,
    /// The device of `fmax_mhz`.
    pub device: Option<String>,
    /// Tool versions.
    pub tools: String,
    /// Command that reproduces the row.
    pub command: String,
}

impl Row {
    /// Returns true if both rows have the same core, parameters, operation and library.
    pub fn same_subject(&self, other: &Self) -> bool {
        (&self.core, &self.params, &self.op.op, &self.asic.liberty_sha256)
            == (&other.core, &other.params, &other.op.op, &other.asic.liberty_sha256)
    }

    /// Takes over the energy and the clock rate of `old` if this row has none.
    pub fn inherit(&mut self, old: &Self) {
        if self.asic.pj_per_op.is_none() {
            self.asic.pj_per_op = old.asic.pj_per_op;
        }
        if self.fmax_mhz.is_none() {
            self.fmax_mhz = old.fmax_mhz;
            self.device.clone_from(&old.device);
        }
    }
}

/// Rounds `value` to this number of decimals.
pub fn round(value: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (value * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_says_so_and_has_an_area_of_memories() {
        let whole = Asic::default().of(false);
        assert_eq!((whole.area_of.as_deref(), whole.memory_kge), (Some("whole"), Some(0.0)));
        let memories = Asic { memory_kge: Some(551.1), ..Asic::default() };
        assert_eq!(memories.of(false).memory_kge, Some(551.1));
        let part = Asic::default().of(true);
        assert_eq!((part.area_of.as_deref(), part.memory_kge), (Some("part"), None));
    }

    #[test]
    fn pieces_add_up_and_slices_are_those_of_the_sum() {
        let piece = |lut_paired, ff| Fpga {
            lut: Some(lut_paired + 1),
            lut_paired: Some(lut_paired),
            ff: Some(ff),
            dsp: Some(1),
            ..Fpga::default()
        };
        let mut sum = Fpga::default();
        sum.add(&piece(5, 0), 3);
        sum.add(&piece(0, 64), 1);
        assert_eq!((sum.lut, sum.lut_paired, sum.ff), (Some(19), Some(15), Some(64)));
        assert_eq!((sum.dsp, sum.slices_bound), (Some(4), Some(8)));
    }
}
