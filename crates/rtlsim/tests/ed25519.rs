//! Checks that the generated files are the committed ones, and compares the exact model of every
//! program with `ed25519-dalek`.

mod support;

use hasten_kernels::Kernels;
use hasten_keys::{encoding::PublicKey, registry, stateless};
use hasten_rtlsim::ed25519::constants;
use hasten_rtlsim::ed25519::emit;
use hasten_rtlsim::ed25519::isa::NONE;
use hasten_rtlsim::ed25519::model::{Model, Outcome};
use hasten_rtlsim::ed25519::operations::Config;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use support::{Case, inputs, weak};

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
        0 => assert_eq!(out, case.out, "{}", case.name),
        1 => assert_eq!(out[..case.out.len()], case.out, "{}", case.name),
        _ => assert_eq!(!outcome.failed && !weak(case), case.ok, "{}", case.name),
    }
}

/// The constants are the y of each point whose order divides eight, and no others.
#[test]
fn the_points_of_small_order_are_those_of_the_curve() {
    for point in curve25519_dalek::constants::EIGHT_TORSION {
        assert!(support::small_order(&point.compress().to_bytes()));
    }
    assert_eq!(
        constants::small_orders().map(|y| y.to_string()).iter().collect::<BTreeSet<_>>().len(),
        5
    );
}

/// Verification in software gives the same verdicts as the gates.
#[test]
fn software_gives_the_same_verdicts() {
    let row = registry::find("Ed25519").unwrap();
    for case in support::cctv().iter().chain(&support::standard()).filter(|case| case.op == 2) {
        let part = |i: usize| case.parts[i].0.as_slice();
        let verdict = PublicKey::new(row, part(1)).and_then(|key| {
            stateless::verify(&key, part(3), &[part(0), part(2)].concat(), Kernels::best())
        });
        assert_eq!(verdict.is_ok(), case.ok, "{}", case.name);
    }
}

/// The exact model of each program gives the verdicts of C2SP's edge cases.
#[test]
fn the_edge_cases_get_their_verdicts() {
    let cases = support::cctv();
    assert_eq!(cases.len(), 914);
    for config in Config::ALL {
        let (program, model) = (config.program(), Model::new(config, 2, true));
        for case in cases.iter().step_by(7) {
            check(case, &model.run(&program, "Verify", &inputs(case)));
        }
    }
}

/// A run makes as many checks and passes as many marks as the core requires for a good answer.
#[test]
fn every_run_makes_the_checks_of_its_program() {
    for config in Config::ALL {
        let program = config.program();
        let model = Model::new(config, 2, true);
        for case in support::family(3, 32).into_iter().chain(support::wycheproof()) {
            let entry = ENTRIES[usize::from(case.op)];
            let (checks, marks) = program.counts(entry);
            assert_eq!(model.run(&program, entry, &inputs(&case)).counts, (checks, marks));
            assert!(marks > 0 && (checks > 0) == (case.op == 2), "{entry}");
        }
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

/// The results of a word go to different registers, as `ed25519_select` requires.
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
