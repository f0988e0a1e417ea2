//! The generic stage of the unit: the processor moves every word.
#![no_std]
#![no_main]

use hasten_asip::{Generic, XMSS_256, climb};
use hasten_hbs::{SignerLevel, VerifierLevel};

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: this program is for the machine with that stage.
    let kernels = unsafe { Generic::kernels() };
    climb(&XMSS_256, kernels, &[VerifierLevel::None, VerifierLevel::Masks], &SignerLevel::ALL)
}
