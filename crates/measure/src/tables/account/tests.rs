//! Tests of the account against the appendix and against the published results.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;

/// Number of rows of each table of the appendix, counted by hand.
const ROWS: [(&str, usize); 12] = [
    ("names", 17),
    ("code-points", 11),
    ("oids", 11),
    ("signature-sizes", 11),
    ("kem-sizes", 6),
    ("binary-size", 2),
    ("tls-bytes", 22),
    ("memory", 38),
    ("speed", 44),
    ("connect", 16),
    ("stateful-sets", 22),
    ("stateful", 84),
];

/// Results that contain the tables compared with the appendix.
const RESULTS: [&str; 5] = ["tables", "bytes", "sizes", "stateful", "arm-operations"];

fn rows_of(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let text = std::fs::read_to_string(folder.join(name).with_extension("json"));
    let result: Value = serde_json::from_str(&text.expect(name)).expect(name);
    result["rows"].as_array().expect(name).clone()
}

fn published() -> Vec<Value> {
    RESULTS.into_iter().flat_map(rows_of).collect()
}

/// The published account agrees with the other published results, which are updated separately.
#[test]
fn the_published_account_is_of_the_published_figures() {
    let now: Vec<_> = sheet(&published()).json().collect();
    let then = rows_of("account");
    let stale = now.iter().zip(&then).find(|(now, then)| now != then);
    assert!(stale.is_none(), "tools/measure.sh account: {stale:#?}");
    assert_eq!(now.len(), then.len());
}

#[test]
fn every_row_of_the_appendix_is_there_once() {
    let (mut counts, mut seen) = (BTreeMap::new(), Vec::new());
    for line in lines() {
        *counts.entry(line.part).or_insert(0) += 1;
        let name = (line.part, line.row);
        assert!(!seen.contains(&name), "{name:?}");
        seen.push(name);
    }
    assert_eq!(counts.remove("commands"), Some(2));
    assert_eq!(counts, BTreeMap::from(ROWS));
}

#[test]
fn every_row_has_a_published_figure_or_a_reason() {
    let gaps = unexplained(&published());
    assert!(gaps.is_empty(), "{gaps:#?}");
}

#[test]
fn a_row_without_figure_and_reason_is_found() {
    let mut rows = published();
    let speed = |row: &Value| row["alg"] == "Falcon-512" && row["op"] == "sign";
    rows.retain(|row| !speed(row));
    assert_eq!(unexplained(&rows), ["speed: FALCON_level1 sign"]);
    let mut rows = published();
    for row in rows.iter_mut().filter(|row| speed(row)) {
        row["mean"] = Value::Null;
    }
    assert_eq!(unexplained(&rows), ["speed: FALCON_level1 sign"]);
}

#[test]
fn what_has_the_place_of_a_row_is_named() {
    let account = sheet(&published());
    let rows: Vec<_> = account.json().collect();
    let of = |part: &str, row: &str| {
        rows.iter().find(|found| found["part"] == part && found["row"] == row).expect("a row")
    };
    let gone = of("speed", "Kyber768-90s encaps");
    assert_eq!((&gone["state"], &gone["figure"]), (&"withdrawn".into(), &"11.062".into()));
    assert_eq!(of("connect", "FFDHE_2048")["ours"], "ffdhe2048");
    let hybrid = of("code-points", "P256_KYBER_LEVEL1");
    assert_eq!(
        (&hybrid["state"], &hybrid["our_figure"]),
        (&"same".into(), &"P256_Kyber512".into())
    );
    let counted: Vec<_> = rows.iter().filter(|row| row["state"] == "counted").collect();
    assert_eq!(counted.len(), 30);
    assert!(counted.iter().all(|row| row["our_figure"].is_string()), "{counted:#?}");
    let said = absent("stateful").expect("rows that others count");
    assert!(
        said.contains("SHA-256 hash-mib, no armasm") && said.contains("instructions"),
        "{said}"
    );
    let said = absent("connect").expect("rows without one");
    assert!(said.contains("KYBER_90S_LEVEL1 (682, ") && !said.contains("FFDHE"), "{said}");
    assert_eq!(absent("names"), None);
}
