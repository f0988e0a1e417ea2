//! Chains and rows of every backend against a short model.

use crate::common::{
    Case, Function, Sha256, Sha512, Sponge, Stream, backends, check_masked, check_tweak, spans,
};
use hasten_kernels::chain::{HEAD, Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::{Counter, Counting, Kernels, Which};

const SIZES: [usize; 10] = [0, 1, 2, 3, 7, 8, 9, 17, 31, 67];

/// Returns a case with prefixes as for PRF and F in RFC 8391, section 5.1 (Implementing the
/// Functions): a pad that ends with the number of the function, then the seed.
fn padded<F: Function>(function: F, n: usize, pad: usize) -> Case<F> {
    let mut prefix = vec![0; pad];
    prefix[pad - 1] = 3;
    prefix.extend(Stream(n as u64).vec(n));
    Case { function, n, prefix, core: vec![0; pad], head_len: HEAD }
}

fn masked<F: Function>(function: F, n: usize, pad: usize) {
    masked_behind(function, n, pad, 0);
}

/// Checks chains whose heads have `absorbed` bytes already absorbed into the prefix.
fn masked_behind<F: Function>(function: F, n: usize, pad: usize, absorbed: usize) {
    let mut case = padded(function, n, pad);
    case.prefix.extend(Stream(7).vec(absorbed));
    case.head_len -= absorbed;
    for (name, kernels) in backends() {
        println!("{name}, n={n}");
        for (i, size) in SIZES.into_iter().enumerate() {
            check_masked(&kernels, &case, &spans(size, 15, i as u64), i as u64);
        }
    }
}

#[test]
fn masked_sha256() {
    masked(Sha256, 32, 32);
    masked(Sha256, 24, 4);
}

#[test]
fn masked_sha512() {
    masked(Sha512, 64, 64);
}

#[test]
fn masked_shake() {
    masked(Sponge::Shake128, 32, 32);
    masked(Sponge::Shake256, 32, 32);
    masked(Sponge::Shake256, 24, 4);
    masked(Sponge::Shake256, 64, 64);
    masked_behind(Sponge::Shake256, 64, 64, 8);
}

fn tweaked<F: Function>(function: F, n: usize, prefix: usize, head_len: usize, counter: StepField) {
    let case = Case { function, n, prefix: Stream(5).vec(prefix), core: vec![], head_len };
    for (_, kernels) in backends() {
        for (i, size) in SIZES.into_iter().enumerate() {
            let longest = if size == 31 { 255 } else { 15 };
            let spans = spans(size, longest, i as u64);
            check_tweak(&kernels, &case, (head_len, counter), &spans, i as u64);
        }
    }
}

/// I ‖ q ‖ i ‖ j ‖ value, as in RFC 8554, section 4.3 (Public Key).
#[test]
fn tweaked_from_the_start() {
    for n in [32, 24] {
        tweaked(Sha256, n, 0, 23, StepField { at: 22, width: 1 });
        tweaked(Sponge::Shake256, n, 0, 23, StepField { at: 22, width: 1 });
    }
}

/// A block with the seed, then compressed addresses, or whole ones for SHAKE: FIPS 205, section
/// 11.2.1 (SLH-DSA Using SHA2 for Security Category 1) and section 11.1 (SLH-DSA Using SHAKE).
#[test]
fn tweaked_after_a_prefix() {
    for n in [16, 24, 32] {
        tweaked(Sha256, n, 64, 22, StepField { at: 18, width: 4 });
        tweaked(Sponge::Shake256, n, n, 32, StepField { at: 28, width: 4 });
        tweaked(Sha512, n, 128, 22, StepField { at: 18, width: 4 });
    }
}

#[test]
fn more_spans_than_a_window() {
    let case = padded(Sha256, 32, 32);
    for (_, kernels) in backends() {
        check_masked(&kernels, &case, &spans(1100, 3, 9), 9);
    }
}

/// Chains of one length leave their lanes together, and all lanes take their next chains together.
#[test]
fn chains_of_one_length() {
    for count in [1, 4, 16, 33, 48] {
        let mut spans = spans(count, 15, count as u64);
        spans.iter_mut().for_each(|span| span.steps = 6);
        for (_, kernels) in backends() {
            for (n, pad) in [(32, 32), (24, 4)] {
                check_masked(&kernels, &padded(Sha256, n, pad), &spans, 1);
                check_masked(&kernels, &padded(Sponge::Shake256, n, pad), &spans, 2);
            }
            check_masked(&kernels, &padded(Sha512, 64, 64), &spans, 3);
            let case = Case { function: Sha256, n: 24, prefix: vec![], core: vec![], head_len: 23 };
            check_tweak(&kernels, &case, (23, StepField { at: 22, width: 1 }), &spans, 4);
        }
    }
}

/// The operation counts of schemes are based on the costs of steps, which must therefore be exact.
#[test]
fn costs() {
    cost(Sha256, Which::Sha256, 32, 32, [4, 3, 1]);
    cost(Sha256, Which::Sha256, 24, 4, [5, 4, 1]);
    cost(Sha512, Which::Sha512, 64, 64, [4, 3, 1]);
    cost(Sponge::Shake128, Which::Keccak, 32, 32, [3, 2, 1]);
    cost(Sponge::Shake256, Which::Keccak, 32, 32, [3, 2, 1]);
    cost(Sponge::Shake256, Which::Keccak, 24, 4, [3, 2, 1]);
    cost(Sponge::Shake256, Which::Keccak, 64, 64, [6, 4, 2]);
    cost_tweak(Sha256, Which::Sha256, 32, 0, 23);
    cost_tweak(Sha256, Which::Sha256, 24, 64, 22);
    cost_tweak(Sponge::Shake256, Which::Keccak, 32, 32, 32);
}

const SPAN: Span = Span { head: [0; 32], from: 0, steps: 5, row: 0 };

/// Compares the declared costs of masked steps, rows and prepared steps with counts. One count is
/// the cost that a counting backend reports for its calls; the other is that of the default bodies,
/// which hash in batches.
fn cost<F: Function>(function: F, which: Which, n: usize, pad: usize, want: [u64; 3]) {
    let case = padded(function, n, pad);
    let kernels = Kernels::portable();
    let (prf, core) = (case.midstate(&kernels, &case.prefix), case.midstate(&kernels, &case.core));
    let counter = Counter::new();
    let counting = Counting::new(kernels, &counter);
    let plain = crate::common::Plain(counting.kernels());
    for bundle in [counting.kernels(), Kernels::from_backend(&plain)] {
        let mut rows = vec![0; 5 * 2 * n];
        let kernel = function.kernel(&bundle);
        let masked = || Masked { prf: &prf, core: &core, head_len: HEAD, at: 24, n };
        let taken = |work: &mut dyn FnMut()| {
            counter.reset();
            work();
            counter.compressions(which)
        };
        let got = [
            taken(&mut || kernel.chains(&Rule::Masked(masked()), &[SPAN], &mut vec![0; n])),
            taken(&mut || kernel.rows(&masked(), &[SPAN], &mut rows)),
            taken(&mut || {
                let rule = Rule::Rows(Rows { core: &core, rows: &vec![0; 10 * n], n });
                kernel.chains(&rule, &[SPAN], &mut vec![0; n]);
            }),
        ];
        assert_eq!(got, want.map(|each| 5 * each), "n={n}");
    }
}

fn cost_tweak<F: Function>(function: F, which: Which, n: usize, prefix: usize, head_len: usize) {
    let case = Case { function, n, prefix: vec![1; prefix], core: vec![], head_len: HEAD };
    let prefix = case.midstate(&Kernels::portable(), &case.prefix);
    let counter = Counter::new();
    let counting = Counting::new(Kernels::portable(), &counter);
    let plain = crate::common::Plain(counting.kernels());
    for bundle in [counting.kernels(), Kernels::from_backend(&plain)] {
        counter.reset();
        let counter_at = StepField { at: 18, width: 4 };
        let rule = Tweak { prefix: &prefix, head_len, counter: counter_at, n };
        function.kernel(&bundle).chains(&Rule::Tweak(rule), &[SPAN], &mut vec![0; n]);
        assert_eq!(counter.compressions(which), 5);
    }
}
