//! `hw claims`: what the source of the Keccak core claims, and what was asked of its points, against the RTL and the kept rows.

use crate::checkout;
use crate::core::cores::Param;
use crate::core::row::Row;
use crate::core::tool;
use crate::failure::{self, Failure};
use crate::map::asic::round;
use crate::map::netlist::Module;
use crate::report::rows;
use std::collections::HashMap;

/// Bits of a block of SHA3-512, which the source counts with.
pub const RATE: f64 = 576.0;

/// Checks everything; what does not hold is a finding.
pub fn run() -> Result<(), Failure> {
    let mut found = Vec::new();
    let mut line = |what: String, holds: bool| {
        println!("{} {what}", if holds { "holds:" } else { "FAILS:" });
        if !holds {
            found.push(what);
        }
    };
    for (inner, place, wanted) in
        [(1, "theta2 | theta3", 5), (2, "theta | rho", 6), (3, "pi | chi", 6)]
    {
        let gates = path(inner, "")?;
        line(
            format!(
                "register {place}: {gates} gates on the longest path, {wanted} by the source's count"
            ),
            gates == wanted,
        );
        let balanced = path(inner, "abc -g AND,OR,XOR,XNOR,ANDNOT,ORNOT,NAND,NOR")?;
        println!("       balanced by abc into gates of two inputs: {balanced}");
    }
    let kept = 100.0 * (1.0 - constant_gates()? as f64 / 64.0);
    line(
        format!(
            "seven-bit constants save {kept:.1} % of the gates and bits, about 90 % by the source"
        ),
        kept > 89.0,
    );
    for (what, holds) in points(&rows::load()?)? {
        line(what, holds);
    }
    failure::report("hw claims", "all hold".into(), found)
}

/// One round in gates.
fn round_in_gates(inner: u32, balance: &str) -> Result<Module, Failure> {
    let root = checkout::root()?;
    let files = ["keccak_pkg.sv", "keccak_round.sv"]
        .map(|file| root.join("rtl/keccak").join(file).display().to_string());
    let kind = if balance.is_empty() { "written" } else { "balanced" };
    let out = tool::work("claims")?.join(format!("round_inner{inner}_{kind}"));
    let names = [
        ("FILES", files.join(" ")),
        ("TOP", "keccak_round".into()),
        ("PARAMS", format!("-G UNROLL=1 -G INNER={inner}")),
        ("BALANCE", balance.into()),
        ("OUT", out.display().to_string()),
    ];
    tool::yosys("gates.ys", &names, &out.with_extension("log"))?;
    Module::load(&out.with_extension("json"), "keccak_round")
}

/// Gates on the longest path of the state between registers, an inverter counted as a gate.
fn path(inner: u32, balance: &str) -> Result<u64, Failure> {
    let module = round_in_gates(inner, balance)?;
    let mut level: HashMap<u64, u64> = HashMap::new();
    let starts = module.ports.get("state_i").into_iter().flat_map(|port| &port.bits);
    level.extend(starts.filter_map(|bit| Some((bit.as_u64()?, 0))));
    let registers = module.cells.values().filter(|cell| cell.kind.contains("DFF"));
    level.extend(registers.flat_map(|cell| cell.nets("output")).map(|net| (net, 0)));
    let mut left: Vec<_> =
        module.cells.values().filter(|cell| !cell.kind.contains("DFF")).collect();
    loop {
        let before = left.len();
        left.retain(|cell| {
            let inputs = cell.nets("input");
            let known: Option<Vec<u64>> =
                inputs.iter().map(|net| level.get(net).copied()).collect();
            let Some(known) = known else { return true };
            let depth = 1 + known.into_iter().max().unwrap_or(0);
            level.extend(cell.nets("output").into_iter().map(|net| (net, depth)));
            false
        });
        if left.len() == before {
            return Ok(level.into_values().max().unwrap_or(0));
        }
    }
}

/// Gates that add a bit of the round constant.
fn constant_gates() -> Result<usize, Failure> {
    let module = round_in_gates(1, "")?;
    let bits = module.netnames.get("constant").map(|net| net.bits.clone()).unwrap_or_default();
    let bits: Vec<u64> = bits.iter().filter_map(serde_json::Value::as_u64).collect();
    let adds = |kind: &str| kind == "$_XOR_" || kind == "$_XNOR_";
    let gates = module.cells.values().filter(|cell| adds(&cell.kind));
    Ok(gates.filter(|cell| cell.nets("input").iter().any(|net| bits.contains(net))).count())
}

/// The kept row of a point in the library of the published figures.
fn point(rows: &[Row], params: [i64; 5]) -> Result<&Row, Failure> {
    let names = ["unroll", "inner", "outreg", "entry", "rate"];
    let fits = |row: &&Row| {
        row.core == "keccak/keccak_core"
            && row.asic.liberty.as_deref().is_some_and(|name| name.starts_with("sg13g2"))
            && names
                .iter()
                .zip(params)
                .all(|(name, value)| row.params.get(*name) == Some(&Param::Number(value)))
    };
    rows.iter().find(fits).ok_or_else(|| Failure::Tool(format!("no row of {params:?}")))
}

/// Bits of SHA3-512 in each cycle.
pub fn bits_per_cycle(row: &Row) -> f64 {
    RATE * row.op.in_flight as f64 / row.op.cycles as f64
}

/// Gigabits each second and thousand gates, at the critical path.
pub fn gbps_per_kge(row: &Row) -> Option<f64> {
    Some(bits_per_cycle(row) / row.asic.critical_path_ns? / row.asic.kge?)
}

/// What was asked of the three points.
fn points(rows: &[Row]) -> Result<Vec<(String, bool)>, Failure> {
    let mut lines = Vec::new();
    let source = point(rows, [2, 1, 1, 0, 1344])?;
    let fpga = source.fpga;
    let mut most = |what: &str, value: Option<u64>, bound: u64| {
        let value = value.unwrap_or(u64::MAX);
        lines.push((format!("{what}: {value}, at most {bound}"), value <= bound));
    };
    most("the source's point, LUT counted singly", fpga.lut, 6300);
    most("the source's point, LUT after pairing", fpga.lut_paired, 5500);
    most("the source's point, FF", fpga.ff, 8800);
    most("the source's point, slices (the source: 1,498)", fpga.slices_bound, 1400);
    most(
        "the source's point for SHA3-512 only, LUT",
        point(rows, [2, 1, 1, 0, 576])?.fpga.lut,
        5400,
    );
    let second = point(rows, [2, 1, 1, 1, 1344])?;
    let singly =
        second.fpga.lut.unwrap_or(0).div_ceil(4).max(second.fpga.ff.unwrap_or(0).div_ceil(8));
    let efficiency = round(bits_per_cycle(second) / singly as f64, 4);
    let levels = second.fpga.lut_levels.unwrap_or(u64::MAX);
    lines.push((
        format!("second point (message inside chi): {efficiency} bits per cycle and slice counted singly, at least 0.034, at {levels} LUT levels, at most 2"),
        efficiency >= 0.034 && levels <= 2,
    ));
    for (name, params) in [
        ("one round", [1, 0, 1, 0, 1344]),
        ("two rounds, a register after each", [2, 0, 1, 0, 1344]),
    ] {
        let best = round(gbps_per_kge(point(rows, params)?).unwrap_or(0.0), 3);
        lines.push((
            format!("third point ({name}): {best} Gbps per kGE, at least 0.45"),
            best >= 0.45,
        ));
    }
    Ok(lines)
}
