//! Compares signing with a key that is expanded once, and parsing and expanding the key each time:
//! `cargo run --release -p hasten-measure --features tls --example expanded`.

use hasten_kernels::Kernels;
use hasten_keys::encoding::{decode_pkcs8, encode_pkcs8};
use hasten_keys::{Error, registry, stateless};
use hasten_measure::row::Peer;
use hasten_measure::windows::{Subject, in_turn};
use hasten_report::{Machine, Summary, publish};
use serde::Serialize;

/// Algorithms whose keys must be expanded before they sign.
const ALGORITHMS: [&str; 5] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "ECDSA-P-256", "Ed25519"];

/// Number of windows of each subject. A window of ML-DSA has only one or two signatures, whose
/// number of attempts varies.
const WINDOWS: usize = 2000;

#[derive(Serialize)]
struct Row {
    alg: &'static str,
    op: &'static str,
    /// Time of a signature with the key expanded once, in microseconds.
    time_us: Summary,
    peer: Peer,
}

fn measure(alg: &'static str) -> Result<Row, Error> {
    let kernels = Kernels::best();
    let key = stateless::generate(registry::find(alg)?, kernels)?;
    let (signer, file) = (stateless::Signer::new(&key, kernels)?, encode_pkcs8(&key)?);
    let mut once = || drop(signer.sign(b"message").expect("the key signs"));
    let mut each = || {
        let key = decode_pkcs8(&file).expect("it was written above");
        drop(stateless::sign(&key, b"message", kernels).expect("the key signs"));
    };
    let (once, each) = in_turn(WINDOWS, Subject::new(1, &mut once), Subject::new(1, &mut each));
    let peer = Peer::new("parsed and expanded for each signature", &once, &each);
    Ok(Row { alg, op: "sign", time_us: once.summary(), peer })
}

fn main() -> Result<(), Error> {
    let rows: Vec<Row> = ALGORITHMS.into_iter().map(measure).collect::<Result<_, _>>()?;
    let program = "cargo run --release -p hasten-measure --features tls --example expanded --";
    publish("hasten.expanded/1", program, Machine::this(), &rows).expect("the report is printed");
    Ok(())
}
