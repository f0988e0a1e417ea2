//! HSS of one level, with the verifier for boot ROMs.
#![no_std]
#![no_main]

hasten_riscv::verify_in_rom!(
    "HSS(LMS_SHA256_M24_H10_W4)",
    Form::Hss,
    "rom_hss.pk",
    "rom_hss.msg",
    "rom_hss.sm"
);
