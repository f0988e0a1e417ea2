//! The edge cases of C2SP's CCTV: points of small order, points with parts of small order, and
//! non-canonical encodings, in keys and in R.

use super::{Case, array, verify};

#[derive(serde::Deserialize)]
struct Row {
    key: String,
    sig: String,
    msg: String,
    flags: Option<Vec<String>>,
}

/// Returns every case. The flags of a case give the right verdict for an equation without cofactor,
/// if points of small order and non-canonical encodings are refused.
#[allow(dead_code)] // not every program that shares this file runs them
pub fn cctv() -> Vec<Case> {
    let text = include_str!("../../../../vectors/ed25519/cctv.json");
    let rows: Vec<Row> = serde_json::from_str(text).expect("the file is JSON");
    let cases = rows.iter().enumerate().map(|(i, row)| {
        let made =
            verify(&format!("cctv-{i}"), &array(&row.key), row.msg.as_bytes(), &array(&row.sig));
        let parts = ["low_order_component_A", "low_order_component_R"];
        let flags = row.flags.iter().flatten();
        assert_eq!(
            made.ok,
            flags.into_iter().all(|flag| parts.contains(&flag.as_str())),
            "case {i}"
        );
        made
    });
    cases.collect()
}
