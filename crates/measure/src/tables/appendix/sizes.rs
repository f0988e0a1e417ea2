//! Sizes of keys, signatures and ciphertexts, in bytes.

/// Signature algorithms: name, and sizes of public key, private key and largest signature.
pub const SIGNATURES: [(&str, [usize; 3]); 11] = [
    ("FALCON_LEVEL1", [897, 1281, 690]),
    ("FALCON_LEVEL5", [1793, 2305, 1330]),
    ("DILITHIUM_LEVEL2", [1312, 2528, 2420]),
    ("DILITHIUM_LEVEL3", [1952, 4000, 3293]),
    ("DILITHIUM_LEVEL5", [2592, 4864, 4595]),
    ("SPHINCS_FAST_LEVEL1", [32, 64, 17088]),
    ("SPHINCS_FAST_LEVEL3", [48, 96, 35664]),
    ("SPHINCS_FAST_LEVEL5", [64, 128, 49856]),
    ("SPHINCS_SMALL_LEVEL1", [32, 64, 7856]),
    ("SPHINCS_SMALL_LEVEL3", [48, 96, 16224]),
    ("SPHINCS_SMALL_LEVEL5", [64, 128, 29792]),
];

/// KEMs: name, and sizes of public key, private key, ciphertext and shared secret.
pub const KEMS: [(&str, [usize; 4]); 6] = [
    ("KYBER_LEVEL1", [800, 1632, 768, 32]),
    ("KYBER_LEVEL3", [1184, 2400, 1088, 32]),
    ("KYBER_LEVEL5", [1568, 3168, 1568, 32]),
    ("KYBER_90S_LEVEL1", [800, 1632, 768, 32]),
    ("KYBER_90S_LEVEL3", [1184, 2400, 1088, 32]),
    ("KYBER_90S_LEVEL5", [1568, 3168, 1568, 32]),
];

/// Returns the sizes of public key, private key and largest signature.
pub fn signature(name: &str) -> Option<[usize; 3]> {
    SIGNATURES.iter().find(|(theirs, _)| *theirs == name).map(|(_, sizes)| *sizes)
}

/// Returns the sizes of public key, private key, ciphertext and shared secret.
pub fn kem(name: &str) -> Option<[usize; 4]> {
    KEMS.iter().find(|(theirs, _)| *theirs == name).map(|(_, sizes)| *sizes)
}
