//! LMS, HSS, XMSS and XMSS^MT: the rows follow the counting of their registries.

use hasten_hbs::params::{SETS, Scheme, Set};

use super::row::{Era::Standard, Family, Kind, Naming, Row};

/// HSS (RFC 9802; the number is RFC 9708's).
pub(crate) const HSS: &str = "1.2.840.113549.1.9.16.3.17";
/// XMSS (RFC 9802).
pub(crate) const XMSS: &str = "1.3.6.1.5.5.7.6.34";
/// XMSS^MT (RFC 9802).
pub(crate) const XMSS_MT: &str = "1.3.6.1.5.5.7.6.35";

/// Hash name, its bits in the set's name, n: in the order of the IANA registry for
/// XMSS^MT (RFC 8391; SP 800-208, section 5 (eXtended Merkle Signature Scheme (XMSS) Parameter Sets)).
const FAMILIES: [(&str, usize); 7] = [
    ("SHA2", 256),
    ("SHA2", 512),
    ("SHAKE", 256),
    ("SHAKE", 512),
    ("SHA2", 192),
    ("SHAKE256", 256),
    ("SHAKE256", 192),
];

/// Chains of a WOTS+ key with w = 16 (RFC 8391, section 3.1.1 (WOTS+ Parameters)).
const fn chains(n: usize) -> usize {
    2 * n + 3
}

const LAYERS: [(usize, usize); 8] =
    [(20, 2), (20, 4), (40, 2), (40, 4), (40, 8), (60, 3), (60, 6), (60, 12)];

/// The rows whose parameters `hasten-hbs` knows, in the order of their numbers.
fn xmss() -> impl Iterator<Item = Row> {
    let sets = SETS.iter().filter(|set| set.scheme == Scheme::Xmss);
    sets.map(|set| {
        Row::new(set.name, Family::Xmss, Kind::StatefulSignature)
            .oid(Standard, XMSS)
            .signs(set.public_key_bytes(), 4 * set.n + 4, set.signature_bytes())
            .seed(set.seed_bytes())
    })
}

fn xmss_mt(hash: &str, bits: usize, (h, d): (usize, usize)) -> Row {
    let n = bits / 8;
    Row::new(format!("XMSSMT-{hash}_{h}/{d}_{bits}"), Family::XmssMt, Kind::StatefulSignature)
        .alias(Naming::FileSafe, format!("XMSSMT-{hash}_{h}_{d}_{bits}"))
        .oid(Standard, XMSS_MT)
        .signs(4 + 2 * n, 4 * n + h.div_ceil(8), h.div_ceil(8) + n * (1 + h + d * chains(n)))
        .seed(3 * n)
}

/// One LMS row; its names besides the standard's pair of names.
fn lms(set: &Set) -> Row {
    let (tree, leaf) = set.name.split_once('/').unwrap_or((set.name, ""));
    let width = leaf.rsplit_once('_').map_or("", |(_, width)| width);
    Row::new(set.name, Family::Lms, Kind::StatefulSignature)
        .alias(Naming::Short, format!("{tree}_{width}"))
        .alias(Naming::FileSafe, format!("{tree}_{leaf}"))
        .signs(set.public_key_bytes(), 0, set.signature_bytes())
        .seed(set.seed_bytes())
}

fn lms_rows() -> impl Iterator<Item = Row> {
    SETS.iter().filter(|set| matches!(set.scheme, Scheme::Lms { .. })).map(lms)
}

pub(super) fn rows() -> Vec<Row> {
    let mt = FAMILIES.iter().flat_map(|(hash, bits)| LAYERS.map(|hd| xmss_mt(hash, *bits, hd)));
    let hss = Row::new("HSS", Family::Hss, Kind::StatefulSignature)
        .alias(Naming::Short, "HSS/LMS")
        .oid(Standard, HSS);
    xmss().chain(mt).chain(lms_rows()).chain([hss]).collect()
}
