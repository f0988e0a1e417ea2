//! wolfSSL, run as the program `benchmark` of its own sources. It is under the GPL. It is therefore
//! built separately and run as a program, and nothing of it is linked or kept here.
//!
//! The program prints the mean of an operation over its minimum run time, which is set when it is
//! built as described in docs/peers.md. Hasten's times are therefore means too, measured in turns
//! with the program. It prints no single signatures, so the slowest is not known.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hasten_hbs::Set;
use hasten_kernels::Kernels;

use crate::ours::Own;
use crate::report::Row;
use crate::side::Peer;
use crate::turns::Turns;
use crate::{OPERATIONS, indices, ours};

/// Options of the program. Each has the names of the sets that it measures, and the beginning of
/// each set's rows.
const OPTIONS: [(&str, &[(&str, &str)]); 9] = [
    (
        "-xmss_xmssmt_sha256",
        &[
            ("XMSS-SHA2_10_256", "XMSS-SHA2_10_256,"),
            ("XMSS-SHA2_10_192", "XMSS-SHA2_10_192,"),
            ("XMSSMT-SHA2_20/2_256", "XMSSMT-SHA2_20/2_256,"),
            ("XMSSMT-SHA2_20/4_256", "XMSSMT-SHA2_20/4_256,"),
        ],
    ),
    (
        "-lms_hss",
        &[
            ("L2_H10_W2", "LMS/HSS L2_H10_W2,"),
            ("L2_H10_W4", "LMS/HSS L2_H10_W4,"),
            ("L3_H5_W8", "LMS/HSS L3_H5_W8,"),
        ],
    ),
    ("-slhdsa-sha2-128s", &[("SLH-DSA-SHA2-128s", "SLH-DSA-SHA2-S,128,")]),
    ("-slhdsa-sha2-128f", &[("SLH-DSA-SHA2-128f", "SLH-DSA-SHA2-F,128,")]),
    ("-slhdsa-sha2-192f", &[("SLH-DSA-SHA2-192f", "SLH-DSA-SHA2-F,192,")]),
    ("-slhdsa-sha2-256f", &[("SLH-DSA-SHA2-256f", "SLH-DSA-SHA2-F,256,")]),
    ("-slhdsa-shake128s", &[("SLH-DSA-SHAKE-128s", "SLH-DSA-SHAKE-S,128,")]),
    ("-slhdsa-shake128f", &[("SLH-DSA-SHAKE-128f", "SLH-DSA-SHAKE-F,128,")]),
    ("-slhdsa-shake256f", &[("SLH-DSA-SHAKE-256f", "SLH-DSA-SHAKE-F,256,")]),
];

/// Number of runs of the program for each option.
const ROUNDS: usize = 4;

/// The program and its description.
pub struct Benchmark {
    program: OsString,
    peer: Peer,
    window: Duration,
}

impl Benchmark {
    /// Runs the program to get its description.
    ///
    /// # Errors
    /// A message, if the program does not run or does not describe itself.
    pub fn find(program: OsString) -> Result<Self, String> {
        let name = program.to_string_lossy().into_owned();
        // Runs a short operation, because the description comes before the measurements.
        let said = Command::new(&program).args(["-csv", "-slhdsa-sha2-128f"]).output();
        let said = said.map_err(|error| format!("{name}: {error}"))?;
        let (peer, window) = introduced(&String::from_utf8_lossy(&said.stdout))
            .map_err(|fault| format!("{name} {fault}"))?;
        Ok(Self { program, peer, window })
    }

    /// Returns the description of the program.
    pub const fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Returns the microseconds of each operation of each set, measured in one run.
    fn run(&self, option: &str, labels: &[&str]) -> Result<Vec<[f64; 3]>, String> {
        let name = self.program.to_string_lossy();
        let mut command = Command::new(&self.program);
        let command = command.args(["-csv", option]).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("{name}: {error}"))?;
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let found = read(lines.map_while(Result::ok), labels);
        // The program would continue with other sets, which are not needed.
        let _ = child.kill();
        let _ = child.wait();
        found.map_err(|fault| format!("{name} {option} {fault}"))
    }
}

/// Returns the description of the program and its minimum run time, from the head of its output.
fn introduced(text: &str) -> Result<(Peer, Duration), String> {
    let behind = |mark: &str| {
        let found = text.lines().find_map(|line| Some(line.split_once(mark)?.1.trim().to_owned()));
        found.ok_or_else(|| format!("prints nothing of {:?}", mark.trim()))
    };
    let seconds = behind(", min ")?;
    let seconds = seconds.strip_suffix(" sec each)").and_then(|number| number.parse().ok());
    let window = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let window = window.filter(|window| !window.is_zero());
    let peer = Peer {
        name: format!("wolfSSL {}", behind("wolfSSL version ")?),
        built: "C compiler, -O3 -march=native, --enable-intelasm and as docs/peers.md says".into(),
        uses: format!("its assembly by the processor: {}", behind("CPU: ")?),
        remark: Some("means by its own benchmark; no single signatures"),
        rebuilds: false,
    };
    Ok((peer, window.ok_or("prints no shortest run time")?))
}

/// Returns the microseconds of each set's operations, as soon as all have been found.
fn read(lines: impl Iterator<Item = String>, labels: &[&str]) -> Result<Vec<[f64; 3]>, String> {
    let mut found = vec![[None; 3]; labels.len()];
    for line in lines {
        for (label, found) in labels.iter().zip(&mut found) {
            note(&line, label, found);
        }
        if found.iter().flatten().all(Option::is_some) {
            break;
        }
    }
    let all = |(label, [make, sign, verify]): (&&str, [Option<f64>; 3])| {
        let all = make.zip(sign).zip(verify).map(|((make, sign), verify)| [make, sign, verify]);
        all.ok_or_else(|| format!("says not all of {label}"))
    };
    labels.iter().zip(found).map(all).collect()
}

/// Stores the time that a line reports, if the line is about the set.
fn note(line: &str, label: &str, found: &mut [Option<f64>; 3]) {
    let Some(fields) = line.strip_prefix(label) else { return };
    let mut fields = fields.split(',');
    // A size may come between the name and the operation, if the name does not end with it.
    let Some(op) = fields.find(|field| field.parse::<u64>().is_err()) else { return };
    let place = match op {
        "gen" | "keygen" | "key gen" => 0,
        "sign" | "encap" => 1,
        "verify" | "decap" => 2,
        _ => return,
    };
    let mut number = || fields.next().and_then(|number| number.parse::<f64>().ok());
    let (millis, per_second) = (number(), number());
    // A millisecond with three decimals is too coarse for an operation of ten microseconds.
    let us = match millis {
        Some(millis) if millis >= 0.1 => Some(millis * 1000.0),
        Some(millis) if millis > 0.0 => per_second.map(|per_second| 1e6 / per_second),
        _ => None,
    };
    found[place] = found[place].or(us.filter(|us| us.is_finite() && *us > 0.0));
}

/// Measures the selected sets, or all, in turns with the program.
///
/// # Errors
/// A message, if the program does not behave as expected.
pub fn rows(
    program: &Benchmark,
    asked: &[&'static Set],
    kernels: Kernels<'static>,
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (option, named) in OPTIONS {
        let mut wanted = Vec::new();
        for (name, label) in named {
            let set = Set::named(name).map_err(|_| format!("no set {name}"))?;
            if asked.is_empty() || asked.contains(&set) {
                wanted.push((set, *label));
            }
        }
        if !wanted.is_empty() {
            rows.extend(of_option(program, option, &wanted, kernels)?);
        }
    }
    Ok(rows)
}

fn of_option(
    program: &Benchmark,
    option: &str,
    wanted: &[(&'static Set, &str)],
    kernels: Kernels<'static>,
) -> Result<Vec<Row>, String> {
    let labels: Vec<&str> = wanted.iter().map(|(_, label)| *label).collect();
    let mut own: Vec<Own> = wanted.iter().map(|(set, _)| ours::side(set, kernels)).collect();
    let turns = in_turn(program, option, &labels, &mut own)?;
    let mut rows = Vec::new();
    for ((set, _), turns) in wanted.iter().zip(&turns) {
        for (op, turns) in OPERATIONS.into_iter().zip(turns) {
            let mut row = Row::new(set.name, op, &program.peer, turns);
            if op == "sign" && indices::fit(set) {
                let mut all = ours::indices(set, kernels);
                row.worst_over_median = Some(indices::worst_over_median(set, &mut all)?);
            }
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Measures Hasten's operations in turns with those that the program reports under `labels`.
///
/// # Errors
/// A message, if the program does not behave as expected.
pub fn in_turn(
    program: &Benchmark,
    option: &str,
    labels: &[&str],
    own: &mut [Own],
) -> Result<Vec<[Turns; 3]>, String> {
    let mut turns: Vec<[Turns; 3]> = labels.iter().map(|_| Default::default()).collect();
    for round in 1..=ROUNDS {
        eprintln!("{}, {option}: round {round} of {ROUNDS}", program.peer.name);
        let told = program.run(option, labels)?;
        for ((own, turns), told) in own.iter_mut().zip(&mut turns).zip(told) {
            for ((work, turns), theirs) in own.iter_mut().zip(turns).zip(told) {
                turns.theirs.push(theirs);
                turns.ours.push(mean(program.window, work));
            }
        }
    }
    Ok(turns)
}

/// Returns the mean of an operation over a window, in microseconds.
fn mean(window: Duration, work: &mut Box<dyn FnMut()>) -> f64 {
    let (begun, mut count) = (Instant::now(), 0_u32);
    while begun.elapsed() < window {
        work();
        count += 1;
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(count)
}

#[cfg(test)]
#[path = "wolfssl/tests.rs"]
mod tests;
