//! Raw keys and signatures of RFC 8391 and RFC 8554, identified by their numbers and lengths.

use hasten_hbs::params::{SETS, Scheme, Set};

use crate::registry::{self, Family, Row};

/// One interpretation of some bytes as a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureReading {
    /// The parameter set; for HSS the sets of all levels.
    pub name: String,
    /// The family of the set.
    pub family: Family,
    /// The index of the one-time key in the whole key, for HSS over all levels. `None` if it does
    /// not fit into 64 bits, which eight levels of height 25 allow.
    pub index: Option<u64>,
    /// For HSS the index in the tree of each level, the top one first; otherwise empty.
    pub level_indices: Vec<u32>,
}

impl SignatureReading {
    /// Creates a reading with an index that already counts over the whole key.
    fn of_one(name: &str, family: Family, index: u64) -> Self {
        Self { name: name.into(), family, index: Some(index), level_indices: Vec::new() }
    }
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(word.try_into().ok()?))
}

fn rows_of(family: Family) -> impl Iterator<Item = &'static Row> {
    registry::all().iter().filter(move |row| row.family == family)
}

/// Returns the XMSS or XMSS^MT set that has the number at the start of `raw` and its key size.
pub fn xmss_public(family: Family, raw: &[u8]) -> Option<&'static Row> {
    let number = be32(raw, 0)?.checked_sub(1)? as usize;
    rows_of(family).nth(number).filter(|row| row.sizes.public == raw.len())
}

/// Returns the set of the two typecodes at the start of `bytes`.
fn lms_set(bytes: &[u8]) -> Option<&'static Set> {
    Set::lms_by_types(bytes.first_chunk()?).ok()
}

/// Returns the set of a raw LMS public key (RFC 8554).
pub fn lms_public(raw: &[u8]) -> Option<&'static Row> {
    let set = lms_set(raw)?;
    let row = registry::find(set.name).ok()?;
    (raw.len() == set.public_key_bytes()).then_some(row)
}

/// Returns the number of levels and the top set of a raw HSS public key (RFC 8554).
pub fn hss_public(raw: &[u8]) -> Option<(u32, &'static Row)> {
    let levels = be32(raw, 0)?;
    let top = lms_public(raw.get(4..)?)?;
    (1..=8).contains(&levels).then_some((levels, top))
}

/// Returns every interpretation of `bytes` as a stateful signature.
pub fn signature_readings(bytes: &[u8]) -> Vec<SignatureReading> {
    let xmss = [Family::Xmss, Family::XmssMt].into_iter().flat_map(rows_of);
    let mut readings: Vec<_> = xmss.filter_map(|row| xmss_reading(row, bytes)).collect();
    readings.extend(lms_signature(bytes).filter(|lms| lms.rest.is_empty()).map(LmsPart::reading));
    readings.extend(hss_signature(bytes));
    readings
}

/// Checks that the length is right and the index is within the tree.
fn xmss_reading(row: &'static Row, bytes: &[u8]) -> Option<SignatureReading> {
    let head = if row.family == Family::Xmss { 4 } else { height(row)?.div_ceil(8) as usize };
    let index = bytes.get(..head)?.iter().fold(0, |index, byte| index << 8 | u64::from(*byte));
    let fits = bytes.len() == row.sizes.output && index < 1 << height(row)?;
    fits.then(|| SignatureReading::of_one(&row.name, row.family, index))
}

/// Returns the tree height in the name of an XMSS or XMSS^MT set.
fn height(row: &Row) -> Option<u32> {
    row.name.split(['_', '/']).nth(1)?.parse().ok()
}

/// An LMS signature (RFC 8554) at the start of some bytes, and the bytes after it.
struct LmsPart<'b> {
    set: &'static Set,
    index: u32,
    rest: &'b [u8],
}

impl LmsPart<'_> {
    fn reading(self) -> SignatureReading {
        SignatureReading::of_one(self.set.name, Family::Lms, self.index.into())
    }
}

fn lms_signature(bytes: &[u8]) -> Option<LmsPart<'_>> {
    let (index, ots) = (be32(bytes, 0)?, be32(bytes, 4)?);
    let of_one_time_keys = |set: &&Set| set.scheme == Scheme::Lms { ots };
    let set = SETS.iter().filter(of_one_time_keys).find(|set| {
        let at = 8 + set.n + set.ots_bytes();
        be32(bytes, at) == Some(set.number.get())
    })?;
    let rest = bytes.get(set.signature_bytes()..)?;
    (u64::from(index) < set.capacity()).then_some(LmsPart { set, index, rest })
}

/// Parses an HSS signature (RFC 8554): signed public keys, then the signature of the message.
fn hss_signature(bytes: &[u8]) -> Option<SignatureReading> {
    let signed = be32(bytes, 0).filter(|signed| *signed < 8)?;
    let mut levels = vec![lms_signature(bytes.get(4..)?)?];
    for _ in 0..signed {
        let rest = levels.last()?.rest;
        let set = lms_set(rest)?;
        levels.push(lms_signature(rest.get(set.public_key_bytes()..)?)?);
    }
    let names: Vec<_> = levels.iter().map(|level| level.set.name).collect();
    let reading = SignatureReading {
        name: format!("HSS({})", names.join(",")),
        family: Family::Hss,
        index: overall(&levels),
        level_indices: levels.iter().map(|level| level.index).collect(),
    };
    levels.last()?.rest.is_empty().then_some(reading)
}

/// Returns the index in the whole key: one step of a tree counts as many indices as the tree below
/// has leaves.
fn overall(levels: &[LmsPart<'_>]) -> Option<u64> {
    let add = |above: u64, level: &LmsPart<'_>| {
        above.checked_mul(level.set.capacity())?.checked_add(level.index.into())
    };
    levels.iter().try_fold(0, add)
}
