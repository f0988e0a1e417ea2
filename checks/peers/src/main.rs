//! Hasten beside other libraries of hash-based signatures.
//!
//! `cargo run -p peers --release [-- --json] [--alg NAME]... [--samples N]`: each operation of ours
//! and the peer's in turn, on one core, timed by the thread's own CPU clock. A ratio above 1 says
//! that ours is faster. Every peer is checked first: it verifies its own signature, and where both
//! speak the same standard each verifies the other's.
//!
//! `--wolfssl` measures beside the program that `HASTEN_WOLFSSL` names, and nothing else.

#[cfg(feature = "liboqs")]
mod liboqs;
mod ours;
mod report;
mod slh;
mod stateful;
mod wolfssl;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_measure::windows::{Subject, in_turn_for};
use hasten_measure::{Progress, Watch, pin};
use report::{Row, print};

const HELP: &str = "Usage: cargo run -p peers --release -- [--json] [--alg NAME]... [--samples N] [--wolfssl]\n\n\
    Measures Hasten beside liboqs, slh-dsa, fips205, hbs-lms and xmss; with --wolfssl beside the\n\
    program that HASTEN_WOLFSSL names, which is `benchmark` of wolfSSL's sources.\n\n\
    Example: cargo run -p peers --release -- --alg SLH-DSA-SHA2-128f";

/// Holds what one side does, and what it is.
pub struct Side {
    /// The library, with its version.
    pub name: &'static str,
    /// Holds what its hash functions were built with or choose at run time.
    pub built: &'static str,
    /// Its operations, in the order of [`OPERATIONS`].
    pub work: [Box<dyn FnMut()>; 3],
}

/// The operations compared.
pub const OPERATIONS: [&str; 3] = ["keygen", "sign", "verify"];

/// CPU time spent on one operation before it is enough.
const ENOUGH: Duration = Duration::from_millis(500);

/// Bytes of the message.
pub const MESSAGE: [u8; 64] = [0x6d; 64];

struct Args {
    json: bool,
    algs: Vec<&'static Set>,
    samples: usize,
    wolfssl: bool,
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
    let measured = pin::pinned(Watch::new(&hear), || match args.wolfssl {
        true => wolfssl::rows(&args.algs, kernels),
        false => Ok(measure(&args, kernels)),
    });
    match measured {
        Ok(rows) => print(&rows, args.json),
        Err(said) => {
            eprintln!("{said}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Measures every set beside every peer that has it.
fn measure(args: &Args, kernels: Kernels<'static>) -> Vec<Row> {
    let mut rows = Vec::new();
    for set in sets(&args.algs) {
        for mut peer in peers(set) {
            let mut own = ours::side(set, kernels);
            for (i, op) in OPERATIONS.into_iter().enumerate() {
                eprintln!("{} {op}: {}", set.name, peer.name);
                let ours = Subject::brief(1, &mut own.work[i]);
                let theirs = Subject::brief(1, &mut peer.work[i]);
                let times = in_turn_for(args.samples, ENOUGH, ours, theirs);
                rows.push(Row::new(set.name, op, &peer, &times));
            }
        }
    }
    rows
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut args = Args { json: false, algs: Vec::new(), samples: 100, wolfssl: false };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--json" => args.json = true,
            "--wolfssl" => args.wolfssl = true,
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

/// Returns the sets asked for, or all that a peer has.
fn sets(asked: &[&'static Set]) -> Vec<&'static Set> {
    match asked {
        [] => slh::SETS.iter().chain(&stateful::SETS).filter_map(|s| Set::named(s).ok()).collect(),
        _ => asked.to_vec(),
    }
}

/// Returns the peers that have this set.
fn peers(set: &'static Set) -> Vec<Side> {
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

    #[test]
    fn every_peer_does_every_operation_of_a_small_set() {
        for name in
            ["SLH-DSA-SHA2-128f", "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4", "XMSSMT-SHA2_20/4_256"]
        {
            let set = Set::named(name).unwrap();
            let peers = peers(set);
            assert!(!peers.is_empty(), "{name}");
            for mut side in peers {
                side.work.iter_mut().for_each(|work| work());
            }
        }
    }

    #[test]
    fn arguments() {
        let words = |text: &str| parse(text.split_whitespace().map(str::to_owned));
        let args = words("--json --alg SLH-DSA-SHA2-128f --samples 3").unwrap();
        assert!(args.json && args.samples == 3 && args.algs.len() == 1);
        for bad in ["--alg", "--alg nobody", "--samples 0", "more"] {
            assert!(words(bad).is_err(), "{bad}");
        }
    }
}
