//! `hw pnr --family F`: places and routes a unit in its harness (`harness.rs`), and keeps the
//! figures in `results/routed.json`.

use crate::core::cores::{Core, Param, Point, Unit};
use crate::core::options::Options;
use crate::core::{kept, results, tool};
use crate::map::harness;
use crate::map::router::{self, Family};
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_report::Unneeded;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A row: one point on one device.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Row {
    /// Core and top module.
    core: String,
    /// Parameters, with names in lower case.
    params: BTreeMap<String, Param>,
    /// Device and speed grade.
    device: String,
    /// `routed`, or the progress of the router when it was ended.
    outcome: String,
    /// Clock rate that the router reports, megahertz.
    fmax_mhz: Option<f64>,
    /// Cells that the router counts, including those of the harness.
    #[serde(flatten)]
    used: router::Used,
    /// Flip-flops of the harness.
    harness_ff: u64,
    /// Router and its version.
    tools: String,
    /// Command that reproduces the row.
    command: String,
}

/// Routes every chosen point, and keeps each row as soon as it is finished. If no core is named,
/// these are the points whose description names the family.
pub fn run(options: &Options, name: &str) -> Result<(), Failure> {
    let family = router::family(name)?;
    let named = |point: &&Point| {
        options.core.is_some() || point.routed.iter().any(|routed| routed.as_str() == name)
    };
    for core in Core::chosen(options)? {
        for unit in &core.unit {
            for point in unit.points.iter().filter(named) {
                let row = route(&core, unit, point, options, &family)?;
                let rate = row.fmax_mhz.map_or(String::new(), |mhz| format!(", {mhz} MHz"));
                println!("{} {} on {}: {}{rate}", unit.top, point.slug(), row.device, row.outcome);
                keep(row)?;
            }
        }
    }
    Ok(())
}

fn route(
    core: &Core,
    unit: &Unit,
    point: &Point,
    options: &Options,
    family: &Family,
) -> Result<Row, Failure> {
    let stem = tool::work(&format!("route-{}", family.name))?.join(format!(
        "{}_{}",
        unit.top,
        point.slug()
    ));
    let harness = harness::write(core, unit, point, &stem)?;
    let names = [
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("HARNESS", harness.file.display().to_string()),
        ("SYNTH", family.synth.into()),
        ("OUT", stem.display().to_string()),
    ];
    tool::yosys("route.ys", &names, &stem.with_extension("log"))?;
    let result = router::run(family, &stem, options)?;
    Ok(Row {
        core: kept::subject(core, unit),
        params: point.params.clone(),
        device: family.device.into(),
        outcome: result.outcome,
        fmax_mhz: result.fmax_mhz,
        used: result.used,
        harness_ff: harness.ff,
        tools: router::version(family)?,
        command: format!(
            "cargo xtask hw pnr {} --unit {} --family {}{}{}",
            core.name,
            unit.top,
            family.name,
            options.chosen(),
            options.of_router()
        ),
    })
}

fn keep(row: Row) -> Result<(), Failure> {
    let path = checkout::root()?.join("results/routed.json");
    let subject = |row: &Row| (row.core.clone(), row.params.clone(), row.device.clone());
    let key = |row: &Row| (row.core.clone(), format!("{:?}", row.params), row.device.clone());
    let rows = results::beside(&path, vec![row], subject, key)?;
    let machine = Unneeded::because("a routed clock rate does not depend on one");
    tool::write(&path, &results::document("hasten.routed/1", machine, "cargo xtask hw pnr", &rows))
}
