//! Heap and stack in a handshake with TLS_AES_256_GCM_SHA384; only the server has a certificate.

use hasten_keys::registry::{self, Kind};

/// Figures of one combination: number of allocations, total heap, peak heap, and stack used.
pub struct Figures {
    /// Name in wolfSSL of the part that varies.
    pub name: &'static str,
    /// Combination in Hasten: algorithm of all certificates, and group.
    pub ours: (&'static str, &'static str),
    /// Figures of the server.
    pub server: [usize; 4],
    /// Figures of the client.
    pub client: [usize; 4],
}

impl Figures {
    /// Returns the certificates and the group in the appendix.
    pub fn theirs(&self) -> (&'static str, &'static str) {
        let is_auth = registry::find(self.name).is_ok_and(|row| row.kind == Kind::Signature);
        if is_auth { (self.name, "ECC SECP256R1") } else { ("RSA 2048", self.name) }
    }
}

const fn held(
    name: &'static str,
    ours: (&'static str, &'static str),
    server: [usize; 4],
    client: [usize; 4],
) -> Figures {
    Figures { name, ours, server, client }
}

/// The figures by certificate, with SECP256R1, then those by group, with RSA-2048. Those of the 90s
/// variants are in [`withdrawn`](super::withdrawn).
pub const HELD: &[Figures] = &[
    held(
        "FALCON_LEVEL1",
        ("Falcon-512", "secp256r1"),
        [250, 113548, 40990, 48960],
        [768, 179427, 41765, 29935],
    ),
    held(
        "FALCON_LEVEL5",
        ("Falcon-1024", "secp256r1"),
        [250, 125232, 45630, 89088],
        [768, 191365, 47469, 29935],
    ),
    held(
        "DILITHIUM_LEVEL2",
        ("ML-DSA-44", "secp256r1"),
        [243, 128153, 50250, 56328],
        [805, 206412, 56299, 30856],
    ),
    held(
        "DILITHIUM_LEVEL3",
        ("ML-DSA-65", "secp256r1"),
        [243, 140128, 55161, 86216],
        [805, 220633, 61245, 33928],
    ),
    held(
        "DILITHIUM_LEVEL5",
        ("ML-DSA-87", "secp256r1"),
        [243, 152046, 59829, 119944],
        [805, 238167, 67049, 40328],
    ),
    held(
        "RSA 2048",
        ("RSA-2048", "secp256r1"),
        [253, 121784, 39573, 52896],
        [897, 202472, 41760, 54640],
    ),
    held(
        "KYBER_LEVEL1",
        ("RSA-2048", "MLKEM512"),
        [206, 66864, 28474, 52896],
        [879, 147235, 44538, 54640],
    ),
    held(
        "KYBER_LEVEL3",
        ("RSA-2048", "MLKEM768"),
        [206, 67888, 28794, 52896],
        [879, 149411, 46010, 54640],
    ),
    held(
        "KYBER_LEVEL5",
        ("RSA-2048", "MLKEM1024"),
        [206, 69232, 29274, 52896],
        [879, 151907, 47642, 54640],
    ),
    held(
        "P256_KYBER_LEVEL1",
        ("RSA-2048", "SecP256r1MLKEM768"),
        [223, 118940, 37652, 52896],
        [896, 199376, 48932, 54640],
    ),
    held(
        "P384_KYBER_LEVEL3",
        ("RSA-2048", "SecP384r1MLKEM1024"),
        [223, 120108, 38468, 52896],
        [896, 201728, 50468, 54640],
    ),
    held(
        "P521_KYBER_LEVEL5",
        ("RSA-2048", "SecP521r1MLKEM1024"),
        [223, 121614, 39458, 52896],
        [896, 204422, 52172, 54640],
    ),
];

/// Name of SECP256R1 in the list by group. Its figures are those of RSA 2048 above.
pub const HELD_AGAIN: &str = "ECDSA SECP256R1";

/// Combinations used today for which the appendix has no figures.
pub const HELD_NOW: &[(&str, &str)] = &[
    ("ML-DSA-65", "X25519MLKEM768"),
    ("SLH-DSA-SHA2-128f", "X25519MLKEM768"),
    ("Ed25519", "X25519MLKEM768"),
];
