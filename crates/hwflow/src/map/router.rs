//! Runs the routers and reads their results.

use crate::core::options::Options;
use crate::core::tool;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitStatus};

/// A family of devices with its router.
pub struct Family {
    /// Name on the command line.
    pub name: &'static str,
    /// yosys command that maps to the family.
    pub synth: &'static str,
    /// Device and its speed grade.
    pub device: &'static str,
    tool: &'static str,
    /// Arguments of the router. `@FLOW@` stands for the folder `flow`, which has pin files for
    /// routers that choose no pins themselves.
    arguments: &'static [&'static str],
    /// Names of cells in the router's report: LUTs, flip-flops, block RAMs, multipliers.
    cells: [&'static [&'static str]; 4],
}

const FAMILIES: [Family; 2] = [
    Family {
        name: "ecp5",
        synth: "synth_ecp5",
        device: "ECP5-85F-8",
        tool: "nextpnr-ecp5",
        arguments: &[
            "--85k",
            "--speed",
            "8",
            "--package",
            "CABGA756",
            "--lpf-allow-unconstrained",
            "--router",
            "router2",
        ],
        cells: [&["TRELLIS_COMB"], &["TRELLIS_FF"], &["DP16KD"], &["MULT18X18D"]],
    },
    Family {
        name: "gw5a",
        synth: "synth_gowin -family gw5a",
        device: "GW5AST-138C",
        tool: "nextpnr-himbaechel-gowin",
        arguments: &[
            "--device",
            "GW5AST-LV138PG484AC1/I0",
            "--vopt",
            "family=GW5AST-138C",
            "--vopt",
            "cst=@FLOW@/gw5a.cst",
        ],
        cells: [&["LUT4"], &["DFF"], &["BSRAM"], &["MULT12X12", "MULTALU27X18"]],
    },
];

/// Numbers of used cells of a device.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Used {
    /// LUTs of four inputs, including those that only pass on a signal or a carry.
    pub lut: Option<u64>,
    /// Flip-flops.
    pub ff: Option<u64>,
    /// Block RAMs.
    pub bram: Option<u64>,
    /// Multipliers.
    pub dsp: Option<u64>,
    /// Used percentage of the device's LUTs.
    pub percent: Option<u64>,
}

/// Result of a router.
pub struct Routed {
    /// `routed`, or the progress of the router when it was ended.
    pub outcome: String,
    /// Clock rate that the router reports, megahertz.
    pub fmax_mhz: Option<f64>,
    /// Cells that the router counts.
    pub used: Used,
}

/// Returns the family with this name.
pub fn family(name: &str) -> Result<Family, Failure> {
    let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    FAMILIES.into_iter().find(|family| family.name == name).ok_or_else(|| {
        Failure::Usage(format!("no such family to route on: {name} ({})", names.join(", ")))
    })
}

/// Returns the name and the pinned version of the router.
pub fn version(family: &Family) -> Result<String, Failure> {
    let root = checkout::root()?;
    let pins = read(&root.join("flow/requirements.txt"))? + &read(&root.join("flow/routers.txt"))?;
    let wheel = format!("yowasp-{}==", family.tool);
    let pin = pins.lines().find_map(|line| line.strip_prefix(wheel.as_str()));
    let version = pin.and_then(|pin| pin.split(".post").next()).unwrap_or("?");
    Ok(format!("{} {version}", family.tool))
}

/// Places and routes `stem.json`, and keeps the router's log with it. It is not a failure if the
/// router is ended at the time limit.
pub fn run(family: &Family, stem: &Path, options: &Options) -> Result<Routed, Failure> {
    let said = stem.with_extension("pnr.log");
    let report = stem.with_extension("pnr.json");
    let _ = std::fs::remove_file(&report);
    let status = start(family, stem, options)?
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .arg("--log")
        .arg(&said)
        .arg("--report")
        .arg(&report)
        .status()
        .map_err(|error| Failure::Io(said.clone(), error))?;
    let log = read(&said)?;
    if !status.success() {
        return Ok(Routed {
            outcome: ended(status, &log)?,
            fmax_mhz: None,
            used: counted(family, |name| table(&log, name)),
        });
    }
    let json: Value = serde_json::from_str(&read(&report)?)
        .map_err(|fault| Failure::Form(report.clone(), fault.to_string()))?;
    let clocks = json["fmax"].as_object().and_then(|clocks| clocks.values().next().cloned());
    let fmax = clocks
        .and_then(|clock| clock["achieved"].as_f64())
        .ok_or_else(|| Failure::Form(report, "no clock".into()))?;
    let cells = &json["utilization"];
    Ok(Routed {
        outcome: "routed".into(),
        fmax_mhz: Some((fmax * 10.0).round() / 10.0),
        used: counted(family, |name| {
            Some((cells[name]["used"].as_u64()?, cells[name]["available"].as_u64()?))
        }),
    })
}

/// Returns the settings of every router: seed, clock rate, and density of the placement.
pub fn settings(options: &Options) -> Vec<String> {
    let seed = options.seed.unwrap_or(1).to_string();
    let mut all = vec!["--seed", &seed, "--freq", "200", "--timing-allow-fail"];
    let density = options.density.map(|density| density.to_string());
    all.extend(density.iter().flat_map(|density| ["--placer-heap-beta", density]));
    all.into_iter().map(String::from).collect()
}

fn start(family: &Family, stem: &Path, options: &Options) -> Result<Command, Failure> {
    let mut command = Command::new("sh");
    let limit = options.minutes.map_or("unlimited".into(), |minutes| (60 * minutes).to_string());
    command.args(["-c", "ulimit -t $0 && exec \"$@\"", &limit]);
    let flow = checkout::root()?.join("flow").display().to_string();
    command.arg(tool::pinned(family.tool)?);
    command.args(family.arguments.iter().map(|argument| argument.replace("@FLOW@", &flow)));
    command.args(settings(options));
    command.arg("--json").arg(stem.with_extension("json"));
    Ok(command)
}

/// Returns the progress of a router that was ended by a signal. A router that gave up by itself is
/// an error.
fn ended(status: ExitStatus, log: &str) -> Result<String, Failure> {
    let last = |start: &str| log.lines().rev().find_map(|line| line.strip_prefix(start));
    match (status.code(), last("Info: ")) {
        (None, Some(words)) => Ok(format!("ended at: {}", words.trim())),
        _ => {
            let words = last("ERROR: ").unwrap_or("without a word");
            Err(Failure::Tool(format!("not routed ({status}): {words}")))
        }
    }
}

/// Returns the used and the available cells of a kind, from the table in the log.
fn table(log: &str, name: &str) -> Option<(u64, u64)> {
    let line = log.lines().find_map(|line| {
        let (_, counts) =
            line.trim_start_matches("Info:").trim().split_once(&format!("{name}:"))?;
        counts.split_once('/')
    })?;
    let available = line.1.split_whitespace().next()?.parse().ok()?;
    Some((line.0.trim().parse().ok()?, available))
}

fn counted(family: &Family, cells: impl Fn(&str) -> Option<(u64, u64)>) -> Used {
    let sum = |names: &[&str]| {
        let found: Vec<(u64, u64)> = names.iter().filter_map(|name| cells(name)).collect();
        let add = |sum: (u64, u64), more: &(u64, u64)| (sum.0 + more.0, sum.1 + more.1);
        (!found.is_empty()).then(|| found.iter().fold((0, 0), add))
    };
    let [lut, ff, bram, dsp] = family.cells.map(sum);
    let used = |cells: Option<(u64, u64)>| cells.map(|(used, _)| used);
    Used {
        lut: used(lut),
        ff: used(ff),
        bram: used(bram),
        dsp: used(dsp),
        percent: lut.map(|(used, available)| (100 * used).div_ceil(available.max(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "Info: Device utilisation:
Info:         TRELLIS_FF:    1800/ 83640     2%
Info:       TRELLIS_COMB:    4000/ 83640     4%
Info:    iter=9 wires=20 overused=14100 overuse=3 tns=-1
";

    #[test]
    fn cells_are_counted_in_the_log_of_a_router_that_was_ended() {
        let ecp5 = family("ecp5").unwrap();
        let used = counted(&ecp5, |name| table(LOG, name));
        let expected =
            Used { lut: Some(4000), ff: Some(1800), percent: Some(5), ..Used::default() };
        assert_eq!(used, expected);
        assert!(matches!(family("xc7"), Err(Failure::Usage(_))));
    }

    #[test]
    fn the_last_words_of_a_router_that_was_ended_are_kept() {
        use std::os::unix::process::ExitStatusExt;
        let words = ended(ExitStatus::from_raw(9), LOG).unwrap();
        assert_eq!(words, "ended at: iter=9 wires=20 overused=14100 overuse=3 tns=-1");
        let failed = ended(ExitStatus::from_raw(1 << 8), &format!("{LOG}ERROR: no place\n"));
        assert!(failed.unwrap_err().to_string().contains("no place"));
    }
}
