//! SLH-DSA for a limited number of signatures.
#![no_std]
#![no_main]

hasten_riscv::verify_slh_dsa!(
    "SLH-DSA-SHA2-128-24",
    "slh_dsa_limited.pk",
    "slh_dsa_limited.msg",
    "slh_dsa_limited.sm"
);
