//! The costs of a backend for the kinds of calls that a set makes: batches by size, and chain steps
//! by the number of concurrent chains.

use std::rc::Rc;

use hasten_hbs::Set;
use hasten_hbs::params::{Hash, Scheme};
use hasten_kernels::chain::{HEAD, Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::{HashFunction, Kernel, Kernels, Midstate, Which, many};
use hasten_model::costs::{Cost, Costs, What, kernel};
use hasten_report::{Summary, round};

use crate::windows::Subject;

/// Sizes of batches.
const BATCHES: [usize; 9] = [1, 2, 3, 4, 8, 12, 16, 24, 32];
/// Steps of the longer and the shorter chains. Their difference in time is the cost of the steps
/// alone.
const STEPS: [u32; 2] = [15, 3];
/// Factor of the chain lengths: chain i of a key has i times this many steps, modulo w. It is odd,
/// so that all lengths occur.
const MIX: usize = 101;
/// Offset of the step number in a head.
const STEP_AT: usize = 24;

/// The work that a piece does.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// A batch: number of messages, and blocks per message.
    Batch(usize, u32),
    /// Chains of equal length: kind of step, number of chains, and steps per chain.
    Steps(What, usize, u32),
    /// All chains of a one-time key: kind of step, and the length of each chain.
    Key(What, Vec<u32>),
    /// A hash by portable code, which takes the same time on every backend.
    Plain,
}

/// A call whose time is a cost or part of a cost.
pub struct Piece<'k> {
    shape: Shape,
    call: Box<dyn FnMut() + 'k>,
}

/// Returns the kinds of calls that the operations of a set consist of.
pub fn pieces<'k>(set: &'static Set, kernels: Kernels<'k>) -> Vec<Piece<'k>> {
    let mut pieces = vec![yardstick()];
    match set.hash {
        Hash::Sha256 => of(&mut pieces, set, kernels.sha256, Midstate::sha256()),
        Hash::Sha512 => of(&mut pieces, set, kernels.sha512, Midstate::sha512()),
        Hash::Shake128 => of(&mut pieces, set, kernels.keccak, Midstate::shake128()),
        _ => of(&mut pieces, set, kernels.keccak, Midstate::shake256()),
    }
    pieces
}

fn of<'k, H: HashFunction>(
    pieces: &mut Vec<Piece<'k>>,
    set: &'static Set,
    kernel: &'k dyn Kernel<H>,
    start: Midstate<H>,
) {
    if let Scheme::Lms { .. } = set.scheme {
        BATCHES.iter().for_each(|count| pieces.push(plain(set, kernel, start.clone(), *count)));
        let tweaked = |shape| tweaked(set, kernel, start.clone(), shape);
        pieces.extend(chains(set, kernel.lanes(), What::Tweak).map(tweaked));
        return;
    }
    let separate = |tag: u8| {
        let mut pad = vec![0; set.pad()];
        pad[set.pad() - 1] = tag;
        start.clone().with(kernel, &pad)
    };
    let (prf, core) = (separate(3).with(kernel, &vec![0x77; set.n]), separate(0));
    BATCHES.iter().for_each(|count| pieces.push(keyed(set, kernel, prf.clone(), *count)));
    let of = |what| chains(set, kernel.lanes(), what);
    pieces.extend(of(What::Masked).map(|s| masked(set, kernel, [prf.clone(), core.clone()], s)));
    // All pieces share one table, or their tables would evict each other from the cache.
    let table: Rc<[u8]> = vec![0x3c; 2 * set.n * (set.w() - 1) * set.len()].into();
    pieces.extend(of(What::Rows).map(|s| rows(set, kernel, (core.clone(), table.clone()), s)));
}

/// Returns the shapes of chains: some by number of concurrent chains, and those of a one-time key.
fn chains(set: &Set, lanes: usize, what: What) -> impl Iterator<Item = Shape> {
    let counts = (1..=lanes).filter(|c| *c <= 4 || c % 2 == 0);
    let steps = counts.flat_map(move |c| STEPS.map(|s| Shape::Steps(what, c, s)));
    let w = set.w();
    let mixed = (0..set.len()).map(|i| (i * MIX % w) as u32).collect();
    steps.chain([Shape::Key(what, mixed)])
}

/// Returns a batch of LMS messages of one block each. A single message has 16 blocks, like the hash
/// over the chain ends.
fn plain<'k, H: HashFunction>(
    set: &Set,
    kernel: &'k dyn Kernel<H>,
    start: Midstate<H>,
    count: usize,
) -> Piece<'k> {
    let (n, blocks) = (set.n, if count == 1 { 16 } else { 1 });
    let messages = vec![0x5a; (start.block_len() * blocks - 9) * count];
    let mut out = vec![0; n * count];
    let call = Box::new(move || many(kernel, &start, &messages, &mut out, n));
    Piece { shape: Shape::Batch(count, blocks as u32), call }
}

/// Returns a batch of XMSS keys and masks. A single message is a tree node, of two blocks or more.
fn keyed<'k, H: HashFunction>(
    set: &Set,
    kernel: &'k dyn Kernel<H>,
    prf: Midstate<H>,
    count: usize,
) -> Piece<'k> {
    let (n, len) = (set.n, if count == 1 { 2 * set.n } else { HEAD });
    let blocks = prf.cost(len) as u32;
    let (messages, mut out) = (vec![0x5a; len * count], vec![0; n * count]);
    let call = Box::new(move || many(kernel, &prf, &messages, &mut out, n));
    Piece { shape: Shape::Batch(count, blocks), call }
}

/// Returns chains of LM-OTS.
fn tweaked<'k, H: HashFunction>(
    set: &Set,
    kernel: &'k dyn Kernel<H>,
    prefix: Midstate<H>,
    shape: Shape,
) -> Piece<'k> {
    let (n, counter) = (set.n, StepField { at: 22, width: 1 });
    let mut turns = Turns::new(set, &shape);
    let call = Box::new(move || {
        let rule = Rule::Tweak(Tweak { prefix: &prefix, head_len: 23, counter, n });
        turns.take(kernel, &rule);
    });
    Piece { shape, call }
}

/// Returns chains of XMSS whose keys and masks are computed on the way.
fn masked<'k, H: HashFunction>(
    set: &Set,
    kernel: &'k dyn Kernel<H>,
    [prf, core]: [Midstate<H>; 2],
    shape: Shape,
) -> Piece<'k> {
    let n = set.n;
    let mut turns = Turns::new(set, &shape);
    let call = Box::new(move || {
        turns.take(
            kernel,
            &Rule::Masked(Masked { prf: &prf, core: &core, head_len: HEAD, at: STEP_AT, n }),
        );
    });
    Piece { shape, call }
}

/// Returns chains of XMSS whose keys and masks were computed before.
fn rows<'k, H: HashFunction>(
    set: &Set,
    kernel: &'k dyn Kernel<H>,
    (core, table): (Midstate<H>, Rc<[u8]>),
    shape: Shape,
) -> Piece<'k> {
    let n = set.n;
    let mut turns = Turns::new(set, &shape);
    let call = Box::new(move || {
        turns.take(kernel, &Rule::Rows(Rows { core: &core, rows: &table, n }));
    });
    Piece { shape, call }
}

/// Returns a hash by portable code, which measures the current speed of the machine.
fn yardstick<'k>() -> Piece<'k> {
    let (kernels, mut out) = (Kernels::portable(), [0; 32]);
    let start = Midstate::sha256();
    let call = Box::new(move || {
        let message = out;
        start.finish(kernels.sha256, &message, &mut out);
    });
    Piece { shape: Shape::Plain, call }
}

/// Groups of chains of a one-time key. Each call takes the next group, so that the whole table is
/// read.
struct Turns {
    turns: Vec<Vec<Span>>,
    next: usize,
    values: Vec<u8>,
}

impl Turns {
    fn new(set: &Set, shape: &Shape) -> Self {
        let lengths = match shape {
            Shape::Key(_, lengths) => lengths.clone(),
            Shape::Steps(_, count, steps) => vec![*steps; *count],
            Shape::Batch(..) | Shape::Plain => Vec::new(),
        };
        let count = lengths.len().max(1);
        let span = |(chain, steps): (usize, &u32)| Span {
            head: [chain as u8; HEAD],
            from: 0,
            steps: *steps,
            row: (set.w() - 1) * (chain % set.len()),
        };
        let turn = |first| (first..).zip(&lengths).map(span).collect();
        let turns = (0..set.len()).step_by(count).map(turn).collect();
        Self { turns, next: 0, values: vec![0x11; lengths.len() * set.n] }
    }

    fn take<H: HashFunction>(&mut self, kernel: &dyn Kernel<H>, rule: &Rule<'_, H>) {
        kernel.chains(rule, &self.turns[self.next], &mut self.values);
        self.next = (self.next + 1) % self.turns.len();
    }
}

/// The pieces, timed in alternation.
pub struct Bench<'s> {
    subjects: Vec<(Subject<'s>, Vec<f64>)>,
    shapes: Vec<Shape>,
}

impl<'s> Bench<'s> {
    /// Warms up every piece.
    pub fn new(pieces: &'s mut [Piece<'_>]) -> Self {
        let shapes = pieces.iter().map(|piece| piece.shape.clone()).collect();
        let subject = |piece: &'s mut Piece<'_>| Subject::brief(1, &mut *piece.call);
        let subjects = pieces.iter_mut().map(|piece| (subject(piece), Vec::new())).collect();
        Self { subjects, shapes }
    }

    /// Times one window of each piece.
    pub fn round(&mut self) {
        self.subjects.iter_mut().for_each(|(subject, times)| times.push(subject.window()));
    }

    /// Computes the costs from the medians over all rounds.
    pub fn costs(&self, set: &'static Set) -> Costs {
        let medians = self.subjects.iter().map(|(_, times)| Summary::of(times).p50);
        let timed = Timed { set, pieces: self.shapes.iter().zip(medians).collect() };
        let steps = timed.pieces.iter().filter_map(|(shape, us)| timed.own(shape, *us)).collect();
        let mut costs = Costs::new(steps);
        let key = |(shape, us): &(&Shape, f64)| timed.around(&costs, shape, *us);
        let around: Vec<_> = timed.pieces.iter().filter_map(key).flatten().collect();
        around.into_iter().for_each(|row| costs.add(row));
        costs
    }
}

/// The pieces of a set with their median times.
struct Timed<'b> {
    set: &'static Set,
    pieces: Vec<(&'b Shape, f64)>,
}

impl Timed<'_> {
    fn of(&self, shape: &Shape) -> f64 {
        self.pieces.iter().find(|(s, _)| *s == shape).map_or(0.0, |(_, us)| *us)
    }

    /// Returns the cost of one block of a batch, or of one step.
    fn own(&self, shape: &Shape, us: f64) -> Option<Cost> {
        let [long, short] = STEPS;
        match *shape {
            Shape::Batch(count, blocks) => {
                Some(self.cost(What::Batch, count, us / f64::from(blocks)))
            }
            Shape::Steps(what, count, steps) if steps == long => {
                let rest = us - self.of(&Shape::Steps(what, count, short));
                Some(self.cost(what, count, rest / f64::from(long - short)))
            }
            Shape::Plain => Some(self.cost(What::Plain, 1, us)),
            _ => None,
        }
    }

    /// Returns the cost of the chains of a one-time key beyond their steps: one part per chain, one
    /// part per call. For XMSS only chains with keys and masks computed before are considered.
    fn around(&self, costs: &Costs, shape: &Shape, us: f64) -> Option<[Cost; 2]> {
        let Shape::Key(what, lengths) = shape else { return None };
        let lanes = costs.rows().iter().filter(|c| c.what == *what).map(|c| c.count).max()?;
        let of = name(self.set);
        let beside = |lengths: Vec<u32>, us: f64| {
            let filled = lengths.iter().filter(|steps| **steps > 0).count() as f64;
            (filled, us - costs.chains(*what, of, lengths))
        };
        let short = Shape::Steps(*what, lanes, STEPS[1]);
        let (few, call) = beside(vec![STEPS[1]; lanes], self.of(&short));
        let (many, key) = beside(lengths.clone(), us);
        let fill = (key - call) / (many - few).max(1.0);
        let rows = [(What::Fill, fill), (What::Call, call - few * fill)];
        (*what != What::Masked).then(|| rows.map(|(what, us)| self.cost(what, 1, us)))
    }

    fn cost(&self, what: What, count: usize, us: f64) -> Cost {
        let (of, n) = name(self.set);
        Cost { what, of: of.to_owned(), n, level: None, count, cost_us: round(us) }
    }
}

/// Returns the kernel of a set and the length of its values in bytes, the key of its costs.
pub fn name(set: &Set) -> (&'static str, usize) {
    let which = match set.hash {
        Hash::Sha256 => Which::Sha256,
        Hash::Sha512 => Which::Sha512,
        _ => Which::Keccak,
    };
    (kernel(which), set.n)
}
