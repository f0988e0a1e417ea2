//! SHA-256 by the SHA2 instructions of the CPU.

use super::instructions::{Instructed, Instructions};
use super::word::U32x4;
use crate::backend::features::{Features, Job};
use crate::hash::{Sha256, sha256::K};
use crate::word::vector::Vector;
use core::arch::aarch64::*;

/// Backend with the SHA2 instructions. A value exists only if the CPU has them.
pub type ArmSha2 = Instructions<Sha256>;

impl ArmSha2 {
    /// Returns the backend, if this CPU has NEON and the instructions for SHA-256.
    #[must_use]
    pub fn detect() -> Option<&'static Self> {
        let found = std::arch::is_aarch64_feature_detected!("neon")
            && std::arch::is_aarch64_feature_detected!("sha2");
        found.then_some(&const { Self::found() })
    }
}

impl Features for ArmSha2 {
    #[target_feature(enable = "neon,sha2")]
    #[inline(never)]
    unsafe fn enter<J: Job>(job: J) -> J::Done {
        job.run()
    }
}

impl Instructed for Sha256 {
    type Backend = ArmSha2;
    type Register = U32x4;
    type Loaded = [U32x4; 2];
    type Message = [U32x4; 4];

    const NAME: &'static str = "arm-sha2";
    /// By instruction count, three chains in lanes are cheaper than three chains one after another.
    const BREAK_EVEN: usize = 3;

    #[inline(always)]
    fn blank() -> ([U32x4; 2], [U32x4; 4]) {
        ([U32x4::splat_zero(); 2], [U32x4::splat_zero(); 4])
    }

    #[inline(always)]
    unsafe fn rounds<const N: usize>(state: &mut [[U32x4; 2]; N], mut w: [[U32x4; 4]; N]) {
        let start = *state;
        macro_rules! four {
            ($($t:literal)*) => {$(
                for i in 0..N {
                    if $t >= 4 {
                        schedule::<{ $t % 4 }>(&mut w[i]);
                    }
                    four(&mut state[i], w[i][$t % 4], $t);
                }
            )*};
        }
        four!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        for (state, start) in state.iter_mut().zip(start) {
            // SAFETY: the caller vouches for the features.
            state[0].0 = unsafe { vaddq_u32(state[0].0, start[0].0) };
            // SAFETY: as above.
            state[1].0 = unsafe { vaddq_u32(state[1].0, start[1].0) };
        }
    }
}

/// Replaces four words of the message schedule by those that come sixteen words later.
#[inline(always)]
fn schedule<const I: usize>(w: &mut [U32x4; 4]) {
    let [next, third, last] = [w[(I + 1) % 4].0, w[(I + 2) % 4].0, w[(I + 3) % 4].0];
    // SAFETY: as in `Instructed::rounds`.
    w[I].0 = unsafe { vsha256su1q_u32(vsha256su0q_u32(w[I].0, next), third, last) };
}

/// Runs rounds 4t to 4t + 3.
#[inline(always)]
fn four([abcd, efgh]: &mut [U32x4; 2], w: U32x4, t: usize) {
    // SAFETY: there are 64 constants, and t is below 16; features as in `Instructed::rounds`.
    unsafe {
        let known = vaddq_u32(w.0, vld1q_u32(K[4 * t..].as_ptr()));
        let before = abcd.0;
        abcd.0 = vsha256hq_u32(before, efgh.0, known);
        efgh.0 = vsha256h2q_u32(efgh.0, before, known);
    }
}
