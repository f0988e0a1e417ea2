//! Compares the refined stage of the unit with the portable kernel, in the order for one lane.
#![no_std]
#![no_main]

use hasten_asip::{Refined, compare};

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this program is for the machine with that stage.
    compare(unsafe { Refined::<1>::kernels() }.sha256, 3)
}
