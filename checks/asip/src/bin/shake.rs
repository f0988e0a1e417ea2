//! The refined stage of the unit with SHAKE.
#![no_std]
#![no_main]

use hasten_asip::{Levels, Refined, SHAKE_256, climb};

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this program is for the machine with that stage.
    climb(&[SHAKE_256], unsafe { Refined::<4>::shake_kernels() }, Levels::ALL)
}
