//! SLH-DSA (FIPS 205) and the SPHINCS+ submissions it came from.
//!
//! A set and its ancestor have the same sizes but different outputs. Round 3.1 changed the
//! addresses; FIPS 205 changed the order of the FORS indices and the prefix of the message.

use hasten_hbs::{Set, params::SETS};

use super::row::{Era, Family, Kind, Naming, Row};

/// A row of FIPS 205, table 2 (SLH-DSA parameter sets), with the numbers for both hash families.
struct Shape {
    /// Security level in bits, and `s` or `f`.
    name: &'static str,
    /// Level and variant in wolfSSL's name.
    wolfssl: &'static str,
    /// Arcs below 1.3.9999.6: those of SHA-2 and SHAKE, then the last arc in round 3 and in round
    /// 3.1.
    oqs: ([u8; 2], u8, u8),
}

const SHAPES: [Shape; 6] = [
    Shape { name: "128s", wolfssl: "SMALL_LEVEL1", oqs: ([4, 7], 10, 16) },
    Shape { name: "128f", wolfssl: "FAST_LEVEL1", oqs: ([4, 7], 4, 13) },
    Shape { name: "192s", wolfssl: "SMALL_LEVEL3", oqs: ([5, 8], 7, 12) },
    Shape { name: "192f", wolfssl: "FAST_LEVEL3", oqs: ([5, 8], 3, 10) },
    Shape { name: "256s", wolfssl: "SMALL_LEVEL5", oqs: ([6, 9], 7, 12) },
    Shape { name: "256f", wolfssl: "FAST_LEVEL5", oqs: ([6, 9], 3, 10) },
];

/// The names of the hash families in FIPS 205 and in the round-3 submission.
const HASHES: [(&str, &str); 2] = [("SHA2", "SHA256"), ("SHAKE", "SHAKE256")];

/// Returns the name in FIPS 205, table 2 (SLH-DSA parameter sets).
fn standard_name(hash: usize, shape: &Shape) -> String {
    format!("SLH-DSA-{}-{}", HASHES[hash].0, shape.name)
}

/// A set of FIPS 205. OIDs count up from ...3.20 (RFC 9909), TLS schemes from 0x0911
/// (draft-reddy-tls-slhdsa).
fn standard(hash: usize, i: usize) -> Row {
    let (shape, number) = (&SHAPES[i], 6 * hash + i);
    Row::new(standard_name(hash, shape), Family::SlhDsa, Kind::Signature)
        .alias(
            Naming::Liboqs,
            format!("SLH_DSA_PURE_{}_{}", HASHES[hash].0, shape.name.to_uppercase()),
        )
        .oid(Era::Standard, &format!("2.16.840.1.101.3.4.3.{}", 20 + number))
        .tls(Era::Draft, 0x0911 + number as u16)
        .sized(hash, shape)
}

impl Row {
    /// Adds the sizes of the FIPS 205 set, which its ancestor has too.
    fn sized(self, hash: usize, shape: &Shape) -> Self {
        match Set::named(&standard_name(hash, shape)) {
            Ok(set) => self
                .signs(set.public_key_bytes(), 4 * set.n, set.signature_bytes())
                .seed(set.seed_bytes()),
            Err(_) => self,
        }
    }
}

fn ancestor(hash: usize, shape: &Shape) -> Row {
    let (nodes, round3, round31) = shape.oqs;
    let row = Row::new(
        format!("SPHINCS+-{}-{}-simple", HASHES[hash].1, shape.name),
        Family::SphincsPlus,
        Kind::Signature,
    )
    .alias(Naming::Liboqs, format!("SPHINCS+-{}-{}-simple", HASHES[hash].0, shape.name))
    .oid(Era::OqsRound31, &format!("1.3.9999.6.{}.{round31}", nodes[hash]))
    .oid(Era::OqsRound3, &format!("1.3.9999.6.{}.{round3}", nodes[hash]))
    .sized(hash, shape)
    .followed_by(standard_name(hash, shape));
    if hash == 1 { row.alias(Naming::WolfSsl, format!("SPHINCS_{}", shape.wolfssl)) } else { row }
}

pub(super) fn rows() -> Vec<Row> {
    let pairs = || (0..12).map(|k| (k / 6, k % 6));
    let standard = pairs().map(|(hash, i)| standard(hash, i));
    let ancestors = pairs().map(|(hash, i)| ancestor(hash, &SHAPES[i]));
    standard.chain(limited()).chain(ancestors).collect()
}

/// Returns the sets with a signature limit. The draft SP 800-230 gives them no object identifiers.
/// Their keys count signatures, so they have a state.
fn limited() -> impl Iterator<Item = Row> {
    let sets = SETS.iter();
    #[cfg(feature = "toy")]
    let sets = sets.chain(hasten_hbs::params::TOYS);
    sets.filter(|set| set.limit.is_some()).map(|set| {
        Row::new(set.name, Family::SlhDsa, Kind::StatefulSignature)
            .signs(set.public_key_bytes(), 4 * set.n, set.signature_bytes())
            .seed(set.seed_bytes())
    })
}
