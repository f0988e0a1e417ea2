//! Writes the generated SystemVerilog of the Ed25519 core:
//! `cargo run -p hasten-rtlsim --bin ed25519-emit`. With `--check` it only compares the files.

use std::process::ExitCode;

fn main() -> ExitCode {
    hasten_rtlsim::emit::run(hasten_rtlsim::ed25519::emit::files())
}
