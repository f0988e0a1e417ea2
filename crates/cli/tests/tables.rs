//! The tables that `hasten tables` generates from the registry, compared with the standards.
#![cfg(feature = "aws-lc")]

use std::process::Command;

use serde_json::{Value, json};

/// Returns the rows of a table. Each must have exactly these keys in addition to the table's name.
fn rows(table: &str, keys: &[&str]) -> Vec<Value> {
    let tool =
        Command::new(env!("CARGO_BIN_EXE_hasten")).args(["tables", table, "--json"]).output();
    let printed = tool.expect("the tool runs").stdout;
    let report: Value = serde_json::from_slice(&printed).expect("JSON");
    assert_eq!(report["schema"], "hasten.tables/1");
    assert!(report["machine"]["cpu"].is_string(), "{}", report["machine"]);
    let rows = report["rows"].as_array().expect("rows").clone();
    let mut wanted: Vec<_> = keys.iter().copied().chain(["table"]).collect();
    wanted.sort_unstable();
    for row in &rows {
        let mut found: Vec<_> = row.as_object().expect("a row").keys().collect();
        found.sort_unstable();
        assert_eq!(found, wanted, "{row}");
        assert_eq!(row["table"], table);
    }
    rows
}

/// Returns the values under the keys for the rows of an algorithm, one list per row.
fn of(rows: &[Value], alg: &str, keys: &[&str]) -> Vec<Value> {
    let rows = rows.iter().filter(|row| row["alg"] == alg);
    rows.map(|row| keys.iter().map(|key| row[key].clone()).collect()).collect()
}

#[test]
fn names_of_round_3_beside_those_of_today() {
    let rows = rows("names", &["wolfssl", "submission", "today"]);
    let today = |wolfssl: &str| -> Vec<_> {
        let rows = rows.iter().filter(|row| row["wolfssl"] == wolfssl);
        rows.map(|row| [row["submission"].clone(), row["today"].clone()]).collect()
    };
    assert_eq!(today("KYBER_LEVEL3"), [[json!("Kyber768"), json!("ML-KEM-768")]]);
    assert_eq!(today("DILITHIUM_LEVEL5"), [[json!("Dilithium5"), json!("ML-DSA-87")]]);
    let fast = [json!("SPHINCS+-SHAKE256-128f-simple"), json!("SLH-DSA-SHAKE-128f")];
    assert_eq!(today("SPHINCS_FAST_LEVEL1"), [fast]);
}

/// RFC 10024, draft-ietf-tls-mlkem, draft-ietf-tls-mldsa; 572 is liboqs' number for Kyber.
#[test]
fn code_points() {
    let rows = rows("code-points", &["alg", "wolfssl", "what", "number", "hex", "era"]);
    let number = |alg: &str| of(&rows, alg, &["what", "number", "hex"]);
    assert_eq!(number("X25519MLKEM768"), [json!(["group", 4588, "0x11EC"])]);
    assert_eq!(number("SecP256r1MLKEM768"), [json!(["group", 4587, "0x11EB"])]);
    assert_eq!(number("SecP384r1MLKEM1024"), [json!(["group", 4589, "0x11ED"])]);
    let kem = of(&rows, "ML-KEM-512", &["number", "era"]);
    assert!(kem.contains(&json!([512, "standard"])), "{kem:?}");
    assert_eq!(number("ML-DSA-65"), [json!(["signature", 2309, "0x0905"])]);
    assert_eq!(number("Kyber768"), [json!(["group", 572, "0x023C"])]);
    assert_eq!(number("HSS"), [json!(null); 0], "HSS has no number in TLS");
}

/// RFC 9881, RFC 9909, RFC 9935, RFC 9802, RFC 8410.
#[test]
fn object_identifiers() {
    let rows = rows("oids", &["alg", "wolfssl", "oid", "era"]);
    for (alg, oid) in [
        ("ML-DSA-44", "2.16.840.1.101.3.4.3.17"),
        ("ML-DSA-87", "2.16.840.1.101.3.4.3.19"),
        ("SLH-DSA-SHA2-128s", "2.16.840.1.101.3.4.3.20"),
        ("SLH-DSA-SHAKE-256f", "2.16.840.1.101.3.4.3.31"),
        ("ML-KEM-768", "2.16.840.1.101.3.4.4.2"),
        ("HSS", "1.2.840.113549.1.9.16.3.17"),
        ("XMSS, every set", "1.3.6.1.5.5.7.6.34"),
        ("XMSS^MT, every set", "1.3.6.1.5.5.7.6.35"),
        ("Ed25519", "1.3.101.112"),
    ] {
        let standard: Vec<_> =
            rows.iter().filter(|r| r["alg"] == alg && r["era"] == "standard").collect();
        assert_eq!(standard.len(), 1, "{alg}");
        assert_eq!(standard[0]["oid"], oid, "{alg}");
    }
}

/// FIPS 204, Table 2 (Sizes (in bytes) of keys and signatures of ML-DSA); FIPS 205, Table 2
/// (SLH-DSA parameter sets); RFC 8391, Section 5.3 (XMSS Parameters).
#[test]
fn sizes_of_signatures() {
    let keys = ["public_bytes", "private_bytes", "signature_bytes"];
    let rows = rows("signature-sizes", &[&["alg"][..], &keys].concat());
    let sizes = |alg: &str| of(&rows, alg, &keys);
    assert_eq!(sizes("ML-DSA-44"), [json!([1312, 2560, 2420])]);
    assert_eq!(sizes("ML-DSA-65"), [json!([1952, 4032, 3309])]);
    assert_eq!(sizes("ML-DSA-87"), [json!([2592, 4896, 4627])]);
    assert_eq!(sizes("SLH-DSA-SHA2-128s"), [json!([32, 64, 7856])]);
    assert_eq!(sizes("SLH-DSA-SHAKE-256f"), [json!([64, 128, 49856])]);
    assert_eq!(of(&rows, "XMSS-SHA2_10_256", &keys[2..]), [json!([2500])]);
    assert_eq!(of(&rows, "RSA-2048", &keys[1..]), [json!([null, 256])], "no fixed size");
}

/// FIPS 203, Table 3 (Sizes (in bytes) of keys and ciphertexts of ML-KEM).
#[test]
fn sizes_of_key_encapsulation() {
    let keys = ["public_bytes", "private_bytes", "ciphertext_bytes", "shared_bytes"];
    let rows = rows("kem-sizes", &[&["alg"][..], &keys].concat());
    let sizes = |alg: &str| of(&rows, alg, &keys);
    assert_eq!(sizes("ML-KEM-512"), [json!([800, 1632, 768, 32])]);
    assert_eq!(sizes("ML-KEM-768"), [json!([1184, 2400, 1088, 32])]);
    assert_eq!(sizes("ML-KEM-1024"), [json!([1568, 3168, 1568, 32])]);
}

/// Every algorithm of this build with each of its operations.
#[test]
fn speed_of_every_algorithm() {
    let done = Command::new(env!("CARGO_BIN_EXE_hasten"))
        .args(["tables", "speed", "--time", "1ms", "--compare", "--json"])
        .output()
        .expect("the tool runs");
    let report: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    for row in rows {
        assert!(row["iterations"].as_u64().is_some_and(|count| count >= 3), "{row}");
        let [mean, cycles] = ["mean", "cycles"].map(|key| row[key].as_f64().expect("a number"));
        assert!(mean > 0.0 && cycles > mean, "{row}");
    }
    let kem = ["keygen", "encaps", "decaps", "encaps-decaps"];
    assert_eq!(of(rows, "ML-KEM-768", &["op"]), kem.map(|op| json!([op])));
    for (alg, ops) in [
        ("SLH-DSA-SHA2-128f", ["keygen", "sign", "verify"]),
        ("RSA-2048", ["keygen", "sign", "verify"]),
        ("X25519", ["keygen", "respond", "agree"]),
        ("SecP521r1MLKEM1024", ["keygen", "respond", "agree"]),
    ] {
        assert_eq!(of(rows, alg, &["op"]), ops.map(|op| json!([op])), "{alg}");
    }
    let theirs = of(rows, "secp256r1", &["op", "theirs_mean"]);
    assert_eq!(theirs[2], json!(["agree", 38.0]), "{theirs:?}");
}

/// With the appendix's own groups and certificates of the same algorithm, the remaining difference
/// is due to the certificates: it is the same in every row.
#[test]
#[cfg(feature = "legacy")]
fn bytes_of_the_appendix_differ_by_the_certificates_alone() {
    let done = Command::new(env!("CARGO_BIN_EXE_hasten"))
        .args(["tables", "tls-bytes", "--compare", "--json"])
        .output()
        .expect("the tool runs");
    let report: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    let own = |alg: &str| {
        let of = rows.iter().filter(|row| row["alg"] == alg);
        let then = of.filter(|row| row["group"].as_str().is_some_and(|g| g.contains("Kyber")));
        then.map(|row| row["theirs_difference"].as_f64().expect("a number")).collect::<Vec<_>>()
    };
    let rsa = own("RSA-2048");
    assert_eq!(rsa, [rsa[0]; 6]);
    // Falcon's signatures vary in length: by less than 40 bytes for the two that are sent.
    for alg in ["Falcon-512", "Falcon-1024"] {
        let [one, other] = own(alg)[..] else { panic!("{alg}") };
        assert!((one - other).abs() < 80.0, "{alg}: {one}, {other}");
    }
}

/// The appendix's figures are printed only on request.
#[test]
fn the_appendix_beside_ours() {
    let tool = Command::new(env!("CARGO_BIN_EXE_hasten"));
    let print = |mut tool: Command, line: &str| {
        let done = tool.args(line.split(' ')).output().expect("the tool runs");
        assert!(done.status.success(), "{line}");
        String::from_utf8(done.stdout).expect("text")
    };
    let beside = print(tool, "tables kem-sizes --compare");
    assert!(beside.contains("Appendix: public") && beside.contains("i7-1165G7"), "{beside}");
    let alone = print(Command::new(env!("CARGO_BIN_EXE_hasten")), "tables kem-sizes");
    assert!(!alone.contains("Appendix: public") && !alone.contains("i7-1165G7"), "{alone}");
}

/// The account takes its figures from the tables of the same run and from reports.
#[test]
fn the_account_of_the_appendix() {
    let tool = |line: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_hasten")).args(line).output();
        done.expect("the tool runs")
    };
    let rows = |printed: &[u8]| -> Vec<Value> {
        let report: Value = serde_json::from_slice(printed).expect("JSON");
        let rows = report["rows"].as_array().expect("rows").iter();
        rows.filter(|row| row["table"] == "account").cloned().collect()
    };
    let figure = |rows: &[Value], part: &str, row: &str| {
        let is = |found: &&Value| found["part"] == part && found["row"] == row;
        rows.iter().find(is).expect("a row")["our_figure"].clone()
    };
    let done = tool(&["tables", "kem-sizes", "account", "--json"]);
    let made = rows(&done.stdout);
    assert_eq!(figure(&made, "kem-sizes", "KYBER_LEVEL3"), "1184, 2400, 1088, 32");
    assert_eq!(figure(&made, "stateful-sets", "WC_LMS_PARM_L3_H5_W8"), json!(null), "not made");
    let place = tempfile::tempdir().expect("a folder");
    let [report, other] = ["report.json", "other.json"].map(|name| place.path().join(name));
    std::fs::write(&report, tool(&["tables", "stateful-sets", "--json"]).stdout).expect("written");
    let named = report.to_str().expect("a path");
    let read = rows(&tool(&["tables", "account", "--json", "--figures", named]).stdout);
    assert_eq!(figure(&read, "stateful-sets", "WC_LMS_PARM_L3_H5_W8"), "3992, 32768");
    assert_eq!(figure(&read, "kem-sizes", "KYBER_LEVEL3"), json!(null), "not in the report");
    std::fs::write(&other, r#"{"schema":"hasten.bench/1","rows":[]}"#).expect("written");
    let refused = tool(&["tables", "account", "--figures", other.to_str().expect("a path")]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("other.json: no report of `hasten tables --json`"), "{said}");
}

/// Both sides of every combination, counted at malloc. The setup of C libraries is counted in the
/// first connection of a process and not in the next.
#[test]
#[cfg(target_os = "linux")]
fn memory_of_both_sides() {
    let done = Command::new(env!("CARGO_BIN_EXE_hasten"))
        .args(["tables", "memory", "--compare", "--json"])
        .output()
        .expect("the tool runs");
    let report: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let rows = report["rows"].as_array().expect("rows");
    let number = |row: &Value, key: &str| row[key].as_u64().expect("a number");
    assert!(rows.len() >= 24 && rows.len().is_multiple_of(2), "{}", rows.len());
    for row in rows {
        let [first, again] = ["allocations", "again_allocations"].map(|key| number(row, key));
        assert!(first > again && again > 50, "{row}");
        let [total, peak] = ["total_bytes", "peak_bytes"].map(|key| number(row, key));
        assert!(total > peak && peak > number(row, "again_peak_bytes"), "{row}");
        assert!((4_096..4_000_000).contains(&number(row, "stack_bytes")), "{row}");
        assert!(row["largest"].as_str().is_some_and(|text| text.len() > 10), "{row}");
        // A figure above the appendix comes with the largest allocations or frames.
        let behind = row["theirs_exceeded"].as_str().unwrap_or_default();
        for (key, theirs, word) in [
            ("allocations", "theirs_allocations", "allocations: "),
            ("total_bytes", "theirs_total", "total: "),
            ("peak_bytes", "theirs_peak", "peak: "),
            ("stack_bytes", "theirs_stack", "stack: "),
        ] {
            let above = row[theirs].as_u64().is_some_and(|theirs| theirs < number(row, key));
            let explained = behind.split("; ").find_map(|part| part.strip_prefix(word));
            assert_eq!(above, explained.is_some(), "{key}: {row}");
            assert!(explained.is_none_or(|text| text.starts_with(|c: char| c.is_ascii_digit())));
        }
    }
}
