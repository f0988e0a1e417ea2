//! The generated files are the committed ones; the exact model of every program against
//! `ed25519-dalek`.

mod support;

use hasten_rtlsim::ed25519::emit;
use hasten_rtlsim::ed25519::isa::NONE;
use hasten_rtlsim::ed25519::model::{Model, Outcome};
use hasten_rtlsim::ed25519::operations::Config;
use num_bigint::BigUint;
use std::path::{Path, PathBuf};
use support::{Case, inputs};

fn rtl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl")
}

#[test]
fn the_generated_files_are_the_committed_ones() {
    for (path, text) in emit::files() {
        let committed = std::fs::read_to_string(rtl().join(path)).unwrap();
        assert!(committed == text, "{path}: run cargo run -p hasten-rtlsim --bin ed25519-emit");
    }
}

#[test]
fn the_cases_of_the_bench_are_the_committed_ones() {
    let files = [("vectors.txt", support::standard()), ("wycheproof.txt", support::wycheproof())];
    for (name, cases) in files {
        let lines = cases.iter().map(|case| case.line() + "\n").collect::<String>();
        let committed = std::fs::read_to_string(rtl().join("ed25519/bench").join(name)).unwrap();
        assert!(
            committed == lines,
            "{name}: run cargo run -p hasten-rtlsim --example ed25519_vectors"
        );
    }
}

fn check(case: &Case, outcome: &Outcome) {
    let bytes = |value: &BigUint| {
        let mut bytes = value.to_bytes_le();
        bytes.resize(32, 0);
        bytes
    };
    let out: Vec<u8> = outcome.out.iter().flat_map(bytes).collect();
    match case.op {
        0 => assert_eq!(out, case.out[64..], "{}", case.name),
        1 => assert_eq!(out[..case.out.len()], case.out, "{}", case.name),
        _ => assert_eq!(!outcome.failed, case.ok, "{}", case.name),
    }
}

const ENTRIES: [&str; 3] = ["Keygen", "Sign", "Verify"];

#[test]
fn the_model_agrees_on_every_case() {
    for config in Config::ALL {
        let program = config.program();
        let model = Model::new(config, 2, true);
        for case in support::standard().into_iter().chain(support::wycheproof()) {
            let outcome = model.run(&program, ENTRIES[usize::from(case.op)], &inputs(&case));
            check(&case, &outcome);
        }
    }
}

#[test]
fn skipping_and_latency_change_cycles_only() {
    let cases = support::family(3, 32);
    for config in Config::ALL {
        let program = config.program();
        for (latency, fixed_time) in [(2, false), (3, true), (5, false), (8, true)] {
            let model = Model::new(config, latency, fixed_time);
            for case in &cases {
                check(case, &model.run(&program, ENTRIES[usize::from(case.op)], &inputs(case)));
            }
        }
    }
}

#[test]
fn signing_takes_the_same_cycles_for_every_key() {
    for config in Config::ALL {
        let program = config.program();
        let model = Model::new(config, 2, true);
        for (op, entry) in ENTRIES.iter().enumerate().take(2) {
            let cycles = (0..12).map(|i| {
                let case = &support::family(i, 32)[op];
                model.run(&program, entry, &inputs(case)).cycles
            });
            let cycles: Vec<u64> = cycles.collect();
            assert!(cycles.iter().all(|count| *count == cycles[0]), "{entry}: {cycles:?}");
        }
    }
}

/// Holds what `ed25519_select` relies on: the results of a word go to different registers.
#[test]
fn the_destinations_of_a_word_differ() {
    for config in Config::ALL {
        for word in &config.program().code {
            let to = [word.dr, word.ds, word.dm];
            let same = |i: usize, j: usize| to[i] == to[j] && to[i] != NONE;
            assert!(!(same(0, 1) || same(0, 2) || same(1, 2)), "{word:?}");
        }
    }
}
