//! Operations that wait for nothing but the ports: the least time that kernels can take.

use super::Avx512;
use crate::backend::features::{Features, Job};
use crate::backend::word512::U32x16;
use crate::word::{Round, Word};
use core::hint::black_box;

/// Words in work, which no operation of another has to wait for.
const WORDS: usize = 24;

impl Avx512 {
    /// Operations in one turn of [`fill_ports`](Self::fill_ports).
    pub const TURN: usize = 3 * WORDS;

    /// Runs `turns` turns of rotations, functions of three bits and additions, a third each, on
    /// registers of 512 bits. They are independent, so that the ports alone bound their time.
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
