//! Compares the generic stage of the unit with the portable kernel.
#![no_std]
#![no_main]

use hasten_asip::{Generic, compare};

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this program is for the machine with that stage.
    compare(unsafe { Generic::kernels() }.sha256, 3)
}
