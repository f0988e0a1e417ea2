//! The rows.

use super::{Hash, Scheme, Set};

/// Every parameter set this crate knows.
pub static SETS: &[Set] = &[
    xmss("XMSS-SHA2_10_256", 0x01, Hash::Sha256, 32, 10),
    xmss("XMSS-SHA2_16_256", 0x02, Hash::Sha256, 32, 16),
    xmss("XMSS-SHA2_20_256", 0x03, Hash::Sha256, 32, 20),
    xmss("XMSS-SHA2_10_512", 0x04, Hash::Sha512, 64, 10),
    xmss("XMSS-SHA2_16_512", 0x05, Hash::Sha512, 64, 16),
    xmss("XMSS-SHA2_20_512", 0x06, Hash::Sha512, 64, 20),
    xmss("XMSS-SHAKE_10_256", 0x07, Hash::Shake128, 32, 10),
    xmss("XMSS-SHAKE_16_256", 0x08, Hash::Shake128, 32, 16),
    xmss("XMSS-SHAKE_20_256", 0x09, Hash::Shake128, 32, 20),
    xmss("XMSS-SHAKE_10_512", 0x0a, Hash::Shake256, 64, 10),
    xmss("XMSS-SHAKE_16_512", 0x0b, Hash::Shake256, 64, 16),
    xmss("XMSS-SHAKE_20_512", 0x0c, Hash::Shake256, 64, 20),
    xmss("XMSS-SHA2_10_192", 0x0d, Hash::Sha256, 24, 10),
    xmss("XMSS-SHA2_16_192", 0x0e, Hash::Sha256, 24, 16),
    xmss("XMSS-SHA2_20_192", 0x0f, Hash::Sha256, 24, 20),
    xmss("XMSS-SHAKE256_10_256", 0x10, Hash::Shake256, 32, 10),
    xmss("XMSS-SHAKE256_16_256", 0x11, Hash::Shake256, 32, 16),
    xmss("XMSS-SHAKE256_20_256", 0x12, Hash::Shake256, 32, 20),
    xmss("XMSS-SHAKE256_10_192", 0x13, Hash::Shake256, 24, 10),
    xmss("XMSS-SHAKE256_16_192", 0x14, Hash::Shake256, 24, 16),
    xmss("XMSS-SHAKE256_20_192", 0x15, Hash::Shake256, 24, 20),
    slhdsa("SLH-DSA-SHA2-128s", 20, Hash::Sha256, 16, (63, 7), (12, 14)),
    slhdsa("SLH-DSA-SHA2-128f", 21, Hash::Sha256, 16, (66, 22), (6, 33)),
    slhdsa("SLH-DSA-SHA2-192s", 22, Hash::Sha256, 24, (63, 7), (14, 17)),
    slhdsa("SLH-DSA-SHA2-192f", 23, Hash::Sha256, 24, (66, 22), (8, 33)),
    slhdsa("SLH-DSA-SHA2-256s", 24, Hash::Sha256, 32, (64, 8), (14, 22)),
    slhdsa("SLH-DSA-SHA2-256f", 25, Hash::Sha256, 32, (68, 17), (9, 35)),
    slhdsa("SLH-DSA-SHAKE-128s", 26, Hash::Shake256, 16, (63, 7), (12, 14)),
    slhdsa("SLH-DSA-SHAKE-128f", 27, Hash::Shake256, 16, (66, 22), (6, 33)),
    slhdsa("SLH-DSA-SHAKE-192s", 28, Hash::Shake256, 24, (63, 7), (14, 17)),
    slhdsa("SLH-DSA-SHAKE-192f", 29, Hash::Shake256, 24, (66, 22), (8, 33)),
    slhdsa("SLH-DSA-SHAKE-256s", 30, Hash::Shake256, 32, (64, 8), (14, 22)),
    slhdsa("SLH-DSA-SHAKE-256f", 31, Hash::Shake256, 32, (68, 17), (9, 35)),
];

/// RFC 8391, section 5.3 (XMSS Parameters) and SP 800-208, section 5 (eXtended Merkle Signature
/// Scheme (XMSS) Parameter Sets), which approves SHA-256 and SHAKE256 with n = 32 and 24.
const fn xmss(name: &'static str, oid: u32, hash: Hash, n: usize, h: u32) -> Set {
    let nist = n < 64 && matches!(hash, Hash::Sha256 | Hash::Shake256);
    Set { name, scheme: Scheme::Xmss, oid, hash, n, lg_w: 4, h, d: 1, nist, cnsa: nist }
}

/// FIPS 205, Section 11 (Parameter Sets); the number is the last arc of the object identifier
/// 2.16.840.1.101.3.4.3.x. SHA2 with n > 16 uses SHA-512 beside SHA-256.
const fn slhdsa(
    name: &'static str,
    oid: u32,
    hash: Hash,
    n: usize,
    (h, d): (u32, u32),
    (a, k): (u32, u32),
) -> Set {
    let scheme = Scheme::SlhDsa { a, k };
    Set { name, scheme, oid, hash, n, lg_w: 4, h, d, nist: true, cnsa: false }
}
