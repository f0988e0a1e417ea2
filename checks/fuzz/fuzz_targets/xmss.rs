//! Runs the `xmss` target with libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hasten_fuzz::run("xmss", data));
