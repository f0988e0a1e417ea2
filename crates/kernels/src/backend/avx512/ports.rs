//! Independent operations that only the execution ports delay: a lower bound for the time of
//! kernels.

use super::Avx512;
use crate::backend::features::{Features, Job};
use crate::backend::word512::U32x16;
use crate::word::{Round, Word};
use core::hint::black_box;

/// Number of words. No operation on one word depends on another.
const WORDS: usize = 24;

impl Avx512 {
    /// Number of operations in one turn of [`fill_ports`](Self::fill_ports).
    pub const TURN: usize = 3 * WORDS;

    /// Runs `turns` turns of operations on 512-bit registers: rotations, three-input bit functions
    /// and additions, a third each. The registers are independent, so only the execution ports
    /// bound the time.
    pub fn fill_ports(&self, turns: usize) {
        // SAFETY: `self` exists, so the features were found.
        unsafe { Self::enter(Turns(turns)) }
    }
}

struct Turns(usize);

impl Job for Turns {
    type Done = ();

    #[inline(always)]
    fn run(self) {
        let [a, b] = black_box([U32x16::splat(3), U32x16::splat(5)]);
        let mut words = [a; WORDS];
        for (i, word) in (0..).zip(&mut words) {
            *word = word.add(U32x16::splat(i));
        }
        for _ in 0..self.0 {
            for word in &mut words {
                *word = word.rotl::<7, 25>();
            }
            for word in &mut words {
                *word = U32x16::xor3(*word, a, b);
            }
            for word in &mut words {
                *word = word.add(a);
            }
        }
        black_box(&mut words);
    }
}
