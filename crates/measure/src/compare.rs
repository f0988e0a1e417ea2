//! Latency distributions of stateless signatures. Schemes that reject candidates have a long tail,
//! so the 99th percentile and the maximum are shown.

mod table;

use std::time::{Duration, Instant};

use hasten_kernels::Kernels;
use hasten_keys::registry::{self, Row as Algorithm};
use hasten_keys::{Error as KeyError, stateless};
use hasten_model::explore::Time;
use hasten_report::round;
use serde::Serialize;

pub use self::table::table;
use crate::{Error, Watch, clock, distribution, pin};

/// The algorithms that are compared.
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

/// Bounds of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Maximum number of signatures and of verifications of each algorithm.
    pub samples: usize,
    /// Time limit for each operation; ten samples are taken in any case.
    pub time: Duration,
    /// Length of a message in bytes.
    pub message: usize,
}

/// An operation and the distribution of its times.
#[derive(Serialize)]
pub struct Row {
    measured: &'static str,
    /// Algorithm.
    pub alg: String,
    /// Operation.
    pub op: &'static str,
    level: Option<&'static str>,
    /// Length of the longest signature in bytes.
    pub signature_bytes: usize,
    /// Number of operations measured.
    pub samples: usize,
    /// Mean of the times.
    pub mean: f64,
    /// Distribution of the times.
    pub time_us: Time,
}

/// The rows, and the algorithms that are not in this build.
#[derive(Default)]
pub struct Compared {
    /// Two rows of each algorithm: signing and verifying.
    pub rows: Vec<Row>,
    /// Algorithms that were left out.
    pub absent: Vec<&'static str>,
}

/// Measures every algorithm.
///
/// # Errors
/// [`Error::Stopped`], or the error of an algorithm.
pub fn run(plan: &Plan, kernels: Kernels<'_>, watch: Watch<'_>) -> Result<Compared, Error> {
    let step = watch.step("comparing", ALGORITHMS.len() as u64, "algorithms");
    let mut compared = Compared::default();
    for (done, name) in ALGORITHMS.into_iter().enumerate() {
        step.at(done as u64)?;
        let Ok(algorithm) = registry::find(name) else { continue };
        match pin::pinned(watch, || measure(plan, algorithm, kernels)) {
            Ok(pair) => compared.rows.extend(pair),
            Err(KeyError::NotBuiltIn) => compared.absent.push(name),
            Err(error) => return Err(Error::Key(error)),
        }
    }
    Ok(compared)
}

/// Signs different messages, then verifies these signatures.
fn measure(
    plan: &Plan,
    algorithm: &'static Algorithm,
    kernels: Kernels<'_>,
) -> Result<[Row; 2], KeyError> {
    let signer = stateless::Signer::new(&stateless::generate(algorithm, kernels)?, kernels)?;
    let public = signer.public_key();
    let message = |number: usize| {
        let mut message = vec![0x5a; plan.message.max(8)];
        message[..8].copy_from_slice(&number.to_be_bytes());
        message
    };
    let mut signatures = Vec::new();
    let signing = samples(plan, usize::MAX, |i| {
        signatures.push(signer.sign(&message(i))?);
        Ok(())
    })?;
    let verifying = samples(plan, signatures.len(), |i| {
        stateless::verify(public, &message(i), &signatures[i], kernels)
    })?;
    let bytes = signatures.iter().map(Vec::len).max().unwrap_or(0);
    Ok([row(algorithm, "sign", bytes, &signing), row(algorithm, "verify", bytes, &verifying)])
}

/// Returns the thread's CPU time of each of at most `most` calls, in microseconds. CPU time
/// excludes the time of other processes, which is not part of the algorithm's tail. The first call
/// is a warm-up and not returned.
fn samples(
    plan: &Plan,
    most: usize,
    mut work: impl FnMut(usize) -> Result<(), KeyError>,
) -> Result<Vec<f64>, KeyError> {
    let (begun, mut taken) = (Instant::now(), Vec::new());
    for number in 0..most.min(plan.samples + 1) {
        if begun.elapsed() > plan.time && number > 10 {
            break;
        }
        let one = clock::thread_time();
        work(number)?;
        taken.push(hasten_report::micros(clock::thread_time().saturating_sub(one)));
    }
    if taken.len() > 1 {
        taken.remove(0);
    }
    Ok(taken)
}

fn row(algorithm: &Algorithm, op: &'static str, signature_bytes: usize, taken: &[f64]) -> Row {
    Row {
        measured: "compared",
        alg: algorithm.name.clone(),
        op,
        level: None,
        signature_bytes,
        samples: taken.len(),
        mean: round(taken.iter().sum::<f64>() / taken.len().max(1) as f64),
        time_us: distribution::of(taken),
    }
}
