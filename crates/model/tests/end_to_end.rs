//! Properties of the end-to-end model, and its agreement with the tables by which it was specified.

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::profile::{Digits, Profiles, digits, mean_digit_sum, tree_bytes};
use hasten_model::{Case, Delivery, Link, Operation, Units};

const X32: &str = "XMSS-SHA2_10_256";
const X24: &str = "XMSS-SHA2_10_192";
const COLD: (SignerLevel, VerifierLevel) = (SignerLevel::EarlyAuth, VerifierLevel::None);
const READY: (SignerLevel, VerifierLevel) = (SignerLevel::Masks, VerifierLevel::Masks);

fn case(
    set: &str,
    levels: (SignerLevel, VerifierLevel),
    delivery: Delivery,
    (each_us, units): (f64, usize),
    bits: f64,
) -> Case {
    let units = Units { count: units, each_us };
    Case {
        set: Set::named(set).unwrap(),
        message: 64,
        signer: levels.0,
        verifier: levels.1,
        delivery,
        signing: units,
        verifying: units,
        link: Link::bare(bits),
        digits: Digits::Typical,
        commit_us: 0.0,
    }
}

fn near(what: &str, got: f64, want: f64, slack: f64) {
    assert!((got - want).abs() <= slack, "{what}: {got}, table {want}");
}

/// T_c, rate, set; then the bounds: sequential, streaming, path sent ahead, one-time key sent
/// ahead.
const BOUNDS: &[(f64, f64, &str, [f64; 4])] = &[
    (0.03, 1e8, X32, [207.2, 206.1, 177.7, 176.6]),
    (0.03, 1e8, X24, [126.5, 125.4, 104.0, 103.0]),
    (0.03, 1e8, "LMS_SHA256_M32_H10_W4", [208.0, 206.4, 177.3, 176.6]),
    (0.03, 1e8, "LMS_SHA256_M32_H10_W8", [137.4, 121.9, 92.8, 92.2]),
    (0.03, 1e8, "LMS_SHA256_M24_H10_W8", [93.2, 77.8, 55.7, 55.0]),
    (0.03, 1e9, X32, [22.6, 21.5, 18.7, 17.7]),
    (0.03, 1e9, X24, [14.4, 13.4, 11.3, 10.3]),
    (0.03, 1e9, "LMS_SHA256_M24_H10_W2", [24.1, 22.8, 20.6, 19.9]),
    (0.03, 1e9, "LMS_SHA256_M24_H10_W4", [14.3, 13.2, 11.0, 10.3]),
    (0.03, 1e9, "LMS_SHA256_M24_H10_W8", [23.8, 8.5, 8.5, 7.9]),
    (0.03, 1e10, X32, [4.1, 3.1, 2.8, 1.8]),
    (0.1, 1e9, X24, [19.0, 15.6, 13.5, 10.3]),
    (0.1, 1e10, "LMS_SHA256_M24_H10_W2", [8.9, 6.3, 6.3, 2.0]),
    (1.0, 1e9, X32, [88.5, 54.5, 51.7, 17.7]),
    (1.0, 1e9, "LMS_SHA256_M24_H10_W1", [143.0, 99.5, 99.5, 38.9]),
    (1.0, 1e10, "LMS_SHA256_M24_H10_W4", [61.3, 43.1, 43.1, 17.0]),
];

/// There are two differences from the table. Digests with extreme digits do not have the longest
/// chain on both sides, as a typical message does. And the element sent last may be the chain end
/// nearest to the root, two nodes below the root of the L-tree instead of seven.
#[test]
fn lower_bounds() {
    let profiles = Profiles::default();
    for (each, bits, set, want) in BOUNDS {
        for (delivery, want) in Delivery::ALL.into_iter().zip(want) {
            let mut case = case(set, READY, delivery, (*each, 1), *bits);
            let bounds = [Digits::Typical, Digits::LongSign, Digits::LongVerify].map(|digits| {
                case.digits = digits;
                case.bounds(&profiles).unwrap()
            });
            let got = bounds.map(|b| b.overlapped_us).into_iter().fold(0.0, f64::max);
            let nearer = if set.starts_with("XMSS") { 10.0 * each } else { 3.0 * each };
            let what = format!("{set} {each} us {bits} {}: {got}, table {want}", delivery.name());
            // The serial hash of the key begins when the first chain ends, not before.
            let later = if set.starts_with("LMS") { 18.0 * each } else { 0.0 };
            assert!(got <= want + 0.06 + later && got >= want - 0.06 - nearer, "{what}");
        }
    }
}

#[test]
fn one_after_the_other() {
    // T_c, rate, set, cold on 8 units, prepared on 8, prepared on 64.
    let table: &[(f64, f64, &str, [f64; 3])] = &[
        (0.03, 1e8, X32, [222.9, 210.3, 207.2]),
        (0.03, 1e9, X32, [38.3, 25.7, 22.6]),
        (0.03, 1e9, X24, [29.4, 16.6, 14.4]),
        (0.03, 1e9, "LMS_SHA256_M24_H10_W2", [25.0, 24.7, 24.2]),
        (0.03, 1e9, "LMS_SHA256_M24_H10_W8", [33.5, 33.5, 23.5]),
        (0.1, 1e9, X32, [79.8, 37.7, 27.3]),
        (0.1, 1e9, X24, [68.9, 26.1, 19.0]),
        (0.1, 1e9, "LMS_SHA256_M24_H10_W4", [25.6, 25.1, 19.8]),
        (0.1, 1e10, "LMS_SHA256_M24_H10_W2", [11.8, 10.7, 9.1]),
        (1.0, 1e9, X32, [614.0, 192.0, 88.5]),
        (1.0, 1e10, X24, [566.0, 138.0, 67.2]),
    ];
    let profiles = Profiles::default();
    for (each, bits, set, want) in table {
        let points = [(COLD, 8), (READY, 8), (READY, 64)];
        for ((levels, units), want) in points.into_iter().zip(want) {
            let case = case(set, levels, Delivery::Sequential, (*each, units), *bits);
            let got = case.latency(&profiles).unwrap().total_us;
            // The table assumes that the bytes before the message are absorbed, and leaves out the
            // randomizer.
            let slack = 0.06 + want * 0.01 + 4.0 * each;
            near(&format!("{set} {each} us {bits} on {units}"), got, *want, slack);
        }
    }
}

#[test]
fn streamed() {
    // T_c, rate, set, prepared on 1, 8 and 64 units.
    let table: &[(f64, f64, &str, [f64; 3])] = &[
        (0.03, 1e8, X32, [206.0, 206.0, 206.0]),
        (0.03, 1e9, X32, [23.7, 21.6, 21.6]),
        (0.03, 1e10, X32, [20.8, 3.8, 3.4]),
        (0.1, 1e9, X32, [70.6, 24.5, 24.5]),
        (0.1, 1e10, X32, [69.4, 12.3, 7.8]),
        (1.0, 1e9, X32, [694.0, 123.0, 77.9]),
        (0.1, 1e9, X24, [52.7, 16.3, 16.3]),
        (0.1, 1e9, "LMS_SHA256_M24_H10_W4", [48.0, 15.8, 15.8]),
        (0.1, 1e9, "LMS_SHA256_M24_H10_W2", [25.3, 24.5, 24.5]),
        (0.03, 1e8, "LMS_SHA256_M24_H10_W8", [134.5, 83.2, 83.2]),
        (0.03, 1e9, "LMS_SHA256_M24_H10_W8", [122.0, 23.4, 19.4]),
    ];
    let profiles = Profiles::default();
    for (each, bits, set, want) in table {
        for (units, want) in [1, 8, 64].into_iter().zip(want) {
            let case = case(set, READY, Delivery::Streaming, (*each, units), *bits);
            let got = case.latency(&profiles).unwrap().total_us;
            let slack = 0.1 + want * 0.05 + 3.0 * each;
            near(&format!("{set} {each} us {bits} on {units}, streamed"), got, *want, slack);
        }
    }
}

#[test]
fn properties() {
    let profiles = Profiles::default();
    for set in [X32, "LMS_SHA256_M24_H10_W4", "XMSSMT-SHA2_20/2_256"] {
        for delivery in Delivery::ALL {
            for digits in [Digits::Typical, Digits::LongSign, Digits::LongVerify] {
                let mut last = f64::INFINITY;
                for units in [1, 2, 5, 16, 64, 300] {
                    let case = Case { digits, ..case(set, READY, delivery, (0.1, units), 1e9) };
                    let (latency, bounds) =
                        (case.latency(&profiles).unwrap(), case.bounds(&profiles).unwrap());
                    let total = latency.total_us;
                    assert!(bounds.overlapped_us <= total + 1e-9, "{set} {delivery:?} {units}");
                    assert!(bounds.overlapped_us <= bounds.sequential_us + 1e-9);
                    // List scheduling on more units may take a step longer.
                    assert!(
                        total <= last + 0.2,
                        "{set} {delivery:?} {units}: {total} after {last}"
                    );
                    last = last.min(total);
                    let fast = Case { link: Link::bare(1e10), ..case };
                    assert!(fast.latency(&profiles).unwrap().total_us <= total + 1e-9);
                    let dear = Units { each_us: 0.2, ..case.signing };
                    let dear = Case { signing: dear, verifying: dear, ..case };
                    assert!(dear.latency(&profiles).unwrap().total_us >= total - 1e-9);
                }
            }
        }
    }
}

#[test]
fn steps_of_both_sides_are_constant() {
    use hasten_model::{Digest, Function, Operation, Request};
    for name in [X32, "LMS_SHA256_M24_H10_W8"] {
        let set = Set::named(name).unwrap();
        let given: Vec<Digest> = (0..6).map(|i| Digest::Given(vec![37 * i + 5; set.n])).collect();
        let steps = |operation| -> Vec<usize> {
            let traces = Request::new(set, operation).record_each(&given).unwrap();
            let chain = |t: &hasten_model::Trace| {
                let graph = t.graph();
                graph.nodes.iter().filter(|n| n.place.function == Function::Chain).count()
            };
            traces.iter().map(chain).collect()
        };
        let (sign, verify) = (steps(Operation::Sign(READY.0)), steps(Operation::Verify(READY.1)));
        for ((sign, verify), digest) in sign.iter().zip(&verify).zip(&given) {
            assert_eq!(sign + verify, set.len() * (set.w() - 1));
            let Digest::Given(digest) = digest else { unreachable!() };
            let sum: u32 = digits(set, digest).iter().sum();
            assert_eq!((*sign as u32, sum % (set.w() as u32 - 1)), (sum, 0));
        }
    }
}

#[test]
fn schedules_keep_their_bounds() {
    let profiles = Profiles::default();
    use hasten_model::Operation;
    for operation in [Operation::Sign(COLD.0), Operation::Verify(COLD.1)] {
        let set = Set::named(X24).unwrap();
        let side = profiles.side(set, operation, Digits::Typical, 64).unwrap();
        let (work, path) = (side.work(), side.plan.graph().critical_path());
        for units in [1, 3, 8, 17, 64, 1000] {
            let least = work.div_ceil(units as u64).max(path);
            let steps = side.steps(units);
            assert!(least <= steps && steps <= work.div_ceil(units as u64) + path, "{units}");
            // Lanes behave like units if their cost does not depend on the number in use.
            let lanes = side.plan.lanes(units, |_| 1.0).end();
            assert!((lanes - steps as f64).abs() <= 1.0, "{lanes} {steps}");
            let dear = side.plan.lanes(units, |used| 1.0 + used as f64).end();
            assert!((dear - lanes - work as f64).abs() < 1e-6, "every node was paid once");
        }
    }
}

#[test]
fn means_of_digit_sums() {
    let table = [
        (X24, 374.54),
        (X32, 499.08),
        ("XMSS-SHA2_10_512", 980.36),
        ("LMS_SHA256_M32_H10_W1", 131.96),
        ("LMS_SHA256_M32_H10_W2", 198.98),
        ("LMS_SHA256_M32_H10_W8", 4222.94),
        ("LMS_SHA256_M24_H10_W1", 100.0),
        ("LMS_SHA256_M24_H10_W8", 3198.96),
    ];
    for (set, mean) in table {
        near(set, mean_digit_sum(Set::named(set).unwrap()), mean, 0.006);
    }
}

#[test]
fn memory_of_trees_is_what_signers_say() {
    for name in ["XMSS-SHA2_10_192", "LMS_SHA256_M32_H5_W4"] {
        let set = Set::named(name).unwrap();
        let seed = vec![1; set.seed_bytes()];
        let kernels = hasten_kernels::Kernels::best();
        let signer = hasten_hbs::generate(set, &seed, kernels).unwrap();
        assert_eq!(tree_bytes(set), signer.bytes(), "{name}");
    }
}

#[test]
fn levels_of_hss_are_verified_side_by_side() {
    let profiles = Profiles::default();
    let low = Set::named("LMS_SHA256_M32_H5_W4").unwrap();
    let hss = Set::named("HSS(LMS_SHA256_M32_H5_W4,LMS_SHA256_M32_H5_W4)").unwrap();
    let side = |set, op| profiles.side(set, op, Digits::LongVerify, 64).unwrap();
    let [one, two] = [low, hss].map(|set| side(set, Operation::Verify(VerifierLevel::None)));
    // The level above hashes a public key of 56 bytes, which takes as many blocks as 64 of message.
    assert_eq!(two.work(), 2 * one.work());
    assert_eq!(two.critical_path(), one.critical_path());
    let cached = Operation::Verify(VerifierLevel::NodeCache);
    assert_eq!(side(hss, cached).work(), side(low, cached).work());
    let sign = Operation::Sign(SignerLevel::EarlyAuth);
    assert_eq!(side(hss, sign).work(), side(low, sign).work());
    assert!(tree_bytes(hss) > 2 * tree_bytes(low) + low.signature_bytes());
    let mut case = case(hss.name, COLD, Delivery::Sequential, (0.1, 8), 1e9);
    case.set = hss;
    let (latency, bounds) = (case.latency(&profiles).unwrap(), case.bounds(&profiles).unwrap());
    assert!(bounds.sequential_us <= latency.total_us, "{bounds:?} {latency:?}");
}
