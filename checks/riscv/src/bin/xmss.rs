//! XMSS.
#![no_std]
#![no_main]

use core::hint::black_box;
use hasten_hbs::{PublicKey, Verifier};
use hasten_kernels::Kernels;
use hasten_riscv::{answer, measure};

answer!(KEY, "xmss.pk");
answer!(MESSAGE, "xmss.msg");
answer!(SIGNATURE, "xmss.sm");

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    measure(
        "XMSS-SHA2_10_256",
        || {
            let key = PublicKey::from_xmss_bytes(black_box(&KEY)).ok()?;
            Some(Verifier::new(&key, Kernels::portable()))
        },
        |verifier, message| verifier.verify(message, &SIGNATURE).is_ok(),
        &MESSAGE,
    )
}
