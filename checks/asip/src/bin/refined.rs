//! The refined stage of the unit, one lane.
#![no_std]
#![no_main]

use hasten_asip::{Levels, Refined, XMSS_256, climb};

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this program is for the machine with that stage.
    climb(&[XMSS_256], unsafe { Refined::<1>::kernels() }, Levels::ALL)
}
