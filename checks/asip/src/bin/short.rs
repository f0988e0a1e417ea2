//! No unit: a verification short enough for a test.
#![no_std]
#![no_main]

use hasten_asip::{LMS_192, Levels, climb};
use hasten_hbs::VerifierLevel;
use hasten_kernels::Kernels;

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let levels = Levels { verifier: &[VerifierLevel::None], signer: &[] };
    climb(&[LMS_192], Kernels::portable(), levels)
}
