//! No unit: the portable kernels.
#![no_std]
#![no_main]

use hasten_asip::{XMSS_256, climb};
use hasten_hbs::{SignerLevel, VerifierLevel};
use hasten_kernels::Kernels;

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    climb(&XMSS_256, Kernels::portable(), &[VerifierLevel::None], &[SignerLevel::EarlyAuth])
}
