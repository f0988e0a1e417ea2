//! Programs for 64-bit ARM, built here and run in QEMU with a plugin that counts instructions.

use hasten_chore::failure::Failure;
use hasten_chore::program;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(super) const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const QEMU: &str = "qemu-aarch64";

/// Builds an example program of a package, for `target` or for this machine. Returns its path.
pub(super) fn build(
    root: &Path,
    [package, name]: [&str; 2],
    target: Option<&str>,
) -> Result<PathBuf, Failure> {
    let place = root.join("target/arm");
    let linker = format!("target.{TARGET}.linker=\"{LINKER}\"");
    let into = place.display().to_string();
    let args = ["build", "--quiet", "--release", "--locked", "-p", package, "--example", name];
    let rest = ["--target-dir", &into, "--config", &linker];
    let of = target.map_or(Vec::new(), |target| vec!["--target", target]);
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    program::run(cargo, &[&args[..], &rest, &of].concat())?;
    Ok(place.join(target.unwrap_or_default()).join("release/examples").join(name))
}

/// The emulator with its plugin.
pub(super) struct Emulator {
    plugin: PathBuf,
}

impl Emulator {
    /// Compiles the plugin.
    pub(super) fn new(root: &Path) -> Result<Self, Failure> {
        let (source, plugin) =
            (root.join("checks/machines/count.c"), root.join("target/arm/count.so"));
        let folder = root.join("target/arm");
        std::fs::create_dir_all(&folder).map_err(|error| Failure::Io(folder, error))?;
        let [source, to] = [&source, &plugin].map(|path| path.display().to_string());
        let warnings = ["-Wall", "-Wextra", "-Werror"];
        program::run(
            "cc",
            &[&warnings[..], &["-O2", "-shared", "-fPIC", "-o", &to, &source]].concat(),
        )?;
        Ok(Self { plugin })
    }

    /// Returns the number of instructions that the program runs.
    pub(super) fn count(&self, program: &Path, args: &[&str]) -> Result<u64, Failure> {
        let [plugin, program] = [&self.plugin, program].map(|path| path.display().to_string());
        let how = ["-cpu", "max", "-L", "/usr/aarch64-linux-gnu", "-plugin", &plugin, &program];
        let (good, _, said) = program::attempt(QEMU, &[&how[..], args].concat())?;
        let count = counted(&said).filter(|_| good);
        count.ok_or_else(|| Failure::Tool(format!("{QEMU} {program} {}: {said}", args.join(" "))))
    }
}

/// Returns the number in the last line that the plugin prints.
fn counted(said: &str) -> Option<u64> {
    said.lines().last()?.strip_prefix("instructions ")?.parse().ok()
}

/// Returns the description of the machine for a report.
pub(super) fn machine() -> Result<Value, Failure> {
    Ok(json!({ "cpu": TARGET, "emulator": version(QEMU)?, "rustc": version("rustc")? }))
}

/// Returns the first line of a program's version output.
fn version(program: &str) -> Result<String, Failure> {
    let printed = program::run(program, &["--version"])?;
    Ok(String::from_utf8_lossy(&printed).lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_comes_last() {
        assert_eq!(counted("good\ninstructions 91402\n"), Some(91402));
        assert_eq!(counted("instructions 91402\naborted\n"), None);
    }
}
