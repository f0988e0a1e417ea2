//! The keys of `--json` are a contract.

use std::process::Command;

use serde_json::Value;

/// Runs the tool; gives what it printed as JSON.
fn run(line: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_hasten"))
        .args(line.split(' '))
        .output()
        .expect("the tool runs");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn rows(report: &Value) -> &[Value] {
    report["rows"].as_array().expect("rows")
}

fn assert_keys(row: &Value, keys: &[&str]) {
    for key in keys {
        assert!(row.get(key).is_some(), "{key} is missing in {row}");
    }
}

fn assert_time(time: &Value) {
    let [min, p50, p99, max] =
        ["min", "p50", "p99", "max"].map(|key| time[key].as_f64().expect("a number"));
    assert!(0.0 <= min && min <= p50 && p50 <= p99 && p99 <= max, "{time}");
}

fn assert_origin(report: &Value, schema: &str) {
    assert_eq!(report["schema"], schema);
    assert_keys(report, &["command", "version", "commit", "rustc", "machine"]);
    assert_keys(&report["machine"], &["cpu", "backend", "cores"]);
}

#[test]
fn latency_rows() {
    let report = run("latency --samples 5 --alg XMSS-SHA2_10_256 --budget 3600s --json");
    assert_origin(&report, "hasten.latency/1");
    assert_eq!(rows(&report).len(), 6);
    let keys = [
        "alg",
        "signer",
        "verifier",
        "signature_bytes",
        "announce_bytes",
        "samples",
        "idle_us",
        "keep_warm",
        "sign_us",
        "wire_us",
        "verify_us",
        "total_us",
        "within_budget",
    ];
    for row in rows(&report) {
        assert_keys(row, &keys);
        for key in ["sign_us", "wire_us", "verify_us", "total_us"] {
            assert_time(&row[key]);
        }
        assert_eq!((&row["samples"], &row["within_budget"]), (&5.into(), &true.into()));
        assert_eq!(row["wire_us"]["p50"], 21.12);
        let announced = if row["verifier"] == "ots-key" { 4 + 10 * 32 + 67 * 32 } else { 0 };
        assert_eq!(row["announce_bytes"], announced);
        let sum: f64 = ["sign_us", "wire_us", "verify_us"]
            .map(|key| row[key]["min"].as_f64().unwrap())
            .iter()
            .sum();
        assert!(row["total_us"]["min"].as_f64().unwrap() >= sum - 0.001);
    }
}

#[test]
fn resting_and_keeping_warm_are_recorded() {
    let report =
        run("latency --samples 3 --alg XMSS-SHA2_10_192 --signer masks --verifier ots-key \
         --budget 1ns --idle 2ms --keep-warm --json");
    let [row] = rows(&report) else { panic!("one row: {report}") };
    assert_eq!(row["idle_us"], 2000.0);
    assert_eq!((&row["keep_warm"], &row["within_budget"]), (&true.into(), &false.into()));
    assert!(row["keep_warm_cpu_percent"].as_f64().unwrap() > 0.0);
}

#[test]
fn bench_kernel_rows() {
    let report = run("bench kernels --backend portable --samples 3 --json");
    assert_origin(&report, "hasten.bench/1");
    assert_eq!(report["machine"]["backend"], "portable");
    assert_bench(&report);
    let peers = rows(&report).iter().filter(|row| row["peer"]["ratio"].as_f64() > Some(0.0));
    assert_eq!(peers.count(), rows(&report).len());
}

#[test]
fn bench_xmss_rows() {
    let report = run("bench xmss --alg XMSS-SHA2_10_256 --samples 3 --json");
    assert_bench(&report);
    let find = |op: &str, level: &str| {
        let row = rows(&report).iter().find(|row| row["op"] == op && row["level"] == level);
        row.unwrap_or_else(|| panic!("{op} at {level}"))
    };
    // With the chain table only the message hash is left: two compressions of a 64-byte message.
    assert_eq!(find("sign", "chain-table")["compressions"], 2.0);
    let climbs =
        ["none", "masks", "ots-key"].map(|level| find("verify", level)["compressions"].as_f64());
    assert!(climbs.is_sorted_by(|a, b| a > b), "{climbs:?}");
    // RFC 8391: 1024 leaves of 4550 compressions with PRF midstates, and 1023 nodes of 6.
    let keygen = rows(&report).iter().find(|row| row["op"] == "keygen").expect("keygen");
    let compressions = keygen["compressions"].as_f64().unwrap();
    assert!((4_665_338.0..4_900_000.0).contains(&compressions), "{compressions}");
}

fn assert_bench(report: &Value) {
    let keys = [
        "alg",
        "op",
        "level",
        "backend",
        "threads",
        "time_us",
        "per_second",
        "compressions",
        "bytes",
    ];
    assert!(!rows(report).is_empty());
    for row in rows(report) {
        assert_keys(row, &keys);
        assert_time(&row["time_us"]);
    }
}

#[test]
fn list_rows() {
    let report = run("list --alg XMSS-SHA2_10_256 --json");
    assert_eq!(report["schema"], "hasten.list/1");
    let [row] = rows(&report) else { panic!("one row: {report}") };
    assert_eq!((&row["signature_bytes"], &row["public_key_bytes"]), (&2500.into(), &68.into()));
    assert_eq!(
        (&row["capacity"], &row["nist"], &row["cnsa"]),
        (&1024.into(), &true.into(), &true.into())
    );
}
