//! A unit's kernel beside the portable one, over random work of every kind.

mod nodes;

use self::nodes::{nodes, paths, short_nodes, trees};
use crate::machine::{Host, end};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;
use hasten_kernels::chain::{Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::grid::{Grid, Number, Numbered, Tail};
use hasten_kernels::node::Nodes;
use hasten_kernels::{Kernel, Kernels, Midstate, Portable, Sha256, many, numbered};

/// Chains, rows, nodes or messages in one call: more than wait in a unit.
const MOST: usize = 6;

/// Does random work `rounds` times with `kernels` and with the portable kernel, and ends: with
/// status 0 if all results agree.
pub fn compare(kernels: Kernels<'static>, rounds: u32) -> ! {
    let mut random = Random(1);
    for round in 0..rounds {
        for (name, job) in JOBS {
            let (now, here) = (Random(random.next()), &kernels.sha256);
            let there: &dyn Kernel<Sha256> = Portable::detect();
            if job(*here, &mut Random(now.0)) != job(there, &mut Random(now.0)) {
                let _ = writeln!(Host, "round {round}: {name} differ");
                end(false);
            }
        }
    }
    end(true)
}

type Job = fn(&dyn Kernel<Sha256>, &mut Random) -> Vec<u8>;

const JOBS: [(&str, Job); 15] = [
    ("compressions", compress),
    ("messages", messages),
    ("elements", elements),
    ("chains that make their masks", masked),
    ("chains of a grid", |kernel, random| to_ends(kernel, random, false)),
    ("chains by rows from elsewhere", |kernel, random| to_ends(kernel, random, true)),
    ("values of a table", of_a_table),
    ("chains by rows", by_rows),
    ("chains of LMS", tweaked),
    ("nodes", nodes),
    ("nodes of n = 24", short_nodes),
    ("trees by rows", |kernel, random| trees(kernel, random, true)),
    ("trees that make their rows", |kernel, random| trees(kernel, random, false)),
    ("paths by rows", |kernel, random| paths(kernel, random, true)),
    ("paths that make their rows", |kernel, random| paths(kernel, random, false)),
];

/// A generator of Marsaglia's kind (xorshift).
struct Random(u32);

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

    /// Returns the bytes of XMSS' toByte and of its values: of n = 24 or 32.
    fn form(&mut self) -> (usize, usize) {
        if self.below(2) == 0 { (4, 24) } else { (32, 32) }
    }

    /// Returns heads of nodes.
    fn heads(&mut self, count: usize) -> Vec<[u8; 32]> {
        let mut head = |_| {
            let mut head = self.head();
            head[28..].fill(0);
            head
        };
        (0..count).map(&mut head).collect()
    }

    /// Returns chains of a few steps, the last of them number 14 at most.
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

/// Returns toByte(`function`, 32) ‖ `tail` absorbed.
fn led(kernel: &dyn Kernel<Sha256>, function: u8, tail: &[u8]) -> Midstate<Sha256> {
    padded(kernel, function, 32).with(kernel, tail)
}

/// Returns toByte(`function`, `len`) absorbed.
fn padded(kernel: &dyn Kernel<Sha256>, function: u8, len: usize) -> Midstate<Sha256> {
    let mut pad = [0; 32];
    pad[len - 1] = function;
    Midstate::sha256().with(kernel, &pad[..len])
}

fn compress(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let count = random.below(MOST);
    let word = |random: &mut Random| core::array::from_fn(|_| random.next());
    let mut states: Vec<[u32; 8]> = (0..count).map(|_| word(random)).collect();
    let blocks: Vec<[u8; 64]> =
        (0..count).map(|_| core::array::from_fn(|_| random.next() as u8)).collect();
    kernel.compress(&mut states, &blocks);
    states.as_flattened().iter().flat_map(|word| word.to_be_bytes()).collect()
}

fn messages(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let (absorbed, each) = (random.below(100), random.below(100));
    let from = led(kernel, 3, &random.bytes(absorbed));
    let count = 1 + random.below(MOST);
    let mut out = vec![0; count * 32];
    many(kernel, &from, &random.bytes(count * each), &mut out, 32);
    out
}

fn elements(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let absorbed = 32 * random.below(4);
    let prefix = led(kernel, 4, &random.bytes(absorbed));
    let number = |at| Number { at, width: 4, first: 7 };
    let columns = 1 + random.below(5);
    let grid = Grid { head: random.head(), row: number(16), column: number(20), columns };
    let messages = Numbered { prefix: &prefix, head_len: 32, grid: &grid, tail: Tail::Same(&[]) };
    let mut out = vec![0; random.below(MOST) * 32];
    numbered(kernel, &messages, &mut out, 32);
    out
}

fn masked(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let (pad, n) = random.form();
    let [prf, core] = [3, 0].map(|function| padded(kernel, function, pad));
    let prf = prf.with(kernel, &random.bytes(n));
    let rule = Masked { prf: &prf, core: &core, head_len: 32, at: 24, n };
    chains(kernel, random, &Rule::Masked(rule), n)
}

/// Advances chains to their ends, by rows or by heads that count up.
fn to_ends(kernel: &dyn Kernel<Sha256>, random: &mut Random, by_rows: bool) -> Vec<u8> {
    let (prf, core) = (led(kernel, 3, &random.bytes(32)), led(kernel, 0, &[]));
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
        |nodes: &dyn Nodes<Sha256>| nodes.finish(&rule, &grid, (&from, last), &given, &mut values);
    if !kernel.nodes().is_some_and(finish) {
        let span = |(i, from): (usize, &u8)| {
            let from = u32::from(*from);
            Span { head: grid.head(i), from, steps: last - from, row: 15 * i }
        };
        let spans: Vec<Span> = from.iter().enumerate().map(span).collect();
        values = given;
        kernel.chains(&rule, &spans, &mut values);
    }
    values
}

/// Picks a value of each chain out of a table.
fn of_a_table(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let (n, chains) = (if random.below(2) == 0 { 24 } else { 32 }, 1 + random.below(MOST));
    let table = random.bytes(chains * 16 * n);
    let steps: Vec<u8> = (0..chains).map(|_| random.below(16) as u8).collect();
    let mut out = vec![0; chains * n];
    let look_up = |nodes: &dyn Nodes<Sha256>| nodes.look_up(&table, &steps, &mut out);
    if !kernel.nodes().is_some_and(look_up) {
        let values = steps.iter().zip(table.chunks_exact(16 * n));
        out = values
            .flat_map(|(step, chain)| &chain[usize::from(*step) * n..][..n])
            .copied()
            .collect();
    }
    out
}

fn by_rows(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let (pad, n) = random.form();
    let [prf, core] = [3, 0].map(|function| padded(kernel, function, pad));
    let prf = prf.with(kernel, &random.bytes(n));
    let masked = Masked { prf: &prf, core: &core, head_len: 32, at: 24, n };
    let spans: Vec<Span> =
        (0..MOST).map(|i| Span { head: random.head(), from: 11, steps: 4, row: 15 * i }).collect();
    let mut rows = vec![0; MOST * 15 * 2 * n];
    kernel.rows(&masked, &spans, &mut rows);
    let rule = Rows { core: &core, rows: &rows, n };
    let mut out = chains(kernel, random, &Rule::Rows(rule), n);
    out.append(&mut rows);
    out
}

fn tweaked(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let n = if random.below(2) == 0 { 24 } else { 32 };
    let (prefix, counter) = (Midstate::sha256(), StepField { at: 22, width: 1 });
    let rule = Tweak { prefix: &prefix, head_len: 23, counter, n };
    chains(kernel, random, &Rule::Tweak(rule), n)
}

fn chains(
    kernel: &dyn Kernel<Sha256>,
    random: &mut Random,
    rule: &Rule<'_, Sha256>,
    n: usize,
) -> Vec<u8> {
    let spans = random.spans();
    let mut values = random.bytes(spans.len() * n);
    kernel.chains(rule, &spans, &mut values);
    values
}
