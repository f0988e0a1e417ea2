//! `cargo install` installs the tool from the tree. It is built without the features that tests
//! enable, which takes minutes. This test therefore runs only by its name:
//!
//! ```sh
//! HASTEN_RESULT=results/install.json cargo test --workspace --exclude peers --exclude rustls-hasten \
//!   --locked --test install -- --ignored
//! ```

use std::path::Path;
use std::process::Command;

use hasten_report::{Machine, Origin, Report, test_command};
use serde_json::{Value, json};

/// Runs a command, which must succeed, and returns what it prints.
fn run(command: &mut Command) -> String {
    let done = command.output().expect("it runs");
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("UTF-8")
}

/// Returns the number of parameter sets of an installed tool, without those that only tests have.
fn sets(tool: &Path) -> usize {
    let version = run(Command::new(tool).arg("--version"));
    assert!(version.starts_with(concat!("hasten ", env!("CARGO_PKG_VERSION"), " (")), "{version}");
    let toy = ["keygen", "--alg", "TOY-SHA2-128-2", "--out", "/nowhere/x"];
    let refused = Command::new(tool).args(toy).output().expect("it runs");
    let said = String::from_utf8(refused.stderr).expect("UTF-8");
    assert!(said.contains("unknown algorithm 'TOY-SHA2-128-2'"), "it has a set for tests: {said}");
    let list = run(Command::new(tool).args(["list", "--json"]));
    let list: Value = serde_json::from_str(&list).expect("JSON");
    list["rows"].as_array().expect("rows").len()
}

#[test]
#[ignore = "builds the tool anew"]
fn the_tree_installs_by_cargo() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let place = tempfile::tempdir().expect("a folder");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let install = "install --quiet --debug --locked --path crates/cli";
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(&root).args(install.split(' ')).arg("--no-track");
    run(command.arg("--root").arg(place.path()).arg("--target-dir").arg(target));
    let sets = sets(&place.path().join("bin/hasten"));
    assert!(sets > 100, "{sets} sets");
    let Ok(file) = std::env::var("HASTEN_RESULT") else { return };
    let test = "cargo test --workspace --exclude peers --exclude rustls-hasten --locked \
                --test install -- --ignored";
    let command = test_command(&["HASTEN_RESULT"], test);
    let (origin, machine) = (Origin::checked_out(), Machine::this());
    let rows = [json!({"command": format!("cargo {install}"), "sets": sets})];
    let report = Report::new("hasten.install/1", command, origin, machine, &rows);
    hasten_report::write(&root.join(file), &report).expect("the result is written");
}
