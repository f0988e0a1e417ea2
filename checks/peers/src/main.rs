//! Hasten compared with other libraries of hash-based signatures.
//!
//! `cargo run -p peers --release [-- --json] [--alg NAME]... [--samples N] [--all] [--kem]` runs
//! each operation of Hasten and of the peer in turns, on one core, by the thread's own CPU clock. A
//! ratio above 1 means that Hasten is faster. Every peer is checked first: it verifies its own
//! signature, and Hasten verifies it too if both implement the same standard.
//!
//! Crates are linked. Other libraries are programs named by environment variables, as described in
//! docs/peers.md. `--all` refuses to measure unless all of them are there.

mod exchange;
mod indices;
mod kem;
#[cfg(feature = "liboqs")]
mod liboqs;
mod ours;
mod program;
mod programs;
mod report;
mod side;
mod slh;
mod stateful;
mod turns;
mod wolfssl;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_measure::{Progress, Watch, pin};
use programs::Programs;
use report::{Row, print};
use side::Side;
use turns::Turns;

const HELP: &str = "Usage: cargo run -p peers --release -- [--json] [--alg NAME]... [--samples N] [--all] [--kem]\n\n\
    Measures Hasten beside liboqs, slh-dsa, fips205, hbs-lms and xmss, and beside the programs that\n\
    HASTEN_WOLFSSL, HASTEN_BOTAN, HASTEN_PARALLEL_SPHINCSPLUS, HASTEN_PARALLEL_DWARF and\n\
    HASTEN_BOUNCYCASTLE name; with --all, each of them has to be named;\n\
    with --kem, ML-KEM and ML-DSA alone beside wolfSSL.\n\n\
    Example: cargo run -p peers --release -- --alg SLH-DSA-SHA2-128f";

/// The operations compared.
pub const OPERATIONS: [&str; 3] = ["keygen", "sign", "verify"];

/// Time after which an operation is measured enough.
const ENOUGH: Duration = Duration::from_millis(300);

/// The signed message.
pub const MESSAGE: [u8; 64] = [0x6d; 64];

struct Args {
    json: bool,
    algs: Vec<&'static Set>,
    samples: usize,
    all: bool,
    kem: bool,
}

fn main() -> ExitCode {
    let args = match parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(said) => {
            eprintln!("{said}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let kernels = Kernels::best();
    let hear = |progress: Progress<'_>| {
        if progress == Progress::Unpinned {
            eprintln!("the thread could not be tied to a core: expect a wider spread");
        }
        ControlFlow::Continue(())
    };
    match pin::pinned(Watch::new(&hear), || measure(&args, kernels)) {
        Ok(rows) => print(&rows, args.json),
        Err(said) => {
            eprintln!("{said}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Measures every set with every peer that supports it.
fn measure(args: &Args, kernels: Kernels<'static>) -> Result<Vec<Row>, String> {
    let programs = Programs::find(args.all)?;
    if args.kem {
        let none = || "--kem takes wolfSSL: HASTEN_WOLFSSL names no program".to_owned();
        return kem::rows(programs.wolfssl.as_ref().ok_or_else(none)?);
    }
    let mut rows = Vec::new();
    for set in sets(&args.algs) {
        let own_worst = indices::fit(set)
            .then(|| indices::worst_over_median(set, &mut ours::indices(set, kernels)))
            .transpose()?;
        for peer in linked(set).into_iter().map(Ok).chain(programs.sides(set)) {
            rows.extend(beside(set, peer?, own_worst, args.samples, kernels)?);
        }
    }
    if let Some(benchmark) = &programs.wolfssl {
        rows.extend(wolfssl::rows(benchmark, &args.algs, kernels)?);
    }
    Ok(by_set(rows))
}

/// Groups the rows by set, in the order in which the sets first appear.
fn by_set(mut rows: Vec<Row>) -> Vec<Row> {
    let algs: Vec<_> = rows.iter().map(|row| row.alg).collect();
    rows.sort_by_key(|row| algs.iter().position(|alg| *alg == row.alg));
    rows
}

/// Measures one set with one peer.
fn beside(
    set: &'static Set,
    mut side: Side,
    own_worst: Option<f64>,
    samples: usize,
    kernels: Kernels<'static>,
) -> Result<Vec<Row>, String> {
    let mut own = ours::side(set, kernels);
    let mut rows = Vec::new();
    for (i, op) in OPERATIONS.into_iter().enumerate() {
        eprintln!("{} {op}: {}", set.name, side.peer.name);
        let turns = Turns::take(samples, ENOUGH, &mut own[i], &mut side.work[i])?;
        rows.push(Row::new(set.name, op, &side.peer, &turns));
    }
    let worst =
        side.indices.as_mut().map(|all| indices::worst_over_median(set, all)).transpose()?;
    let sign = &mut rows[1];
    (sign.worst_over_median, sign.peer_worst_over_median) = (own_worst, worst);
    Ok(rows)
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut args = Args { json: false, algs: Vec::new(), samples: 100, all: false, kem: false };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--json" => args.json = true,
            "--all" => args.all = true,
            "--kem" => args.kem = true,
            "--alg" => {
                let name = value()?;
                args.algs.push(Set::named(&name).map_err(|_| format!("No set {name}"))?);
            }
            "--samples" => {
                let count = value()?;
                let count = count.parse().ok().filter(|count| *count > 0);
                args.samples = count.ok_or("--samples takes a number above 0".to_owned())?;
            }
            _ => return Err(format!("Unknown: {word}")),
        }
    }
    Ok(args)
}

/// Returns the selected sets, or all sets of the linked peers.
fn sets(asked: &[&'static Set]) -> Vec<&'static Set> {
    match asked {
        [] => slh::SETS.iter().chain(&stateful::SETS).filter_map(|s| Set::named(s).ok()).collect(),
        _ => asked.to_vec(),
    }
}

/// Returns the linked peers that support this set.
fn linked(set: &'static Set) -> Vec<Side> {
    let mut sides = Vec::new();
    #[cfg(feature = "liboqs")]
    sides.extend(liboqs::side(set));
    sides.extend(slh::sides(set));
    sides.extend(stateful::side(set));
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use side::Peer;

    #[test]
    fn every_peer_does_every_operation_of_a_small_set() {
        for name in
            ["SLH-DSA-SHA2-128f", "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4", "XMSSMT-SHA2_20/4_256"]
        {
            let set = Set::named(name).unwrap();
            let sides = linked(set);
            assert!(!sides.is_empty(), "{name}");
            for mut side in sides {
                assert!(side.work.iter_mut().all(|work| work.once().is_ok()), "{side:?}");
            }
        }
    }

    #[test]
    fn rows_of_a_set_are_of_its_operations() {
        let set = Set::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4").unwrap();
        let side = stateful::side(set).unwrap();
        let rows = beside(set, side, Some(1.5), 2, Kernels::best()).unwrap();
        assert_eq!([rows[0].op, rows[1].op, rows[2].op], OPERATIONS);
        let other =
            Row { alg: "another", ..Row::new("", "sign", &Peer::default(), &Turns::default()) };
        let [first, second, third] = rows.try_into().unwrap_or_else(|_| panic!("three rows"));
        let rows = by_set(vec![first, other, second, third]);
        assert!(rows[1].alg == set.name && rows[3].alg == "another");
        assert_eq!([&rows[0], &rows[1]].map(|row| row.worst_over_median), [None, Some(1.5)]);
        assert_eq!([&rows[0], &rows[1]].map(|row| row.rebuilds), [false, true]);
    }

    #[test]
    fn arguments() {
        let words = |text: &str| parse(text.split_whitespace().map(str::to_owned));
        assert!(words("--kem").unwrap().kem);
        let args = words("--json --all --alg SLH-DSA-SHA2-128f --samples 3").unwrap();
        assert!(args.json && args.all && !args.kem && args.samples == 3 && args.algs.len() == 1);
        for bad in ["--alg", "--alg nobody", "--samples 0", "more"] {
            assert!(words(bad).is_err(), "{bad}");
        }
    }
}
