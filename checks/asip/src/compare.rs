//! Compares a unit's kernel with the portable one, on random work of every kind.

mod nodes;

use self::nodes::{nodes, paths, short_nodes, trees};
use crate::machine::{Host, end};
use crate::unit::Head;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;
use hasten_kernels::chain::{Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::grid::{Grid, Number, Numbered, Tail};
use hasten_kernels::node::Nodes;
use hasten_kernels::{
    HashFunction, Keccak, Kernel, Midstate, Portable, Sha256, keyed_many, many, numbered,
};

/// Bound on the chains, rows, nodes or messages of one call: more than the unit can queue.
const MOST: usize = 6;

/// A hash function whose kernels are compared.
pub trait Compared: HashFunction {
    /// Returns the initial state of a hash, chosen at random if there are several.
    fn start(random: &mut Random) -> Midstate<Self>;

    /// Compresses random blocks, or permutes random states.
    fn compress(kernel: &dyn Kernel<Self>, random: &mut Random) -> Vec<u8>;
}

impl Compared for Sha256 {
    fn start(_random: &mut Random) -> Midstate<Self> {
        Midstate::sha256()
    }

    fn compress(kernel: &dyn Kernel<Self>, random: &mut Random) -> Vec<u8> {
        let count = random.below(MOST);
        let word = |random: &mut Random| core::array::from_fn(|_| random.next());
        let mut states: Vec<[u32; 8]> = (0..count).map(|_| word(random)).collect();
        let blocks: Vec<[u8; 64]> =
            (0..count).map(|_| core::array::from_fn(|_| random.next() as u8)).collect();
        kernel.compress(&mut states, &blocks);
        states.as_flattened().iter().flat_map(|word| word.to_be_bytes()).collect()
    }
}

impl Compared for Keccak {
    fn start(random: &mut Random) -> Midstate<Self> {
        match random.below(3) {
            0 => Midstate::shake128(),
            1 => Midstate::shake256(),
            _ => Midstate::sha3_256(),
        }
    }

    fn compress(kernel: &dyn Kernel<Self>, random: &mut Random) -> Vec<u8> {
        let count = random.below(MOST);
        let lane = |random: &mut Random| u64::from(random.next()) << 32 | u64::from(random.next());
        let state = |random: &mut Random| core::array::from_fn(|_| lane(random));
        let mut states: Vec<[u64; 25]> = (0..count).map(|_| state(random)).collect();
        kernel.permute(&mut states);
        states.as_flattened().iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Does random work `rounds` times with `kernel` and with the portable one, then ends the program:
/// with status 0 if all results agree.
pub fn compare<H: Compared>(kernel: &'static dyn Kernel<H>, rounds: u32) -> !
where
    Portable: Kernel<H>,
{
    let mut random = Random(1);
    let kernels: [&dyn Kernel<H>; 2] = [kernel, Portable::detect()];
    for round in 0..rounds {
        for (name, job) in jobs::<H>() {
            let seed = random.next();
            let [here, there] = kernels.map(|kernel| {
                let mut random = Random(seed);
                let start = H::start(&mut random);
                job(&Hash { kernel, start }, &mut random)
            });
            if here != there {
                let _ = writeln!(Host, "round {round}: {name} differ");
                end(false);
            }
        }
    }
    end(true)
}

/// A kernel, and the initial state of the hash that it computes.
struct Hash<'k, H: HashFunction> {
    kernel: &'k dyn Kernel<H>,
    start: Midstate<H>,
}

type Job<H> = fn(&Hash<'_, H>, &mut Random) -> Vec<u8>;

fn jobs<H: Compared>() -> [(&'static str, Job<H>); 16] {
    [
        ("compressions", |hash, random| H::compress(hash.kernel, random)),
        ("messages", messages),
        ("chains that make their masks", masked),
        ("messages with keys", keyed),
        ("chains of a grid", |hash, random| to_ends(hash, random, false)),
        ("chains by rows from elsewhere", |hash, random| to_ends(hash, random, true)),
        ("values of a table", of_a_table),
        ("elements", elements),
        ("chains by rows", by_rows),
        ("chains of LMS", tweaked),
        ("nodes", nodes),
        ("nodes of n = 24", short_nodes),
        ("trees by rows", |hash, random| trees(hash, random, true)),
        ("trees that make their rows", |hash, random| trees(hash, random, false)),
        ("paths by rows", |hash, random| paths(hash, random, true)),
        ("paths that make their rows", |hash, random| paths(hash, random, false)),
    ]
}

impl<H: HashFunction> Hash<'_, H> {
    /// Returns the state after absorbing toByte(`function`, 32) ‖ `tail`.
    fn led(&self, function: u8, tail: &[u8]) -> Midstate<H> {
        self.padded(function, 32).with(self.kernel, tail)
    }

    /// Returns the state after absorbing toByte(`function`, `len`).
    fn padded(&self, function: u8, len: usize) -> Midstate<H> {
        let mut pad = [0; 32];
        pad[len - 1] = function;
        self.start.clone().with(self.kernel, &pad[..len])
    }

    /// Returns the states at the beginning of the messages of PRF and F, and n: 24 or 32.
    fn prf_and_f(&self, random: &mut Random) -> ([Midstate<H>; 2], usize) {
        let (pad, n) = if random.below(2) == 0 { (4, 24) } else { (32, 32) };
        let [prf, core] = [3, 0].map(|function| self.padded(function, pad));
        ([prf.with(self.kernel, &random.bytes(n)), core], n)
    }
}

/// A generator of Marsaglia's kind (xorshift).
pub struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        self.next() as usize % limit
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    fn head(&mut self) -> [u8; 32] {
        core::array::from_fn(|_| self.next() as u8)
    }

    /// Returns heads of nodes: their last word is zero.
    fn heads(&mut self, count: usize) -> Vec<[u8; 32]> {
        let mut head = |_| {
            let mut head = self.head();
            head[28..].fill(0);
            head
        };
        (0..count).map(&mut head).collect()
    }

    /// Returns chains of a few steps, up to step 14.
    fn spans(&mut self) -> Vec<Span> {
        let count = self.below(MOST);
        let mut span = |i| {
            let from = 11 + self.below(5) as u32;
            let steps = self.below(16 - from as usize) as u32;
            Span { head: self.head(), from, steps, row: 15 * i }
        };
        (0..count).map(&mut span).collect()
    }
}

fn messages<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    let (absorbed, each) = (random.below(100), random.below(100));
    let from = hash.led(3, &random.bytes(absorbed));
    let count = 1 + random.below(MOST);
    let mut out = vec![0; count * 32];
    many(hash.kernel, &from, &random.bytes(count * each), &mut out, 32);
    out
}

/// Leaves the unit in the mode of n = 24, which is wrong for the hashes that follow.
fn leave_short<H: HashFunction>(kernel: &dyn Kernel<H>) {
    let (value, mut copy) = (Head([0; 32]), Head([0; 32]));
    if let Some(nodes) = kernel.nodes() {
        nodes.look_up(&value.0[..24], &[0], &mut copy.0[..24]);
    }
}

/// Hashes pairs by keys, as is done for nodes that were masked before.
fn keyed<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    leave_short(hash.kernel);
    let (core, count) = (hash.led(random.below(2) as u8, &[]), 1 + random.below(MOST));
    let (keys, pairs) = (random.bytes(count * 32), random.bytes(count * 64));
    let mut out = vec![0; count * 32];
    keyed_many(hash.kernel, &core, &keys, &pairs, &mut out, 32);
    out
}

fn elements<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    let absorbed = 32 * random.below(4);
    leave_short(hash.kernel);
    let function = 3 + random.below(2) as u8;
    let prefix = hash.led(function, &random.bytes(absorbed));
    let number = |at| Number { at, width: 4, first: 7 };
    let columns = 1 + random.below(5);
    let grid = Grid { head: random.head(), row: number(16), column: number(20), columns };
    let messages = Numbered { prefix: &prefix, head_len: 32, grid: &grid, tail: Tail::Same(&[]) };
    let mut out = vec![0; random.below(MOST) * 32];
    numbered(hash.kernel, &messages, &mut out, 32);
    out
}

fn masked<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    let ([prf, core], n) = hash.prf_and_f(random);
    let rule = Masked { prf: &prf, core: &core, head_len: 32, at: 24, n };
    chains(hash, random, &Rule::Masked(rule), n)
}

/// Advances chains to their ends, by rows or by heads that count up.
fn to_ends<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random, by_rows: bool) -> Vec<u8> {
    let (prf, core) = (hash.led(3, &random.bytes(32)), hash.led(0, &[]));
    let masked = Masked { prf: &prf, core: &core, head_len: 32, at: 24, n: 32 };
    let grid = Grid::line(random.head(), Number { at: 20, width: 4, first: 5 });
    let last = 15;
    let count = random.below(MOST);
    let from: Vec<u8> = (0..count).map(|_| 3 + random.below(13) as u8).collect();
    let given = random.bytes(count * 32);
    let rows = random.bytes(count * 15 * 64);
    let by_rows = by_rows.then_some(Rule::Rows(Rows { core: &core, rows: &rows, n: 32 }));
    let rule = by_rows.unwrap_or(Rule::Masked(masked));
    let mut values = vec![0; count * 32];
    let finish =
        |nodes: &dyn Nodes<H>| nodes.finish(&rule, &grid, (&from, last), &given, &mut values);
    if !hash.kernel.nodes().is_some_and(finish) {
        let span = |(i, from): (usize, &u8)| {
            let from = u32::from(*from);
            Span { head: grid.head(i), from, steps: last - from, row: 15 * i }
        };
        let spans: Vec<Span> = from.iter().enumerate().map(span).collect();
        values = given;
        hash.kernel.chains(&rule, &spans, &mut values);
    }
    values
}

/// Looks up one value of each chain in a table.
fn of_a_table<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    let (n, chains) = (if random.below(2) == 0 { 24 } else { 32 }, 1 + random.below(MOST));
    let table = random.bytes(chains * 16 * n);
    let steps: Vec<u8> = (0..chains).map(|_| random.below(16) as u8).collect();
    let mut out = vec![0; chains * n];
    let look_up = |nodes: &dyn Nodes<H>| nodes.look_up(&table, &steps, &mut out);
    if !hash.kernel.nodes().is_some_and(look_up) {
        let values = steps.iter().zip(table.chunks_exact(16 * n));
        out = values
            .flat_map(|(step, chain)| &chain[usize::from(*step) * n..][..n])
            .copied()
            .collect();
    }
    out
}

fn by_rows<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    let ([prf, core], n) = hash.prf_and_f(random);
    let masked = Masked { prf: &prf, core: &core, head_len: 32, at: 24, n };
    let spans: Vec<Span> =
        (0..MOST).map(|i| Span { head: random.head(), from: 11, steps: 4, row: 15 * i }).collect();
    let mut rows = vec![0; MOST * 15 * 2 * n];
    hash.kernel.rows(&masked, &spans, &mut rows);
    let rule = Rows { core: &core, rows: &rows, n };
    let mut out = chains(hash, random, &Rule::Rows(rule), n);
    out.append(&mut rows);
    out
}

fn tweaked<H: HashFunction>(hash: &Hash<'_, H>, random: &mut Random) -> Vec<u8> {
    let n = if random.below(2) == 0 { 24 } else { 32 };
    let (prefix, counter) = (hash.start.clone(), StepField { at: 22, width: 1 });
    let rule = Tweak { prefix: &prefix, head_len: 23, counter, n };
    chains(hash, random, &Rule::Tweak(rule), n)
}

fn chains<H: HashFunction>(
    hash: &Hash<'_, H>,
    random: &mut Random,
    rule: &Rule<'_, H>,
    n: usize,
) -> Vec<u8> {
    let spans = random.spans();
    let mut values = random.bytes(spans.len() * n);
    hash.kernel.chains(rule, &spans, &mut values);
    values
}
