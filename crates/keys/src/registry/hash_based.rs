//! LMS, HSS, XMSS and XMSS^MT: the rows follow the counting of their registries.

use hasten_hbs::params::{SETS, Scheme};

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

/// Hash and n of RFC 8554 and RFC 9858, in the order of their registries.
const LM_HASHES: [(&str, usize); 4] =
    [("SHA256", 32), ("SHA256", 24), ("SHAKE", 32), ("SHAKE", 24)];
const LM_HEIGHTS: [usize; 5] = [5, 10, 15, 20, 25];
/// Winternitz width and chains for n = 32 and n = 24 (RFC 8554; RFC 9858).
const LM_WIDTHS: [(usize, usize, usize); 4] =
    [(1, 265, 200), (2, 133, 101), (4, 67, 51), (8, 34, 26)];

/// What a pair of type codes stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LmsShape {
    /// Bytes of a node, which are those of a chain.
    pub n: usize,
    pub h: usize,
    pub w: usize,
    /// Chains of one key.
    pub p: usize,
    pub hash: &'static str,
}

impl LmsShape {
    /// The set of an LMS type code and an LM-OTS type code, both of one hash and n.
    pub(crate) fn of(lms: u32, ots: u32) -> Option<Self> {
        let (tree, leaf) = (lms.checked_sub(5)? as usize, ots.checked_sub(1)? as usize);
        let (hash, n) = *LM_HASHES.get(tree / 5)?;
        let (w, p32, p24) = LM_WIDTHS[leaf % 4];
        let p = if n == 32 { p32 } else { p24 };
        (tree / 5 == leaf / 4).then_some(Self { n, h: LM_HEIGHTS[tree % 5], w, p, hash })
    }

    pub(crate) fn name(&self) -> String {
        let Self { n, h, w, hash, .. } = self;
        format!("LMS_{hash}_M{n}_H{h}/LMOTS_{hash}_N{n}_W{w}")
    }

    /// Bytes of a signature (RFC 8554).
    pub(crate) const fn signature(&self) -> usize {
        4 + (4 + self.n * (1 + self.p)) + 4 + self.n * self.h
    }

    /// Bytes of a public key (RFC 8554).
    pub(crate) const fn public(&self) -> usize {
        24 + self.n
    }
}

fn lms(shape: LmsShape) -> Row {
    let LmsShape { n, h, w, hash, .. } = shape;
    Row::new(shape.name(), Family::Lms, Kind::StatefulSignature)
        .alias(Naming::Short, format!("LMS_{hash}_M{n}_H{h}_W{w}"))
        .alias(Naming::FileSafe, format!("LMS_{hash}_M{n}_H{h}_LMOTS_{hash}_N{n}_W{w}"))
        .signs(shape.public(), 0, shape.signature())
        .seed(n)
}

fn lms_rows() -> impl Iterator<Item = Row> {
    let of_tree =
        |tree: u32| (0..4).filter_map(move |w| LmsShape::of(5 + tree, 1 + 4 * (tree / 5) + w));
    (0..20).flat_map(of_tree).map(lms)
}

pub(super) fn rows() -> Vec<Row> {
    let mt = FAMILIES.iter().flat_map(|(hash, bits)| LAYERS.map(|hd| xmss_mt(hash, *bits, hd)));
    let hss = Row::new("HSS", Family::Hss, Kind::StatefulSignature)
        .alias(Naming::Short, "HSS/LMS")
        .oid(Standard, HSS);
    xmss().chain(mt).chain(lms_rows()).chain([hss]).collect()
}
