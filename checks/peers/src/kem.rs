//! ML-KEM beside wolfSSL's, in turn. Keys are read from their encoded form in every operation of
//! ours, as a file or a peer gives them; wolfSSL's benchmark keeps them decoded.

use hasten_keys::{kem, registry};

use crate::ours::Own;
use crate::report::Row;
use crate::wolfssl::{self, Benchmark};

/// Our name, the option of the program, and the words that its rows begin with.
const SETS: [(&str, &str, &str); 3] = [
    ("ML-KEM-512", "-ml-kem-512", "ML-KEM 512 ,"),
    ("ML-KEM-768", "-ml-kem-768", "ML-KEM 768 ,"),
    ("ML-KEM-1024", "-ml-kem-1024", "ML-KEM 1024,"),
];

/// The operations compared.
const OPERATIONS: [&str; 3] = ["keygen", "encaps", "decaps"];

/// Returns our operations on a fresh pair of keys, whose two secrets agree.
fn own(alg: &str) -> Result<Own, String> {
    let said = |error: hasten_keys::Error| format!("{alg}: {error}");
    let row = registry::find(alg).map_err(said)?;
    let (private, public) = kem::generate(row).map_err(said)?;
    let sent = kem::encapsulate(&public).map_err(said)?;
    if kem::decapsulate(&private, &sent.ciphertext).map_err(said)? != sent.shared {
        return Err(format!("{alg}: the secrets of both sides differ"));
    }
    Ok([
        Box::new(move || drop(kem::generate(row).expect("it has worked before"))),
        Box::new(move || drop(kem::encapsulate(&public).expect("it has worked before"))),
        Box::new(move || {
            drop(kem::decapsulate(&private, &sent.ciphertext).expect("it has worked before"));
        }),
    ])
}

/// Measures every set in turn with the program.
///
/// # Errors
/// A sentence, if the program does not do as expected.
pub fn rows(program: &Benchmark) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for (alg, option, label) in SETS {
        let turns = wolfssl::in_turn(program, option, &[label], &mut [own(alg)?])?;
        for turns in &turns {
            let ops = OPERATIONS.iter().zip(turns);
            rows.extend(ops.map(|(op, turns)| Row::new(alg, op, program.peer(), turns)));
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_does_every_operation() {
        for (alg, ..) in SETS {
            own(alg).expect("the secrets agree").iter_mut().for_each(|work| work());
        }
    }
}
