//! HSS of two levels: RFC 8554, Appendix F (Test Cases), Test Case 1.
#![no_std]
#![no_main]

use core::hint::black_box;
use hasten_hbs::{PublicKey, Verifier};
use hasten_kernels::Kernels;
use hasten_riscv::{answer, measure};

answer!(KEY, "hss.pk");
answer!(MESSAGE, "hss.msg");
answer!(SIGNATURE, "hss.sm");

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    measure(
        "HSS(LMS_SHA256_M32_H5_W8,LMS_SHA256_M32_H5_W8)",
        || {
            let key = PublicKey::from_hss_bytes(black_box(&KEY)).ok()?;
            Some(Verifier::new(&key, Kernels::portable()))
        },
        |verifier, message| verifier.verify(message, &SIGNATURE).is_ok(),
        &MESSAGE,
    )
}
