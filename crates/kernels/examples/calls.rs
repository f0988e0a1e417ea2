//! Calls a kernel a given number of times. `cargo xtask arm` runs this program to count
//! instructions: `calls BACKEND SHA-256|SHA-512|Keccak compress|step BATCH CALLS`. With `compress`,
//! each call runs one compression or permutation of every state of a batch. With `step`, each call
//! advances every chain of a batch by [`STEPS`] steps.

use hasten_kernels::chain::{HEAD, Rule, Span, StepField, Tweak};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate};
use std::hint::black_box;
use std::process::ExitCode;

/// Number of steps of each chain.
const STEPS: u32 = 15;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if call(&args).is_none() {
        eprintln!("usage: calls BACKEND SHA-256|SHA-512|Keccak compress|step BATCH CALLS");
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}

fn call(args: &[String]) -> Option<()> {
    let [backend, hash, op, batch, calls] = args else { return None };
    let kernels = Kernels::named(backend).ok()?;
    let (batch, calls) = (batch.parse().ok()?, calls.parse().ok()?);
    match (hash.as_str(), op.as_str()) {
        ("SHA-256", "compress") => compress(kernels.sha256, batch, calls, [7; 64]),
        ("SHA-512", "compress") => compress(kernels.sha512, batch, calls, [7; 128]),
        ("Keccak", "compress") => compress(kernels.keccak, batch, calls, ()),
        ("SHA-256", "step") => step(kernels.sha256, &Midstate::sha256(), 32, batch, calls),
        ("SHA-512", "step") => step(kernels.sha512, &Midstate::sha512(), 64, batch, calls),
        ("Keccak", "step") => step(kernels.keccak, &Midstate::shake256(), 32, batch, calls),
        _ => return None,
    }
    Some(())
}

fn compress<H: HashFunction>(kernel: &dyn Kernel<H>, batch: usize, calls: u32, block: H::Block) {
    let mut states = vec![H::ZERO; batch];
    let blocks = vec![block; batch];
    for _ in 0..calls {
        kernel.compress(black_box(&mut states), black_box(&blocks));
    }
}

/// Advances chains shaped as in RFC 8554, section 4.3 (Public Key): 23 bytes, then the value.
fn step<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    prefix: &Midstate<H>,
    n: usize,
    batch: usize,
    calls: u32,
) {
    let spans = vec![Span { head: [1; HEAD], from: 0, steps: STEPS, row: 0 }; batch];
    let mut values = vec![7; n * batch];
    let rule =
        Rule::Tweak(Tweak { prefix, head_len: 23, counter: StepField { at: 22, width: 1 }, n });
    for _ in 0..calls {
        kernel.chains(black_box(&rule), black_box(&spans), black_box(&mut values));
    }
}
