//! `cargo xtask load [--tool PATH] [--handshakes N] [--hellos N] [--json]`: load tests of `hasten
//! serve`, on loopback only.
//!
//! - Handshakes, 64 at a time: none may be lost, and the server's memory must stay flat.
//! - Changed ClientHellos: the server must survive them.
//! - A thousand silent and slow clients: the server must drop them while it serves others.
//! - A limit on signatures: beyond it the server refuses clients, and loses none.

mod hellos;
mod idle;
mod service;
mod signing;

use hasten_chore::checkout;
use hasten_chore::failure::{Failure, report};
use hasten_report::{Origin, Report, published_command};
use serde_json::{Value, json};
use service::{Service, TIMEOUT};
use std::path::PathBuf;

/// Connections at the same time.
const AT_ONCE: usize = 64;

/// Number of steps of the handshakes. The memory is read after each step.
const STEPS: usize = 10;

/// After the first fifth of the handshakes, memory may grow by this factor, which allocators need.
const FLAT: f64 = 1.10;

struct Asked {
    tool: PathBuf,
    handshakes: usize,
    hellos: usize,
    as_json: bool,
}

const USAGE: &str = "Usage: cargo xtask load [--tool PATH] [--handshakes N] [--hellos N] [--json]";

fn asked(args: &[String]) -> Result<Asked, Failure> {
    let usage = || Failure::Usage(USAGE.into());
    let tool = checkout::root()?.join("target/release/hasten");
    let mut asked = Asked { tool, handshakes: 10_000, hellos: 10_000, as_json: false };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|n| n.parse().ok()).ok_or_else(usage);
        match arg.as_str() {
            "--json" => asked.as_json = true,
            "--handshakes" => asked.handshakes = number()?,
            "--hellos" => asked.hellos = number()?,
            "--tool" => asked.tool = args.next().map(PathBuf::from).ok_or_else(usage)?,
            _ => return Err(usage()),
        }
    }
    Ok(asked)
}

/// Runs one step of handshakes. Returns the client's report.
fn step(service: &Service, count: usize) -> Result<Value, Failure> {
    let (count, at_once) = (count.to_string(), AT_ONCE.to_string());
    let printed = service.client(&[
        "--times",
        &count,
        "--at-once",
        &at_once,
        "--timeout",
        "60s",
        "--json",
    ])?;
    serde_json::from_str(&printed).map_err(|error| Failure::Tool(format!("{error}: {printed}")))
}

/// Runs all handshakes. Returns their row and the first report, which describes the machine.
fn handshakes(
    service: &Service,
    count: usize,
    wrong: &mut Vec<String>,
) -> Result<(Value, Value), Failure> {
    let (mut memory, mut rates, mut failed, mut first) = (Vec::new(), Vec::new(), 0, Value::Null);
    for done in 0..STEPS {
        let report = step(service, count / STEPS)?;
        let row = &report["rows"][0];
        failed += row["failed"].as_u64().unwrap_or(1);
        rates.push(row["per_second"].as_f64().unwrap_or(0.0));
        memory.push(service.resident()?);
        eprintln!("{} handshakes: {} kB resident", (done + 1) * (count / STEPS), memory[done]);
        if done == 0 {
            first = report;
        }
    }
    let served = service.served();
    if failed > 0 || served != count / STEPS * STEPS {
        wrong.push(format!("{failed} handshakes failed, the server counts {served}"));
    }
    let growth = memory[STEPS - 1] as f64 / memory[1] as f64;
    if growth > FLAT {
        wrong.push(format!("memory grew to {growth:.2} times: {memory:?} kB"));
    }
    let rate = rates.iter().sum::<f64>() / rates.len() as f64;
    let row = json!({ "what": "handshakes", "count": served, "at_once": AT_ONCE, "lost": failed,
        "per_second": rate.round(), "resident_kb": memory, "growth": (growth * 1e3).round() / 1e3 });
    Ok((row, first))
}

/// Runs all parts, and then a few handshakes that must still succeed.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let asked = asked(args)?;
    let service = Service::start(&asked.tool, "ML-DSA-65", TIMEOUT, &[])?;
    let mut wrong = Vec::new();
    let (row, first) = handshakes(&service, asked.handshakes, &mut wrong)?;
    let mut rows = vec![row, hellos::run(&service, asked.hellos, &mut wrong)?];
    rows.push(idle::run(&asked.tool, &mut wrong)?);
    rows.extend(signing::run(
        &asked.tool,
        (asked.handshakes / STEPS).max(AT_ONCE * 2),
        &mut wrong,
    )?);
    let last = step(&service, AT_ONCE)?;
    if last["rows"][0]["failed"] != 0 {
        wrong.push("afterwards handshakes failed".into());
    }
    if asked.as_json {
        let (command, machine) = (published_command("cargo xtask"), first["machine"].clone());
        let origin = Origin::named_in(&first);
        println!("{}", Report::new("hasten.load/1", command, origin, machine, &rows).json());
    }
    if asked.as_json && wrong.is_empty() {
        return Ok(());
    }
    let good = format!(
        "{} handshakes, {} changed ClientHellos, slow and silent clients let go, signatures limited",
        asked.handshakes, asked.hellos
    );
    report("load", good, wrong)
}
