//! Writes the generated SystemVerilog of the Ed25519 core:
//! `cargo run -p hasten-rtlsim --bin ed25519-emit`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let rtl = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl");
    for (path, text) in hasten_rtlsim::ed25519::emit::files() {
        if let Err(error) = std::fs::write(rtl.join(path), text) {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
        println!("{path}");
    }
    ExitCode::SUCCESS
}
