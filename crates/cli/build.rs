//! Writes the commit and the compiler into the binary, so that every result names both.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(log) = run("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    record("HASTEN_COMMIT", run("git", &["rev-parse", "--short=12", "HEAD"]));
    record("HASTEN_RUSTC", run(&rustc, &["--version"]));
}

fn record(key: &str, value: Option<String>) {
    println!("cargo::rustc-env={key}={}", value.as_deref().unwrap_or("unknown"));
}

fn run(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
