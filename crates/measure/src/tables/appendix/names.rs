//! Names, numbers and identifiers, and the size of a program.

/// Name of a variant in wolfSSL, and the submission that it stands for.
pub const NAMES: [(&str, &str); 17] = [
    ("FALCON_LEVEL1", "FALCON512"),
    ("FALCON_LEVEL5", "FALCON1024"),
    ("DILITHIUM_LEVEL2", "DILITHIUM2"),
    ("DILITHIUM_LEVEL3", "DILITHIUM3"),
    ("DILITHIUM_LEVEL5", "DILITHIUM5"),
    ("SPHINCS_FAST_LEVEL1", "SPHINCS+-SHAKE256-128f-simple"),
    ("SPHINCS_FAST_LEVEL3", "SPHINCS+-SHAKE256-192f-simple"),
    ("SPHINCS_FAST_LEVEL5", "SPHINCS+-SHAKE256-256f-simple"),
    ("SPHINCS_SMALL_LEVEL1", "SPHINCS+-SHAKE256-128s-simple"),
    ("SPHINCS_SMALL_LEVEL3", "SPHINCS+-SHAKE256-192s-simple"),
    ("SPHINCS_SMALL_LEVEL5", "SPHINCS+-SHAKE256-256s-simple"),
    ("KYBER_LEVEL1", "KYBER512"),
    ("KYBER_LEVEL3", "KYBER768"),
    ("KYBER_LEVEL5", "KYBER1024"),
    ("P256_KYBER_LEVEL1", "ECDSA P-256 and KYBER512"),
    ("P384_KYBER_LEVEL3", "ECDSA P-384 and KYBER768"),
    ("P521_KYBER_LEVEL5", "ECDSA P-521 and KYBER1024"),
];

/// Code points in TLS 1.3.
pub const CODE_POINTS: [(&str, u16); 11] = [
    ("FALCON_LEVEL1", 65035),
    ("FALCON_LEVEL5", 65038),
    ("DILITHIUM_LEVEL2", 65184),
    ("DILITHIUM_LEVEL3", 65187),
    ("DILITHIUM_LEVEL5", 65189),
    ("KYBER_LEVEL1", 570),
    ("KYBER_LEVEL3", 572),
    ("KYBER_LEVEL5", 573),
    ("P256_KYBER_LEVEL1", 12090),
    ("P384_KYBER_LEVEL3", 12092),
    ("P521_KYBER_LEVEL5", 12093),
];

/// Object identifiers in certificates.
pub const OIDS: [(&str, &str); 11] = [
    ("FALCON_LEVEL1", "1.3.9999.3.1"),
    ("FALCON_LEVEL5", "1.3.9999.3.4"),
    ("DILITHIUM_LEVEL2", "1.3.6.1.4.1.2.267.7.4.4"),
    ("DILITHIUM_LEVEL3", "1.3.6.1.4.1.2.267.7.6.5"),
    ("DILITHIUM_LEVEL5", "1.3.6.1.4.1.2.267.7.8.7"),
    ("SPHINCS_FAST_LEVEL1", "1.3.9999.6.7.4"),
    ("SPHINCS_FAST_LEVEL3", "1.3.9999.6.8.3"),
    ("SPHINCS_FAST_LEVEL5", "1.3.9999.6.9.3"),
    ("SPHINCS_SMALL_LEVEL1", "1.3.9999.6.7.10"),
    ("SPHINCS_SMALL_LEVEL3", "1.3.9999.6.8.7"),
    ("SPHINCS_SMALL_LEVEL5", "1.3.9999.6.9.7"),
];

/// A build of tls_bench, the build of Hasten with which it is compared, and the approximate size of
/// tls_bench in bytes.
pub const BINARIES: [(&str, &str, usize); 2] = [
    ("tls_bench with liboqs", "everything", 2_400_000),
    ("tls_bench without liboqs", "without Falcon, Kyber and Dilithium of round 3", 559_000),
];
