//! TLS 1.3 bytes sent: a mutual handshake, and one message each way.

/// Authentication and group of a row, the combination used today, and the number of bytes sent.
pub struct Sent {
    /// Authentication, as named in wolfSSL.
    pub auth: &'static str,
    /// Group, as named in wolfSSL.
    pub group: &'static str,
    /// Combination in Hasten: algorithm of all certificates, and group.
    pub ours: (&'static str, &'static str),
    /// Total bytes in the appendix.
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

/// Bytes sent in TLS 1.3, all with TLS_AES_256_GCM_SHA384. Those of the 90s variants are in
/// [`withdrawn`](super::withdrawn).
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

/// Combinations used today for which the appendix has no row.
pub const SENT_NOW: &[(&str, &str)] = &[
    ("ML-DSA-44", "X25519MLKEM768"),
    ("ML-DSA-65", "X25519MLKEM768"),
    ("ML-DSA-87", "SecP384r1MLKEM1024"),
    ("SLH-DSA-SHA2-128s", "X25519MLKEM768"),
    ("SLH-DSA-SHA2-128f", "X25519MLKEM768"),
    ("Ed25519", "X25519MLKEM768"),
];
