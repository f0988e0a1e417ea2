//! No unit: the portable kernels, with SHAKE.
#![no_std]
#![no_main]

use hasten_asip::{Levels, SHAKE_256, climb};
use hasten_hbs::{SignerLevel, VerifierLevel};
use hasten_kernels::Kernels;

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let levels = Levels { verifier: &[VerifierLevel::None], signer: &[SignerLevel::EarlyAuth] };
    climb(&[SHAKE_256], Kernels::portable(), levels)
}
