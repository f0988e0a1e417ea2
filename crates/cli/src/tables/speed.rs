//! Throughput of every algorithm, and of whole handshakes.

use std::hint::black_box;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hasten_kernels::Kernels;
use hasten_keys::registry::{self, Kind, Row};
use hasten_keys::{Error as KeyError, kem, stateless};

use super::appendix;
use super::handshake::{Pair, only};
use super::sheet::{Cell, Sheet};
use super::wire::Known;
use crate::cpu;
use crate::error::Error;
use crate::stats::Summary;
use crate::units::micros;

/// Samples of one operation, in microseconds.
fn samples(
    time: Duration,
    mut work: impl FnMut() -> Result<(), KeyError>,
) -> Result<Vec<f64>, KeyError> {
    work()?;
    let (begun, mut taken) = (Instant::now(), Vec::new());
    while begun.elapsed() < time || taken.len() < 3 {
        let one = Instant::now();
        work()?;
        taken.push(micros(one.elapsed()));
    }
    Ok(taken)
}

fn mean(taken: &[f64]) -> f64 {
    taken.iter().sum::<f64>() / taken.len() as f64
}

/// Standard deviation of the population, as liboqs gives it.
fn deviation(taken: &[f64]) -> f64 {
    let mean = mean(taken);
    (taken.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / taken.len() as f64).sqrt()
}

/// Operations of one algorithm, each with its samples.
type Measured = Vec<(&'static str, Vec<f64>)>;

fn of_kem(row: &'static Row, time: Duration) -> Result<Measured, KeyError> {
    let (private, public) = kem::generate(row)?;
    let made = kem::encapsulate(&public)?;
    Ok(vec![
        ("keygen", samples(time, || kem::generate(row).map(|key| drop(black_box(key))))?),
        ("encaps", samples(time, || kem::encapsulate(&public).map(|made| drop(black_box(made))))?),
        (
            "decaps",
            samples(time, || {
                kem::decapsulate(&private, &made.ciphertext).map(|s| drop(black_box(s)))
            })?,
        ),
    ])
}

fn of_signature(row: &'static Row, time: Duration) -> Result<Measured, KeyError> {
    let kernels = Kernels::best();
    let key = stateless::generate(row, kernels)?;
    let public = stateless::public(&key, kernels)?;
    let message = [7; 32];
    let signature = stateless::sign(&key, &message, kernels)?;
    Ok(vec![
        (
            "keygen",
            samples(time, || stateless::generate(row, kernels).map(|key| drop(black_box(key))))?,
        ),
        (
            "sign",
            samples(time, || stateless::sign(&key, &message, kernels).map(|s| drop(black_box(s))))?,
        ),
        ("verify", samples(time, || stateless::verify(&public, &message, &signature, kernels))?),
    ])
}

/// Every KEM and every stateless signature of this build.
pub fn operations(time: Duration) -> Result<Sheet, Error> {
    let clock = cpu::mhz();
    let mut rows = Vec::new();
    for row in registry::all() {
        let measured = match row.kind {
            Kind::Kem => of_kem(row, time),
            Kind::Signature => of_signature(row, time),
            _ => continue,
        };
        let Ok(measured) = measured else { continue };
        for (op, taken) in measured {
            let mean = mean(&taken);
            let theirs = appendix::mean_us(&row.name, op);
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
            "Cycles are the mean at {clock:.0} MHz, the clock of the time-stamp counter. Keys are read from their encoded form in every operation. The appendix's figures are of round-3 Kyber and Dilithium on another machine ({}).",
            appendix::MACHINE
        )],
    })
}

/// Groups of the table of connections, the classical ones among them.
const GROUPS: [&str; 11] = [
    "secp256r1",
    "secp384r1",
    "secp521r1",
    "X25519",
    "MLKEM512",
    "MLKEM768",
    "MLKEM1024",
    "X25519MLKEM768",
    "SecP256r1MLKEM768",
    "SecP384r1MLKEM1024",
    "SecP521r1MLKEM1024",
];

fn failed(error: rustls::Error) -> Error {
    Error::Tls(crate::tls::reason::of(&error))
}

/// Megabytes per second of client and server while the client sends `bytes`.
fn bulk(pair: &mut Pair, bytes: usize) -> Result<(f64, f64), Error> {
    let (part, mut sink) = (vec![0x5A; 1 << 14], vec![0; 1 << 15]);
    pair.time = [Duration::ZERO; 2];
    let mut left = bytes;
    while left > 0 {
        let begun = cpu::thread_time();
        pair.client.writer().write_all(&part).map_err(Error::system("writing"))?;
        pair.time[0] += cpu::thread_time() - begun;
        pair.exchange().map_err(failed)?;
        let begun = cpu::thread_time();
        let mut got = 0;
        while got < part.len() {
            got += pair.server.reader().read(&mut sink).map_err(Error::system("reading"))?;
        }
        pair.time[1] += cpu::thread_time() - begun;
        left = left.saturating_sub(part.len());
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    Ok((rate(pair.time[0]), rate(pair.time[1])))
}

/// Connect times and rates by group, RSA-2048 on the server as in the appendix.
pub fn connections(known: &mut Known, time: Duration) -> Result<Sheet, Error> {
    let identity = known.of("RSA-2048").ok_or(Error::NotBuiltIn("RSA-2048"))?;
    let mut rows = Vec::new();
    for group in GROUPS {
        let provider = only(rustls_hasten::provider(), group)?;
        let client = Arc::new(identity.client(&provider, false).map_err(failed)?);
        let server = Arc::new(identity.server(&provider, false).map_err(failed)?);
        let mut taken: [Vec<f64>; 3] = Default::default();
        let mut pair = Pair::shake(&client, &server).map_err(failed)?;
        let begun = Instant::now();
        while begun.elapsed() < time || taken[0].len() < 3 {
            pair = Pair::shake(&client, &server).map_err(failed)?;
            let [c, s] = pair.time.map(micros);
            taken.iter_mut().zip([c + s, s, c]).for_each(|(list, t)| list.push(t));
        }
        let (tx, rx) = bulk(&mut pair, 32 << 20)?;
        let theirs = appendix::connect(group);
        let number =
            |value: Option<f64>, d: usize| value.map_or(Cell::Empty, |v| Cell::Number(v, d));
        rows.push(vec![
            group.into(),
            taken[0].len().into(),
            Cell::Time(Summary::of(&taken[0])),
            Cell::Time(Summary::of(&taken[1])),
            Cell::Time(Summary::of(&taken[2])),
            Cell::Number(1e6 / mean(&taken[0]), 0),
            Cell::Number(tx, 0),
            Cell::Number(rx, 0),
            number(theirs.map(|(ms, _)| ms * 1e3), 0),
            number(theirs.map(|(_, rate)| rate), 0),
        ]);
    }
    Ok(Sheet {
        name: "connect",
        title: "TLS 1.3 by group: CPU time of a connection, both sides, and rate of the data after it (RSA-2048, TLS_AES_256_GCM_SHA384)",
        columns: vec![("group", "Group"), ("connections", "Connections"), ("connect_us", "Connect, us"), ("server_us", "of the server"), ("client_us", "of the client"), ("per_second", "Per second"), ("tx_mb", "Tx, MB/s"), ("rx_mb", "Rx, MB/s"), ("theirs_connect", "Appendix: connect, us"), ("theirs_rx", "Rx, MB/s")],
        rows,
        notes: vec!["Both sides in one thread over memory, their times added; the appendix measured a server and a client on two cores over a socket. FFDHE-2048, in the appendix 1.206 ms and 378 MB/s, is absent: rustls has no finite-field groups for TLS 1.3.".into()],
    })
}

/// Handshakes that have a bound to meet: ours beside stock rustls, in turn, and SLH-DSA's CPU time.
pub fn bounds(known: &mut Known, time: Duration) -> Result<Sheet, Error> {
    let stock = rustls::crypto::aws_lc_rs::default_provider;
    let mut rows = Vec::new();
    for (alg, mutual) in [
        ("ML-DSA-65", true),
        ("ECDSA-P-256", true),
        ("SLH-DSA-SHA2-128f", false),
        ("SLH-DSA-SHA2-128s", false),
    ] {
        let Some(identity) = known.of(alg) else { continue };
        let with = |provider| -> Result<_, Error> {
            let provider = only(provider, "X25519MLKEM768")?;
            let client = Arc::new(identity.client(&provider, mutual).map_err(failed)?);
            Ok((client, Arc::new(identity.server(&provider, mutual).map_err(failed)?)))
        };
        let (ours, theirs) = (with(rustls_hasten::provider())?, with(stock()).ok());
        let theirs = theirs.filter(|(client, server)| Pair::shake(client, server).is_ok());
        let (mut taken, mut ratios): ([Vec<f64>; 2], Vec<f64>) = Default::default();
        let one = |(client, server): &(Arc<_>, Arc<_>)| -> Result<f64, Error> {
            Ok(Pair::shake(client, server).map_err(failed)?.time.iter().map(|t| micros(*t)).sum())
        };
        let begun = Instant::now();
        while begun.elapsed() < time * 4 || taken[0].len() < 3 {
            taken[0].push(one(&ours)?);
            if let Some(theirs) = &theirs {
                taken[1].push(one(theirs)?);
                ratios.push(taken[0][taken[0].len() - 1] / taken[1][taken[1].len() - 1]);
            }
        }
        let (ours, stock, ratio) =
            (Summary::of(&taken[0]), Summary::of(&taken[1]), Summary::of(&ratios));
        let beside = !ratios.is_empty();
        let when = |cell: Cell| if beside { cell } else { Cell::Empty };
        rows.push(vec![
            alg.into(),
            if mutual { "both" } else { "server" }.into(),
            taken[0].len().into(),
            Cell::Time(ours),
            Cell::Number(ours.min, 1),
            when(Cell::Time(stock)),
            when(Cell::Number(ours.p50 / stock.p50, 3)),
            when(Cell::Number(ratio.p50, 3)),
        ]);
    }
    Ok(Sheet {
        name: "bounds",
        title: "Handshakes beside stock rustls in the same run (X25519MLKEM768): CPU time of both sides",
        columns: vec![
            ("alg", "Certificates"),
            ("who", "Who shows one"),
            ("handshakes", "Handshakes"),
            ("handshake_us", "Ours, us"),
            ("least", "Least, us"),
            ("stock_us", "Stock, us"),
            ("over_stock", "Ours over stock, medians"),
            ("paired", "Ours over stock, in pairs"),
        ],
        rows,
        notes: vec![
            "Stock rustls has no SLH-DSA. The two sides take turns, one handshake each.".into(),
        ],
    })
}
