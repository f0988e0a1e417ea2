//! A unit's kernel beside the portable one, over random work of every kind.

use crate::machine::{Host, end};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;
use hasten_kernels::chain::{Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::grid::{Grid, Number, Numbered, Tail};
use hasten_kernels::node::Node;
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

const JOBS: [(&str, Job); 7] = [
    ("compressions", compress),
    ("messages", messages),
    ("elements", elements),
    ("chains that make their masks", masked),
    ("chains by rows", by_rows),
    ("chains of LMS", tweaked),
    ("nodes", nodes),
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
    let mut pad = [0; 32];
    pad[31] = function;
    Midstate::sha256().with(kernel, &pad).with(kernel, tail)
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
    let (prf, core) = (led(kernel, 3, &random.bytes(32)), led(kernel, 0, &[]));
    let rule = Masked { prf: &prf, core: &core, head_len: 32, at: 24, n: 32 };
    chains(kernel, random, &Rule::Masked(rule), 32)
}

fn by_rows(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let (prf, core) = (led(kernel, 3, &random.bytes(32)), led(kernel, 0, &[]));
    let masked = Masked { prf: &prf, core: &core, head_len: 32, at: 24, n: 32 };
    let spans: Vec<Span> =
        (0..MOST).map(|i| Span { head: random.head(), from: 11, steps: 4, row: 15 * i }).collect();
    let mut rows = vec![0; MOST * 15 * 64];
    kernel.rows(&masked, &spans, &mut rows);
    let rule = Rows { core: &core, rows: &rows, n: 32 };
    let mut out = chains(kernel, random, &Rule::Rows(rule), 32);
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

fn nodes(kernel: &dyn Kernel<Sha256>, random: &mut Random) -> Vec<u8> {
    let (prf, core) = (led(kernel, 3, &random.bytes(32)), led(kernel, 1, &[]));
    let rule = Node { prf: &prf, core: &core, lead: 0, at: 31, n: 32 };
    let count = random.below(MOST);
    let heads: Vec<[u8; 32]> = (0..count)
        .map(|_| {
            let mut head = random.head();
            head[28..].fill(0);
            head
        })
        .collect();
    let pairs = random.bytes(count * 64);
    let (mut rows, mut out) = (vec![0; count * 96], vec![0; count * 32]);
    let known = kernel.nodes().is_some_and(|nodes| {
        nodes.node_rows(&rule, &heads, &mut rows) && nodes.join(&rule, &rows, &pairs, &mut out)
    });
    if !known {
        hash_nodes(kernel, &rule, (&heads, &pairs), (&mut rows, &mut out));
    }
    rows.append(&mut out);
    rows
}

/// Makes rows and nodes by whole messages.
fn hash_nodes(
    kernel: &dyn Kernel<Sha256>,
    rule: &Node<'_, Sha256>,
    (heads, pairs): (&[[u8; 32]], &[u8]),
    (rows, out): (&mut [u8], &mut [u8]),
) {
    let each = heads.iter().zip(pairs.chunks_exact(64));
    for ((head, pair), (row, node)) in
        each.zip(rows.chunks_exact_mut(96).zip(out.chunks_exact_mut(32)))
    {
        for (selector, part) in (0..).zip(row.chunks_exact_mut(32)) {
            let mut head = *head;
            head[31] = selector;
            rule.prf.finish(kernel, &head, part);
        }
        let keyed = rule.core.clone().with(kernel, &row[..32]);
        let sum: Vec<u8> = pair.iter().zip(&row[32..]).map(|(a, b)| a ^ b).collect();
        keyed.finish(kernel, &sum, node);
        for (bytes, word) in row.as_chunks_mut().0.iter_mut().zip(keyed.state()) {
            *bytes = word.to_be_bytes();
        }
    }
}
