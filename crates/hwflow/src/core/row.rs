//! One row of `results/hardware.json`.

use crate::core::cores::Param;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One operation as a bench measures it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Op {
    /// Its name.
    pub op: String,
    /// Clock cycles.
    pub cycles: u64,
    /// Clock cycles at worst.
    pub cycles_max: u64,
    /// How many run at once.
    pub in_flight: u64,
    /// Holds what was prepared before: a parameter of the row.
    #[serde(default, skip_serializing)]
    pub level: Option<String>,
    /// The parameter set: a parameter of the row.
    #[serde(default, skip_serializing)]
    pub alg: Option<String>,
    /// How many random cases were compared (`hw random`).
    #[serde(default, skip_serializing)]
    pub checked: Option<u64>,
}

impl Op {
    /// Names it for people.
    pub fn line(&self) -> String {
        let Self { op, cycles, cycles_max, in_flight, .. } = self;
        let words: String =
            [&self.alg, &self.level].into_iter().flatten().map(|word| format!(" {word}")).collect();
        format!("{op}{words}: {cycles} cycles (at most {cycles_max}), {in_flight} in flight")
    }
}

/// Holds what an FPGA mapping gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Fpga {
    /// LUTs, each counted.
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
    /// LUTs between registers.
    pub lut_levels: Option<u64>,
}

/// Holds what a mapping to standard cells gives.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Asic {
    /// Area in thousands of NAND2.
    pub kge: Option<f64>,
    /// Area of macros such as memories, which is not in `kge`; 0 where a whole has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_kge: Option<f64>,
    /// `whole` where the netlist is all of a core, its macros included, or `part`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_of: Option<String>,
    /// The corner: process, voltage and temperature as the library names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corner: Option<String>,
    /// The library's name.
    pub liberty: Option<String>,
    /// The library's hash.
    pub liberty_sha256: Option<String>,
    /// Longest path, nanoseconds.
    pub critical_path_ns: Option<f64>,
    /// Energy of one operation, picojoules.
    pub pj_per_op: Option<f64>,
    /// For a whole joined from pieces: each piece's share.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, Parts>,
    /// For a whole joined from pieces: where the longest path begins and ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worst: Option<String>,
}

/// A piece of a whole, all its instances together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// Area in thousands of NAND2.
    pub kge: f64,
    /// Longest path from anywhere into one of its registers, nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ns: Option<f64>,
}

impl Asic {
    /// Says whether the netlist is a part of a core or a whole.
    pub fn of(mut self, part: bool) -> Self {
        if !part {
            self.memory_kge.get_or_insert(0.0);
        }
        self.area_of = Some(if part { "part" } else { "whole" }.into());
        self
    }
}

impl Fpga {
    /// Adds a piece that is there `count` times. Paths through several pieces have no number of
    /// LUTs.
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

/// A row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    /// Core and top module.
    pub core: String,
    /// Parameters, lower case.
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
    /// After place and route.
    pub fmax_mhz: Option<f64>,
    /// The device of `fmax_mhz`.
    pub device: Option<String>,
    /// Tool versions.
    pub tools: String,
    /// Holds what makes the row again.
    pub command: String,
}

impl Row {
    /// Returns true if both rows are about the same thing.
    pub fn same_subject(&self, other: &Self) -> bool {
        (&self.core, &self.params, &self.op.op, &self.asic.liberty_sha256)
            == (&other.core, &other.params, &other.op.op, &other.asic.liberty_sha256)
    }

    /// Takes over what `old` had measured and this one has not.
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

/// Returns `value` with so many decimals.
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
