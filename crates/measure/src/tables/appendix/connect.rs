//! Connect times by group: wolfSSL's tls_bench on two cores, RSA-2048.

/// The figures of one group in the appendix.
pub struct Connected {
    /// Name of the group in wolfSSL.
    pub group: &'static str,
    /// Names of groups in Hasten: the same group, then the one used today instead; empty if there
    /// is none.
    pub ours: &'static [&'static str],
    /// Mean connect time of the server, then the client, in milliseconds.
    pub connect: [f64; 2],
    /// Rate at which the server received, in MB/s.
    pub rx: f64,
    /// Rate at which the server sent, in MB/s.
    pub tx: f64,
}

const fn row(
    group: &'static str,
    ours: &'static [&'static str],
    connect: [f64; 2],
    [rx, tx]: [f64; 2],
) -> Connected {
    Connected { group, ours, connect, rx, tx }
}

/// Every group of the appendix.
pub const CONNECTED: [Connected; 16] = [
    row("ECC_SECP256R1", &["secp256r1"], [0.689, 0.687], [419.2, 1236.204]),
    row("ECC_SECP384R1", &["secp384r1"], [0.809, 0.805], [378.892, 1141.27]),
    row("FFDHE_2048", &["ffdhe2048"], [1.206, 1.21], [377.971, 1129.896]),
    row("KYBER_LEVEL1", &["Kyber512", "MLKEM512"], [0.672, 0.665], [416.229, 1230.22]),
    row("KYBER_LEVEL3", &["Kyber768", "MLKEM768"], [0.738, 0.729], [422.965, 1263.96]),
    row("KYBER_LEVEL5", &["Kyber1024", "MLKEM1024"], [0.747, 0.737], [394.073, 1164.683]),
    row("KYBER_90S_LEVEL1", &[], [0.682, 0.676], [433.36, 1253.12]),
    row("KYBER_90S_LEVEL3", &[], [0.733, 0.729], [391.979, 1153.925]),
    row("KYBER_90S_LEVEL5", &[], [0.743, 0.737], [384.316, 1151.26]),
    row(
        "P256_KYBER_LEVEL1",
        &["P256_Kyber512", "SecP256r1MLKEM768"],
        [0.922, 0.835],
        [395.266, 1150.114],
    ),
    row(
        "P384_KYBER_LEVEL3",
        &["P384_Kyber768", "SecP384r1MLKEM1024"],
        [1.458, 1.198],
        [416.76, 1184.982],
    ),
    row("P256_KYBER_90S_LEVEL1", &[], [0.892, 0.807], [430.17, 1251.386]),
    row("P384_KYBER_90S_LEVEL3", &[], [1.392, 1.143], [384.376, 1126.236]),
    row("ECC_SECP521R1", &["secp521r1"], [5.082, 5.033], [368.325, 1154.06]),
    row(
        "P521_KYBER_LEVEL5",
        &["P521_Kyber1024", "SecP521r1MLKEM1024"],
        [22.816, 16.177],
        [625.096, 165.633],
    ),
    row("P521_KYBER_90S_LEVEL5", &[], [19.139, 13.198], [326.68, 907.481]),
];

/// Finds the figures for a group of Hasten: those of the same group, or of the one that it
/// replaces.
pub fn connect(group: &str) -> Option<&'static Connected> {
    CONNECTED.iter().find(|row| row.ours.contains(&group))
}
