//! Replays every seed of every target, and small changes of it, on stable Rust.
//!
//! Memory is capped, so that an allocation whose size depends on the input ends the test.

use hasten_fuzz::{TARGETS, Target};
use std::alloc::System;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Maximum number of bytes in use at once, many times the largest seed.
const MEMORY: usize = 256 << 20;

/// Number of changes of each seed.
const CHANGES: u64 = 400;

#[global_allocator]
static ALLOCATOR: cap::Cap<System> = cap::Cap::new(System, MEMORY);

#[test]
fn no_seed_and_no_change_of_it_breaks_a_parser() {
    let mut broken = Vec::new();
    for target in TARGETS {
        let seeds = seeds(target);
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        for path in &seeds {
            broken.extend(replay(target, path));
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_target_is_a_program_and_every_corpus_a_target() {
    let manifest = std::fs::read_to_string(root().join("checks/fuzz/Cargo.toml")).unwrap();
    for target in TARGETS {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{}.rs\"", target.name)));
        assert!(root().join(format!("checks/fuzz/fuzz_targets/{}.rs", target.name)).is_file());
    }
    for folder in files(&root().join("checks/fuzz/corpus")) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(TARGETS.iter().any(|target| target.name == name), "{name}");
    }
}

#[test]
fn a_parser_that_panics_is_found() {
    let fragile = Target { name: "fragile", run: |data| assert_ne!(data.len(), 1), seeds: &[] };
    let path = std::env::temp_dir().join(format!("hasten-replay-{}", std::process::id()));
    std::fs::write(&path, [0, 1, 2]).unwrap();
    let found = replay(&fragile, &path);
    std::fs::remove_file(&path).unwrap();
    assert!(!found.is_empty());
}

/// Runs the target on a seed and its changes. Returns a line for each that broke the parser.
fn replay(target: &Target, path: &Path) -> Vec<String> {
    let seed = std::fs::read(path).unwrap();
    let mut broken = Vec::new();
    for number in 0..=CHANGES {
        let data = change(&seed, number);
        if catch_unwind(|| (target.run)(&data)).is_err() {
            broken.push(format!("{}: {}, change {number}", target.name, path.display()));
        }
    }
    broken
}

/// Returns change `number` of a seed. Number 0 is the seed itself. The others flip bits, cut,
/// repeat and overwrite, and are the same in every run.
fn change(seed: &[u8], number: u64) -> Vec<u8> {
    let mut data = seed.to_vec();
    let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..if number == 0 { 0 } else { 1 + number % 4 } {
        let at = random.below(data.len());
        match random.below(4) {
            0 if !data.is_empty() => data[at] ^= 1 << random.below(8),
            1 if !data.is_empty() => data[at] = [0, 0x7f, 0x80, 0xff][random.below(4)],
            2 => data.truncate(at),
            _ => data
                .splice(at..at, seed[at.min(seed.len())..].iter().take(64).copied())
                .for_each(drop),
        }
    }
    data
}

/// A small generator, so that every run makes the same changes.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn seeds(target: &Target) -> Vec<PathBuf> {
    let mut seeds = files(&root().join("checks/fuzz/corpus").join(target.name));
    for folder in target.seeds {
        seeds.extend(files(&root().join(folder)));
    }
    seeds.retain(|path| path.is_file());
    seeds
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
