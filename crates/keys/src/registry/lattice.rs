//! ML-KEM, ML-DSA and the groups that combine ML-KEM with an elliptic curve.

use super::row::{Era, Era::Standard, Family, Kind, Naming, Row};

/// Set, security level of the submission, last OID arc, TLS group, later OQS group, sizes (FIPS
/// 203; RFC 9935; OQS numbers from oqs-provider).
const ML_KEM: [(u16, u8, u8, u16, u16, [usize; 3]); 3] = [
    (512, 1, 1, 0x0200, 583, [800, 1632, 768]),
    (768, 3, 2, 0x0201, 584, [1184, 2400, 1088]),
    (1024, 5, 3, 0x0202, 585, [1568, 3168, 1568]),
];

/// Set, last OID arc, TLS scheme, last arcs of the draft's OID, sizes (FIPS 204; RFC 9881).
const ML_DSA: [(u16, u8, u16, &str, [usize; 3]); 3] = [
    (44, 17, 0x0904, "4.4", [1312, 2560, 2420]),
    (65, 18, 0x0905, "6.5", [1952, 4032, 3309]),
    (87, 19, 0x0906, "8.7", [2592, 4896, 4627]),
];

fn ml_kem(
    (set, _, arc, group, oqs, [public, secret, cipher]): (u16, u8, u8, u16, u16, [usize; 3]),
) -> Row {
    Row::new(format!("ML-KEM-{set}"), Family::MlKem, Kind::Kem)
        .alias(Naming::Short, format!("MLKEM{set}"))
        .oid(Standard, &format!("2.16.840.1.101.3.4.4.{arc}"))
        .tls(Standard, group)
        .tls(Era::OqsLater, oqs)
        .encapsulates(public, secret, cipher)
        .seed(64)
}

fn ml_dsa(
    (set, arc, scheme, draft, [public, secret, sig]): (u16, u8, u16, &str, [usize; 3]),
) -> Row {
    Row::new(format!("ML-DSA-{set}"), Family::MlDsa, Kind::Signature)
        .alias(Naming::Short, format!("MLDSA{set}"))
        .oid(Standard, &format!("2.16.840.1.101.3.4.3.{arc}"))
        .oid(Era::OqsLater, &format!("1.3.6.1.4.1.2.267.12.{draft}"))
        .tls(Standard, scheme)
        .signs(public, secret, sig)
        .seed(32)
}

/// Returns a group whose shares are two keys in sequence (RFC 10024), as are its shared secrets.
fn hybrid(name: &str, era: Era, number: u16, curve: (usize, usize), kem: [usize; 2]) -> Row {
    let mut row = Row::new(name, Family::Hybrid, Kind::Agreement).tls(era, number);
    row.sizes.public = curve.0 + kem[0];
    row.sizes.output = curve.0 + kem[1];
    row.sizes.shared = curve.1 + 32;
    row
}

fn hybrids() -> [Row; 4] {
    [
        hybrid("X25519MLKEM768", Standard, 0x11EC, (32, 32), [1184, 1088]),
        hybrid("SecP256r1MLKEM768", Standard, 0x11EB, (65, 32), [1184, 1088]),
        hybrid("SecP384r1MLKEM1024", Standard, 0x11ED, (97, 48), [1568, 1568]),
        hybrid("SecP521r1MLKEM1024", Era::Private, 0xFE21, (133, 66), [1568, 1568]),
    ]
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = Vec::from(ML_KEM.map(ml_kem));
    rows.extend(ML_DSA.map(ml_dsa));
    rows.extend(hybrids());
    rows
}
