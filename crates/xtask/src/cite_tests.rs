//! Right and wrong citations. The checker skips this file itself.

use super::*;

fn faults(text: &str) -> Vec<(usize, String)> {
    let table = r#"
        [[standard]]
        id = "FIPS 205"
        title = "Stateless Hash-Based Digital Signature Standard"
        edition = "2024-08-13"
        algorithm = { 6 = "wots_pkGen", 7 = "wots_sign" }
        section = { "4.2" = "Addresses" }
        [[standard]]
        id = "SP 800-208"
        title = "t"
        edition = "e"
        algorithm = { "10'" = "XMSS'_keyGen" }
    "#;
    Checker::new(&toml::from_str(table).unwrap()).check(text)
}

#[test]
fn right_citations_pass() {
    for text in [
        "/// FIPS 205, Algorithm 6 (wots_pkGen).",
        "//! as FIPS 205 says",
        "FIPS 205, section 4.2 (addresses), and FIPS 205.",
        "FIPS 205, Algorithm 6 (wots_pkGen) and Algorithm 7 (wots_sign)",
        "FIPS 205, Algorithm 6 (wots_pkGen), section 4.2 (Addresses), and section 4.2 (Addresses).",
        "SP 800-208, Algorithm 10' (XMSS'_keyGen)",
        "the algorithm 2 lines above",
    ] {
        assert_eq!(faults(text), vec![], "{text}");
    }
}

#[test]
fn wrong_citations_fail() {
    for text in [
        "FIPS 205, Algorithm 7 (wots_pkGen)",
        "FIPS 205, Algorithm 6 (wots_pkgen)",
        "FIPS 205, Algorithm 6",
        "FIPS 205 Algorithm 6: chains",
        "FIPS 205, Algorithms 6 and 7",
        "FIPS 205, Algorithm 99 (wots_pkGen)",
        "FIPS 205, section 4.3 (Addresses)",
        "FIPS 205, Section 4.2",
        "FIPS 206 will come",
        "FIPS 205, section 4.2 (Addresses) and section 4.3 (Addresses)",
        "FIPS 205 is old. Algorithm 7 (wots_pkGen)",
        "FIPS 205, Algorithm 6 (wots_pkGen) and Algorithm 7 (wots_pkGen)",
    ] {
        assert_eq!(faults(text).len(), 1, "{text}");
    }
}

#[test]
fn a_citation_may_run_over_lines_and_its_own_line_is_named() {
    let good = "// one\n/// see FIPS 205,\n/// Algorithm 6 (wots_pkGen)\n";
    assert_eq!(faults(good), vec![]);
    let bad = "// one\n/// see FIPS 205,\n/// Algorithm 7 (wots_pkGen)\n";
    assert_eq!(faults(bad)[0].0, 2);
}

#[test]
fn the_table_of_this_repository_can_be_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/standards.toml");
    assert!(Standards::load(&path).unwrap().get("RFC 8391").is_some());
}
