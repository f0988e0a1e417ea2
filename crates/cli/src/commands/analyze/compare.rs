//! `hasten analyze compare`: signatures without state, by their distributions: what they take at
//! the worst is not what they take commonly, where candidates are rejected.

use std::time::{Duration, Instant};

use hasten_kernels::Kernels;
use hasten_keys::registry::{self, Row as Algorithm};
use hasten_keys::{Error as KeyError, stateless};
use hasten_model::explore::Time;
use hasten_report::{Summary, rank, round};
use serde::Serialize;

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::names::Backend;
use crate::output::{note, print};
use crate::progress::Progress;
use crate::report::{self, Machine};
use crate::table::{Table, grouped, numbers, words};
use crate::{cpu, units};

/// What is compared.
const ALGORITHMS: [&str; 11] = [
    "Ed25519",
    "ECDSA-P-256",
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "Falcon-512",
    "Falcon-1024",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHA2-128s",
    "SLH-DSA-SHAKE-128f",
    "SLH-DSA-SHAKE-128s",
];

/// Arguments of `hasten analyze compare`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    backend: Backend,
    /// Signatures and verifications of each, at most.
    #[arg(long, value_name = "N", default_value = "5000", value_parser = units::count)]
    samples: usize,
    /// Time for each operation, at most; ten samples are taken in any case.
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = units::positive_time)]
    time: Duration,
    /// Bytes of a message.
    #[arg(long, value_name = "BYTES", default_value = "64", value_parser = super::message_bytes)]
    message: usize,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// An operation and its distribution.
#[derive(Serialize)]
struct Row {
    measured: &'static str,
    alg: String,
    op: &'static str,
    level: Option<&'static str>,
    signature_bytes: usize,
    samples: usize,
    mean: f64,
    time_us: Time,
}

/// Measures and prints.
pub fn run(args: &Args) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    let (backend, kernels) = args.backend.kernels()?;
    let progress = Progress::new("comparing".to_owned(), ALGORITHMS.len() as u64, "algorithms");
    let mut rows = Vec::new();
    for (done, name) in ALGORITHMS.into_iter().enumerate() {
        interrupt.check()?;
        progress.at(done as u64);
        let Ok(algorithm) = registry::find(name) else { continue };
        match cpu::pinned(|| measure(args, algorithm, kernels)) {
            Ok(pair) => rows.extend(pair),
            Err(KeyError::NotBuiltIn) => note(&format!("{name}: not in this build")),
            Err(error) => {
                let cause = std::io::Error::other(error.to_string());
                return Err(Error::system("comparing signatures")(cause));
            }
        }
    }
    drop(progress);
    if args.json {
        let machine = Some(Machine::with(backend));
        return print(&report::new("hasten.compared/1", machine, &rows).json());
    }
    print(&table(&rows))
}

/// Signs messages that differ, then verifies those signatures.
fn measure(
    args: &Args,
    algorithm: &'static Algorithm,
    kernels: Kernels<'_>,
) -> Result<[Row; 2], KeyError> {
    let signer = stateless::Signer::new(&stateless::generate(algorithm, kernels)?, kernels)?;
    let public = signer.public_key();
    let message = |number: usize| {
        let mut message = vec![0x5a; args.message.max(8)];
        message[..8].copy_from_slice(&number.to_be_bytes());
        message
    };
    let mut signatures = Vec::new();
    let signing = samples(args, usize::MAX, |i| {
        signatures.push(signer.sign(&message(i))?);
        Ok(())
    })?;
    let verifying = samples(args, signatures.len(), |i| {
        stateless::verify(public, &message(i), &signatures[i], kernels)
    })?;
    let bytes = signatures.iter().map(Vec::len).max().unwrap_or(0);
    Ok([row(algorithm, "sign", bytes, &signing), row(algorithm, "verify", bytes, &verifying)])
}

/// Microseconds of the thread's CPU time of each of at most `most` calls: what other processes take
/// meanwhile is no tail of the algorithm. The first call warms up.
fn samples(
    args: &Args,
    most: usize,
    mut work: impl FnMut(usize) -> Result<(), KeyError>,
) -> Result<Vec<f64>, KeyError> {
    let (begun, mut taken) = (Instant::now(), Vec::new());
    for number in 0..most.min(args.samples + 1) {
        if begun.elapsed() > args.time && number > 10 {
            break;
        }
        let one = cpu::thread_time();
        work(number)?;
        taken.push(hasten_report::micros(cpu::thread_time().saturating_sub(one)));
    }
    if taken.len() > 1 {
        taken.remove(0);
    }
    Ok(taken)
}

fn row(algorithm: &Algorithm, op: &'static str, signature_bytes: usize, taken: &[f64]) -> Row {
    let Summary { min, p50, p99, max } = Summary::of(taken);
    let mut ranked = taken.to_vec();
    ranked.sort_by(f64::total_cmp);
    let p999 = ranked.get(rank(0.999, ranked.len())).copied().map(round);
    Row {
        measured: "compared",
        alg: algorithm.name.clone(),
        op,
        level: None,
        signature_bytes,
        samples: taken.len(),
        mean: round(taken.iter().sum::<f64>() / taken.len().max(1) as f64),
        time_us: Time { min, p50, p99, p999, max },
    }
}

fn table(rows: &[Row]) -> String {
    let heads =
        ["bytes", "samples", "min us", "mean us", "p50 us", "p99 us", "p99.9 us", "worst us"];
    let columns = [words("algorithm"), words("operation")].into_iter().chain(heads.map(numbers));
    let cells = |row: &Row| {
        let Time { min, p50, p99, p999, max } = row.time_us;
        let times = [min, row.mean, p50, p99, p999.unwrap_or(max), max];
        let mut cells = vec![row.alg.clone(), row.op.to_owned()];
        cells.push(row.signature_bytes.to_string());
        cells.push(grouped(row.samples as u64));
        cells.extend(times.map(|us| format!("{us:.1}")));
        cells
    };
    Table::new(columns.collect()).print(&rows.iter().map(cells).collect::<Vec<_>>())
}
