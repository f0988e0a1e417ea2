//! Algorithms that quantum computers break, included for hybrids and comparison.

use super::row::{Era::Standard, Family, Kind, Naming, Row};

/// The identifier id-ecPublicKey (RFC 5480): the parameters name the curve.
pub(crate) const EC_PUBLIC_KEY: &str = "1.2.840.10045.2.1";
/// The identifier rsaEncryption (RFC 8017): the modulus size follows from the key.
pub(crate) const RSA_ENCRYPTION: &str = "1.2.840.113549.1.1.1";

/// Curve name, its OID (RFC 5480), bytes per coordinate, TLS number of the ECDSA scheme, TLS group.
const CURVES: [(&str, &str, usize, u16, u16); 3] = [
    ("P-256", "1.2.840.10045.3.1.7", 32, 0x0403, 23),
    ("P-384", "1.3.132.0.34", 48, 0x0503, 24),
    ("P-521", "1.3.132.0.35", 66, 0x0603, 25),
];

fn ecdsa((curve, oid, n, scheme, _): (&str, &str, usize, u16, u16)) -> Row {
    Row::new(format!("ECDSA-{curve}"), Family::Ecdsa, Kind::Signature)
        .alias(Naming::WolfSsl, format!("ECDSA SECP{}R1", &curve[2..]))
        .oid(Standard, oid)
        .tls(Standard, scheme)
        .signs(1 + 2 * n, n, der_signature(n))
        .variable()
}

/// Returns the size of the largest DER encoding of two integers below the group order (RFC 3279).
fn der_signature(n: usize) -> usize {
    // An integer may need a leading zero byte, except for P-521: its order leaves the top bit
    // clear.
    let integer = 2 + n + usize::from(n != 66);
    let length_bytes = if 2 * integer < 128 { 2 } else { 3 };
    length_bytes + 2 * integer
}

fn ecdh((curve, _, n, _, group): (&str, &str, usize, u16, u16)) -> Row {
    Row::new(format!("secp{}r1", &curve[2..]), Family::Ecdh, Kind::Agreement)
        .alias(Naming::Short, curve)
        .alias(Naming::WolfSsl, format!("ECC SECP{}R1", &curve[2..]))
        .tls(Standard, group)
        .agrees(1 + 2 * n, n, n)
}

/// Returns the row of an RFC 7919 group, given the size of its prime in bits and its number. The
/// private key has the length that Hasten's TLS implementation uses.
fn ffdhe((bits, group): (usize, u16)) -> Row {
    Row::new(format!("ffdhe{bits}"), Family::FiniteField, Kind::Agreement)
        .alias(Naming::WolfSsl, format!("FFDHE_{bits}"))
        .tls(Standard, group)
        .agrees(bits / 8, 32, bits / 8)
}

fn rsa(bits: usize) -> Row {
    Row::new(format!("RSA-{bits}"), Family::Rsa, Kind::Signature)
        .alias(Naming::WolfSsl, format!("RSA {bits}"))
        .signs(bits / 8, 0, bits / 8)
}

pub(super) fn rows() -> Vec<Row> {
    let ed25519 = Row::new("Ed25519", Family::Ed25519, Kind::Signature)
        .oid(Standard, "1.3.101.112")
        .tls(Standard, 0x0807)
        .signs(32, 32, 64);
    let x25519 = Row::new("X25519", Family::Ecdh, Kind::Agreement)
        .oid(Standard, "1.3.101.110")
        .tls(Standard, 29)
        .agrees(32, 32, 32);
    let mut rows = vec![ed25519];
    rows.extend(CURVES.map(ecdsa));
    rows.extend([2048, 3072, 4096].map(rsa));
    rows.push(x25519);
    rows.extend(CURVES.map(ecdh));
    rows.push(ffdhe((2048, 0x0100)));
    rows
}
