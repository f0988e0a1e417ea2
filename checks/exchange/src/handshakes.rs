//! `cargo xtask handshakes [--tool PATH] [--count N] [--json]`: compares a handshake with
//! SLH-DSA-SHA2-128f on the server with Bouncy Castle's, in CPU time of both sides together. The
//! two take turns, each with its own client and server.

use crate::interop::bouncycastle::BouncyCastle;
use hasten_chore::failure::{Failure, report};
use hasten_chore::{checkout, program};
use hasten_report::{Origin, Report, published_command};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const USAGE: &str = "Usage: cargo xtask handshakes [--tool PATH] [--count N] [--json]";
const ALG: &str = "SLH-DSA-SHA2-128f";
const GROUP: &str = "X25519MLKEM768";

/// Number of turns of each, and number of handshakes that let Java's compiler warm up.
const TURNS: usize = 3;
const WARM: usize = 40;

/// Hasten must be at least this many times as fast.
const BOUND: f64 = 5.0;

/// Returns minimum, median, 99th percentile (nearest rank) and maximum.
fn summary(mut taken: Vec<f64>) -> Value {
    taken.sort_by(f64::total_cmp);
    let at = |share: f64| {
        taken[((share * taken.len() as f64).ceil() as usize).clamp(1, taken.len()) - 1]
    };
    json!({ "min": at(0.0), "p50": at(0.5), "p99": at(0.99), "max": at(1.0) })
}

/// Runs one turn of Hasten. Returns the row of `hasten tables bounds` and the whole report.
fn ours(tool: &Path) -> Result<(Value, Value), Failure> {
    let printed = program::run(tool, &["tables", "bounds", "--time", "250ms", "--json"])?;
    let report: Value =
        serde_json::from_slice(&printed).map_err(|error| Failure::Tool(error.to_string()))?;
    let row = report["rows"]
        .as_array()
        .and_then(|rows| rows.iter().find(|row| row["alg"] == ALG))
        .cloned();
    Ok((row.ok_or_else(|| Failure::Tool(format!("no row of {ALG}")))?, report))
}

/// Runs one turn of Bouncy Castle. Returns times in microseconds.
fn theirs(castle: &BouncyCastle, place: &Path, count: usize) -> Result<Vec<f64>, Failure> {
    let file = |ending: &str| place.join(format!("bc{ending}")).display().to_string();
    let schemes = "slhdsa_sha2_128f";
    let settings = [
        format!("-Djdk.tls.namedGroups={GROUP}"),
        format!("-Djdk.tls.client.SignatureSchemes={schemes}"),
        format!("-Djdk.tls.server.SignatureSchemes={schemes}"),
    ];
    let java = |words: &[&str]| -> Result<Vec<u8>, Failure> {
        let settings = settings.iter().map(String::as_str);
        let all: Vec<&str> = settings
            .chain(["-cp", castle.class_path(), "Tls"])
            .chain(words.iter().copied())
            .collect();
        program::run("java", &all)
    };
    if !place.join("bc.pem").is_file() {
        java(&["issue", "SLH-DSA-SHA2-128F", &file("")])?;
    }
    let (warm, count) = (WARM.to_string(), count.to_string());
    let printed =
        java(&["measure", &file(".pem"), &file(".key"), &file("-root.pem"), &warm, &count])?;
    let taken: Vec<f64> =
        String::from_utf8_lossy(&printed).lines().filter_map(|line| line.parse().ok()).collect();
    if taken.is_empty() {
        Err(Failure::Tool("Bouncy Castle measured nothing".into()))
    } else {
        Ok(taken)
    }
}

/// Runs the turns and compares their medians.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let root = checkout::root()?;
    let (mut tool, mut count, mut as_json) = (root.join("target/release/hasten"), 40, false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let usage = || Failure::Usage(USAGE.into());
        match arg.as_str() {
            "--json" => as_json = true,
            "--tool" => tool = args.next().map(PathBuf::from).ok_or_else(usage)?,
            "--count" => count = args.next().and_then(|n| n.parse().ok()).ok_or_else(usage)?,
            _ => return Err(usage()),
        }
    }
    let castle = BouncyCastle::prepare(&root)?;
    let place = root.join("target/handshakes");
    std::fs::create_dir_all(&place).map_err(|error| Failure::Io(place.clone(), error))?;
    let (mut rows, mut least, mut first) = (Vec::new(), f64::MAX, Value::Null);
    for turn in 0..TURNS {
        let ((ours, report), taken) = (ours(&tool)?, theirs(&castle, &place, count)?);
        let (handshakes, theirs) = (taken.len(), summary(taken));
        let median = |time: &Value| time["p50"].as_f64().unwrap_or(0.0);
        let ratio = median(&theirs) / median(&ours["handshake_us"]);
        eprintln!(
            "turn {turn}: {:.0} us, Bouncy Castle {:.0} us, {ratio:.1} times",
            median(&ours["handshake_us"]),
            median(&theirs)
        );
        least = least.min(ratio);
        rows.push(json!({ "alg": ALG, "group": GROUP, "handshakes": ours["handshakes"], "handshake_us": ours["handshake_us"],
            "peer": "Bouncy Castle 1.84", "peer_handshakes": handshakes, "peer_us": theirs, "times_as_fast": (ratio * 100.0).round() / 100.0 }));
        first = report;
    }
    if as_json {
        let (command, machine) = (published_command("cargo xtask"), first["machine"].clone());
        let origin = Origin::named_in(&first);
        println!("{}", Report::new("hasten.handshakes/1", command, origin, machine, &rows).json());
    }
    let wrong = (least < BOUND).then(|| format!("{least:.1} times as fast, and {BOUND} is asked"));
    if as_json && wrong.is_none() {
        return Ok(());
    }
    report(
        "handshakes",
        format!("{least:.1} times as fast as Bouncy Castle, in the least of {TURNS} turns"),
        wrong.into_iter().collect(),
    )
}
