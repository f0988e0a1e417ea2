//! `cargo xtask riscv [--json]`: the verifiers on a RISC-V machine without an operating system.
//!
//! Builds the programs of `checks/riscv/` for boot ROMs, runs each in QEMU on a known answer, and
//! tells code and constants (above those of a program that does nothing), peak stack and heap, and
//! instructions of one verification.

use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_chore::program;
use hasten_report::{Origin, Report, published_command};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const TARGET: &str = "riscv32imac-unknown-none-elf";
const QEMU: &str = "qemu-system-riscv32";

/// The builds: name, optimization level, features. Whatever the compiler makes small has the plain
/// bodies of the kernels too.
const BUILDS: [(&str, &str, &str); 2] = [("small", "z", "small"), ("fast", "3", "")];

/// The programs; the first does nothing.
const PROGRAMS: [&str; 6] = ["empty", "lms", "hss", "xmss", "slh_dsa", "slh_dsa_limited"];

/// Columns: heading, and key of a row.
const COLUMNS: [(&str, &str); 7] = [
    ("set", "alg"),
    ("build", "build"),
    ("code", "code_bytes"),
    ("constants", "constant_bytes"),
    ("stack", "stack_bytes"),
    ("heap", "heap_bytes"),
    ("instructions", "instructions"),
];

/// Builds, runs and prints.
pub fn run(args: &[String]) -> Result<(), Failure> {
    let as_json = match args {
        [] => false,
        [flag] if flag == "--json" => true,
        _ => return Err(Failure::Usage("Usage: cargo xtask riscv [--json]".into())),
    };
    let (root, mut rows) = (checkout::root()?, Vec::new());
    for named in BUILDS {
        rows.extend(measured(&root, named)?);
    }
    if as_json {
        println!("{}", document(&rows)?);
    } else {
        print!("{}", table(&rows));
    }
    Ok(())
}

/// Returns the rows of one build.
fn measured(root: &Path, named: (&str, &str, &str)) -> Result<Vec<Value>, Failure> {
    let folder = build(root, named)?;
    let rows: Result<Vec<Value>, Failure> =
        PROGRAMS.iter().map(|program| measure(&folder.join(program))).collect();
    let mut rows = above_empty(rows?);
    rows.iter_mut().for_each(|row| row["build"] = named.0.into());
    Ok(rows)
}

/// Builds the programs and says where they lie.
fn build(root: &Path, (name, level, features): (&str, &str, &str)) -> Result<PathBuf, Failure> {
    let place = root.join("target/riscv").join(name);
    let level = format!("profile.release.opt-level={}", toml_value(level));
    let (manifest, target_dir) =
        (root.join("checks/riscv/Cargo.toml").display().to_string(), place.display().to_string());
    let args = ["build", "--quiet", "--release", "--locked", "--target", TARGET, "--manifest-path"];
    let rest = [&manifest, "--target-dir", &target_dir, "--config", &level, "--features", features];
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    program::run(cargo, &[&args[..], &rest].concat())?;
    Ok(place.join(TARGET).join("release"))
}

/// Reads a level of optimization, a number or a word.
fn toml_value(level: &str) -> String {
    if level.parse::<u8>().is_ok() { level.into() } else { format!("\"{level}\"") }
}

/// Runs one program; it fails unless its known answer verified and a changed one did not.
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

/// Returns the rows without the first, whose code and constants are taken off the others.
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
    let machine = json!({ "cpu": TARGET, "emulator": version(QEMU)?, "rustc": version("rustc")? });
    let command = published_command("cargo xtask");
    Ok(Report::new("hasten.riscv/1", command, Origin::checked_out(), machine, rows).json())
}

/// Returns the first line of what a program says of its version.
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
    fn an_unknown_flag_is_a_usage_error() {
        assert_eq!(run(&["--jsn".to_string()]).unwrap_err().status(), 2);
    }
}
