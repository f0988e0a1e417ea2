//! Writes the commit and the compiler into the binary, so that every result names both, and makes
//! the library that counts allocations for `hasten tables memory`.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(log) = run("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    record("HASTEN_COMMIT", run("git", &["rev-parse", "--short=12", "HEAD"]));
    record("HASTEN_RUSTC", run(&rustc, &["--version"]));
    if std::env::var_os("CARGO_FEATURE_AWS_LC").is_some() {
        counter();
    }
}

/// Leaves an empty file where it cannot be made: the table says so then.
fn counter() {
    const SOURCES: [&str; 2] = ["src/tables/memory/count.c", "src/tables/memory/depth.c"];
    println!("cargo::rerun-if-changed=src/tables/memory/count.h");
    SOURCES.iter().for_each(|source| println!("cargo::rerun-if-changed={source}"));
    let out = std::env::var("OUT_DIR").expect("cargo names a folder") + "/count.so";
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let made =
        Command::new(cc).args(["-O2", "-shared", "-fPIC", "-o", &out]).args(SOURCES).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("cargo::warning=no counter of allocations: `hasten tables memory` will refuse");
        std::fs::write(&out, []).expect("the folder can be written to");
    }
}

fn record(key: &str, value: Option<String>) {
    println!("cargo::rustc-env={key}={}", value.as_deref().unwrap_or("unknown"));
}

fn run(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
