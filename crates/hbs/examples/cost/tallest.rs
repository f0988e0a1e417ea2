//! Times of loading keys of height 25 that were never fully generated. All subtrees but the first
//! are made up, and the root is computed over them. Loading such a key takes the same work as
//! loading any other, and the key signs with its first subtree.

use crate::{least, named, seed};
use hasten_hbs::params::{Hash, Scheme};
use hasten_hbs::{
    Error, KeyGeneration, PublicKey, Set, SignerLevel, Verifier, hazmat::Throwaway, load,
};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate, many};
use serde_json::{Value, json};
use std::hint::black_box;
use std::ops::ControlFlow;

/// The most expensive leaves, and the cheapest leaves of every hash function.
const SETS: [&str; 5] = [
    "LMS_SHA256_M32_H25_W2",
    "LMS_SHA256_M32_H25_W8",
    "LMS_SHA256_M24_H25_W8",
    "LMS_SHAKE_M32_H25_W8",
    "LMS_SHAKE_M24_H25_W8",
];
/// Size of I in bytes; a seed begins with I.
const ID: usize = 16;
/// RFC 8554, section 5.3 (LMS Public Key): D_INTR.
const D_INTR: [u8; 2] = [0x83, 0x83];

/// Returns two rows for each set: without and with the leaves that a session keeps.
pub fn rows() -> impl Iterator<Item = Value> {
    SETS.into_iter().map(named).flat_map(|set| {
        eprintln!("{}, loaded", set.name);
        let (public, cache) = made_up(set);
        let mut signer = load(&public, &seed(set), &cache, &Throwaway::new(), Kernels::best())
            .expect("its own cache");
        let prepared = signer.prepare(Throwaway::new().permit(), SignerLevel::None);
        let signature = prepared.expect("the first index").finish(&[7]).expect("a permit");
        let verifier = Verifier::new(&public, Kernels::best());
        verifier.verify(&[7], signature.as_bytes()).expect("a good signature");
        let kept = [&cache[..], &signer.to_leaves()].concat();
        [row(set, &public, &cache, false), row(set, &public, &kept, true)]
    })
}

fn row(set: &'static Set, public: &PublicKey, cache: &[u8], leaves_kept: bool) -> Value {
    let time_us = least(9, || {
        black_box(
            load(public, &seed(set), cache, &Throwaway::starting_at(1), Kernels::best())
                .expect("a cache"),
        );
    });
    json!({
        "alg": set.name, "op": "load-tallest", "size": set.h, "threads": 1, "time_us": time_us,
        "leaves_kept": leaves_kept, "cache_bytes": cache.len(),
    })
}

/// Returns a key whose first subtree is computed from the seed, and its cache.
fn made_up(set: &'static Set) -> (PublicKey, Vec<u8>) {
    let (seed, mut subtrees) = (seed(set), 0);
    let mut first = KeyGeneration::new(set, &seed, Kernels::best()).expect("a seed");
    let stopped = first.run(1, &mut |progress| {
        subtrees = (progress.total / progress.done) as usize;
        ControlFlow::Break(())
    });
    assert!(matches!(stopped, Err(Error::Stopped)));
    let mut row = first.partial();
    row.extend((row.len()..subtrees * set.n).map(|at| (at / 7) as u8));
    let kernels = Kernels::best();
    let root = match set.hash {
        Hash::Sha256 => root(kernels.sha256, &Midstate::sha256(), set.n, &seed[..ID], &row),
        _ => root(kernels.keccak, &Midstate::shake256(), set.n, &seed[..ID], &row),
    };
    let Scheme::Lms { ots } = set.scheme else { panic!("a set of LMS") };
    let [lms, ots] = [set.number.get(), ots].map(u32::to_be_bytes);
    let public = [&lms, &ots, &seed[..ID], &root].concat();
    let public = PublicKey::from_lms_bytes(&public).expect("a public key");
    (public, [&0_u64.to_be_bytes()[..], &row].concat())
}

/// Computes the root over a row of nodes: RFC 8554, section 5.3 (LMS Public Key).
fn root<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    start: &Midstate<H>,
    n: usize,
    id: &[u8],
    row: &[u8],
) -> Vec<u8> {
    let mut row = row.to_vec();
    while row.len() > n {
        let count = row.len() / n / 2;
        let number = (count..2 * count).map(|number| (number as u32).to_be_bytes());
        let node = |(number, pair): ([u8; 4], &[u8])| [id, &number, &D_INTR, pair].concat();
        let messages: Vec<u8> = number.zip(row.chunks_exact(2 * n)).flat_map(node).collect();
        row.truncate(count * n);
        many(kernel, start, &messages, &mut row, n);
    }
    row
}
