//! Speed of every algorithm.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hasten_kernels::Kernels;
use hasten_keys::registry::{self, Kind, Row};
use hasten_keys::{Error as KeyError, kem, stateless};
use hasten_report::{Summary, micros};
use rustls::crypto::ActiveKeyExchange;

use super::appendix;
use super::handshake::group_of;
use super::sheet::{Cell, Sheet};
use super::wire::failed;
use crate::Error;

/// Takes samples of one operation, in microseconds.
fn samples<E>(time: Duration, mut work: impl FnMut() -> Result<(), E>) -> Result<Vec<f64>, E> {
    samples_of(time, || Ok(()), |()| work())
}

/// Takes samples of an operation whose input is made anew for each sample; making it is not timed.
fn samples_of<T, E>(
    time: Duration,
    mut made: impl FnMut() -> Result<T, E>,
    mut work: impl FnMut(T) -> Result<(), E>,
) -> Result<Vec<f64>, E> {
    work(made()?)?;
    let (begun, mut taken) = (Instant::now(), Vec::new());
    while begun.elapsed() < time || taken.len() < 3 {
        let with = made()?;
        let one = Instant::now();
        work(with)?;
        taken.push(micros(one.elapsed()));
    }
    Ok(taken)
}

/// Returns the mean of some samples.
pub fn mean(taken: &[f64]) -> f64 {
    taken.iter().sum::<f64>() / taken.len() as f64
}

/// Returns the standard deviation of the population, as liboqs reports it.
fn deviation(taken: &[f64]) -> f64 {
    let mean = mean(taken);
    (taken.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / taken.len() as f64).sqrt()
}

/// Operations of one algorithm, each with its samples.
type Measured = Vec<(&'static str, Vec<f64>)>;

fn of_kem(row: &'static Row, time: Duration) -> Result<Measured, KeyError> {
    // The key is decoded before timing, like that of a signer.
    let (private, public) = kem::Decapsulator::generate(row)?;
    let made = kem::encapsulate(&public)?;
    let both = || {
        let made = kem::encapsulate(&public)?;
        private.decapsulate(&made.ciphertext).map(|secret| drop(black_box(secret)))
    };
    Ok(vec![
        ("keygen", samples(time, || kem::generate(row).map(|key| drop(black_box(key))))?),
        ("encaps", samples(time, || kem::encapsulate(&public).map(|made| drop(black_box(made))))?),
        (
            "decaps",
            samples(time, || private.decapsulate(&made.ciphertext).map(|s| drop(black_box(s))))?,
        ),
        ("encaps-decaps", samples(time, both)?),
    ])
}

fn of_signature(row: &'static Row, time: Duration) -> Result<Measured, KeyError> {
    let kernels = Kernels::best();
    let signer = stateless::Signer::new(&stateless::generate(row, kernels)?, kernels)?;
    let (public, message) = (signer.public_key().clone(), [7; 32]);
    let signature = signer.sign(&message)?;
    let generate = || stateless::public(&stateless::generate(row, kernels)?, kernels);
    Ok(vec![
        // Key generation includes deriving the public key, because a private key may be just 32
        // random bytes.
        ("keygen", samples(time, || generate().map(|key| drop(black_box(key))))?),
        ("sign", samples(time, || signer.sign(&message).map(|s| drop(black_box(s))))?),
        ("verify", samples(time, || stateless::verify(&public, &message, &signature, kernels))?),
    ])
}

/// Measures a group of TLS: the client's share, the server's share and secret together, and the
/// client's secret.
fn of_group(row: &'static Row, time: Duration) -> Result<Measured, Error> {
    let group = group_of(&row.name)?;
    let share = group.start().map_err(failed)?.pub_key().to_vec();
    let begun = || {
        let own = group.start()?;
        let answer = group.start_and_complete(own.pub_key())?.pub_key;
        Ok::<_, rustls::Error>((own, answer))
    };
    let respond = || group.start_and_complete(&share).map(|done| drop(black_box(done.secret)));
    let agree = |(own, answer): (Box<dyn ActiveKeyExchange>, Vec<u8>)| {
        own.complete(&answer).map(|secret| drop(black_box(secret)))
    };
    Ok(vec![
        (
            "keygen",
            samples(time, || group.start().map(|own| drop(black_box(own)))).map_err(failed)?,
        ),
        ("respond", samples(time, respond).map_err(failed)?),
        ("agree", samples_of(time, begun, agree).map_err(failed)?),
    ])
}

/// Measures every KEM, every stateless signature and every key agreement group of this build.
pub fn operations(time: Duration) -> Result<Sheet, Error> {
    let clock = hasten_report::mhz();
    let mut rows = Vec::new();
    for row in registry::all() {
        let measured = match row.kind {
            Kind::Kem => of_kem(row, time).ok(),
            Kind::Signature => of_signature(row, time).ok(),
            Kind::Agreement => of_group(row, time).ok(),
            _ => continue,
        };
        let Some(measured) = measured else { continue };
        for (op, taken) in measured {
            let mean = mean(&taken);
            let theirs = appendix::speed::mean_us(row, op);
            rows.push(vec![
                row.name.as_str().into(),
                op.into(),
                taken.len().into(),
                Cell::Time(Summary::of(&taken)),
                Cell::Number(mean, 3),
                Cell::Number(deviation(&taken), 3),
                Cell::Number(mean * clock, 0),
                Cell::Number(1e6 / mean, 0),
                theirs.map_or(Cell::Empty, |t| Cell::Number(t, 3)),
                theirs.map_or(Cell::Empty, |t| Cell::Number(t / mean, 2)),
            ]);
        }
    }
    Ok(Sheet {
        name: "speed",
        title: "Throughput of every algorithm, one core",
        columns: vec![
            ("alg", "Algorithm"),
            ("op", "Operation"),
            ("iterations", "Iterations"),
            ("time_us", "Median, us"),
            ("mean", "Mean, us"),
            ("deviation", "Deviation, us"),
            ("cycles", "Cycles"),
            ("per_second", "Per second"),
            ("theirs_mean", "Appendix: mean, us"),
            ("theirs_over_ours", "Theirs over ours"),
        ],
        rows,
        notes: vec![format!(
            "Cycles are the mean at {clock:.0} MHz, the clock of the time-stamp counter. Of a group: keygen is the client's share, respond the server's share and secret, agree the client's secret. Keys are read from their encoded form in every operation. The appendix's figures are of round-3 Kyber and Dilithium on another machine ({}).",
            appendix::MACHINE
        )],
    })
}
