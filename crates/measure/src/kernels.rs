//! Comparison of the three kernels, on every backend and in batches, with the crates sha2 and
//! keccak.

mod limit;
mod peers;

use hasten_kernels::Kernels;

use crate::row::{Peer, Row, per_second};
use crate::windows::{Subject, in_turn};
use crate::{Error, Watch};

/// Batch sizes: a single state, one full step of the widest backend, and many.
const BATCHES: [usize; 3] = [1, 16, 64];

/// A backend: its name and its kernels.
pub type Backend = (&'static str, Kernels<'static>);

/// Measures all kernels on each of the backends, in `samples` windows each.
///
/// # Errors
/// [`Error::Stopped`]; the finished rows remain in `rows`.
pub fn measure(
    backends: &[Backend],
    samples: usize,
    watch: Watch<'_>,
    rows: &mut Vec<Row>,
) -> Result<(), Error> {
    for case in cases() {
        for (backend, kernels) in backends {
            for batch in BATCHES {
                watch.check()?;
                rows.push((case.run)(&case, backend, kernels, batch, samples));
            }
        }
    }
    Ok(())
}

/// A kernel with the function that measures it.
struct Case {
    alg: &'static str,
    op: &'static str,
    bytes: usize,
    peer: &'static str,
    run: fn(&Case, &'static str, &Kernels<'static>, usize, usize) -> Row,
}

fn cases() -> [Case; 3] {
    [
        Case { alg: "SHA-256", op: "compress", bytes: 64, peer: peers::sha256_name(), run: sha256 },
        Case {
            alg: "SHA-512",
            op: "compress",
            bytes: 128,
            peer: peers::sha512_name(),
            run: sha512,
        },
        Case { alg: "Keccak", op: "permute", bytes: 200, peer: peers::keccak_name(), run: keccak },
    ]
}

fn sha256(case: &Case, name: &'static str, kernels: &Kernels<'_>, batch: usize, n: usize) -> Row {
    let blocks = vec![[0x5a; 64]; batch];
    let (mut ours, mut theirs) = (vec![[1; 8]; batch], vec![[1; 8]; batch]);
    compare(
        case,
        (name, batch, n),
        &mut || kernels.sha256.compress(&mut ours, &blocks),
        &mut || peers::sha256(&mut theirs, &blocks),
    )
}

fn sha512(case: &Case, name: &'static str, kernels: &Kernels<'_>, batch: usize, n: usize) -> Row {
    let blocks = vec![[0x5a; 128]; batch];
    let (mut ours, mut theirs) = (vec![[1; 8]; batch], vec![[1; 8]; batch]);
    compare(
        case,
        (name, batch, n),
        &mut || kernels.sha512.compress(&mut ours, &blocks),
        &mut || peers::sha512(&mut theirs, &blocks),
    )
}

fn keccak(case: &Case, name: &'static str, kernels: &Kernels<'_>, batch: usize, n: usize) -> Row {
    let (mut ours, mut theirs) = (vec![[1; 25]; batch], vec![[1; 25]; batch]);
    compare(case, (name, batch, n), &mut || kernels.keccak.permute(&mut ours), &mut || {
        peers::keccak(&mut theirs)
    })
}

fn compare(
    case: &Case,
    (backend, batch, windows): (&'static str, usize, usize),
    ours: &mut dyn FnMut(),
    theirs: &mut dyn FnMut(),
) -> Row {
    let (ours, theirs) = in_turn(windows, Subject::new(batch, ours), Subject::new(batch, theirs));
    let time_us = ours.summary();
    Row {
        alg: case.alg,
        op: case.op,
        level: None,
        backend,
        threads: 1,
        batch: Some(batch),
        time_us,
        per_second: per_second(time_us.min),
        compressions: 1.0,
        bytes: case.bytes,
        limit: limit::of(case.alg, backend, batch, windows, time_us.min),
        megabytes_per_second: None,
        peer: Some(Peer::new(case.peer, &ours, &theirs)),
    }
}
