//! Writes the constants of SHA-256 and SHA-512 as SystemVerilog:
//! `cargo run -p hasten-rtlsim --bin hash-emit`. With `--check` it only compares the files.

use std::process::ExitCode;

fn main() -> ExitCode {
    hasten_rtlsim::emit::run(hasten_rtlsim::hash_constants::files())
}
