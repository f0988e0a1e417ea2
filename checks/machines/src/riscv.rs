//! `cargo xtask riscv [--json]`: the verifiers on a RISC-V machine without an operating system.
//!
//! Builds the programs of `checks/riscv/` for boot ROMs and runs each in QEMU on a known answer.
//! Reports code and constants (above those of a program that does nothing), peak stack and heap,
//! and the instructions of one verification.

use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_chore::program;
use hasten_report::{Origin, Report, published_command};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const QEMU: &str = "qemu-system-riscv32";

/// A build of some programs. The first program does nothing.
struct Build {
    name: &'static str,
    target: &'static str,
    /// Optimization level.
    level: &'static str,
    features: &'static str,
    programs: &'static [&'static str],
}

/// The whole verifiers, and those for boot ROMs on a processor without atomic instructions. A build
/// optimized for size also uses the plain bodies of the kernels.
const BUILDS: [Build; 3] = [
    Build { name: "small", target: ATOMIC, level: "z", features: "small", programs: &WHOLE },
    Build { name: "fast", target: ATOMIC, level: "3", features: "", programs: &WHOLE },
    Build { name: "rom", target: PLAIN, level: "s", features: "", programs: &ROM },
];

const ATOMIC: &str = "riscv32imac-unknown-none-elf";
const PLAIN: &str = "riscv32imc-unknown-none-elf";
const WHOLE: [&str; 6] = ["empty", "lms", "hss", "xmss", "slh_dsa", "slh_dsa_limited"];
const ROM: [&str; 4] = ["empty", "rom_lms", "rom_hss", "rom_xmss"];

/// Limits of the verifier for boot ROMs in bytes: code with constants, and stack with heap,
/// including the signature.
const MOST_CODE: u64 = 6 * 1024;
const MOST_MEMORY: u64 = 4 * 1024;

/// Columns: heading, and the row's key.
const COLUMNS: [(&str, &str); 7] = [
    ("set", "alg"),
    ("build", "build"),
    ("code", "code_bytes"),
    ("constants", "constant_bytes"),
    ("stack", "stack_bytes"),
    ("heap", "heap_bytes"),
    ("instructions", "instructions"),
];

/// Builds and runs the programs, and prints the results.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let as_json = match args {
        [] => false,
        [flag] if flag == "--json" => true,
        _ => return Err(Failure::Usage("Usage: cargo xtask riscv [--json]".into())),
    };
    let (root, mut rows) = (checkout::root()?, Vec::new());
    for build in BUILDS {
        rows.extend(measured(&root, &build)?);
    }
    rows.iter().filter(|row| row["build"] == "rom").try_for_each(fits)?;
    if as_json {
        println!("{}", document(&rows)?);
    } else {
        print!("{}", table(&rows));
    }
    Ok(())
}

/// Returns the rows of one build.
fn measured(root: &Path, named: &Build) -> Result<Vec<Value>, Failure> {
    let folder = build(root, named)?;
    let rows: Result<Vec<Value>, Failure> =
        named.programs.iter().map(|program| measure(&folder.join(program))).collect();
    let mut rows = above_empty(rows?);
    for row in &mut rows {
        (row["build"], row["target"]) = (named.name.into(), named.target.into());
    }
    Ok(rows)
}

/// Fails if a row needs more than a boot ROM has.
fn fits(row: &Value) -> Result<(), Failure> {
    let sum = |keys: [&str; 2]| keys.iter().map(|key| row[key].as_u64().unwrap_or(0)).sum::<u64>();
    let taken = [sum(["code_bytes", "constant_bytes"]), sum(["stack_bytes", "heap_bytes"])];
    if taken[0] > MOST_CODE || taken[1] > MOST_MEMORY {
        let [code, memory] = taken;
        let found = format!("{}: {code} bytes of code, {memory} of memory", row["alg"]);
        return Err(Failure::Found(
            "a boot ROM has 6 KiB of code and 4 KiB of memory",
            vec![found],
        ));
    }
    Ok(())
}

/// Builds the programs and returns their folder.
fn build(root: &Path, build: &Build) -> Result<PathBuf, Failure> {
    let place = root.join("target/riscv").join(build.name);
    let level = format!("profile.release.opt-level={}", toml_value(build.level));
    let (manifest, target_dir) =
        (root.join("checks/riscv/Cargo.toml").display().to_string(), place.display().to_string());
    let args = ["build", "--quiet", "--release", "--locked", "--manifest-path", &manifest];
    let rest = ["--target-dir", &target_dir, "--config", &level, "--features", build.features];
    let bins = build.programs.iter().flat_map(|program| ["--bin", program]);
    let all = args.into_iter().chain(rest).chain(["--target", build.target]).chain(bins);
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    program::run(cargo, &all.collect::<Vec<_>>())?;
    Ok(place.join(build.target).join("release"))
}

/// Returns an optimization level as a TOML value: a number or a string.
fn toml_value(level: &str) -> String {
    if level.parse::<u8>().is_ok() { level.into() } else { format!("\"{level}\"") }
}

/// Runs one program. Fails unless its known answer verified and a changed one did not.
fn measure(program: &Path) -> Result<Value, Failure> {
    let program = program.display().to_string();
    let machine = ["-M", "virt", "-bios", "none", "-nographic", "-icount", "shift=0", "-kernel"];
    let printed = program::run(QEMU, &[&machine[..], &[&program]].concat())?;
    let row: Value = serde_json::from_slice(&printed)
        .map_err(|error| Failure::Tool(format!("{program}: {error}")))?;
    match row["good"].as_bool() {
        Some(true) => Ok(row),
        _ => Err(Failure::Tool(format!("{program}: the known answer was judged wrongly"))),
    }
}

/// Returns the rows without the first. Its code and constants are subtracted from the others.
fn above_empty(mut rows: Vec<Value>) -> Vec<Value> {
    let empty = rows.remove(0);
    for row in &mut rows {
        for key in ["code_bytes", "constant_bytes"] {
            row[key] = (row[key].as_u64().unwrap_or(0) - empty[key].as_u64().unwrap_or(0)).into();
        }
    }
    rows
}

fn document(rows: &[Value]) -> Result<String, Failure> {
    let machine = json!({ "cpu": ATOMIC, "emulator": version(QEMU)?, "rustc": version("rustc")? });
    let command = published_command("cargo xtask");
    Ok(Report::new("hasten.riscv/1", command, Origin::checked_out(), machine, rows).json())
}

/// Returns the first line of a program's version output.
fn version(program: &str) -> Result<String, Failure> {
    let printed = program::run(program, &["--version"])?;
    Ok(String::from_utf8_lossy(&printed).lines().next().unwrap_or_default().to_owned())
}

fn table(rows: &[Value]) -> String {
    let mut text = String::new();
    let cells = COLUMNS.map(|(heading, _)| heading.to_owned());
    text += &line(&cells);
    for row in rows {
        text += &line(&COLUMNS.map(|(_, key)| row[key].to_string().replace('"', "")));
    }
    text
}

fn line(cells: &[String; 7]) -> String {
    let [set, rest @ ..] = cells;
    let numbers: Vec<String> = rest.iter().map(|cell| format!("{cell:>12}")).collect();
    format!("{set:<38} {}\n", numbers.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_program_is_taken_off() {
        let row = |code: u32| json!({ "alg": "A", "code_bytes": code, "constant_bytes": 7 });
        let rows = above_empty(vec![row(100), row(350)]);
        assert_eq!((rows.len(), &rows[0]["code_bytes"]), (1, &json!(250)));
        assert_eq!(rows[0]["constant_bytes"], 0);
    }

    #[test]
    fn what_a_rom_does_not_hold_is_refused() {
        let row = |code: u64, stack: u64| {
            json!({ "alg": "A", "code_bytes": code, "constant_bytes": 144, "stack_bytes": stack,
                "heap_bytes": 96 })
        };
        assert!(fits(&row(6_000, 4_000)).is_ok());
        assert!(fits(&row(6_001, 4_000)).is_err());
        assert!(fits(&row(6_000, 4_001)).is_err());
    }

    #[test]
    fn an_unknown_flag_is_a_usage_error() {
        assert_eq!(run(&["--jsn".to_string()]).unwrap_err().status(), 2);
    }
}
