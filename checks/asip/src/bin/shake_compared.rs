//! Compares the refined stage of the unit with SHAKE with the portable kernel.
#![no_std]
#![no_main]

use hasten_asip::{Refined, compare};

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this program is for the machine with that stage.
    compare(unsafe { Refined::<4>::shake_kernels() }.keccak, 3)
}
