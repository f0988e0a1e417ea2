//! LMS, with the verifier for boot ROMs.
#![no_std]
#![no_main]

hasten_riscv::verify_in_rom!(
    "LMS_SHA256_M24_H10_W4",
    Form::Lms,
    "rom_lms.pk",
    "rom_lms.msg",
    "rom_lms.sm"
);
