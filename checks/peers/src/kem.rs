//! ML-KEM and ML-DSA compared with wolfSSL's, in turns. wolfSSL's benchmark keeps its keys decoded.
//! Hasten keeps only the private key decoded, as a `Decapsulator` or `Signer`. It decodes a public
//! key in every operation, and its key generation encodes it.

use hasten_kernels::Kernels;
use hasten_keys::{kem, registry, stateless};

use crate::MESSAGE;

use crate::ours::Own;
use crate::report::Row;
use crate::wolfssl::{self, Benchmark};

/// Hasten's name, the option of the program, and the beginning of the program's rows.
type Name = (&'static str, &'static str, &'static str);

const SETS: [Name; 3] = [
    ("ML-KEM-512", "-ml-kem-512", "ML-KEM 512 ,"),
    ("ML-KEM-768", "-ml-kem-768", "ML-KEM 768 ,"),
    ("ML-KEM-1024", "-ml-kem-1024", "ML-KEM 1024,"),
];

const SIGNATURES: [Name; 3] = [
    ("ML-DSA-44", "-ml-dsa-44", "ML-DSA,44,"),
    ("ML-DSA-65", "-ml-dsa-65", "ML-DSA,65,"),
    ("ML-DSA-87", "-ml-dsa-87", "ML-DSA,87,"),
];

/// The operations compared.
const OPERATIONS: [&str; 3] = ["keygen", "encaps", "decaps"];

/// Returns Hasten's operations on a fresh key pair, after checking that both secrets agree.
fn own(alg: &str) -> Result<Own, String> {
    let said = |error: hasten_keys::Error| format!("{alg}: {error}");
    let row = registry::find(alg).map_err(said)?;
    let (private, public) = kem::Decapsulator::generate(row).map_err(said)?;
    let sent = kem::encapsulate(&public).map_err(said)?;
    if private.decapsulate(&sent.ciphertext).map_err(said)? != sent.shared {
        return Err(format!("{alg}: the secrets of both sides differ"));
    }
    Ok([
        Box::new(move || drop(kem::Decapsulator::generate(row).expect("it has worked before"))),
        Box::new(move || drop(kem::encapsulate(&public).expect("it has worked before"))),
        Box::new(move || {
            drop(private.decapsulate(&sent.ciphertext).expect("it has worked before"));
        }),
    ])
}

/// Returns Hasten's signature operations on a fresh key, after checking that a signature verifies.
fn signing(alg: &str) -> Result<Own, String> {
    let said = |error: hasten_keys::Error| format!("{alg}: {error}");
    let kernels = Kernels::best();
    let row = registry::find(alg).map_err(said)?;
    let key = stateless::generate(row, kernels).map_err(said)?;
    let signer = stateless::Signer::new(&key, kernels).map_err(said)?;
    let public = signer.public_key().clone();
    let signature = signer.sign(&MESSAGE).map_err(said)?;
    stateless::verify(&public, &MESSAGE, &signature, kernels).map_err(said)?;
    Ok([
        Box::new(move || {
            // Includes the public key: a private key alone may be just 32 random bytes.
            let key = stateless::generate(row, kernels).expect("it has worked before");
            drop(stateless::public(&key, kernels).expect("it has worked before"));
        }),
        Box::new(move || drop(signer.sign(&MESSAGE).expect("it has worked before"))),
        Box::new(move || {
            let verdict = stateless::verify(&public, &MESSAGE, &signature, kernels);
            verdict.expect("our own signature");
        }),
    ])
}

/// Measures every set in turns with the program.
///
/// # Errors
/// A message, if the program does not behave as expected.
pub fn rows(program: &Benchmark) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for name in SETS {
        rows.extend(of_set(program, name, own(name.0)?, OPERATIONS)?);
    }
    for name in SIGNATURES {
        rows.extend(of_set(program, name, signing(name.0)?, crate::OPERATIONS)?);
    }
    Ok(rows)
}

fn of_set(
    program: &Benchmark,
    (alg, option, label): Name,
    own: Own,
    operations: [&'static str; 3],
) -> Result<Vec<Row>, String> {
    let turns = wolfssl::in_turn(program, option, &[label], &mut [own])?;
    let pairs = turns.iter().flat_map(|turns| operations.into_iter().zip(turns));
    Ok(pairs.map(|(op, turns)| Row::new(alg, op, program.peer(), turns)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_does_every_operation() {
        for (alg, ..) in SETS {
            own(alg).expect("the secrets agree").iter_mut().for_each(|work| work());
        }
        for (alg, ..) in SIGNATURES {
            signing(alg).expect("the signature verifies").iter_mut().for_each(|work| work());
        }
    }
}
