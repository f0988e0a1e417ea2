//! LMS: a known answer of HSS with one level, where a number precedes each part.
#![no_std]
#![no_main]

use core::hint::black_box;
use hasten_hbs::{PublicKey, Verifier};
use hasten_kernels::Kernels;
use hasten_riscv::{answer, measure};

answer!(KEY, "lms.pk");
answer!(MESSAGE, "lms.msg");
answer!(SIGNATURE, "lms.sm");

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    measure(
        "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8",
        || {
            let key = PublicKey::from_lms_bytes(black_box(&KEY[4..])).ok()?;
            Some(Verifier::new(&key, Kernels::portable()))
        },
        |verifier, message| verifier.verify(message, &SIGNATURE[4..]).is_ok(),
        &MESSAGE,
    )
}
