//! The trees of a key: which tree signs an index, and everything in a signature that does not
//! depend on the message.

use crate::one_time::Secrets;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The trees of one key.
pub trait Forest<'k>: Send {
    /// The tree whose one-time key signs `index`, and which of its leaves.
    fn tree(&mut self, index: u64) -> (Arc<dyn Secrets<'k> + 'k>, u32);

    /// Whether the secrets of `index` are at hand: not so in a sector that lies elsewhere.
    fn has(&self, index: u64) -> bool;

    /// Writes a signature of `index` but for its randomizer and its lowest one-time signature,
    /// and does one signature's share of the work for those to come.
    fn frame(&mut self, index: u64, signature: &mut [u8]);

    /// Public data from which the forest can be made again.
    fn cache(&self) -> Vec<u8>;

    /// Leaves from which the forest is made again faster: public too.
    fn leaves(&self) -> Vec<u8>;

    /// Public nodes of the trees that follow, as far as they are made.
    fn growth(&self) -> Vec<u8>;

    /// How many trees were put into use so far.
    fn turns(&self) -> u64;

    /// Bytes of nodes held.
    fn bytes(&self) -> usize;
}
