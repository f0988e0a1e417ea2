//! A backend this machine lacks is refused; one it has is used.

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
            let said =
                format!("hasten: backend '{name}' needs instructions this machine lacks\nhint: ");
            assert!(error.starts_with(&said), "{error}");
        }
    }
}
