//! XMSS, with the verifier for boot ROMs.
#![no_std]
#![no_main]

hasten_riscv::verify_in_rom!(
    "XMSS-SHA2_10_192",
    Form::Xmss,
    "rom_xmss.pk",
    "rom_xmss.msg",
    "rom_xmss.sm"
);
