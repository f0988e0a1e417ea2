//! Mean times of one operation, on one core.

use hasten_keys::registry::Row;

/// One operation of one algorithm.
pub struct Timed {
    /// Name of the row in the appendix.
    pub row: &'static str,
    /// Names in Hasten: the same algorithm, then the one used today instead; empty if there is
    /// none.
    pub ours: &'static [&'static str],
    /// Name of the operation in Hasten.
    pub op: &'static str,
    /// Mean time in microseconds.
    pub us: f64,
}

const fn timed(
    row: &'static str,
    ours: &'static [&'static str],
    op: &'static str,
    us: f64,
) -> Timed {
    Timed { row, ours, op, us }
}

const KYBER: [&[&str]; 3] =
    [&["Kyber512", "ML-KEM-512"], &["Kyber768", "ML-KEM-768"], &["Kyber1024", "ML-KEM-1024"]];
const DILITHIUM: [&[&str]; 3] =
    [&["Dilithium2", "ML-DSA-44"], &["Dilithium3", "ML-DSA-65"], &["Dilithium5", "ML-DSA-87"]];

/// Times of key encapsulation by liboqs.
pub const LIBOQS: [Timed; 18] = [
    timed("Kyber512", KYBER[0], "keygen", 6.769),
    timed("Kyber512", KYBER[0], "encaps", 8.834),
    timed("Kyber512", KYBER[0], "decaps", 6.251),
    timed("Kyber768", KYBER[1], "keygen", 10.793),
    timed("Kyber768", KYBER[1], "encaps", 13.329),
    timed("Kyber768", KYBER[1], "decaps", 9.779),
    timed("Kyber1024", KYBER[2], "keygen", 13.877),
    timed("Kyber1024", KYBER[2], "encaps", 18.241),
    timed("Kyber1024", KYBER[2], "decaps", 13.777),
    timed("Kyber512-90s", &[], "keygen", 5.693),
    timed("Kyber512-90s", &[], "encaps", 7.887),
    timed("Kyber512-90s", &[], "decaps", 4.697),
    timed("Kyber768-90s", &[], "keygen", 7.612),
    timed("Kyber768-90s", &[], "encaps", 11.062),
    timed("Kyber768-90s", &[], "decaps", 7.073),
    timed("Kyber1024-90s", &[], "keygen", 10.762),
    timed("Kyber1024-90s", &[], "encaps", 14.836),
    timed("Kyber1024-90s", &[], "decaps", 10.014),
];

/// Times in the benchmark of wolfCrypt.
pub const WOLFCRYPT: [Timed; 26] = [
    timed("ECC SECP256R1 key gen", &["secp256r1", "ECDSA-P-256"], "keygen", 10.0),
    timed("ECDHE SECP256R1 agree", &["secp256r1"], "agree", 38.0),
    timed("ECDSA SECP256R1 sign", &["ECDSA-P-256"], "sign", 16.0),
    timed("ECDSA SECP256R1 verify", &["ECDSA-P-256"], "verify", 42.0),
    timed("FALCON_level1 sign", &["Falcon-512"], "sign", 202.0),
    timed("FALCON_level1 verify", &["Falcon-512"], "verify", 37.0),
    timed("FALCON_level5 sign", &["Falcon-1024"], "sign", 396.0),
    timed("FALCON_level5 verify", &["Falcon-1024"], "verify", 70.0),
    timed("DILITHIUM_level2 sign", DILITHIUM[0], "sign", 62.0),
    timed("DILITHIUM_level2 verify", DILITHIUM[0], "verify", 22.0),
    timed("DILITHIUM_level3 sign", DILITHIUM[1], "sign", 98.0),
    timed("DILITHIUM_level3 verify", DILITHIUM[1], "verify", 37.0),
    timed("DILITHIUM_level5 sign", DILITHIUM[2], "sign", 120.0),
    timed("DILITHIUM_level5 verify", DILITHIUM[2], "verify", 59.0),
    timed("kyber_level1-kg", KYBER[0], "keygen", 7.0),
    timed("kyber_level1-ed", KYBER[0], "encaps-decaps", 15.0),
    timed("kyber_level3-kg", KYBER[1], "keygen", 11.0),
    timed("kyber_level3-ed", KYBER[1], "encaps-decaps", 24.0),
    timed("kyber_level5-kg", KYBER[2], "keygen", 14.0),
    timed("kyber_level5-ed", KYBER[2], "encaps-decaps", 32.0),
    timed("kyber90s_level1-kg", &[], "keygen", 6.0),
    timed("kyber90s_level1-ed", &[], "encaps-decaps", 13.0),
    timed("kyber90s_level3-kg", &[], "keygen", 8.0),
    timed("kyber90s_level3-ed", &[], "encaps-decaps", 18.0),
    timed("kyber90s_level5-kg", &[], "keygen", 11.0),
    timed("kyber90s_level5-ed", &[], "encaps-decaps", 25.0),
];

/// Returns the mean time of one operation in the appendix, in microseconds. Times of round 3 are
/// returned for its own sets and for the sets that replace them today.
pub fn mean_us(row: &Row, op: &str) -> Option<f64> {
    let is = |timed: &&Timed| timed.op == op && timed.ours.contains(&row.name.as_str());
    LIBOQS.iter().chain(&WOLFCRYPT).find(is).map(|timed| timed.us)
}
