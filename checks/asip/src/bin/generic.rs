//! The generic stage of the unit: the processor moves every word.
#![no_std]
#![no_main]

use hasten_asip::{Generic, Levels, XMSS_256, climb};

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this program is for the machine with that stage.
    climb(&[XMSS_256], unsafe { Generic::kernels() }, Levels::ALL)
}
