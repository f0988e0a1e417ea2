//! The edge cases of C2SP's CCTV: points of small order, with parts of small order, and encodings
//! that are not canonical, in keys and in R.

use super::{Case, array, verify};

#[derive(serde::Deserialize)]
struct Row {
    key: String,
    sig: String,
    msg: String,
    flags: Option<Vec<String>>,
}

/// Returns every case. Its flags say which verdict is right where no point of small order and no
/// other encoding is taken, and the equation has no cofactor.
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
