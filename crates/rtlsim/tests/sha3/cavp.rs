//! The vectors of NIST's validation program on the simulated gates: short, long, variable output,
//! Monte Carlo.
//!
//! `HASTEN_RTL_FULL=1` makes the Monte Carlo runs complete; `HASTEN_RESULT=results/rtl-monte.json`
//! keeps their results.

use crate::{keep, unit};
use hasten_rtlsim::sha3_job::{Eager, Job, run};
use std::collections::HashMap;
use std::path::Path;

/// Name, rate in lanes and suffix of each function.
const FUNCTIONS: [(&str, u8, u8); 6] = [
    ("SHA3_224", 18, 0x06),
    ("SHA3_256", 17, 0x06),
    ("SHA3_384", 13, 0x06),
    ("SHA3_512", 9, 0x06),
    ("SHAKE128", 21, 0x1f),
    ("SHAKE256", 17, 0x1f),
];

type Entry = HashMap<String, String>;

/// Returns the entries of a file. Values in brackets belong to every entry after them.
fn entries(file: &str) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../vectors/sha3-cavp")
        .join(format!("{file}.rsp"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut common = Entry::new();
    let mut entries = Vec::new();
    for group in text.split("\n\n") {
        let mut entry = common.clone();
        for line in group.lines().filter(|line| !line.starts_with('#')) {
            let Some((key, value)) = line.trim_matches(['[', ']']).split_once(" = ") else {
                continue;
            };
            entry.insert(key.into(), value.trim().into());
            if line.starts_with('[') {
                common.insert(key.into(), value.trim().into());
            }
        }
        entries.push(entry);
    }
    entries
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hexadecimal"))
        .collect()
}

fn number(entry: &Entry, key: &str) -> Option<usize> {
    entry.get(key)?.parse().ok()
}

/// Returns the jobs of a file, each with its expected output.
fn jobs(file: &str, rate: u8, suffix: u8) -> Vec<(Job, Vec<u8>)> {
    let entries = entries(file);
    let with_message = entries.iter().filter(|entry| entry.contains_key("Msg"));
    with_message
        .map(|entry| {
            let mut message = bytes(&entry["Msg"]);
            if let Some(bits) = number(entry, "Len") {
                message.truncate(bits / 8);
            }
            let wanted = bytes(entry.get("MD").unwrap_or_else(|| &entry["Output"]));
            (Job::hash(rate, suffix, &message, wanted.len()), wanted)
        })
        .collect()
}

#[test]
fn short_long_and_variable_output() {
    let Some(unit) = unit() else { return };
    let mut all = Vec::new();
    for (name, rate, suffix) in FUNCTIONS {
        for kind in ["ShortMsg", "LongMsg"] {
            all.extend(jobs(&format!("{name}{kind}"), rate, suffix));
        }
        if suffix == 0x1f {
            all.extend(jobs(&format!("{name}VariableOut"), rate, suffix));
        }
    }
    assert!(all.len() > 900, "{} vectors", all.len());
    let (mut jobs, wanted): (Vec<Job>, Vec<Vec<u8>>) = all.into_iter().unzip();
    run(&unit, &mut jobs, &mut Eager);
    for (at, (job, wanted)) in jobs.iter().zip(&wanted).enumerate() {
        assert_eq!(&job.output, wanted, "vector {at}, rate {}", job.command.cmd_rate);
    }
}

/// A Monte Carlo run of one function: 1,000 hashes in a row for each expected output.
struct Monte {
    rate: u8,
    suffix: u8,
    message: Vec<u8>,
    length: usize,
    /// Minimum output length, and number of possible lengths, in bytes (SHAKE).
    range: (usize, usize),
    wanted: Vec<Vec<u8>>,
}

impl Monte {
    fn new((name, rate, suffix): (&str, u8, u8)) -> Self {
        let entries = entries(&format!("{name}Monte"));
        let seed = entries
            .iter()
            .find_map(|entry| entry.get("Seed").or(entry.get("Msg")))
            .expect("a seed");
        let find = |key| entries.iter().find_map(|entry| number(entry, key));
        let low = find("Minimum Output Length (bits)").unwrap_or(0).div_ceil(8);
        let high = find("Maximum Output Length (bits)").unwrap_or(0) / 8;
        let wanted: Vec<Vec<u8>> = entries
            .iter()
            .filter_map(|entry| entry.get("MD").or(entry.get("Output")))
            .map(|hex| bytes(hex))
            .collect();
        let length = if suffix == 0x06 { wanted[0].len() } else { high };
        Self { rate, suffix, message: bytes(seed), length, range: (low, high - low + 1), wanted }
    }

    fn job(&self) -> Job {
        Job::hash(self.rate, self.suffix, &self.message, self.length)
    }

    /// Derives the next message and length from an output, as in the program's "SHA-3 Validation
    /// System".
    fn follow(&mut self, output: &[u8]) {
        self.message = output.to_vec();
        if self.suffix == 0x1f {
            let tail = u16::from_be_bytes([output[output.len() - 2], output[output.len() - 1]]);
            self.length = self.range.0 + usize::from(tail) % self.range.1;
            self.message.resize(16, 0);
        }
    }
}

#[test]
fn monte_carlo() {
    let Some(unit) = unit() else { return };
    let rounds = if std::env::var_os("HASTEN_RTL_FULL").is_some() { 100 } else { 2 };
    let mut runs: Vec<Monte> = FUNCTIONS.into_iter().map(Monte::new).collect();
    let (mut cycles, mut agree) = (0, [0; FUNCTIONS.len()]);
    for round in 0..rounds {
        let mut jobs = Vec::new();
        for _ in 0..1000 {
            jobs = runs.iter().map(Monte::job).collect();
            cycles += run(&unit, &mut jobs, &mut Eager);
            runs.iter_mut().zip(&jobs).for_each(|(run, job)| run.follow(&job.output));
        }
        for ((run, job), agree) in runs.iter().zip(&jobs).zip(&mut agree) {
            assert_eq!(
                job.output, run.wanted[round],
                "round {round}, rate {} suffix {:02x}",
                run.rate, run.suffix
            );
            *agree += 1;
        }
    }
    let row = |(name, agree): (String, usize)| {
        let hashes = 1000 * rounds;
        format!(r#"{{"op":"{name}","outputs":{rounds},"agree":{agree},"hashes":{hashes}}}"#)
    };
    let names = FUNCTIONS.map(|(name, ..)| name.replacen("SHA3_", "SHA3-", 1));
    let mut rows: Vec<String> = names.into_iter().zip(agree).map(row).collect();
    let (outputs, agree) = (rounds * FUNCTIONS.len(), agree.iter().sum::<usize>());
    let hashes = 1000 * outputs;
    rows.push(format!(
        r#"{{"op":"all","outputs":{outputs},"agree":{agree},"hashes":{hashes},"cycles":{cycles}}}"#
    ));
    keep("monte", &["HASTEN_RTL_FULL"], "monte_carlo", &rows);
}
