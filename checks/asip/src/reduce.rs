//! Reduces a tree of nodes on the unit, in the memory of its lowest row. With one lane, a row
//! begins while the last nodes of the row below are under way, because the lane ends its jobs in
//! order.

use crate::known::N;
use crate::unit::{COPIED, Head, chain, node, node_row, wait};
use core::mem::MaybeUninit;
use core::ptr::null;

/// Bytes of a row of the table.
pub const ROW: usize = 3 * N;

/// Source of the rows of nodes.
pub trait Source {
    /// Returns the row of node `at`, and how many jobs may still be under way when it is used.
    fn row(&mut self, at: usize) -> (*const u8, usize);

    /// Returns the number of jobs ordered after node `node` once the row of node `at` is ordered.
    fn behind(&self, at: usize, node: usize) -> usize;
}

/// Rows made before.
pub struct Table<'a>(pub &'a [u8]);

impl Source for Table<'_> {
    fn row(&mut self, at: usize) -> (*const u8, usize) {
        (self.0[at * ROW..].as_ptr(), usize::MAX)
    }

    fn behind(&self, at: usize, node: usize) -> usize {
        at - node - 1
    }
}

/// Rows computed on the way, each while the node before it is hashed. A place is reused four rows
/// later, when its content has been read.
pub struct Maker<'a> {
    heads: &'a mut dyn Iterator<Item = [u8; N]>,
    blocks: [MaybeUninit<Head>; 4],
    rows: [MaybeUninit<[u32; ROW / 4]>; 4],
    nodes: usize,
}

impl<'a> Maker<'a> {
    /// Returns a source that computes the rows of `nodes` nodes, with one lane.
    pub fn new(heads: &'a mut dyn Iterator<Item = [u8; N]>, nodes: usize) -> Self {
        Self { heads, blocks: [MaybeUninit::uninit(); 4], rows: [MaybeUninit::uninit(); 4], nodes }
    }

    fn order(&mut self, at: usize) {
        let head = self.heads.next().expect("a head for each node");
        let head = self.blocks[at % 4].write(Head(head));
        // SAFETY: head and row stay until the jobs are waited for.
        unsafe { node_row(head.0.as_ptr(), self.rows[at % 4].as_mut_ptr().cast()) };
    }
}

impl Source for Maker<'_> {
    fn row(&mut self, at: usize) -> (*const u8, usize) {
        if at == 0 {
            self.order(0);
        }
        if at + 1 < self.nodes {
            self.order(at + 1);
        }
        (self.rows[at % 4].as_ptr().cast(), usize::from(self.nodes > 1))
    }

    /// Counts nodes and rows: the row of a next node is ordered before the node of this row.
    fn behind(&self, at: usize, node: usize) -> usize {
        2 * (at - node) - 1 - usize::from(at + 1 >= self.nodes)
    }
}

/// Joins neighbours until one value is left, in the first place.
pub fn reduce<const LANES: usize>(mut source: impl Source, values: &mut [u8]) {
    let base = values.as_mut_ptr();
    let (mut at, mut width) = (0, values.len() / N);
    // The first node of the row below, and how many of the values are nodes.
    let (mut below, mut made) = (0, 0);
    while width > 1 {
        let (first, ups) = (at, width / 2);
        if LANES > 1 {
            wait(0);
        }
        for i in 0..ups {
            let (row, mut left) = source.row(at);
            if LANES == 1 && made > 0 {
                left = left.min(source.behind(at, below + made.min(2 * i + 2) - 1));
            }
            if LANES == 1 {
                wait(left as u32);
            }
            // SAFETY: both values of the pair are in place and done. The node replaces one of them
            // or one that was read before. All memory stays until the jobs are waited for.
            unsafe { node(base.add(2 * i * N), row, base.add(i * N)) };
            at += 1;
        }
        if width % 2 == 1 {
            // The last value moves to a place that was read. The next row is not ordered yet.
            let (last, place) = ((width - 1) * N, ups * N);
            if LANES == 1 {
                wait(source.behind(at, first + ups / 2).saturating_sub(1) as u32);
                // SAFETY: both are values of the row, and different ones. Jobs no longer read or
                // write them.
                unsafe { base.add(last).copy_to_nonoverlapping(base.add(place), N) };
            } else {
                // SAFETY: both are values of the row, and different ones. The jobs before read
                // their pairs first, and write elsewhere.
                unsafe { chain::<COPIED>(0, base.add(last), null(), base.add(place)) };
            }
        }
        (below, made, width) = (first, ups, width.div_ceil(2));
    }
    wait(0);
}

/// Hashes a path of pairs. Each node becomes the left or right value of the next pair, as `sides`
/// says.
pub fn climb<const LANES: usize>(
    mut source: impl Source,
    sides: u32,
    pairs: &mut [u8],
    root: &mut [u8],
) {
    let (base, levels) = (pairs.as_mut_ptr(), pairs.len() / (2 * N));
    for at in 0..levels {
        let (row, mut left) = source.row(at);
        if at > 0 {
            left = if LANES == 1 { left.min(source.behind(at, at - 1)) } else { 0 };
        }
        wait(left as u32);
        let side = (sides >> ((at + 1) % 32) & 1) as usize;
        let next = (2 * at + 2 + side) * N;
        // SAFETY: the pair is complete. The node goes to the next pair, which exists unless this is
        // the last. All memory stays until the jobs are waited for.
        unsafe {
            let target = if at + 1 < levels { base.add(next) } else { root.as_mut_ptr() };
            node(base.add(2 * at * N), row, target);
        }
    }
    wait(0);
}
