//! Ctrl-C ends a measurement cleanly: finished rows are printed, and the status is 2.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

#[test]
fn finished_rows_survive() {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_hasten"))
        .args("latency --alg XMSS-SHA2_10_192 --samples 2 --signer none --signer masks".split(' '))
        .args("--signer none --signer masks --idle 500ms".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut out = BufReader::new(tool.stdout.take().expect("piped"));
    let mut seen = String::new();
    while !seen.lines().any(|line| line.starts_with("XMSS-SHA2_10_192")) {
        assert!(out.read_line(&mut seen).expect("readable") > 0, "ended early: {seen}");
    }
    let pid = Pid::from_child(&tool);
    kill_process(pid, Signal::INT).expect("the tool still runs");
    out.read_to_string(&mut seen).expect("readable");
    let output = tool.wait_with_output().expect("the tool ends");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "hasten: interrupted\n");
    assert!(seen.contains("advice: "), "{seen}");
}

#[test]
fn a_key_that_was_begun_says_what_goes_on() {
    let place = tempfile::tempdir().expect("a folder");
    let keygen = |threads: &str| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_hasten"));
        tool.args(["keygen", "--alg", "LMS_SHA256_M24_H20_W8", "--store", "k"]);
        tool.args(["--threads", threads]).current_dir(place.path());
        tool.env("XDG_STATE_HOME", place.path().join("state"));
        tool.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the tool starts")
    };
    for threads in ["1", "2"] {
        let tool = keygen(threads);
        let begun = place.path().join("k.partial");
        while !begun.exists() && !place.path().join("k").exists() {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
        kill_process(Pid::from_child(&tool), Signal::INT).expect("the tool still runs");
        let output = tool.wait_with_output().expect("the tool ends");
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(
            said.contains("the same command goes on from there\nhasten: interrupted\n"),
            "{said}"
        );
    }
}
