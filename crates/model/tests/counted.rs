//! Tall trees counted by their shape, compared with the same operations recorded in full.

use hasten_hbs::hazmat::lower_fors;
use hasten_hbs::params::{SETS, Scheme, TOYS};
use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_kernels::Which;
use hasten_model::explore::{Machine, Schedules, Search, Workload};
use hasten_model::profile::Profiles;
use hasten_model::{Delivery, Function, Graph, Link, Operation, Request, Units, calls, schedule};
use std::rc::Rc;

const SIGN: Operation = Operation::Sign(SignerLevel::None);
const VERIFY: Operation = Operation::Verify(VerifierLevel::None);
const UNITS: [usize; 7] = [1, 2, 7, 16, 64, 256, 1 << 20];

fn toys() -> impl Iterator<Item = &'static Set> {
    TOYS.iter().filter(|set| set.h < 10)
}

fn named(names: &[&str]) -> Vec<&'static Set> {
    names.iter().map(|name| Set::named(name).unwrap()).collect()
}

/// Returns the graph of the operation, recorded with subtrees of this height.
fn graph(set: &'static Set, operation: Operation, subtrees: u32) -> Graph {
    Request::new(set, operation).subtrees(subtrees).record().unwrap().graph()
}

/// Returns the compressions by function, in total and on the critical path.
fn shares(graph: &Graph) -> Vec<(Function, u64, u64)> {
    let mut shares: Vec<_> = graph
        .shares()
        .into_iter()
        .map(|share| (share.function, share.work, share.on_path))
        .collect();
    shares.sort_unstable();
    shares
}

fn work(graph: &Graph, function: Function) -> u64 {
    shares(graph).iter().filter(|share| share.0 == function).map(|share| share.1).sum()
}

/// All figures of key generation are the same, recorded or counted.
#[test]
fn keys_are_counted_as_they_are_recorded() {
    let fips = named(&["SLH-DSA-SHA2-256f", "SLH-DSA-SHAKE-256f", "SLH-DSA-SHA2-256s"]);
    for set in toys().chain(fips) {
        let whole = Request::new(set, Operation::Keygen).subtrees(32).record().unwrap();
        for low in 3..set.tree_height().min(5) {
            let counted = Request::new(set, Operation::Keygen).subtrees(low).record().unwrap();
            let [a, b] = [&whole, &counted].map(|trace| trace.graph());
            assert!(!a.is_counted() && b.is_counted());
            assert_eq!(shares(&a), shares(&b), "{}", set.name);
            assert_eq!(a.profile(), b.profile(), "{}", set.name);
            assert_eq!(a.independence(), b.independence(), "{}", set.name);
            for units in UNITS {
                let [a, b] = [&a, &b].map(|graph| schedule::units(graph, units));
                assert_eq!(a, b, "{} on {units} units", set.name);
            }
            let figures = |trace| -> Vec<_> {
                let calls = calls::tree(trace, "keygen").into_iter();
                calls
                    .map(|call| (call.path, call.calls, call.own, call.inclusive, call.bytes))
                    .collect()
            };
            assert_eq!(figures(&whole), figures(&counted), "{}", set.name);
        }
    }
}

/// The figures of a signature are the same, except for the digits of its one-time signatures: lower
/// FORS trees have other roots, and these have other digits.
#[test]
fn signatures_are_counted_as_they_are_recorded() {
    let fips = named(&["SLH-DSA-SHAKE-128f", "SLH-DSA-SHA2-256f"]);
    for set in toys().chain(fips) {
        let whole = graph(set, SIGN, 32);
        let digits = u64::from(set.d) * set.len() as u64 * (set.w() as u64 - 1);
        let highest = if set.d == 1 { 4 } else { 3 };
        for low in 3..=highest {
            let counted = graph(set, SIGN, low);
            assert!(!whole.is_counted() && counted.is_counted());
            for ((function, a, _), (other, b, _)) in
                shares(&whole).into_iter().zip(shares(&counted))
            {
                assert_eq!(function, other, "{}", set.name);
                let slack = if function == Function::Chain { digits } else { 0 };
                assert!(a.abs_diff(b) <= slack, "{} {function:?}: {a}, counted {b}", set.name);
            }
            assert_eq!(whole.critical_path(), counted.critical_path(), "{}", set.name);
            for units in UNITS {
                let [a, b] = [&whole, &counted].map(|graph| schedule::units(graph, units));
                let slack = digits.div_ceil(units as u64) + 1 + a / 100;
                assert!(a.abs_diff(b) <= slack, "{} on {units}: {a}, counted {b}", set.name);
            }
        }
    }
}

/// Returns the number of blocks of T_len over all chain ends, after PK.seed.
fn ends(set: &Set) -> u64 {
    use hasten_hbs::params::Hash::Shake256;
    let bytes = set.ots_bytes();
    let blocks = match (set.hash, set.n) {
        (Shake256, n) => (n + 32 + bytes) / 136 + 1,
        (_, 16) => (22 + bytes + 9).div_ceil(64),
        _ => (22 + bytes + 17).div_ceil(128),
    };
    blocks as u64
}

/// The six sets of the draft, compared with the formulas of their trees.
#[test]
fn sets_of_the_draft_are_counted() {
    for set in SETS.iter().filter(|set| set.limit.is_some()) {
        let Scheme::SlhDsa { a, k } = set.scheme else { panic!() };
        let leaf = set.len() as u64 * set.w() as u64 + ends(set);
        let key = Request::new(set, Operation::Keygen).record().unwrap().graph();
        let prefixes = work(&key, Function::Prefix);
        assert_eq!(key.work() - prefixes, ((leaf + 1) << set.h) - 1, "{}", set.name);
        let sign = Request::new(set, SIGN).record().unwrap().graph();
        let verify = |set| Request::new(set, VERIFY).record().unwrap().graph();
        let [digest, lower] = [set, lower_fors(set, 12)].map(verify);
        let message = Function::Message;
        assert_eq!(work(&digest, message), work(&lower, message), "a shorter digest, alike");
        assert_eq!(work(&sign, Function::ForsElement), u64::from(k) << a);
        assert_eq!(work(&sign, Function::ForsNode), u64::from(k) * ((2 << a) - 1));
        assert_eq!(work(&sign, Function::Node), 63, "the nodes below the kept row");
        assert_eq!(work(&sign, Function::Ends), 64 * ends(set));
        let key = sign.independence().key;
        assert!(key <= 4, "the beginnings of PRF_msg alone: {key} of {}", set.name);
    }
}

/// Returns a chain core that is described by its measurements, of which there are none.
fn engine(cores: usize, each_us: f64) -> Machine {
    Machine {
        name: "engine".to_owned(),
        kernel: Some(Which::Sha256),
        units: Units { count: cores, each_us },
        bulk_us: each_us / cores as f64,
        overhead_us: 0.0,
        area_kge: None,
        rested: Vec::new(),
        measured: Some(Rc::new(Vec::new())),
        estimates: true,
    }
}

/// A chain core is estimated from its units for sets with a signature limit, and for no other set.
#[test]
fn engines_are_estimated_for_sets_with_a_limit() {
    let sets = named(&["SLH-DSA-SHA2-128-24", "SLH-DSA-SHA2-192-24", "SLH-DSA-SHA2-128f"]);
    let set = sets[0];
    let workload =
        Workload { sets, message: 64, rate: 0.0, burst: 1, budget_us: 1e9, commit_us: 0.0 };
    let schedules = Schedules {
        signer: vec![SignerLevel::None],
        verifier: vec![VerifierLevel::None],
        delivery: vec![Delivery::Sequential],
        commit_on_path: false,
        rested: false,
    };
    let (machines, links) = ([engine(16, 0.64)], [Link::bare(1e9)]);
    let search =
        Search { workload: &workload, machines: &machines, links: &links, schedules: &schedules };
    let points = search.run(&Profiles::default(), &mut |_| true).unwrap();
    let [point] = &points[..] else { panic!("one set fits and is estimated: {points:?}") };
    assert_eq!((point.alg.as_str(), point.signatures), (set.name, Some(1 << 24)));
    assert!(point.schedule.ends_with(", estimated"), "{}", point.schedule);
    let work = Request::new(set, SIGN).message(64).record().unwrap().graph().work() as f64;
    let (sign, least) = (point.sign_us.p50, work / 16.0 * 0.64);
    assert!(sign >= least && sign < 1.001 * least, "{sign} us, {least} at least");
    assert_eq!(point.signer_memory_bytes, (2 << 16) * 16 - 16, "the row, and all above it");
}
