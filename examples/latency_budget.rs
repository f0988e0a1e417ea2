//! Signs and verifies within a budget: the slow part comes before the message.
//!
//!     cargo run --release -p hasten-pq --example latency_budget

use std::{error::Error, time::Instant};

use hasten_pq::hbs::{PublicKey, Verifier};
use hasten_pq::{SignerLevel, StatefulKey, kernels::Kernels};

const BUDGET_US: f64 = 100.0;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let (store, guard) = (dir.path().join("key"), dir.path().join("guard"));
    let mut key = StatefulKey::generate("XMSS-SHA2_10_256", &store, &guard)?;
    let public = PublicKey::from_xmss_bytes(&key.public_key().raw)?;
    let verifier = Verifier::new(&public, Kernels::best());
    for round in 0..5 {
        let prepared = key.prepare(SignerLevel::ChainTable)?;
        let message = format!("open breaker {round}");

        let begun = Instant::now();
        let signature = key.finish(prepared, message.as_bytes())?;
        let signed = begun.elapsed();
        verifier.verify(message.as_bytes(), &signature)?;
        let total = begun.elapsed();

        let us = total.as_secs_f64() * 1e6;
        let word = if us <= BUDGET_US { "within" } else { "over" };
        println!(
            "signed and recorded in {signed:.1?}, verified after {total:.1?}: {word} {BUDGET_US} us"
        );
    }
    key.close()?;
    Ok(())
}
