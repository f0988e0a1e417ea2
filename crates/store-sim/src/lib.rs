//! A simulated disk for the store, and tests that cut its power.
//!
//! The crate is public so that a program that embeds the store can run its own operations on the
//! simulated disk.
//!
//! The disk may lose unsynced writes, keep some of them in any order, or tear one of them. It may
//! fail at any call, with the call's effect done or not. It may drop the data that a failed sync
//! should have written while still showing it. The process or the whole machine may die at any
//! call. The entries of one directory reach the disk in order, as on a journalling file system.

mod book;
mod disk;
mod fault;
mod machine;
mod node;
mod sweep;
mod torture;

pub use book::{Book, Wrong};
pub use fault::{Fault, Loss, Mutation, Outcome};
pub use machine::{Machine, Process};
pub use sweep::{Operation, Sweep, sweep};
pub use torture::{Tally, Torture};

/// A small generator for choices in simulations (splitmix64). It must not be used for secrets.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// Returns the next 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n` (which is not zero).
    pub fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }
}
