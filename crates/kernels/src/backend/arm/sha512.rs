//! SHA-512 by the SHA-512 instructions of the CPU.

use super::instructions::{Instructed, Instructions};
use super::word::U64x2;
use crate::backend::features::{Features, Job};
use crate::hash::{Sha512, sha512::K};
use crate::word::vector::Vector;
use core::arch::aarch64::*;

/// Backend with the SHA-512 instructions. A value exists only if the CPU has them.
pub type ArmSha512 = Instructions<Sha512>;

impl ArmSha512 {
    /// Returns the backend, if this CPU has NEON and the instructions for SHA-512. Rust's target
    /// feature `sha3` covers both these and the SHA-3 instructions.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        let found = std::arch::is_aarch64_feature_detected!("neon")
            && std::arch::is_aarch64_feature_detected!("sha3");
        found.then_some(&const { Self::found() })
    }
}

impl Features for ArmSha512 {
    #[target_feature(enable = "neon,sha3")]
    #[inline(never)]
    unsafe fn enter<J: Job>(job: J) -> J::Done {
        job.run()
    }
}

impl Instructed for Sha512 {
    type Backend = ArmSha512;
    type Register = U64x2;
    type Loaded = [U64x2; 4];
    type Message = [U64x2; 8];

    const NAME: &'static str = "arm-sha3";
    /// Two chains in lanes take more instructions than two chains in turn, but stall less.
    const BREAK_EVEN: usize = 2;

    #[inline(always)]
    fn blank() -> ([U64x2; 4], [U64x2; 8]) {
        ([U64x2::splat_zero(); 4], [U64x2::splat_zero(); 8])
    }

    #[inline(always)]
    unsafe fn rounds<const N: usize>(state: &mut [[U64x2; 4]; N], mut w: [[U64x2; 8]; N]) {
        let start = *state;
        for t in (0..40).step_by(8) {
            eight::<N>(state, &mut w, t);
        }
        for (state, start) in state.iter_mut().zip(start) {
            for (words, start) in state.iter_mut().zip(start) {
                // SAFETY: the caller vouches for the features.
                words.0 = unsafe { vaddq_u64(words.0, start.0) };
            }
        }
    }
}

/// Runs rounds 2t to 2t + 15 of every stream.
#[inline(always)]
fn eight<const N: usize>(state: &mut [[U64x2; 4]; N], w: &mut [[U64x2; 8]; N], t: usize) {
    macro_rules! two {
        ($($i:literal)*) => {$(
            for n in 0..N {
                two(&mut state[n], w[n][$i], t + $i);
                // The last sixteen words have no successors; the words computed for them are not
                // used.
                schedule::<$i>(&mut w[n]);
            }
        )*};
    }
    two!(0 1 2 3 4 5 6 7);
}

/// Replaces two words of the message schedule by those that come sixteen words later.
#[inline(always)]
fn schedule<const I: usize>(w: &mut [U64x2; 8]) {
    let at = |i: usize| w[(I + i) % 8].0;
    let [next, last] = [at(1), at(7)];
    // SAFETY: as in `Instructed::rounds`.
    w[I].0 = unsafe {
        let ninth = vextq_u64::<1>(at(4), at(5));
        vsha512su1q_u64(vsha512su0q_u64(w[I].0, next), last, ninth)
    };
}

/// Runs rounds 2t and 2t + 1.
#[inline(always)]
fn two([ab, cd, ef, gh]: &mut [U64x2; 4], w: U64x2, t: usize) {
    // SAFETY: there are 80 constants, and t is below 40; features as in `Instructed::rounds`.
    unsafe {
        let known = vaddq_u64(w.0, vld1q_u64(K[2 * t..].as_ptr()));
        let known = vaddq_u64(gh.0, vextq_u64::<1>(known, known));
        let [fg, de] = [vextq_u64::<1>(ef.0, gh.0), vextq_u64::<1>(cd.0, ef.0)];
        let sum = vsha512hq_u64(known, fg, de);
        let next = vaddq_u64(cd.0, sum);
        let first = vsha512h2q_u64(sum, cd.0, ab.0);
        (gh.0, ef.0, cd.0, ab.0) = (ef.0, next, ab.0, first);
    }
}
