//! Key generation stays within the memory it states, measured at the allocator. One test only in
//! this program: others would be counted too.

use hasten_hbs::{KeyGeneration, Set};
use hasten_kernels::Kernels;
use peak_alloc::PeakAlloc;
use std::ops::ControlFlow::{Break, Continue};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Tall enough that its leaves, 1 MiB, do not fit in what is stated; and the widest hash.
const SETS: [&str; 2] = ["LMS_SHA256_M32_H15_W2", "XMSS-SHA2_10_512"];

/// Returns the most that generating a key took, stopped once on the way.
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
}
