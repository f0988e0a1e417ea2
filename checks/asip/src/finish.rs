//! Chains advanced to their ends, with values stored elsewhere. An order takes its value from where
//! it is, so nothing is copied, and the next order is prepared while the unit hashes.

use crate::known::N;
use crate::unit::{APART, BY_ROWS, Head, chain, wait, way};
use core::mem::MaybeUninit;
use core::ptr::null;
use hasten_kernels::grid::Grid;

/// Minimum number of steps of each pass. Several lanes get the longer chains first and then the
/// shorter ones, so the lanes end together without a sorted list of chains.
const LENGTHS: [u32; 2] = [9, 1];

/// Returns the minimum number of steps of each pass over the chains.
pub const fn lengths<const LANES: usize>() -> &'static [u32] {
    if LANES == 1 { &[1] } else { &LENGTHS }
}

/// The chains of a one-time key: the first step of each, the common last step, and their values.
pub struct Chains<'a> {
    pub from: &'a [u8],
    pub last: u32,
    pub given: &'a [u8],
}

impl Chains<'_> {
    /// Advances the chains by rows, which were set before: `last` rows for each chain.
    pub fn by_rows<const LANES: usize>(&self, ends: &mut [u8]) {
        let order = |i: usize, (from, steps): (u32, u32), value: *const u8, end: *mut u8| {
            let way = way(from, steps, i as u32 * self.last);
            // SAFETY: rows, value and end stay until the jobs are waited for.
            unsafe { chain::<{ BY_ROWS | APART }>(way, value, null(), end) };
        };
        self.order::<LANES>(ends, order);
    }

    /// Advances the chains of one row of a grid, and computes KEYs and masks.
    pub fn by_heads<const LANES: usize>(&self, grid: &Grid, ends: &mut [u8]) {
        let mut ring = [MaybeUninit::<Head>::uninit(); 4];
        let mut head = grid.head(0);
        let mut place = 0;
        let order = |i: usize, (from, steps): (u32, u32), value: *const u8, end: *mut u8| {
            grid.column.write(&mut head, i);
            let block = &ring[place % 4].write(Head(head)).0;
            place += 1;
            // SAFETY: value and end stay until the jobs are waited for. A block of the ring is
            // reused only after the unit has taken the second job after this one, and has thus read
            // the block.
            unsafe { chain::<APART>(way(from, steps, 0), value, block.as_ptr(), end) };
        };
        self.order::<LANES>(ends, order);
    }

    /// Orders each chain that has steps left. `order` gets the chain's number, its first step and
    /// number of steps, its value and its end.
    fn order<const LANES: usize>(
        &self,
        ends: &mut [u8],
        mut order: impl FnMut(usize, (u32, u32), *const u8, *mut u8),
    ) {
        let (given, ends) = (self.given.as_chunks::<N>().0, ends.as_chunks_mut::<N>().0);
        assert!(self.last < 256);
        // A first step past `last` wraps around to a number of steps that no pass takes.
        let mut upper = self.last + 1;
        for &lower in lengths::<LANES>() {
            let values = self.from.iter().zip(given.iter().zip(&mut *ends));
            for (i, (step, (value, end))) in values.enumerate() {
                let step = u32::from(*step);
                let steps = self.last.wrapping_sub(step);
                if (lower..upper).contains(&steps) {
                    order(i, (step, steps), value.as_ptr(), end.as_mut_ptr());
                }
            }
            upper = lower;
        }
        for (step, (value, end)) in self.from.iter().zip(given.iter().zip(ends)) {
            if u32::from(*step) == self.last {
                *end = *value;
            }
        }
        wait(0);
    }
}
