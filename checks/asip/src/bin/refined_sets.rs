//! The refined stage of the unit with several lanes, and other sets.
#![no_std]
#![no_main]

use hasten_asip::{LMS_192, LMS_192_W8, LMS_256, LMS_256_W8, Levels, Refined, XMSS_192, climb};

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this program is for the machine with that stage.
    let kernels = unsafe { Refined::<4>::kernels() };
    climb(&[LMS_192, LMS_192_W8, LMS_256, LMS_256_W8, XMSS_192], kernels, Levels::ENDS)
}
