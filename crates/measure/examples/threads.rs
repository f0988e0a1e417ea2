//! Signs, verifies and makes keys on one thread and on several, in alternation:
//! `cargo run --release -p hasten-measure --example threads`.
//!
//! Times are wall-clock times, not CPU times. `peer.ratio` is the time on one thread divided by the
//! time on the number of threads that the row names.

use hasten_hbs::params::Set;
use hasten_hbs::slhdsa::{Claim, Context, SigningKey, verify_many_on};
use hasten_hbs::{Error, KeyGeneration};
use hasten_kernels::Kernels;
use hasten_measure::row::Peer;
use hasten_measure::windows::{Subject, in_turn};
use hasten_report::{Machine, Summary, publish};
use serde::Serialize;
use std::num::NonZero;
use std::ops::ControlFlow;

/// Small and fast sets of SLH-DSA, with both hash functions.
const SETS: [&str; 4] =
    ["SLH-DSA-SHA2-128s", "SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128s", "SLH-DSA-SHAKE-128f"];
/// Sets of stateful schemes.
const STATEFUL: [&str; 2] = ["XMSS-SHA2_10_256", "LMS_SHA256_M24_H10_W4"];
/// Number of windows per subject, signatures made or verified by one call, and the message.
const WINDOWS: usize = 10;
const SIGNED: usize = 4;
const VERIFIED: usize = 32;
const MESSAGE: &[u8] = b"message";

#[derive(Serialize)]
struct Row {
    alg: &'static str,
    op: &'static str,
    threads: usize,
    /// Time per key or signature.
    time_us: Summary,
    /// Comparison with one thread.
    peer: Peer,
}

/// Times `work` on one thread and on `threads`, in alternation. One call is `share` units of work.
fn row(
    alg: &'static str,
    op: &'static str,
    (threads, share): (usize, usize),
    work: &dyn Fn(usize),
) -> Row {
    let (mut several, mut one) = (|| work(threads), || work(1));
    let several = Subject::of_several_threads(share, &mut several);
    let one = Subject::of_several_threads(share, &mut one);
    let (several, one) = in_turn(WINDOWS, several, one);
    let peer = Peer::new("one thread", &several, &one);
    Row { alg, op, threads, time_us: several.summary(), peer }
}

/// Measures a set of SLH-DSA: key generation, one signature, signing many and verifying many.
fn stateless(alg: &'static str, threads: usize) -> Result<[Row; 4], Error> {
    let (set, kernels) = (Set::named(alg).expect("a set"), Kernels::best());
    let seed = vec![7; set.seed_bytes()];
    let key = SigningKey::from_seed(&kernels, set, &seed)?;
    let messages = [MESSAGE; SIGNED];
    let signature = key.sign(Context::EMPTY, MESSAGE, None)?.into_bytes();
    let claims =
        [Claim { context: Context::EMPTY, message: MESSAGE, signature: &signature }; VERIFIED];
    let public = key.verifying_key();
    Ok([
        row(alg, "keygen", (threads, 1), &|threads| {
            drop(SigningKey::from_seed_on(threads, &kernels, set, &seed).expect("the seed fits"));
        }),
        row(alg, "sign", (threads, 1), &|threads| {
            drop(key.sign_on(threads, Context::EMPTY, MESSAGE, None).expect("the key signs"));
        }),
        row(alg, "sign-many", (threads, SIGNED), &|threads| {
            let made = key.sign_many_on(threads, Context::EMPTY, &messages, None);
            drop(made.expect("the key signs"));
        }),
        row(alg, "verify-many", (threads, VERIFIED), &|threads| {
            assert!(verify_many_on(threads, public, &claims).iter().all(Result::is_ok));
        }),
    ])
}

/// Measures key generation of a set of a stateful scheme.
fn stateful(alg: &'static str, threads: usize) -> Row {
    let (set, kernels) = (Set::named(alg).expect("a set"), Kernels::best());
    let seed = vec![7; set.seed_bytes()];
    row(alg, "keygen", (threads, 1), &|threads| {
        let mut generation = KeyGeneration::new(set, &seed, kernels).expect("the seed fits");
        drop(
            generation.run(threads, &mut |_| ControlFlow::Continue(())).expect("nothing stops it"),
        );
    })
}

fn main() -> Result<(), Error> {
    let most = std::thread::available_parallelism().map_or(2, NonZero::get).max(2);
    let mut rows = Vec::new();
    for threads in (1..).map(|power| 1_usize << power).take_while(|threads| *threads <= most) {
        for alg in SETS {
            rows.extend(stateless(alg, threads)?);
        }
        rows.extend(STATEFUL.map(|alg| stateful(alg, threads)));
    }
    let program = "cargo run --quiet --release --locked -p hasten-measure --example threads --";
    publish("hasten.threads/1", program, Machine::this(), &rows).expect("the report is printed");
    Ok(())
}
