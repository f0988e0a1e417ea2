//! The rows of Kyber-90s, which was withdrawn after round 3: it used AES and SHA-2 in place of
//! Keccak, and was never standardized.

/// The reason why these rows have no counterpart.
pub const WITHDRAWN: &str = "withdrawn with round 3; no kept library has Kyber-90s";

/// Bytes sent, by group, with RSA-2048.
pub const SENT: [(&str, usize); 6] = [
    ("KYBER_90S_LEVEL1", 6633),
    ("KYBER_90S_LEVEL3", 7337),
    ("KYBER_90S_LEVEL5", 8201),
    ("P256_KYBER90S_LEVEL1", 6763),
    ("P384_KYBER90S_LEVEL3", 7531),
    ("P521_KYBER90S_LEVEL5", 8467),
];

/// Memory by group, with RSA-2048, for server and client: number of allocations, total heap, peak
/// heap, and stack.
pub const HELD: [(&str, [[usize; 4]; 2]); 6] = [
    ("KYBER_90S_LEVEL1", [[206, 66864, 28474, 52896], [879, 147235, 44538, 54640]]),
    ("KYBER_90S_LEVEL3", [[206, 67888, 28794, 52896], [879, 149411, 46010, 54640]]),
    ("KYBER_90S_LEVEL5", [[206, 69232, 29274, 52896], [879, 151907, 47642, 54640]]),
    ("P256_KYBER_90S_LEVEL1", [[223, 118940, 37652, 52896], [896, 199376, 48932, 54640]]),
    ("P384_KYBER_90S_LEVEL3", [[223, 120108, 38468, 52896], [896, 201728, 50468, 54640]]),
    ("P521_KYBER_90S_LEVEL5", [[223, 121614, 39458, 52896], [896, 204422, 52172, 54640]]),
];
