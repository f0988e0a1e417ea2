//! Checks, at the allocator, that key generation stays within the memory it states. This program
//! has only one test, because others would be measured too.

use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::slhdsa::{Context, LimitedGeneration, LimitedSigner};
use hasten_hbs::{KeyGeneration, Set};
use hasten_kernels::Kernels;
use peak_alloc::PeakAlloc;
use std::ops::ControlFlow::{Break, Continue};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// A tree so tall that its leaves, 1 MiB, do not fit into the stated memory, and the set with the
/// widest hash.
const SETS: [&str; 2] = ["LMS_SHA256_M32_H15_W2", "XMSS-SHA2_10_512"];

/// Returns the peak memory of generating a key, stopped once on the way.
fn peak(set: &'static Set, threads: usize) -> usize {
    let seed = vec![7; set.seed_bytes()];
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let mut first = KeyGeneration::new(set, &seed, Kernels::best()).unwrap();
    let half = |done, total| if done * 2 < total { Continue(()) } else { Break(()) };
    assert!(first.run(threads, &mut |p| half(p.done, p.total)).is_err());
    let kept = first.partial();
    drop(first);
    let mut second = KeyGeneration::new(set, &seed, Kernels::best()).unwrap();
    second.resume(&kept).unwrap();
    let signer = second.run(threads, &mut |_| Continue(())).unwrap();
    assert!(signer.bytes() > 0);
    HEAP.peak_usage() - before
}

/// Returns the peak memory of generating a key with a signature limit, and its signer. All but the
/// last units are done before.
fn peak_of_limited(set: &'static Set, threads: usize) -> (usize, LimitedSigner<'static>) {
    let (seed, row) = (vec![7; set.seed_bytes()], LimitedGeneration::row_bytes(set));
    let done = vec![0; row - 64 * set.n];
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let mut generation = LimitedGeneration::new(set, &seed, Kernels::best()).unwrap();
    generation.resume(&done).unwrap();
    let signer = generation.run(threads, &mut |_| Continue(())).unwrap();
    (HEAP.peak_usage() - before, signer)
}

/// Checks that signing takes only some kibibytes for each thread, and the roots of the units of one
/// FORS tree.
fn signing_stays_small() {
    let set = Set::named("TOY-SHA2-128-2-TALL").unwrap();
    let mut signer = peak_of_limited(set, 1).1;
    for threads in [1, 2] {
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        let permit = Throwaway::starting_at(signer.next_index()).permit();
        let prepared = signer.prepare(permit).unwrap().on_threads(threads);
        drop(prepared.sign(Context::EMPTY, b"message", None).unwrap());
        let took = HEAP.peak_usage() - before;
        println!("{}, {threads} threads: signing takes {took} bytes", set.name);
        assert!(took <= (1 + threads) * (256 << 10), "{threads} threads: {took} bytes");
    }
}

#[test]
fn key_generation_takes_no_more_than_it_states() {
    for set in SETS.map(|name| Set::named(name).unwrap()) {
        for threads in [1, 2] {
            let (took, most) = (peak(set, threads), KeyGeneration::most_bytes(set, threads));
            assert!(took <= most, "{}, {threads} threads: {took} of {most} bytes", set.name);
            println!("{}, {threads} threads: {took} of {most} bytes", set.name);
        }
        let leaves = set.n << set.h;
        assert!(set.h < 15 || KeyGeneration::most_bytes(set, 1) < leaves, "{}", set.name);
    }
    for name in ["SLH-DSA-SHA2-128-24", "SLH-DSA-SHAKE-192-24", "SLH-DSA-SHA2-256-24"] {
        let set = Set::named(name).unwrap();
        for threads in [1, 2] {
            let most = LimitedGeneration::most_bytes(set, threads);
            let took = peak_of_limited(set, threads).0;
            assert!(took <= most && most < 64 << 20, "{name}: {took} of {most} bytes");
            println!("{name}, {threads} threads: {took} of {most} bytes");
        }
    }
    signing_stays_small();
}
