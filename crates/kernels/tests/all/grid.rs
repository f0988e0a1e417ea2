//! Grids against the same messages and chains, each laid out in full.

use crate::common::{Function, Sha256, Sha512, Sponge, Stream, backends};
use hasten_kernels::chain::{Masked, Rows, Rule, Span, StepField, Tweak};
use hasten_kernels::grid::{Grid, Number, Numbered, Tail};
use hasten_kernels::{HashFunction, Kernel, numbered, trace, walk};

/// Offset and width in bytes of a number.
type Place = (usize, usize);

/// Head length and places of the two numbers: as in SLH-DSA, LMS and XMSS, and with places that are
/// not in one word.
const SHAPES: [(usize, Place, Place); 5] = [
    (22, (10, 4), (14, 4)),
    (22, (0, 0), (18, 4)),
    (23, (16, 4), (20, 2)),
    (32, (16, 4), (20, 4)),
    (25, (1, 4), (9, 2)),
];
/// Columns, first row number and first column number. Numbers that cross a multiple of 2^16 cannot
/// be processed in lanes.
const COUNTS: [(usize, u32, u32); 5] =
    [(usize::MAX, 0, 4096), (35, 7, 0), (5, 0x12_0000, 3), (67, 0xfffe, 0), (70, 1, 0xfff0)];

fn grids() -> impl Iterator<Item = (usize, Grid)> {
    let shapes = SHAPES.into_iter().enumerate();
    shapes.flat_map(|(i, (head_len, row, column))| {
        COUNTS.into_iter().filter_map(move |(columns, first_row, first)| {
            let number = |(at, width), first| Number { at, width, first };
            let one_row = columns == usize::MAX;
            let (row, column) = (number(row, first_row), number(column, first));
            let row = if one_row { number((0, 0), 0) } else { row };
            let head = Stream(i as u64).bytes();
            let fits = (row.width > 0 || one_row) && (column.width == 4 || first < 0xfff0);
            fits.then_some((head_len, Grid { head, row, column, columns }))
        })
    })
}

fn messages<F: Function>(function: F, n: usize) {
    for (name, kernels) in backends() {
        let kernel = function.kernel(&kernels);
        let prefix =
            function.start().with(kernel, &[9; 64][..function.start().block_len().min(64)]);
        for ((head_len, grid), count) in
            grids().flat_map(|grid| [1, 7, 16, 33, 150].map(|count| (grid, count)))
        {
            for (len, same) in [(0, true), (n, true), (n, false), (2 * n, false)] {
                let flat = Stream(8).vec(if same { len } else { len * count });
                let tail = if same { Tail::Same(&flat) } else { Tail::Each(&flat) };
                let mut out = vec![0; n * count];
                let messages = Numbered { prefix: &prefix, head_len, grid: &grid, tail };
                numbered(kernel, &messages, &mut out, n);
                for (i, digest) in out.chunks(n).enumerate() {
                    let own = if same { &flat[..] } else { &flat[i * len..][..len] };
                    let mut want = vec![0; n];
                    let message = [&grid.head(i)[..head_len], own].concat();
                    prefix.finish(kernel, &message, &mut want);
                    assert_eq!(digest, want, "{name}: {i} of {count}, tails of {len}, {grid:?}");
                }
            }
        }
    }
}

#[test]
fn numbered_messages_are_those_laid_out() {
    messages(Sha256, 16);
    messages(Sha256, 24);
    messages(Sha256, 32);
    messages(Sha512, 24);
    messages(Sha512, 32);
    messages(Sponge::Shake256, 16);
    messages(Sponge::Shake256, 32);
}

fn chains<F: Function>(function: F, n: usize) {
    for (name, kernels) in backends() {
        let kernel = function.kernel(&kernels);
        let prefix =
            function.start().with(kernel, &[9; 64][..function.start().block_len().min(64)]);
        for (steps, count) in [(0, 20), (1, 16), (3, 70), (15, 33), (255, 17)] {
            for (head_len, grid) in grids().filter(|(len, grid)| *len != 25 && grid.column.at != 18)
            {
                // In every shape there is room for a counter of one byte outside the numbers.
                let counter =
                    StepField { at: if head_len == 32 { 27 } else { head_len - 1 }, width: 1 };
                let masked =
                    || Masked { prf: &prefix, core: &prefix, head_len, at: head_len - 8, n };
                let tweak = || Tweak { prefix: &prefix, head_len, counter, n };
                let spans: Vec<Span> = (0..count)
                    .map(|i| Span { head: grid.head(i), from: 0, steps, row: 0 })
                    .collect();
                // In a short head, the counter of a mask would overlap the numbers.
                let rules = [Some(Rule::Tweak(tweak())), Some(Rule::Masked(masked()))];
                for rule in rules.into_iter().take(1 + usize::from(head_len == 32)).flatten() {
                    let mut want = Stream(4).vec(n * count);
                    let mut values = want.clone();
                    walk(kernel, &rule, &grid, steps, &mut values);
                    kernel.chains(&rule, &spans, &mut want);
                    assert!(values == want, "{name}: {count} by {steps}, n={n}, {grid:?}");
                    traced(kernel, &rule, (&grid, steps), &want);
                }
            }
        }
    }
}

/// Checks that each traced chain ends with its value in `ends`, and that its middle value leads
/// there too.
fn traced<H: HashFunction>(
    kernel: &dyn Kernel<H>,
    rule: &Rule<'_, H>,
    (grid, steps): (&Grid, u32),
    ends: &[u8],
) {
    let (n, mut table) = (rule.n(), Vec::new());
    for first in Stream(4).vec(ends.len()).chunks(n) {
        table.extend(first);
        table.resize(table.len() + steps as usize * n, 0);
    }
    trace(kernel, rule, grid, steps, &mut table);
    for (i, chain) in table.chunks((steps as usize + 1) * n).enumerate() {
        assert_eq!(chain[steps as usize * n..], ends[i * n..][..n], "chain {i}, n={n}, {grid:?}");
        let middle = steps / 2;
        let spans = [Span { head: grid.head(i), from: middle, steps: steps - middle, row: 0 }];
        let mut value = chain[middle as usize * n..][..n].to_vec();
        kernel.chains(rule, &spans, &mut value);
        assert_eq!(value, ends[i * n..][..n], "chain {i} from {middle}, n={n}, {grid:?}");
    }
}

#[test]
fn walked_and_traced_chains_are_those_of_spans() {
    chains(Sha256, 16);
    chains(Sha256, 24);
    chains(Sha256, 32);
    chains(Sponge::Shake256, 16);
    chains(Sponge::Shake256, 24);
    chains(Sha512, 64);
}

#[test]
#[should_panic]
fn a_rule_with_a_table_is_refused() {
    let kernels = hasten_kernels::Kernels::best();
    let core = Sha256.start();
    let rule = Rule::Rows(Rows { core: &core, rows: &[], n: 32 });
    let grid = Grid::line([0; 32], Number { at: 4, width: 4, first: 0 });
    walk(kernels.sha256, &rule, &grid, 1, &mut [0; 32 * 20]);
}
