//! The figures of wolfSSL's appendix, as published: bytes and speed on a Core i7-1165G7 at 3 GHz.

use hasten_keys::registry::{self, Row};

pub mod memory;

/// Where the figures were taken.
pub const MACHINE: &str = "11th Gen Core i7-1165G7 at 3 GHz, liboqs and wolfSSL built with -Os";

/// Returns public key, private key, largest signature.
pub fn signature_sizes(name: &str) -> Option<[usize; 3]> {
    Some(match name {
        "FALCON_LEVEL1" => [897, 1281, 690],
        "FALCON_LEVEL5" => [1793, 2305, 1330],
        "DILITHIUM_LEVEL2" => [1312, 2528, 2420],
        "DILITHIUM_LEVEL3" => [1952, 4000, 3293],
        "DILITHIUM_LEVEL5" => [2592, 4864, 4595],
        "SPHINCS_FAST_LEVEL1" => [32, 64, 17088],
        "SPHINCS_FAST_LEVEL3" => [48, 96, 35664],
        "SPHINCS_FAST_LEVEL5" => [64, 128, 49856],
        "SPHINCS_SMALL_LEVEL1" => [32, 64, 7856],
        "SPHINCS_SMALL_LEVEL3" => [48, 96, 16224],
        "SPHINCS_SMALL_LEVEL5" => [64, 128, 29792],
        _ => return None,
    })
}

/// Returns public key, private key, ciphertext.
pub fn kem_sizes(name: &str) -> Option<[usize; 3]> {
    Some(match name {
        "KYBER_LEVEL1" => [800, 1632, 768],
        "KYBER_LEVEL3" => [1184, 2400, 1088],
        "KYBER_LEVEL5" => [1568, 3168, 1568],
        _ => return None,
    })
}

/// Authentication and group of a row of bytes sent, what stands there today, and its bytes.
pub struct Sent {
    /// wolfSSL's name.
    pub auth: &'static str,
    /// wolfSSL's name.
    pub group: &'static str,
    /// Ours: algorithm of all certificates, and group.
    pub ours: (&'static str, &'static str),
    /// Total of the appendix.
    pub bytes: usize,
}

const fn sent(
    auth: &'static str,
    group: &'static str,
    ours: (&'static str, &'static str),
    bytes: usize,
) -> Sent {
    Sent { auth, group, ours, bytes }
}

/// TLS 1.3 bytes sent, all with TLS_AES_256_GCM_SHA384. Without the rows of the 90s variants.
pub const SENT: &[Sent] = &[
    sent("RSA 2048", "ECC SECP256R1", ("RSA-2048", "secp256r1"), 5455),
    sent("RSA 2048", "KYBER_LEVEL1", ("RSA-2048", "MLKEM512"), 6633),
    sent("RSA 2048", "KYBER_LEVEL3", ("RSA-2048", "MLKEM768"), 7337),
    sent("RSA 2048", "KYBER_LEVEL5", ("RSA-2048", "MLKEM1024"), 8201),
    sent("RSA 2048", "P256_KYBER_LEVEL1", ("RSA-2048", "SecP256r1MLKEM768"), 6763),
    sent("RSA 2048", "P384_KYBER_LEVEL3", ("RSA-2048", "SecP384r1MLKEM1024"), 7531),
    sent("RSA 2048", "P521_KYBER_LEVEL5", ("RSA-2048", "SecP521r1MLKEM1024"), 8467),
    sent("FALCON_LEVEL1", "ECC SECP256R1", ("Falcon-512", "secp256r1"), 6997),
    sent("FALCON_LEVEL5", "ECC SECP256R1", ("Falcon-1024", "secp256r1"), 11248),
    sent("FALCON_LEVEL1", "KYBER_LEVEL1", ("Falcon-512", "MLKEM512"), 8180),
    sent("FALCON_LEVEL1", "P256_KYBER_LEVEL1", ("Falcon-512", "SecP256r1MLKEM768"), 8308),
    sent("FALCON_LEVEL5", "KYBER_LEVEL5", ("Falcon-1024", "MLKEM1024"), 14007),
    sent("FALCON_LEVEL5", "P521_KYBER_LEVEL5", ("Falcon-1024", "SecP521r1MLKEM1024"), 14257),
    sent("DILITHIUM_LEVEL2", "ECC SECP256R1", ("ML-DSA-44", "secp256r1"), 7918),
    sent("DILITHIUM_LEVEL3", "ECC SECP256R1", ("ML-DSA-65", "secp256r1"), 10233),
    sent("DILITHIUM_LEVEL5", "ECC SECP256R1", ("ML-DSA-87", "secp256r1"), 13477),
];

/// Today's combinations that the appendix has no row for.
pub const SENT_NOW: &[(&str, &str)] = &[
    ("ML-DSA-44", "X25519MLKEM768"),
    ("ML-DSA-65", "X25519MLKEM768"),
    ("ML-DSA-87", "SecP384r1MLKEM1024"),
    ("SLH-DSA-SHA2-128s", "X25519MLKEM768"),
    ("SLH-DSA-SHA2-128f", "X25519MLKEM768"),
    ("Ed25519", "X25519MLKEM768"),
];

/// Returns mean time of one operation in microseconds: of round 3, beside its own sets and today's.
pub fn mean_us(row: &Row, op: &str) -> Option<f64> {
    let alg = &registry::successor(row).unwrap_or(row).name;
    Some(match (alg.as_str(), op) {
        ("ML-KEM-512", "keygen") => 6.769,
        ("ML-KEM-512", "encaps") => 8.834,
        ("ML-KEM-512", "decaps") => 6.251,
        ("ML-KEM-768", "keygen") => 10.793,
        ("ML-KEM-768", "encaps") => 13.329,
        ("ML-KEM-768", "decaps") => 9.779,
        ("ML-KEM-1024", "keygen") => 13.877,
        ("ML-KEM-1024", "encaps") => 18.241,
        ("ML-KEM-1024", "decaps") => 13.777,
        ("secp256r1" | "ECDSA-P-256", "keygen") => 10.0,
        ("secp256r1", "agree") => 38.0,
        ("ECDSA-P-256", "sign") => 16.0,
        ("ECDSA-P-256", "verify") => 42.0,
        ("Falcon-512", "sign") => 202.0,
        ("Falcon-512", "verify") => 37.0,
        ("Falcon-1024", "sign") => 396.0,
        ("Falcon-1024", "verify") => 70.0,
        ("ML-DSA-44", "sign") => 62.0,
        ("ML-DSA-44", "verify") => 22.0,
        ("ML-DSA-65", "sign") => 98.0,
        ("ML-DSA-65", "verify") => 37.0,
        ("ML-DSA-87", "sign") => 120.0,
        ("ML-DSA-87", "verify") => 59.0,
        _ => return None,
    })
}

/// The appendix's server with one group, RSA-2048: mean connect time in milliseconds, megabytes
/// received and sent in a second.
pub struct Connected {
    /// Milliseconds.
    pub connect: f64,
    /// MB/s.
    pub rx: f64,
    /// MB/s.
    pub tx: f64,
}

/// Finds it by our group.
pub fn connect(group: &str) -> Option<Connected> {
    let (connect, rx, tx) = match group {
        "secp256r1" => (0.689, 419.2, 1236.204),
        "secp384r1" => (0.809, 378.892, 1141.27),
        "secp521r1" => (5.082, 368.325, 1154.06),
        "MLKEM512" => (0.672, 416.229, 1230.22),
        "MLKEM768" => (0.738, 422.965, 1263.96),
        "MLKEM1024" => (0.747, 394.073, 1164.683),
        "SecP256r1MLKEM768" => (0.922, 395.266, 1150.114),
        "SecP384r1MLKEM1024" => (1.458, 416.76, 1184.982),
        "SecP521r1MLKEM1024" => (22.816, 625.096, 165.633),
        _ => return None,
    };
    Some(Connected { connect, rx, tx })
}
