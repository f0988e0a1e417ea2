//! A tree with a cheap hash, which counts the leaves and nodes that it computes.

use crate::tree::{Position, Shape, Tree};
use core::sync::atomic::{AtomicU32, Ordering};

#[derive(Default)]
pub struct Toy {
    pub height: u32,
    pub leaves: AtomicU32,
    pub nodes: AtomicU32,
}

impl Toy {
    pub fn new(height: u32) -> Self {
        Self { height, ..Self::default() }
    }
    pub fn spent(&self) -> (u32, u32) {
        (self.leaves.swap(0, Ordering::Relaxed), self.nodes.swap(0, Ordering::Relaxed))
    }
}

impl Tree for Toy {
    fn leaves(&self, indices: &[u32], out: &mut [u8]) {
        self.leaves.fetch_add(indices.len() as u32, Ordering::Relaxed);
        for (i, leaf) in indices.iter().zip(out.chunks_exact_mut(8)) {
            leaf.copy_from_slice(&mix(u64::from(*i), 1, 2).to_be_bytes());
        }
    }

    fn nodes(&self, at: &[Position], pairs: &[u8], out: &mut [u8]) {
        self.nodes.fetch_add(at.len() as u32, Ordering::Relaxed);
        for ((p, pair), node) in at.iter().zip(pairs.chunks_exact(16)).zip(out.chunks_exact_mut(8))
        {
            let [l, r] =
                [0, 8].map(|i| u64::from_be_bytes(pair[i..i + 8].try_into().expect("8 bytes")));
            let place = u64::from(p.height) << 32 | u64::from(p.index);
            node.copy_from_slice(&mix(l, r, place).to_be_bytes());
        }
    }
}

impl Shape for Toy {
    fn n(&self) -> usize {
        8
    }
    fn height(&self) -> u32 {
        self.height
    }
}

fn mix(a: u64, b: u64, c: u64) -> u64 {
    let x = (a ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23);
    let y = (x ^ b).wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(31);
    (y ^ c).wrapping_mul(0xff51_afd7_ed55_8ccd) ^ y >> 29
}
