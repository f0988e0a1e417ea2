//! `hw mutate`: seeds the faults of `rtl/NAME/faults.toml`, one at a time, into a copy of `rtl/`.
//! Every proof and bench that a fault names must catch it, and must pass on the copy without
//! faults. With `--check`, the pass without faults is left to `hw prove --check` for the proofs
//! that it runs.

use crate::core::cores::{Core, Point, Timing, Unit};
use crate::core::options::Options;
use crate::core::results;
use crate::core::tool;
use crate::run::cpu;
use crate::run::prove::{self, REFUSED};
use crate::run::sim;
use crate::run::timing;
use hasten_chore::checkout;
use hasten_chore::failure::{self, Failure, read};
use hasten_report::Unneeded;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Faults {
    fault: Vec<Fault>,
}

/// A fault: a text of a file, and the text that replaces it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    what: String,
    file: String,
    old: String,
    new: String,
    caught_by: Vec<String>,
    #[serde(default)]
    ci: bool,
}

/// Seeds every fault. With `--check` only faults marked `ci` are seeded, and only proofs run, which
/// take seconds. With `--unit` only that check runs.
pub fn run(options: &Options) -> Result<(), Failure> {
    let name = options.core.as_deref().ok_or_else(|| Failure::Usage("hw mutate CORE".into()))?;
    let root = checkout::root()?;
    let mut core =
        Core::chosen(&Options { core: Some(name.into()), ..Options::default() })?.remove(0);
    core.root = tool::work("mutate")?;
    let faults = load(&root, name)?;
    let chosen = |fault: &&Fault| !options.check || fault.ci;
    let checks = |fault: &Fault| -> Vec<String> {
        let of_check = |top: &&String| {
            options.unit.as_ref().is_none_or(|only| only == *top)
                && (!options.check || check(&core, top).is_some_and(Check::is_proof))
        };
        fault.caught_by.iter().filter(of_check).cloned().collect()
    };
    let (mut rows, mut escaped) = (Vec::new(), Vec::new());
    copy(&root.join("rtl"), &core.root.join("rtl"))?;
    let mut all: Vec<String> = faults.iter().filter(chosen).flat_map(checks).collect();
    all.sort();
    all.dedup();
    let proven = |top: &&String| options.check && check(&core, top).is_some_and(Check::is_proven);
    for top in all.iter().filter(|top| !proven(top)) {
        if let Some(how) = caught(&core, top)? {
            return Err(Failure::Tool(format!("{top} does not pass without a fault: {how}")));
        }
    }
    for fault in faults.iter().filter(chosen) {
        let path = core.root.join(&fault.file);
        let text = read(&path)?;
        tool::write(&path, &seeded(fault, &text)?)?;
        for top in checks(fault) {
            let how = caught(&core, &top)?;
            println!("{}: {top} {}", fault.what, how.as_deref().unwrap_or("DOES NOT CATCH IT"));
            match how {
                Some(how) => rows.push(row(fault, &top, &how)),
                None => escaped.push(format!("{}: {top} does not catch it", fault.what)),
            }
        }
        tool::write(&path, &text)?;
        if !options.check {
            keep(&root, name, &faults, &rows)?;
        }
    }
    failure::report("hw mutate", format!("{} faults caught", rows.len()), escaped)
}

fn load(root: &Path, name: &str) -> Result<Vec<Fault>, Failure> {
    let path = root.join("rtl").join(name).join("faults.toml");
    let form = |fault: toml::de::Error| Failure::Form(path.clone(), fault.to_string());
    Ok(toml::from_str::<Faults>(&read(&path)?).map_err(form)?.fault)
}

/// Returns the text with the fault. The text to be replaced must occur exactly once.
fn seeded(fault: &Fault, text: &str) -> Result<String, Failure> {
    match text.matches(&fault.old).count() {
        1 => Ok(text.replace(&fault.old, &fault.new)),
        count => Err(Failure::Form(
            fault.file.clone().into(),
            format!("`{}` stands there {count} times", fault.old),
        )),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let io = |error| Failure::Io(from.into(), error);
    std::fs::create_dir_all(to).map_err(io)?;
    for entry in std::fs::read_dir(from).map_err(io)? {
        let path: PathBuf = entry.map_err(io)?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            std::fs::copy(&path, &target).map_err(io)?;
        }
    }
    Ok(())
}

/// A check that may catch a fault: a proof, a bench, or a proof about timing.
#[derive(Clone, Copy)]
enum Check<'c> {
    Proof(&'c Unit, &'c Point),
    Bench(&'c Unit, &'c Point),
    Timing(&'c Unit, &'c Timing, &'c Point),
}

impl Check<'_> {
    fn is_proof(self) -> bool {
        !matches!(self, Self::Bench(..))
    }

    /// Returns true if `hw prove --check` runs this check.
    fn is_proven(self) -> bool {
        match self {
            Self::Proof(_, point) | Self::Timing(_, _, point) => point.ci,
            Self::Bench(..) => false,
        }
    }
}

/// Returns the first check of this name, at its first point.
fn check<'c>(core: &'c Core, top: &str) -> Option<Check<'c>> {
    let first = |units: &'c [Unit], with: fn(&Unit) -> bool| {
        let unit = units.iter().find(|unit| unit.top == top && with(unit))?;
        Some((unit, unit.points.first()?))
    };
    let timed = || {
        let unit = core.unit.iter().find(|unit| timing::name(unit) == top)?;
        let timing = unit.timing.as_ref()?;
        Some(Check::Timing(unit, timing, timing.points.first()?))
    };
    let benched = || first(&core.unit, |unit| unit.bench.is_some());
    first(&core.proof, |_| true)
        .map(|(unit, point)| Check::Proof(unit, point))
        .or_else(timed)
        .or_else(|| benched().map(|(unit, point)| Check::Bench(unit, point)))
}

/// Returns how a check catches the fault in the copy, or `None` if it does not. It is an error if a
/// tool cannot read the copy.
fn caught(core: &Core, top: &str) -> Result<Option<String>, Failure> {
    match check(core, top).ok_or_else(|| Failure::Usage(format!("no proof or unit {top}")))? {
        Check::Proof(unit, point) => match prove::prove(core, unit, point, "mutate/prove") {
            Ok(()) => Ok(None),
            Err(Failure::Tool(words)) if words.contains(REFUSED) => Ok(Some("refuses it".into())),
            Err(other) => Err(other),
        },
        Check::Timing(unit, timing, point) => {
            let leak = timing::leak(core, unit, timing, point, "mutate/prove")?;
            Ok(leak.map(|path| format!("finds {path}")))
        }
        Check::Bench(unit, point) => {
            let program = sim::rough_program(core, unit, point, "mutate/sim")?;
            bench(Command::new(program).env(SHORT, "1"), LIMIT)
        }
    }
}

/// Environment variable that asks a bench for its short form.
pub const SHORT: &str = "HASTEN_SHORT";

/// Limit on the CPU seconds of the short form of a bench. A bench that exceeds it counts as
/// hanging.
const LIMIT: f64 = 240.0;

/// Returns how a bench fails, or `None` if it passes. A bench that takes more than `limit` CPU
/// seconds counts as hanging.
pub fn bench(program: &mut Command, limit: f64) -> Result<Option<String>, Failure> {
    let path = PathBuf::from(program.get_program());
    let tool = |error: std::io::Error| Failure::Io(path.clone(), error);
    let mut child = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().map_err(tool)?;
    let start = Instant::now();
    let taken = |id| cpu::of_process(id).unwrap_or(start.elapsed().as_secs_f64());
    while taken(child.id()) < limit {
        if let Some(status) = child.try_wait().map_err(tool)? {
            let mut words = String::new();
            if let Some(mut pipe) = child.stderr.take() {
                std::io::Read::read_to_string(&mut pipe, &mut words).map_err(tool)?;
            }
            let said = words.lines().last().unwrap_or("failed").to_string();
            return Ok((!status.success()).then(|| format!("says: {said}")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().and_then(|()| child.wait()).map_err(tool)?;
    Ok(Some("does not end".into()))
}

fn row(fault: &Fault, top: &str, how: &str) -> Value {
    json!({"fault": fault.what, "file": fault.file, "caught_by": top, "how": how})
}

/// Writes the results in the order of the faults. The rows of checks that did not run are kept.
fn keep(root: &Path, name: &str, faults: &[Fault], fresh: &[Value]) -> Result<(), Failure> {
    let path = root.join(format!("results/rtl-faults-{name}.json"));
    let old: Vec<Value> = results::rows(&path)?;
    let mut rows = Vec::new();
    for fault in faults {
        for top in &fault.caught_by {
            let of_both = |row: &&Value| row["fault"] == *fault.what && row["caught_by"] == **top;
            rows.extend(fresh.iter().chain(&old).find(of_both).cloned());
        }
    }
    let machine = Unneeded::because("proofs and simulation do not depend on one");
    let command = format!("cargo xtask hw mutate {name}");
    tool::write(&path, &results::document("hasten.rtl-faults/1", machine, &command, &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_stands_in_its_file_exactly_once() {
        let root = checkout::root().unwrap();
        let all = ["keccak", "xmss"].map(|core| load(&root, core).unwrap());
        for fault in all.into_iter().flatten() {
            let text = read(&root.join(&fault.file)).unwrap();
            assert_ne!(seeded(&fault, &text).unwrap(), text, "{}", fault.what);
            assert!(seeded(&fault, "").is_err() && !fault.caught_by.is_empty());
        }
    }
}
