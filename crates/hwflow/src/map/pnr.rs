//! `hw pnr`: places and routes on an ECP5-85F, speed grade 8, with ports left unplaced. With
//! `--family` it uses a harness (`routed.rs`).

use crate::core::cores::{Core, Point, Unit};
use crate::core::kept;
use crate::core::options::Options;
use crate::core::tool;
use crate::map::{fpga, routed, router};
use hasten_chore::failure::{Failure, read};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Device that the figures are for.
pub const DEVICE: &str = "ECP5-85F-8";

/// Routes every chosen point and stores the clock rate in the rows of the report.
pub fn run(options: &Options) -> Result<(), Failure> {
    if let Some(family) = &options.family {
        return routed::run(options, family);
    }
    for core in Core::chosen(options)? {
        for unit in &core.unit {
            for point in &unit.points {
                let fmax = route(&core, unit, point, options)?;
                println!("{} {}: {fmax} MHz on {DEVICE}", unit.top, point.slug());
                kept::set_fmax(&core, unit, point, fmax, DEVICE)?;
            }
        }
    }
    Ok(())
}

fn route(core: &Core, unit: &Unit, point: &Point, options: &Options) -> Result<f64, Failure> {
    let netlist = fpga::run("ecp5.ys", core, unit, point, "ecp5")?;
    let result = netlist.with_extension("pnr.json");
    println!("routing {} {}: minutes to an hour of CPU time", unit.top, point.slug());
    place_and_route(&netlist, options)?;
    let json: Value = serde_json::from_str(&read(&result)?)
        .map_err(|fault| Failure::Form(result.clone(), fault.to_string()))?;
    let clocks = json["fmax"].as_object().and_then(|clocks| clocks.values().next().cloned());
    let fmax = clocks.and_then(|clock| clock["achieved"].as_f64());
    fmax.map(|mhz| (mhz * 10.0).round() / 10.0)
        .ok_or_else(|| Failure::Form(result, "no clock".into()))
}

/// Runs nextpnr and keeps its log with the netlist. If it fails or runs out of time, the error has
/// the last lines of the log.
fn place_and_route(netlist: &Path, options: &Options) -> Result<(), Failure> {
    let said = netlist.with_extension("pnr.log");
    let log = std::fs::File::create(&said).map_err(|error| Failure::Io(said.clone(), error))?;
    let mut command = Command::new("sh");
    let limit = options.minutes.map_or("unlimited".into(), |minutes| (60 * minutes).to_string());
    command.args(["-c", "ulimit -t $0 && exec \"$@\"", &limit]);
    command.arg(tool::pinned("nextpnr-ecp5")?);
    command.args(["--85k", "--speed", "8", "--package", "CABGA756", "--out-of-context"]);
    command.args(["--router", "router2"]).args(router::settings(options));
    command.arg("--json").arg(netlist).arg("--report").arg(netlist.with_extension("pnr.json"));
    let io = |error| Failure::Io(said.clone(), error);
    let status = command.stdout(log.try_clone().map_err(io)?).stderr(log).status().map_err(io)?;
    if status.success() {
        return Ok(());
    }
    let text = read(&said)?;
    let last: Vec<&str> = text.lines().rev().take(8).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    Err(Failure::Tool(format!("not routed ({status}); the last words:\n{}", last.join("\n"))))
}
