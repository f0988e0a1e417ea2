//! SLH-DSA.
#![no_std]
#![no_main]

hasten_riscv::verify_slh_dsa!("SLH-DSA-SHA2-192s", "slh_dsa.pk", "slh_dsa.msg", "slh_dsa.sm");
