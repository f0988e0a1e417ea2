//! A tree of nodes on the unit, in the place of its lowest row. One lane begins with a row while
//! the last nodes of the one below are under way, since it ends its jobs in order.

use crate::known::N;
use crate::unit::{COPIED, Head, chain, node, node_row, wait};
use core::mem::MaybeUninit;
use core::ptr::null;

/// Bytes of a row of the table.
pub const ROW: usize = 3 * N;

/// Where the rows of nodes come from.
pub trait Source {
    /// Returns the row of node `at`, for which all jobs but so many have to be done.
    fn row(&mut self, at: usize) -> (*const u8, usize);

    /// Returns how many jobs are ordered behind that of node `node` when the row of node `at` is.
    fn behind(&self, at: usize, node: usize) -> usize;
}

/// Rows that were made before.
pub struct Table<'a>(pub &'a [u8]);

impl Source for Table<'_> {
    fn row(&mut self, at: usize) -> (*const u8, usize) {
        (self.0[at * ROW..].as_ptr(), usize::MAX)
    }

    fn behind(&self, at: usize, node: usize) -> usize {
        at - node - 1
    }
}

/// Rows that are made, each while the node before is hashed. A place is taken again four rows
/// later: what it held has been read then.
pub struct Maker<'a> {
    heads: &'a mut dyn Iterator<Item = [u8; N]>,
    blocks: [MaybeUninit<Head>; 4],
    rows: [MaybeUninit<[u32; ROW / 4]>; 4],
    nodes: usize,
}

impl<'a> Maker<'a> {
    /// Returns what makes the rows of so many nodes, with one lane.
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

    /// Returns it for nodes that come behind the row of the next one, if there is one.
    fn behind(&self, at: usize, node: usize) -> usize {
        2 * (at - node) - 1 - usize::from(at + 1 >= self.nodes)
    }
}

/// Joins neighbours until one value is left, the first.
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
            // SAFETY: both values of the pair lie there and are done. The node replaces one of them
            // or one that was read before. All of it stays until the jobs are waited for.
            unsafe { node(base.add(2 * i * N), row, base.add(i * N)) };
            at += 1;
        }
        if width % 2 == 1 {
            // The last value takes the place of one that was read; the next row is not ordered yet.
            let (last, place) = ((width - 1) * N, ups * N);
            if LANES == 1 {
                wait(source.behind(at, first + ups / 2).saturating_sub(1) as u32);
                // SAFETY: both are values of the row, and different ones; jobs neither read nor
                // write them any more.
                unsafe { base.add(last).copy_to_nonoverlapping(base.add(place), N) };
            } else {
                // SAFETY: both are values of the row, and different ones; the jobs before read
                // their pairs first, and write elsewhere.
                unsafe { chain::<COPIED>(0, base.add(last), null(), base.add(place)) };
            }
        }
        (below, made, width) = (first, ups, width.div_ceil(2));
    }
    wait(0);
}

/// Hashes pairs, each of which takes the node of the one below at its side of `sides`.
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
        // SAFETY: the pair is complete. The node goes to the next one, which is there if this is
        // not the last. All of it stays until the jobs are waited for.
        unsafe {
            let target = if at + 1 < levels { base.add(next) } else { root.as_mut_ptr() };
            node(base.add(2 * at * N), row, target);
        }
    }
    wait(0);
}
