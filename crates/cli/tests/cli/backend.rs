//! A backend that this machine lacks is refused. One that it has is used.

use std::process::{Command, Output};

use hasten_kernels::{Kernels, NAMES};

fn run(backend: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hasten"))
        .args("bench kernels --samples 1 --json".split(' '))
        .env("HASTEN_BACKEND", backend)
        .output()
        .expect("the tool runs")
}

#[test]
fn every_backend_runs_or_is_refused() {
    for name in NAMES {
        let output = run(name);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        if Kernels::named(name).is_ok() {
            assert!(output.status.success(), "{error}");
            assert!(String::from_utf8_lossy(&output.stdout).contains(&format!("\"{name}\"")));
        } else {
            assert_eq!(output.status.code(), Some(2));
            let said: serde_json::Value = serde_json::from_str(&error).expect("JSON was asked for");
            let why = format!("backend '{name}' needs instructions this machine lacks");
            assert_eq!((&said["error"], &said["kind"]), (&why.into(), &"build".into()));
            assert!(said["hint"].as_str().is_some_and(|hint| hint.starts_with("this machine has")));
        }
    }
}
