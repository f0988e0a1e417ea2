//! The counting bundle runs the same code as the bundle that it wraps, and reports every call.

use crate::common::{Function, Sha256, Sha512, Sponge, Stream, spans};
use hasten_kernels::chain::{Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::grid::{Grid, Grids, Number, Numbered, Tail};
use hasten_kernels::{
    Counter, Counting, Event, HashFunction, Kernel, Kernels, Messages, Midstate, Observer, Which,
    keyed_many, many, numbered, prepare_keys, trace, walk,
};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Number of messages in the one call of `numbered`.
const NUMBERED: usize = 37;

/// Number of chains in each call of `trace`.
const TRACED: usize = 21;

/// A call of a kernel method: the hash function, the method, and the number of independent pieces
/// of work in it.
type Call = (Which, &'static str, usize);

/// A bundle around the portable one that records every call.
#[derive(Default)]
struct Spy(Mutex<Vec<Call>>);

impl Spy {
    fn inner<H: HashFunction>(&self, method: &'static str, width: usize) -> &dyn Kernel<H> {
        self.0.lock().unwrap().push((H::WHICH, method, width));
        H::kernel(&Kernels::portable())
    }

    fn calls(&self) -> Vec<Call> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl<H: HashFunction> Kernel<H> for Spy {
    fn name(&self) -> &'static str {
        self.inner::<H>("name", 0).name()
    }

    /// Returns more lanes than the portable kernel has, so that default bodies would show in the
    /// shapes.
    fn lanes(&self) -> usize {
        5 * self.inner::<H>("lanes", 0).lanes()
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        self.inner::<H>("compress", states.len()).compress(states, blocks);
    }

    fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
        let width = spans.iter().filter(|span| span.steps > 0).count();
        self.inner::<H>("chains", width).chains(rule, spans, values);
    }

    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        let width = spans.iter().map(|span| span.steps as usize).sum();
        self.inner::<H>("rows", width).rows(rule, spans, rows);
    }

    fn digests(&self, messages: &Messages<'_, H>, out: &mut [u8], n: usize) {
        self.inner::<H>("digests", out.len() / n).digests(messages, out, n);
    }

    fn grids(&self) -> Option<&dyn Grids<H>> {
        Some(self)
    }
}

impl<H: HashFunction> Grids<H> for Spy {
    fn numbered(&self, messages: &Numbered<'_, H>, out: &mut [u8], n: usize) {
        numbered(self.inner::<H>("numbered", out.len() / n), messages, out, n);
    }

    fn walk(&self, rule: &Rule<'_, H>, grid: &Grid, steps: u32, values: &mut [u8]) {
        let chains = values.len() / rule.n();
        walk(self.inner::<H>("walk", chains), rule, grid, steps, values);
    }

    fn trace(&self, rule: &Rule<'_, H>, grid: &Grid, steps: u32, table: &mut [u8]) {
        let chains = table.len() / rule.n() / (steps as usize + 1);
        trace(self.inner::<H>("trace", chains), rule, grid, steps, table);
    }
}

/// An observer that records the events of a counting bundle as calls.
#[derive(Default)]
struct Told(Mutex<Vec<Call>>);

impl Observer for Told {
    fn event(&self, which: Which, event: Event<'_>) {
        let method = match event {
            Event::Batch { .. } => "compress",
            Event::Chains { .. } => "chains",
            Event::Rows { .. } => "rows",
            // Both methods have this event. The width tells them apart, here and for `Digests`
            // below.
            Event::Walk { chains: TRACED, .. } => "trace",
            Event::Walk { .. } => "walk",
            Event::Digests { messages: NUMBERED, .. } => "numbered",
            Event::Digests { .. } => "digests",
            other => panic!("{other:?}"),
        };
        self.0.lock().unwrap().push((which, method, event.width()));
    }
}

/// Runs every operation of the crate over one kernel, and returns everything that it wrote.
fn operations<H: HashFunction>(kernel: &dyn Kernel<H>, start: &Midstate<H>, n: usize) -> Vec<u8> {
    let mut out = [kernel.name().as_bytes(), &[kernel.lanes() as u8]].concat();
    let mut state = start.clone();
    (0..3).for_each(|piece| state.update(kernel, &[piece; 90]));
    let core = start.clone().with(kernel, &vec![0; n]);
    let prf = core.clone().with(kernel, &vec![1; n]);
    for count in [1, 2, 4, 5, 40] {
        let mut digests = vec![0; n * count];
        many(kernel, &state, &Stream(1).vec(50 * count), &mut digests, n);
        let mut keys = digests.clone();
        prepare_keys(kernel, &core, &mut keys, n);
        keyed_many(kernel, &core, &keys, &Stream(2).vec(n * count), &mut digests, n);
        out.extend([keys, digests].concat());
    }
    let spans = spans(9, 11, 3);
    let masked = || Masked { prf: &prf, core: &core, head_len: 32, at: 24, n };
    let mut rows = vec![0; 2 * n * 9 * 15];
    kernel.rows(&masked(), &spans, &mut rows);
    let counter = StepField { at: 18, width: 4 };
    let rules = [
        Rule::Tweak(Tweak { prefix: start, head_len: 22, counter, n }),
        Rule::Masked(masked()),
        Rule::Rows(Rows { core: &core, rows: &rows, n }),
    ];
    for rule in &rules {
        let mut values = vec![3; n * spans.len()];
        kernel.chains(rule, &spans, &mut values);
        out.extend(values);
    }
    let number = |at| Number { at, width: 4, first: 3 };
    let grid = Grid { head: [6; 32], row: number(8), column: number(12), columns: 4 };
    let mut values = vec![3; n * NUMBERED];
    for rule in &rules[..2] {
        walk(kernel, rule, &grid, 3, &mut values);
        let mut table = vec![3; 4 * n * TRACED];
        trace(kernel, rule, &grid, 3, &mut table);
        out.extend(table);
    }
    let messages = Numbered { prefix: &prf, head_len: 22, grid: &grid, tail: Tail::Same(b"tail") };
    numbered(kernel, &messages, &mut values, n);
    [out, rows, values].concat()
}

/// Runs all operations with and without counting, and compares calls and results.
fn same_calls<F: Function>(function: F, n: usize) {
    let (bare, counted, told) = (Spy::default(), Spy::default(), Told::default());
    let bundle = Kernels::from_backend(&bare);
    let real = operations(function.kernel(&bundle), &function.start(), n);
    let counting = Counting::new(Kernels::from_backend(&counted), &told);
    let under = operations(function.kernel(&counting.kernels()), &function.start(), n);
    let (bare, counted) = (bare.calls(), counted.calls());
    assert!(real == under, "n={n}: the same bytes");
    assert_eq!(bare, counted, "n={n}: the same methods with the same batches");
    let work: Vec<Call> = bare.into_iter().filter(|(.., width)| *width > 0).collect();
    assert_eq!(work, *told.0.lock().unwrap(), "n={n}: one event for each call");
    assert!(work.iter().any(|(_, method, width)| (*method, *width) == ("digests", 40)));
}

#[test]
fn a_counted_run_makes_the_calls_of_a_real_one() {
    same_calls(Sha256, 32);
    same_calls(Sha256, 24);
    same_calls(Sha512, 64);
    same_calls(Sponge::Shake128, 32);
    same_calls(Sponge::Shake256, 24);
}

/// The expected methods are read from the source of the traits, so a method that is added and not
/// forwarded fails here.
#[test]
fn every_method_of_the_trait_is_forwarded() {
    let kernel = include_str!("../../src/kernel.rs");
    let (_, grids) = include_str!("../../src/kernel/grid.rs").split_once("trait Grids").unwrap();
    let (grids, _) = grids.split_once("\n}").unwrap();
    let declared: BTreeSet<&str> = [kernel, grids]
        .into_iter()
        .flat_map(str::lines)
        .filter_map(|line| line.strip_prefix("    fn ")?.split(['(', '<']).next())
        .collect();
    let (spy, counter) = (Spy::default(), Counter::new());
    let counting = Counting::new(Kernels::from_backend(&spy), &counter);
    operations(counting.kernels().sha256, &Midstate::sha256(), 32);
    let mut reached: BTreeSet<&str> =
        spy.calls().into_iter().map(|(_, method, _)| method).collect();
    // The methods of grids are reached through `grids`. Nodes are hashed as messages, and the depth
    // of a wrapped kernel is unknown.
    reached.insert("grids");
    reached.insert("nodes");
    reached.insert("depth");
    let counted = counting.kernels().sha256;
    assert!(counted.nodes().is_none() && counted.depth().is_none());
    assert_eq!(declared, reached);
    assert!(declared.len() >= 6);
}

/// The declared cost of a call of `digests` is the number of compressions in its default body.
#[test]
fn a_digest_costs_what_its_plain_body_does() {
    for (before, len, n) in [(0, 5, 32), (60, 64, 32), (7, 119, 24), (64, 0, 16)] {
        let counter = Counter::new();
        let counting = Counting::new(Kernels::portable(), &counter);
        let plain = crate::common::Plain(counting.kernels());
        let totals = [counting.kernels(), Kernels::from_backend(&plain)].map(|bundle| {
            let total = digests(bundle.sha256, &Midstate::sha256(), (before, len, n), &counter);
            let total =
                total + digests(bundle.sha512, &Midstate::sha512(), (before, len, n), &counter);
            total + digests(bundle.keccak, &Midstate::shake256(), (before, len, n), &counter)
        });
        assert_eq!(totals[0], totals[1], "{len} bytes after {before}");
    }
}

/// Returns the number of compressions for 33 digests, with and without keys.
fn digests<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    start: &Midstate<H>,
    (before, len, n): (usize, usize, usize),
    counter: &Counter,
) -> u64 {
    let from = start.clone().with(kernel, &vec![5; before]);
    let mut keys = vec![7; 33 * n];
    prepare_keys(kernel, &from, &mut keys, n);
    counter.reset();
    many(kernel, &from, &vec![6; 33 * len], &mut vec![0; 33 * n], n);
    keyed_many(kernel, &from, &keys, &vec![6; 33 * len], &mut vec![0; 33 * n], n);
    counter.total()
}
