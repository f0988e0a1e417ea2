//! Messages whose heads count up, on the unit. One block is laid out for all of them.

use crate::apart;
use crate::known::{N, Shape, shape};
use crate::refined::Refined;
use crate::unit::{Block, NONE, PADDED, PAIR, XMSS_N32, are_words, hash, set, wait};
use core::mem::MaybeUninit;
use hasten_kernels::Sha256;
use hasten_kernels::grid::{Grids, Numbered};

impl<const LANES: usize> Grids<Sha256> for Refined<LANES> {
    fn numbered(&self, messages: &Numbered<'_, Sha256>, out: &mut [u8], n: usize) {
        match shape(messages) {
            Some(shape) if n == N && are_words(&[out.as_ptr()]) => order(messages, &shape, out),
            _ => apart::numbered(self, messages, out, n),
        }
    }
}

/// Orders the hash of each message.
fn order(messages: &Numbered<'_, Sha256>, shape: &Shape, out: &mut [u8]) {
    let Numbered { prefix, head_len, grid, .. } = *messages;
    let (state, at) = (prefix.state().as_ptr().cast(), prefix.pending().len());
    set(XMSS_N32, &NONE);
    let mut ring = [MaybeUninit::<Block>::uninit(); 4];
    let (mut head, mut column) = (grid.head(0), 0);
    for (i, target) in out.chunks_exact_mut(N).enumerate() {
        if column == grid.columns {
            (head, column) = (grid.head(i), 0);
        }
        grid.column.write(&mut head, column);
        column += 1;
        if i < 4 {
            ring[i].write(Block([0; 64])).0[..at].copy_from_slice(prefix.pending());
        }
        // SAFETY: the first four rounds wrote every block of the ring.
        let block = unsafe { &mut ring[i % 4].assume_init_mut().0 };
        block[at..at + head_len].copy_from_slice(&head[..head_len]);
        // SAFETY: the jobs are waited for. A block of the ring is reused only after the unit has
        // taken the second job after this one, and has thus read the block.
        unsafe {
            match shape {
                Shape::Half => hash::<PADDED>(state, block.as_ptr(), target.as_mut_ptr()),
                Shape::Full => hash::<PAIR>(state, block.as_ptr(), target.as_mut_ptr()),
            }
        }
    }
    wait(0);
}
