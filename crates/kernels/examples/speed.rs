//! Nanoseconds per compression of every backend, for tuning: `cargo run --release --example speed`.
//! Published numbers come from `hasten bench kernels`.

use hasten_kernels::chain::{Counter, Masked, Rows, Rule, Span, Tweak};
use hasten_kernels::{Kernel, Kernels, Midstate, ViaKeccak, ViaSha256, ViaSha512};
use std::hint::black_box;
use std::time::Instant;

const SIZES: [usize; 11] = [1, 2, 3, 4, 5, 7, 8, 12, 16, 64, 257];

/// Least nanoseconds of many runs, each of about 20 us.
fn least(mut work: impl FnMut()) -> f64 {
    let mut runs = 1;
    loop {
        let start = Instant::now();
        (0..runs).for_each(|_| work());
        if start.elapsed().as_micros() > 20 {
            break;
        }
        runs *= 2;
    }
    let one = |_| {
        let start = Instant::now();
        (0..runs).for_each(|_| work());
        start.elapsed().as_nanos() as f64 / f64::from(runs)
    };
    (0..300).map(one).fold(f64::INFINITY, f64::min)
}

fn batches(kernels: &Kernels<'_>) {
    for size in SIZES {
        let mut s256 = vec![[1; 8]; size];
        let b256 = vec![[2; 64]; size];
        let mut s512 = vec![[1; 8]; size];
        let b512 = vec![[2; 128]; size];
        let mut s1600 = vec![[1; 25]; size];
        let each = [
            least(|| kernels.sha256.compress(black_box(&mut s256), black_box(&b256))),
            least(|| kernels.sha512.compress(black_box(&mut s512), black_box(&b512))),
            least(|| kernels.keccak.permute(black_box(&mut s1600))),
        ]
        .map(|time| time / size as f64);
        println!("{size:>8} {:>9.1} {:>9.1} {:>9.1}", each[0], each[1], each[2]);
    }
}

/// Time of one compression inside chains: 67 of 15 steps, and 67 of 0 to 15 steps.
fn chains<K: Kernel>(what: &str, kernel: K, start: &Midstate<K::State>, n: usize) {
    let even: Vec<_> =
        (0..67).map(|i| Span { steps: 15, row: 15 * i, ..Span::default() }).collect();
    let mixed: Vec<_> =
        even.iter().enumerate().map(|(i, s)| Span { steps: i as u32 * 7 % 16, ..*s }).collect();
    let pad = start.clone().with(kernel, &vec![0; if n == 24 { 4 } else { n }]);
    let prf = pad.clone().with(kernel, &vec![1; n]);
    let masked = Masked { prf: &prf, core: &pad, at: 24, n };
    let mut rows = vec![0; 2 * n * 67 * 15];
    let fill = least(|| kernel.rows(&masked, &even, black_box(&mut rows)));
    println!(
        "  {what} n={n} rows: {:.1} ns per compression",
        fill / (67.0 * 15.0 * masked.row_cost() as f64)
    );
    let counter = Counter { at: 18, width: 4 };
    let rules = [
        ("tweak", Rule::Tweak(Tweak { prefix: start, head_len: 22, counter, n: n.min(32) })),
        ("masked", Rule::Masked(masked)),
        ("rows", Rule::Rows(Rows { core: &pad, rows: &rows, n })),
    ];
    for (name, rule) in rules {
        for (lengths, spans) in [("15 steps", &even), ("0..15", &mixed)] {
            let mut values = vec![3; 67 * rule.n()];
            let time = least(|| kernel.chains(&rule, spans, black_box(&mut values)));
            let steps: u32 = spans.iter().map(|span| span.steps).sum();
            let each = time / (f64::from(steps) * rule.cost() as f64);
            println!(
                "  {what} n={n} {name}, {lengths}: {each:.1} ns per compression, {:.1} us",
                time / 1e3
            );
        }
    }
}

fn other() {
    let mut state = [1; 8];
    let blocks = [[2; 64]; 16];
    println!(
        "sha2 256: {:.1}",
        least(|| sha2::block_api::compress256(&mut state, black_box(&blocks))) / 16.0
    );
    let mut state = [1; 8];
    let blocks = [[2; 128]; 16];
    println!(
        "sha2 512: {:.1}",
        least(|| sha2::block_api::compress512(&mut state, black_box(&blocks))) / 16.0
    );
}

fn main() {
    let only = std::env::args().nth(1);
    other();
    for (name, kernels) in Kernels::available() {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        println!("{name}:   size    sha256    sha512    keccak");
        batches(&kernels);
        chains("sha256", ViaSha256(kernels.sha256), &Midstate::sha256(), 32);
        chains("sha256", ViaSha256(kernels.sha256), &Midstate::sha256(), 24);
        chains("sha512", ViaSha512(kernels.sha512), &Midstate::sha512(), 64);
        chains("shake", ViaKeccak(kernels.keccak), &Midstate::shake256(), 32);
    }
}
