//! Batches of messages on the unit.

use crate::unit::{Block, FROM_BYTES, NONE, PADDED, PAIR, XMSS_N32, are_words, hash, set, wait};
use hasten_kernels::{Messages, Places, Sha256};

/// Messages of one length that fill one block, including padding or followed by it.
pub struct Batch<'a> {
    pub messages: &'a Messages<'a, Sha256>,
    pub places: Places,
    pub frame: Block,
    pub count: usize,
    /// Whether the block is 32 bytes of message and the padding of a 96-byte message.
    pub as_it_lies: bool,
}

impl Batch<'_> {
    /// Orders the hash of each message. `KIND` is [`PAIR`] or 0.
    pub fn run<const KIND: u32>(&self, out: &mut [u8]) {
        if KIND == PAIR {
            set(XMSS_N32, &NONE);
        }
        let (keys, messages) = (self.messages.keys(), self.messages.messages());
        let (key_len, len) = (keys.len() / self.count, messages.len() / self.count);
        let mut ring = [self.frame; 4];
        for (i, target) in out.chunks_exact_mut(32).enumerate() {
            let (key, message) = (&keys[i * key_len..][..key_len], &messages[i * len..][..len]);
            let (at, target) = (message.as_ptr(), target.as_mut_ptr());
            let in_place = self.places.message == 0 && are_words(&[at]);
            let as_it_lies = in_place && len == 32 && self.as_it_lies;
            let block = &mut ring[i % 4];
            if !(as_it_lies || (in_place && len == 64)) {
                if self.messages.start().is_some() {
                    block.0[self.places.key..][..key_len].copy_from_slice(key);
                }
                block.0[self.places.message..][..len].copy_from_slice(message);
            }
            let at = if in_place && (as_it_lies || len == 64) { at } else { block.0.as_ptr() };
            // SAFETY: the caller waits for the jobs. A block of the ring is reused only after the
            // unit has taken the second job after this one, and has thus read the block.
            unsafe {
                match (self.messages.start(), as_it_lies) {
                    (Some(state), true) => hash::<PADDED>(state.as_ptr().cast(), at, target),
                    (Some(state), false) => hash::<KIND>(state.as_ptr().cast(), at, target),
                    (None, true) => hash::<{ PADDED | FROM_BYTES }>(key.as_ptr(), at, target),
                    (None, false) if KIND == PAIR => {
                        hash::<{ PAIR | FROM_BYTES }>(key.as_ptr(), at, target)
                    }
                    (None, false) => hash::<FROM_BYTES>(key.as_ptr(), at, target),
                }
            }
        }
        wait(0);
    }
}
