//! SLH-DSA for a limited number of signatures.
#![no_std]
#![no_main]

use core::hint::black_box;
use hasten_hbs::{Set, slhdsa};
use hasten_kernels::Kernels;
use hasten_riscv::{answer, measure};

answer!(KEY, "slh_dsa_limited.pk");
answer!(MESSAGE, "slh_dsa_limited.msg");
answer!(SIGNATURE, "slh_dsa_limited.sm");

const NAME: &str = "SLH-DSA-SHA2-128-24";

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    measure(
        NAME,
        || {
            let set = Set::named(black_box(NAME)).ok()?;
            slhdsa::VerifyingKey::from_bytes(&Kernels::portable(), set, &KEY).ok()
        },
        |key, message| key.verify_internal(&[message], &SIGNATURE).is_ok(),
        &MESSAGE,
    )
}
