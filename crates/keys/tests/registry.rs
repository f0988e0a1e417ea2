//! Comparison of the registry with the numbers in the standards and in wolfSSL's appendix on
//! post-quantum experiments.

use hasten_keys::{
    Error,
    registry::{self, Era, Naming},
};
use std::collections::HashMap;

/// Variant, code point, object identifier, public key, private key, signature or ciphertext.
const APPENDIX: [(&str, &str, u16, &str, [usize; 3]); 8] = [
    ("FALCON_LEVEL1", "Falcon-512", 65035, "1.3.9999.3.1", [897, 1281, 690]),
    ("FALCON_LEVEL5", "Falcon-1024", 65038, "1.3.9999.3.4", [1793, 2305, 1330]),
    ("DILITHIUM_LEVEL2", "Dilithium2", 65184, "1.3.6.1.4.1.2.267.7.4.4", [1312, 2528, 2420]),
    ("DILITHIUM_LEVEL3", "Dilithium3", 65187, "1.3.6.1.4.1.2.267.7.6.5", [1952, 4000, 3293]),
    ("DILITHIUM_LEVEL5", "Dilithium5", 65189, "1.3.6.1.4.1.2.267.7.8.7", [2592, 4864, 4595]),
    ("KYBER_LEVEL1", "Kyber512", 570, "1.3.6.1.4.1.22554.5.6.1", [800, 1632, 768]),
    ("KYBER_LEVEL3", "Kyber768", 572, "1.3.6.1.4.1.22554.5.6.2", [1184, 2400, 1088]),
    ("KYBER_LEVEL5", "Kyber1024", 573, "1.3.6.1.4.1.22554.5.6.3", [1568, 3168, 1568]),
];

const SPHINCS: [(&str, &str, &str, [usize; 3]); 6] = [
    ("SPHINCS_FAST_LEVEL1", "128f", "1.3.9999.6.7.4", [32, 64, 17088]),
    ("SPHINCS_FAST_LEVEL3", "192f", "1.3.9999.6.8.3", [48, 96, 35664]),
    ("SPHINCS_FAST_LEVEL5", "256f", "1.3.9999.6.9.3", [64, 128, 49856]),
    ("SPHINCS_SMALL_LEVEL1", "128s", "1.3.9999.6.7.10", [32, 64, 7856]),
    ("SPHINCS_SMALL_LEVEL3", "192s", "1.3.9999.6.8.7", [48, 96, 16224]),
    ("SPHINCS_SMALL_LEVEL5", "256s", "1.3.9999.6.9.7", [64, 128, 29792]),
];

fn sizes(row: &registry::Row) -> [usize; 3] {
    [row.sizes.public, row.sizes.secret, row.sizes.output]
}

#[test]
fn the_appendix_is_all_there() {
    for (alias, name, number, oid, expected) in APPENDIX {
        let row = registry::find(alias).unwrap();
        assert_eq!((row.name.as_str(), sizes(row)), (name, expected));
        assert!(row.tls.contains(&(Era::OqsRound3, number)));
        assert!(row.oids.iter().any(|(era, o)| *era == Era::OqsRound3 && o.to_string() == oid));
    }
    for (alias, shape, oid, expected) in SPHINCS {
        let row = registry::find(alias).unwrap();
        assert_eq!(row.name, format!("SPHINCS+-SHAKE256-{shape}-simple"));
        assert_eq!(sizes(row), expected);
        assert!(row.oids.iter().any(|(era, o)| *era == Era::OqsRound3 && o.to_string() == oid));
    }
    for (alias, number) in
        [("P256_KYBER_LEVEL1", 12090), ("P384_KYBER_LEVEL3", 12092), ("P521_KYBER_LEVEL5", 12093)]
    {
        assert_eq!(registry::find(alias).unwrap().tls, [(Era::OqsRound3, number)]);
    }
}

/// Parameter set and signature size, from the appendix's tables for XMSS, XMSS^MT and LMS (one
/// level).
#[test]
fn signature_sizes_of_stateful_sets() {
    for (name, bytes) in [
        ("XMSS-SHA2_10_256", 2500),
        ("XMSS-SHA2_16_256", 2692),
        ("XMSS-SHA2_20_256", 2820),
        ("XMSSMT-SHA2_20/2_256", 4963),
        ("XMSSMT-SHA2_20/4_256", 9251),
        ("XMSSMT-SHA2_40/2_256", 5605),
        ("XMSSMT-SHA2_40/4_256", 9893),
        ("XMSSMT-SHA2_40/8_256", 18469),
        ("XMSSMT-SHA2_60/3_256", 8392),
        ("XMSSMT-SHA2_60/6_256", 14824),
        ("XMSSMT-SHA2_60/12_256", 27688),
        ("LMS_SHA256_M32_H15_W2", 4780),
        ("LMS_SHA256_M32_H15_W4", 2668),
    ] {
        assert_eq!(registry::find(name).unwrap().sizes.output, bytes, "{name}");
    }
}

#[test]
fn names_and_aliases_stand_for_one_row_each() {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for row in registry::all() {
        for name in row.aliases.iter().map(|(_, alias)| alias).chain([&row.name]) {
            let other = seen.insert(name.to_lowercase(), &row.name);
            assert!(other.is_none_or(|o| o == row.name), "{name} is {} and {other:?}", row.name);
            assert_eq!(registry::find(name).unwrap(), row);
        }
    }
    assert_eq!(registry::find("ML-DSA-66"), Err(Error::UnknownAlgorithm));
}

/// The ten named sets in the appendix and its default, with their signature sizes.
#[test]
fn named_sets_of_hss() {
    for (name, bytes) in [
        ("WC_LMS_PARM_L2_H10_W2", 9_300),
        ("L2_H10_W4", 5_076),
        ("WC_LMS_PARM_L4_H5_W8", 5_340),
        ("HSS(L1_H5_W8,L1_H5_W8,L1_H5_W8)", 3_992),
    ] {
        let row = registry::find(name).unwrap();
        assert_eq!((row.sizes.output, row.sizes.public), (bytes, 60));
        assert_eq!(registry::find(&row.name).unwrap(), row);
        assert_eq!(row.oid_now(), registry::find("HSS").unwrap().oid_now());
    }
    let default = registry::find("WC_LMS_PARM_NONE").unwrap();
    assert_eq!(default, registry::find("LMS_SHA256_M32_H15_W2").unwrap());
    assert_eq!(registry::find("HSS(A,B)"), Err(Error::UnknownAlgorithm));
}

#[test]
fn every_set_has_a_name_that_a_file_can_carry() {
    let safe = |name: &&String| !name.contains(['/', '\\', ':']);
    for row in registry::all() {
        let mut names = row.aliases.iter().map(|(_, alias)| alias).chain([&row.name]);
        assert!(names.any(|name| safe(&name)), "{}", row.name);
    }
}

#[test]
fn numbers_that_moved_are_said_to_have_moved() {
    let draft = "1.3.6.1.4.1.2.267.12.6.5".parse().unwrap();
    let meanings = registry::oid_meanings(&draft);
    let names: Vec<_> = meanings.iter().map(|m| m.row.name.as_str()).collect();
    assert_eq!(names, ["ML-DSA-65", "Dilithium3"]);
    assert!(meanings.iter().all(|m| m.note.contains("drafts of ML-DSA")));
    assert!(registry::tls_meanings(0x0200)[0].note.contains("frodo640aes"));
    assert_eq!(registry::tls_meanings(0x11EC)[0].row.name, "X25519MLKEM768");
    assert_eq!(registry::tls_meanings(0x091C)[0].row.name, "SLH-DSA-SHAKE-256f");
}

#[test]
fn standard_numbers() {
    for (name, oid) in [
        ("ML-DSA-87", "2.16.840.1.101.3.4.3.19"),
        ("SLH-DSA-SHA2-256f", "2.16.840.1.101.3.4.3.25"),
        ("SLH-DSA-SHAKE-128s", "2.16.840.1.101.3.4.3.26"),
        ("ML-KEM-1024", "2.16.840.1.101.3.4.4.3"),
        ("HSS", "1.2.840.113549.1.9.16.3.17"),
    ] {
        assert_eq!(registry::find(name).unwrap().oid_now().unwrap().to_string(), oid);
    }
    let short = registry::find("MLKEM768").unwrap();
    assert_eq!(short.alias_of(Naming::Short), Some("MLKEM768"));
}

/// Every round 3 algorithm that was standardized has a successor of the same kind and with a public
/// key of the same size, apart from the hybrid groups: P-256 has no group with ML-KEM-512. Falcon
/// has no standard yet.
#[test]
fn what_stands_in_the_place_of_round_3() {
    use registry::Family::{Dilithium, Hybrid, Kyber, SphincsPlus};
    let name = |alias: &str| {
        registry::successor(registry::find(alias).unwrap()).map(|row| row.name.as_str())
    };
    assert_eq!(name("DILITHIUM_LEVEL3"), Some("ML-DSA-65"));
    assert_eq!(name("SPHINCS_FAST_LEVEL5"), Some("SLH-DSA-SHAKE-256f"));
    assert_eq!(name("P256_KYBER_LEVEL1"), Some("SecP256r1MLKEM768"));
    assert_eq!((name("FALCON_LEVEL1"), name("ML-KEM-512")), (None, None));
    for row in registry::all() {
        let old = matches!(row.family, Dilithium | Kyber | SphincsPlus)
            || row.family == Hybrid && row.name.contains("Kyber");
        let now = registry::successor(row);
        assert_eq!(old, now.is_some(), "{}", row.name);
        let Some(now) = now else { continue };
        assert_eq!(row.kind, now.kind, "{}", row.name);
        assert!(row.sizes.public == now.sizes.public || row.family == Hybrid, "{}", row.name);
    }
}
