//! The operations of wolfSSL's appendix under its names: its two example commands, and each of its
//! combinations of certificates and group.

use serde_json::Value;

use crate::place::{Place, assert_has};

/// Authentication and key exchange of each row of the appendix's table of bytes sent.
const COMBINATIONS: [(&str, &str); 16] = [
    ("RSA-2048", "SECP256R1"),
    ("RSA-2048", "KYBER_LEVEL1"),
    ("RSA-2048", "KYBER_LEVEL3"),
    ("RSA-2048", "KYBER_LEVEL5"),
    ("RSA-2048", "P256_KYBER_LEVEL1"),
    ("RSA-2048", "P384_KYBER_LEVEL3"),
    ("RSA-2048", "P521_KYBER_LEVEL5"),
    ("FALCON_LEVEL1", "SECP256R1"),
    ("FALCON_LEVEL5", "SECP256R1"),
    ("FALCON_LEVEL1", "KYBER_LEVEL1"),
    ("FALCON_LEVEL1", "P256_KYBER_LEVEL1"),
    ("FALCON_LEVEL5", "KYBER_LEVEL5"),
    ("FALCON_LEVEL5", "P521_KYBER_LEVEL5"),
    ("DILITHIUM_LEVEL2", "SECP256R1"),
    ("DILITHIUM_LEVEL3", "SECP256R1"),
    ("DILITHIUM_LEVEL5", "SECP256R1"),
];

/// Makes a mutual connection of one combination over a socket. Returns its JSON row.
fn connected(place: &Place, alg: &str, group: &str) -> Value {
    let with = format!(" --group {group} --suite TLS_AES_256_GCM_SHA384");
    let server = place.serve(alg, &format!("{with} --client-ca {alg}-root.pem"));
    let own = format!(" --ca {alg}-root.pem --cert {alg}.pem --key {alg}.key --json");
    let (said, status) = place.connect(&server, &format!("{with}{own}"));
    assert_eq!(status, 0, "{alg}, {group}: {said}");
    serde_json::from_str::<Value>(&said).unwrap()["rows"][0].clone()
}

#[test]
fn every_combination_of_the_appendix() {
    let place = Place::new();
    let mut algs: Vec<_> = COMBINATIONS.iter().map(|(alg, _)| *alg).collect();
    algs.dedup();
    algs.sort_unstable();
    algs.dedup();
    algs.iter().for_each(|alg| place.chain(alg, alg, alg));
    for (alg, group) in COMBINATIONS {
        let row = connected(&place, alg, group);
        let text = |key: &str| row[key].as_str().unwrap().to_lowercase();
        let family = alg.split(['_', '-']).next().unwrap().to_lowercase();
        assert!(text("server_alg").starts_with(&family), "{row}");
        assert_eq!(row["server_alg"], row["client_alg"], "{row}");
        assert_eq!(text("group").contains("kyber"), group.contains("KYBER"), "{row}");
    }
}

/// `server -A falcon_level5_root -c falcon_level1_entity --oqs P521_KYBER_LEVEL5` and its client.
#[test]
fn the_two_example_commands() {
    let place = Place::new();
    place.chain("l1", "FALCON_LEVEL1", "FALCON_LEVEL1");
    place.chain("l5", "FALCON_LEVEL5", "FALCON_LEVEL5");
    let with = " --suite TLS_AES_256_GCM_SHA384 --group P521_KYBER_LEVEL5";
    let mut server = place.serve("l1", &format!("{with} --client-ca l5-root.pem"));
    let client = format!("{with} --ca l1-root.pem --cert l5.pem --key l5.key");
    let (said, status) = place.connect(&server, &client);
    assert_eq!(status, 0, "{said}");
    for said in [said, server.line()] {
        let keys = "server Falcon-512  client Falcon-1024";
        assert_has(&said, &["P521_Kyber1024", "TLS_AES_256_GCM_SHA384", keys]);
    }
    // The current group with the same parts is a different group.
    let (said, status) =
        place.connect(&server, &client.replace("P521_KYBER_LEVEL5", "SecP521r1MLKEM1024"));
    assert_eq!(status, 1, "{said}");
    assert_has(&said, &["nothing in common"]);
}

/// A peer's round-3 key under a current authority is refused without `--legacy`.
#[test]
fn round_three_is_taken_only_where_it_is_asked_for() {
    let place = Place::new();
    place.chain("mixed", "ECDSA-P-256", "FALCON_LEVEL1");
    let server = place.serve("mixed", "");
    let (said, status) = place.connect(&server, " --ca mixed-root.pem");
    assert_eq!(status, 1, "{said}");
    assert_has(&said, &["nothing in common"]);
    let (said, status) = place.connect(&server, " --ca mixed-root.pem --legacy");
    assert_eq!(status, 0, "{said}");
    assert_has(&said, &["Falcon-512"]);
}
