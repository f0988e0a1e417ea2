//! Times of stateful signatures: the sets of the appendix, on one thread and on four.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use hasten_hbs::hazmat::{Throwaway, ThrowawayPermit};
use hasten_hbs::{Prepared, PublicKey, Set, Signer, SignerLevel, Verifier};
use hasten_kernels::{Kernels, Midstate};
use hasten_report::{Summary, micros};

use super::appendix::stateful::{LMS_FOUR, LMS_ONE, Line, MACHINE, SHA256, XMSS_ASM, XMSS_C};
use super::sheet::{Cell, Sheet};
use super::speed::mean;
use crate::{Error, Watch, keygen};

/// Number of threads in the appendix's second benchmark of LMS.
const THREADS: usize = 4;

/// Number of signatures that the threads share in one turn.
const SHARED: usize = 64;

/// The message, of the same length as in the appendix's benchmark.
const MESSAGE: [u8; 32] = [0x5A; 32];

/// The code, threads and time with which a set is measured.
#[derive(Clone, Copy)]
struct Way {
    /// `best` or `portable`.
    code: &'static str,
    kernels: Kernels<'static>,
    threads: usize,
    time: Duration,
}

/// A signature prepared for its index.
type Ready = Prepared<'static, ThrowawayPermit>;

/// Name of an operation, and the mean time in each turn.
type Taken = (&'static str, Vec<f64>);

/// Repeats a turn of `share` operations for `time`, at least three times, or until `turn` returns
/// `None`. Returns the microseconds per operation for each turn.
fn turns(
    time: Duration,
    share: usize,
    mut turn: impl FnMut() -> Result<Option<Duration>, Error>,
) -> Result<Vec<f64>, Error> {
    let (begun, mut taken) = (Instant::now(), Vec::new());
    while begun.elapsed() < time || taken.len() < 3 {
        let Some(took) = turn()? else { break };
        taken.push(micros(took) / share as f64);
    }
    Ok(taken)
}

/// Signs with consecutive indices. The calling thread prepares them with their authentication
/// paths; if there are more threads, these sign in the meantime.
fn sign(
    threads: usize,
    share: usize,
    mut prepare: impl FnMut() -> Result<Ready, Error>,
) -> Result<Vec<Vec<u8>>, Error> {
    let finish = |one: Ready| Ok::<_, Error>(one.finish(&MESSAGE)?.into_bytes());
    if threads == 1 {
        return (0..share).map(|_| finish(prepare()?)).collect();
    }
    std::thread::scope(|scope| {
        let start = |_| {
            let (to, from) = mpsc::channel::<Ready>();
            (to, scope.spawn(move || from.into_iter().map(finish).collect::<Result<Vec<_>, _>>()))
        };
        let (ends, others): (Vec<_>, Vec<_>) = (1..threads).map(start).unzip();
        for end in ends.iter().cycle().take(share) {
            // If a thread has ended early, its error is returned below.
            drop(end.send(prepare()?));
        }
        drop(ends);
        let mut made = Vec::with_capacity(share);
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(made)
    })
}

/// Verifies signatures, divided among the threads.
fn verify(way: Way, key: &PublicKey, signatures: &[Vec<u8>]) -> Result<(), Error> {
    let check = |part: &[Vec<u8>]| -> Result<(), Error> {
        let verifier = Verifier::new(key, way.kernels);
        part.iter().try_for_each(|signature| Ok(verifier.verify(&MESSAGE, signature)?))
    };
    let each = signatures.len().div_ceil(way.threads);
    std::thread::scope(|scope| {
        let mut parts = signatures.chunks(each);
        let first = parts.next().unwrap_or_default();
        let others: Vec<_> = parts.map(|part| scope.spawn(move || check(part))).collect();
        check(first)?;
        others.into_iter().try_for_each(|other| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Generates a key, signs with consecutive indices, and verifies.
fn measure(set: &'static Set, way: Way) -> Result<[Taken; 3], Error> {
    let seed = keygen::seed(set)?;
    let make = || keygen::from_seed(set, &seed, way.kernels, way.threads, Watch::none());
    let begun = Instant::now();
    let mut signer: Signer<'static> = make()?;
    let made = vec![micros(begun.elapsed())];
    let share = if way.threads == 1 { 1 } else { SHARED };
    let (mut permits, mut signatures) = (Throwaway::new(), Vec::new());
    let signed = turns(way.time, share, || {
        if signer.remaining() < share as u64 {
            return Ok(None);
        }
        let begun = Instant::now();
        let prepare = || Ok(signer.prepare(permits.permit(), SignerLevel::EarlyAuth)?);
        let some = sign(way.threads, share, prepare)?;
        let took = begun.elapsed();
        if signatures.len() < SHARED {
            signatures.extend(some);
        }
        Ok(Some(took))
    })?;
    let key = signer.public_key();
    let mut nth = 0;
    let verified = turns(way.time, share, || {
        let from = if share == 1 { nth % signatures.len() } else { 0 };
        nth += 1;
        let begun = Instant::now();
        verify(way, key, &signatures[from..from + share])?;
        Ok(Some(begun.elapsed()))
    })?;
    Ok([("keygen", made), ("sign", signed), ("verify", verified)])
}

/// Measures the time of hashing one mebibyte.
fn hash(way: Way) -> Result<Vec<f64>, Error> {
    let (message, mut digest) = (vec![0x5A; 1 << 20], [0; 32]);
    turns(way.time, 1, || {
        let begun = Instant::now();
        Midstate::sha256().finish(way.kernels.sha256, &message, &mut digest);
        Ok(Some(begun.elapsed()))
    })
}

fn row(
    alg: &'static str,
    bytes: Option<usize>,
    way: Way,
    (op, taken): &Taken,
    theirs: Option<f64>,
) -> Vec<Cell> {
    let mean = mean(taken);
    vec![
        alg.into(),
        (*op).into(),
        way.code.into(),
        way.threads.into(),
        bytes.into(),
        taken.len().into(),
        Cell::Time(Summary::of(taken)),
        Cell::Number(mean, 3),
        Cell::Number(1e6 / mean, 0),
        theirs.map_or(Cell::Empty, |us| Cell::Number(us, 1)),
        theirs.map_or(Cell::Empty, |us| Cell::Number(us / mean, 2)),
    ]
}

/// Measures the sets of one benchmark of the appendix.
fn benchmark(theirs: &[Line], way: Way, rows: &mut Vec<Vec<Cell>>) -> Result<(), Error> {
    let mut sets: Vec<_> = theirs.iter().map(|(set, ..)| *set).collect();
    sets.dedup();
    for alg in sets {
        let set = Set::named(alg)?;
        for taken in measure(set, way)? {
            let is = |line: &&Line| line.0 == alg && line.1 == taken.0;
            let us = theirs.iter().find(is).map(|(.., us)| *us);
            rows.push(row(alg, Some(set.signature_bytes()), way, &taken, us));
        }
    }
    Ok(())
}

/// Measures every benchmark of the appendix on this machine: LMS on one thread and on four, and
/// XMSS with the best code for the processor and with portable code.
///
/// # Errors
/// The error of a scheme, or of the system's random number generator.
pub fn sheet(time: Duration) -> Result<Sheet, Error> {
    let best = Way { code: "best", kernels: Kernels::best(), threads: 1, time };
    let portable = Way { code: "portable", kernels: Kernels::portable(), ..best };
    let mut rows = Vec::new();
    benchmark(&LMS_ONE, best, &mut rows)?;
    benchmark(&LMS_FOUR, Way { threads: THREADS, ..best }, &mut rows)?;
    for (way, theirs, mib) in [(best, &XMSS_ASM, SHA256[0]), (portable, &XMSS_C, SHA256[1])] {
        rows.push(row("SHA-256", None, way, &("hash-mib", hash(way)?), Some(1e6 / mib)));
        benchmark(theirs, way, &mut rows)?;
    }
    Ok(Sheet {
        name: "stateful",
        title: "Signatures that keep a state",
        columns: vec![
            ("alg", "Set"),
            ("op", "Operation"),
            ("code", "Code"),
            ("threads", "Threads"),
            ("signature_bytes", "Signature, bytes"),
            ("iterations", "Iterations"),
            ("time_us", "Median, us"),
            ("mean", "Mean, us"),
            ("per_second", "Per second"),
            ("theirs_mean", "Appendix: mean, us"),
            ("theirs_over_ours", "Theirs over ours"),
        ],
        rows,
        notes: vec![format!(
            "Times of a clock, of one signature. Indices follow one another from the first, nothing is prepared before the message, no state is stored. On four threads one call signs or verifies {SHARED} messages, and an iteration is a call: of the four that sign, one hands out indices with their paths; this machine has {} cores. A key is made once. hash-mib is SHA-256 over 2^20 bytes. The appendix's figures are of another machine ({MACHINE}); there threads share the work of one signature.",
            hasten_report::cores()
        )],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several threads sign with consecutive indices that continue into the next lowest tree, and
    /// all signatures verify: `verify` stops at a bad one.
    #[test]
    fn several_threads_sign_and_verify_what_one_does() {
        let set = Set::named("L3_H5_W4").expect("a set");
        for threads in [1, THREADS] {
            let time = Duration::from_millis(1);
            let way = Way { code: "best", kernels: Kernels::best(), threads, time };
            let [keygen, sign, verify] = measure(set, way).expect("signs and verifies");
            assert_eq!((keygen.0, keygen.1.len()), ("keygen", 1));
            for (op, taken) in [sign, verify] {
                assert!(taken.len() >= 3 && taken.iter().all(|us| *us > 0.0), "{op}: {taken:?}");
            }
        }
    }

    #[test]
    fn a_signature_that_does_not_verify_ends_it() {
        let set = Set::named("L2_H5_W4").expect("a set");
        let kernels = Kernels::best();
        let way = Way { code: "best", kernels, threads: THREADS, time: Duration::ZERO };
        let mut signer = keygen::generate(set, kernels, 1, Watch::none()).expect("a key");
        let mut permits = Throwaway::new();
        let prepare = || Ok(signer.prepare(permits.permit(), SignerLevel::EarlyAuth)?);
        let mut made = sign(THREADS, 5, prepare).expect("signed");
        assert_eq!(made.len(), 5);
        let key = signer.public_key();
        assert!(verify(way, key, &made).is_ok());
        made[4][40] ^= 1;
        assert!(verify(way, key, &made).is_err());
    }
}
