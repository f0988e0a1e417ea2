//! `hw prove`: runs the proofs of a core. Each proof is a top module whose output `differs_o` is
//! never 1: for any content of the registers (`flow/equiv.ys`), for a number of cycles after a
//! reset (`flow/bounded.ys`), or for all time after a reset (`flow/induction.ys`). Another kind of
//! proof shows that registers are wiped: two copies with any content become equal
//! (`flow/wiped.ys`). In addition, some units show that their time does not depend on secrets
//! ([`timing`]).

use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::results;
use crate::core::row::round;
use crate::core::tool;
use crate::run::cpu::Clock;
use crate::run::timing;
use hasten_chore::failure::{self, Failure};
use serde_json::{Value, json};

/// Runs all proofs, or those marked `ci` with `--check`, and reports the time that each took.
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for core in Core::chosen(options)? {
        for proof in &core.proof {
            for point in &proof.points {
                let row = proven(&core, proof, point)?;
                if !options.json {
                    let (slug, how) = (point.slug(), method(proof, point)?);
                    println!("{} {slug}: {how}, {} s of CPU", proof.top, row["cpu_seconds"]);
                }
                rows.push(row);
            }
        }
        for row in timings(&core)? {
            if !options.json {
                let word = |key: &str| row[key].as_str().unwrap_or_default();
                println!("{}: {}, {} s of CPU", word("proof"), word("proven"), row["cpu_seconds"]);
            }
            rows.push(row);
        }
    }
    if options.json {
        let core = options.core.as_ref().map_or(String::new(), |core| format!(" {core}"));
        let command = format!("cargo xtask hw prove{core} --json");
        let machine = hasten_report::Machine::this();
        print!("{}", results::document("hasten.rtl-proofs/1", machine, &command, &rows));
        return Ok(());
    }
    failure::report("hw prove", format!("{} proofs", rows.len()), Vec::new())
}

fn proven(core: &Core, proof: &Unit, point: &Point) -> Result<Value, Failure> {
    let clock = Clock::start();
    prove(core, proof, point, "prove")?;
    Ok(row(&clock, core, &proof.top, point, &method(proof, point)?))
}

/// Returns the row of a proof that has ended.
fn row(clock: &Clock, core: &Core, proof: &str, point: &Point, proven: &str) -> Value {
    json!({"core": core.name, "proof": proof, "params": point.params, "proven": proven,
        "seconds": round(clock.seconds(), 1),
        "cpu_seconds": clock.of_cpu().map(|cpu| round(cpu, 1))})
}

/// Shows that the time of a unit does not depend on secrets, for each unit that claims it.
fn timings(core: &Core) -> Result<Vec<Value>, Failure> {
    let mut rows = Vec::new();
    let all = core.unit.iter().filter_map(|unit| Some((unit, unit.timing.as_ref()?)));
    for (unit, timing) in all {
        for point in &timing.points {
            let (name, clock) = (timing::name(unit), Clock::start());
            if let Some(path) = timing::leak(core, unit, timing, point, "prove")? {
                return Err(Failure::Tool(format!("{name}: a secret is before it: {path}")));
            }
            rows.push(row(&clock, core, &name, point, "nothing shown depends on a secret"));
        }
    }
    Ok(rows)
}

/// Runs one proof. The error message of a failed proof contains [`REFUSED`].
pub fn prove(core: &Core, proof: &Unit, point: &Point, folder: &str) -> Result<(), Failure> {
    let log = tool::work(folder)?.join(format!("{}_{}.log", proof.top, point.slug()));
    let steps = proof.steps.or(wiped(proof, point)?).unwrap_or(0);
    let except = proof.except.iter().flat_map(|names| names.split_whitespace());
    let except: Vec<String> = except.map(|name| format!("{}/w:{name} %d", proof.top)).collect();
    let holds = proof.holds.as_ref().map(|signal| format!("connect -set {signal} 1'1"));
    let names = [
        ("FILES", proof.sources(&core.root).join(" ")),
        ("TOP", proof.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("STEPS", steps.to_string()),
        ("LAST", (steps + 1).to_string()),
        ("EXCEPT", except.join(" ")),
        ("HOLDS", holds.unwrap_or_default()),
    ];
    tool::yosys(script(proof), &names, &log)
}

fn script(proof: &Unit) -> &'static str {
    match (proof.wiped, proof.steps) {
        (Some(_), _) => "wiped.ys",
        (None, Some(_)) => "bounded.ys",
        (None, None) if proof.always => "induction.ys",
        (None, None) => "equiv.ys",
    }
}

/// Message of yosys if a proof does not hold.
pub const REFUSED: &str = "Called with -verify and proof did fail!";

/// Returns the cycles that the proof covers, as text.
fn method(proof: &Unit, point: &Point) -> Result<String, Failure> {
    if let Some(cycles) = wiped(proof, point)? {
        return Ok(format!("nothing held is left after {cycles} cycles"));
    }
    Ok(match proof.steps {
        Some(steps) => format!("for {steps} cycles after a reset"),
        None if proof.always => "for all time after a reset".into(),
        None => "for every state".into(),
    })
}

/// Returns the number of cycles after which nothing is left, if the proof shows that.
fn wiped(proof: &Unit, point: &Point) -> Result<Option<u64>, Failure> {
    let (Some(cycles), Some(name)) = (proof.wiped, &proof.wiped_plus) else {
        return Ok(proof.wiped);
    };
    let more = point.number(name).ok_or_else(|| {
        Failure::Usage(format!("{} of {} has no number {name}", point.slug(), proof.top))
    })?;
    Ok(Some(cycles + more))
}
