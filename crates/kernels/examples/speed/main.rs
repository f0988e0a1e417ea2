//! Nanoseconds per compression for every backend: in batches, for tuning, and in chains.
//!
//! `cargo run --release -p hasten-kernels --example speed -- [BACKEND]`. With `-- --json`, it
//! prints the chains of every backend in the form of `results/chains.json`. Published times of
//! batches come from `hasten bench kernels`.

mod chains;
mod times;

use hasten_kernels::Kernels;
use hasten_report::Machine;
use std::hint::black_box;
use times::times;

const SIZES: [usize; 11] = [1, 2, 3, 4, 5, 7, 8, 12, 16, 64, 257];

fn batches(kernels: &Kernels<'_>) {
    for size in SIZES {
        let mut s256 = vec![[1; 8]; size];
        let b256 = vec![[2; 64]; size];
        let mut s512 = vec![[1; 8]; size];
        let b512 = vec![[2; 128]; size];
        let mut s1600 = vec![[1; 25]; size];
        let each = [
            times(|| kernels.sha256.compress(black_box(&mut s256), black_box(&b256))),
            times(|| kernels.sha512.compress(black_box(&mut s512), black_box(&b512))),
            times(|| kernels.keccak.permute(black_box(&mut s1600))),
        ]
        .map(|times| times.least() / size as f64);
        println!("{size:>8} {:>9.1} {:>9.1} {:>9.1}", each[0], each[1], each[2]);
    }
}

fn other() {
    let (mut state, blocks) = ([1; 8], [[2; 64]; 16]);
    let time = times(|| sha2::block_api::compress256(&mut state, black_box(&blocks)));
    println!("sha2 256: {:.1}", time.least() / 16.0);
    let (mut state, blocks) = ([1; 8], [[2; 128]; 16]);
    let time = times(|| sha2::block_api::compress512(&mut state, black_box(&blocks)));
    println!("sha2 512: {:.1}", time.least() / 16.0);
}

fn main() {
    let word = std::env::args().nth(1);
    if word.as_deref() == Some("--json") {
        let rows = Kernels::available().flat_map(|(name, kernels)| chains::rows(name, &kernels));
        let rows: Vec<_> = rows.collect();
        let program = "cargo run --release -p hasten-kernels --example speed --";
        hasten_report::publish("hasten.chains/1", program, Machine::this(), &rows)
            .expect("the report is written");
        return;
    }
    other();
    for (name, kernels) in Kernels::available() {
        if word.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        println!("{name}:   size    sha256    sha512    keccak");
        batches(&kernels);
        chains::rows(name, &kernels).iter().for_each(|row| println!("{row}"));
    }
}
