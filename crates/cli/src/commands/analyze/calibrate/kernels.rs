//! The costs of a backend: batches by size, chain steps by how many chains are in work.

use hasten_hbs::params::Hash;
use hasten_kernels::chain::{Counter, HEAD, Masked, Rows, Rule, Span, Tweak};
use hasten_kernels::{Kernel, Kernels, Midstate, ViaKeccak, ViaSha256, ViaSha512, Which, many};
use hasten_model::costs::{Cost, Costs, What, kernel};

use crate::commands::bench::{Subject, alone};
use crate::stats::round;

/// Windows of each measurement.
const WINDOWS: usize = 15;
/// Sizes of batches.
const BATCHES: [usize; 9] = [1, 2, 3, 4, 8, 12, 16, 24, 32];
/// Steps of the longer and the shorter chains, whose difference is the steps' own cost.
const STEPS: [u32; 2] = [15, 3];
/// Byte of a head where the step's number goes.
const STEP_AT: usize = 24;

/// Measures the kernel of a hash function.
pub fn measure(kernels: Kernels<'_>, hash: Hash) -> Costs {
    let mut rows = Vec::new();
    match hash {
        Hash::Sha256 => {
            let kernel = ViaSha256(kernels.sha256);
            batches(&mut rows, Which::Sha256, kernel, &Midstate::sha256(), 32);
            chains(&mut rows, Which::Sha256, kernel, &Midstate::sha256(), 32);
            tweaks(&mut rows, kernel);
        }
        Hash::Sha512 => {
            let kernel = ViaSha512(kernels.sha512);
            batches(&mut rows, Which::Sha512, kernel, &Midstate::sha512(), 64);
            chains(&mut rows, Which::Sha512, kernel, &Midstate::sha512(), 64);
        }
        _ => {
            let kernel = ViaKeccak(kernels.keccak);
            batches(&mut rows, Which::Keccak, kernel, &Midstate::shake256(), 32);
            chains(&mut rows, Which::Keccak, kernel, &Midstate::shake256(), 32);
        }
    }
    Costs::new(rows)
}

fn median(call: &mut dyn FnMut()) -> f64 {
    alone(WINDOWS, Subject::new(1, call)).summary().p50
}

fn cost(what: What, which: Which, count: usize, cost_us: f64) -> Cost {
    let of = kernel(which).to_owned();
    Cost { what, of, level: None, count, cost_us: round(cost_us.max(0.0)) }
}

/// Batches of messages of one block.
fn batches<K: Kernel>(
    rows: &mut Vec<Cost>,
    which: Which,
    kernel: K,
    start: &Midstate<K::State>,
    n: usize,
) {
    for count in BATCHES {
        let (messages, mut out) = (vec![0x5a; 40 * count], vec![0; n * count]);
        let time = median(&mut || many(kernel, start, &messages, &mut out, n));
        rows.push(cost(What::Batch, which, count, time));
    }
}

/// Chains with masks, computed on the way and at hand.
fn chains<K: Kernel>(
    rows: &mut Vec<Cost>,
    which: Which,
    kernel: K,
    start: &Midstate<K::State>,
    n: usize,
) {
    let core = start.clone().with(kernel, &vec![0; n]);
    let mut pad = vec![0; n];
    pad[n - 1] = 3;
    let prf = start.clone().with(kernel, &pad).with(kernel, &vec![0x77; n]);
    let table = vec![0x3c; 2 * n * 16 * 64];
    let masked = Rule::Masked(Masked { prf: &prf, core: &core, at: STEP_AT, n });
    steps(rows, What::Masked, which, kernel, &masked);
    steps(rows, What::Rows, which, kernel, &Rule::Rows(Rows { core: &core, rows: &table, n }));
}

/// Chains of LM-OTS.
fn tweaks(rows: &mut Vec<Cost>, kernel: ViaSha256<'_>) {
    let prefix = Midstate::sha256();
    let counter = Counter { at: 22, width: 1 };
    let rule = Rule::Tweak(Tweak { prefix: &prefix, head_len: 23, counter, n: 32 });
    steps(rows, What::Tweak, Which::Sha256, kernel, &rule);
}

fn steps<K: Kernel>(
    rows: &mut Vec<Cost>,
    what: What,
    which: Which,
    kernel: K,
    rule: &Rule<'_, K::State>,
) {
    let lanes = kernel.lanes();
    let counts = (1..=lanes).filter(|c| *c <= 4 || c % 2 == 0);
    let mut fill = 0.0;
    for count in counts {
        let [long, short] = STEPS.map(|steps| {
            let spans: Vec<Span> = (0..count)
                .map(|i| Span { head: [i as u8; HEAD], from: 0, steps, row: 16 * i })
                .collect();
            let mut values = vec![0x11; count * rule.n()];
            median(&mut || kernel.chains(rule, &spans, &mut values))
        });
        let step = (long - short) / f64::from(STEPS[0] - STEPS[1]);
        fill = (short - f64::from(STEPS[1]) * step) / count as f64;
        rows.push(cost(what, which, count, step));
    }
    if what != What::Masked {
        rows.push(cost(What::Fill, which, 1, fill));
    }
}
