//! Counts LUT, FF, DSP and BRAM on a Xilinx family or on ECP5.

use crate::core::cores::{Core, Point, Unit};
use crate::core::row::Fpga;
use crate::core::tool;
use crate::map::lut_pairs;
use crate::map::map_hierarchy;
use crate::map::netlist::Module;
use hasten_chore::failure::Failure;
use std::path::PathBuf;

/// Synthesizes a point for a family and returns the figures.
pub fn map(core: &Core, unit: &Unit, point: &Point, family: &str) -> Result<Fpga, Failure> {
    if !unit.boxes.is_empty() {
        return map_hierarchy::luts(core, unit, point, family);
    }
    let (script, netlist) = match family {
        "xc6v" | "xc7" => ("fpga.ys", run("fpga.ys", core, unit, point, family)?),
        "ecp5" => ("ecp5.ys", run("ecp5.ys", core, unit, point, family)?),
        other => return Err(Failure::Usage(format!("no such family: {other} (xc6v, xc7, ecp5)"))),
    };
    let module = Module::load(&netlist, &unit.top)?;
    Ok(figures(&module, script))
}

/// Returns the figures of a netlist that the given script of `flow/` wrote.
pub fn figures(module: &Module, script: &str) -> Fpga {
    if script == "fpga.ys" { xilinx(module) } else { ecp5(module) }
}

/// Runs a script of `flow/` and returns the path of the netlist.
pub fn run(
    script: &str,
    core: &Core,
    unit: &Unit,
    point: &Point,
    family: &str,
) -> Result<PathBuf, Failure> {
    let folder = tool::work(family)?;
    let out = folder.join(format!("{}_{}", unit.top, point.slug()));
    let names = [
        ("BLACK", String::new()),
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("FAMILY", family.to_string()),
        ("OUT", out.display().to_string()),
    ];
    tool::yosys(script, &names, &out.with_extension("log"))?;
    Ok(out.with_extension("json"))
}

fn xilinx(module: &Module) -> Fpga {
    let luts = module.luts();
    let shift = module.count(|kind| {
        kind.starts_with("SRL") || kind.starts_with("RAM") && !kind.starts_with("RAMB")
    });
    let lut = luts.len() as u64 + shift;
    let lut_paired = lut_pairs::paired(&luts) + shift;
    let ff =
        module.count(|kind| matches!(kind, "FDRE" | "FDSE" | "FDCE" | "FDPE" | "LDCE" | "LDPE"));
    let halves = module.count(|kind| kind.starts_with("RAMB18"));
    let bram = module.count(|kind| kind.starts_with("RAMB36")) as f64 + halves as f64 / 2.0;
    Fpga {
        lut: Some(lut),
        lut_paired: Some(lut_paired),
        ff: Some(ff),
        dsp: Some(module.count(|kind| kind.starts_with("DSP48"))),
        bram: Some(bram),
        slices_bound: Some(lut_paired.div_ceil(4).max(ff.div_ceil(8))),
        lut_levels: Some(module.lut_levels()),
    }
}

/// Returns the figures for ECP5, which has LUT4. Pairing, slices and levels are not reported.
fn ecp5(module: &Module) -> Fpga {
    Fpga {
        lut: Some(module.count(|kind| kind == "LUT4") + 2 * module.count(|kind| kind == "CCU2C")),
        ff: Some(module.count(|kind| kind == "TRELLIS_FF")),
        dsp: Some(module.count(|kind| kind.starts_with("MULT18"))),
        bram: Some(module.count(|kind| kind == "DP16KD") as f64),
        ..Fpga::default()
    }
}
