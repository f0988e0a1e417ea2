//! Raw keys and signatures of RFC 8391 and RFC 8554: what their numbers and lengths say.

use hasten_hbs::params::{SETS, Scheme, Set};

use crate::registry::{self, Family, Row};

/// One reading of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureReading {
    /// The set; for HSS the sets of all levels.
    pub name: String,
    /// Its family.
    pub family: Family,
    /// Number of the one-time key, counted over the whole key, so for HSS over all levels; `None`
    /// where 64 bits do not hold it, as eight levels of height 25 allow.
    pub index: Option<u64>,
    /// For HSS the index within its tree at each level, the top one first; otherwise none.
    pub level_indices: Vec<u32>,
}

impl SignatureReading {
    /// Counts the index over the whole key, as it stands in the signature.
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

/// Returns the XMSS or XMSS^MT set whose number begins `raw` and whose key size it has.
pub fn xmss_public(family: Family, raw: &[u8]) -> Option<&'static Row> {
    let number = be32(raw, 0)?.checked_sub(1)? as usize;
    rows_of(family).nth(number).filter(|row| row.sizes.public == raw.len())
}

/// Returns the set whose two typecodes stand at the front of `bytes`.
fn lms_set(bytes: &[u8]) -> Option<&'static Set> {
    Set::lms_by_types(bytes.first_chunk()?).ok()
}

/// Returns the set of a raw LMS public key (RFC 8554).
pub fn lms_public(raw: &[u8]) -> Option<&'static Row> {
    let set = lms_set(raw)?;
    let row = registry::find(set.name).ok()?;
    (raw.len() == set.public_key_bytes()).then_some(row)
}

/// Levels and top set of a raw HSS public key (RFC 8554).
pub fn hss_public(raw: &[u8]) -> Option<(u32, &'static Row)> {
    let levels = be32(raw, 0)?;
    let top = lms_public(raw.get(4..)?)?;
    (1..=8).contains(&levels).then_some((levels, top))
}

/// Returns every reading of `bytes` as a stateful signature.
pub fn signature_readings(bytes: &[u8]) -> Vec<SignatureReading> {
    let xmss = [Family::Xmss, Family::XmssMt].into_iter().flat_map(rows_of);
    let mut readings: Vec<_> = xmss.filter_map(|row| xmss_reading(row, bytes)).collect();
    readings.extend(lms_signature(bytes).filter(|lms| lms.rest.is_empty()).map(LmsPart::reading));
    readings.extend(hss_signature(bytes));
    readings
}

/// Decides by length, and by an index that lies inside the tree.
fn xmss_reading(row: &'static Row, bytes: &[u8]) -> Option<SignatureReading> {
    let head = if row.family == Family::Xmss { 4 } else { height(row)?.div_ceil(8) as usize };
    let index = bytes.get(..head)?.iter().fold(0, |index, byte| index << 8 | u64::from(*byte));
    let fits = bytes.len() == row.sizes.output && index < 1 << height(row)?;
    fits.then(|| SignatureReading::of_one(&row.name, row.family, index))
}

/// Returns the height that stands in an XMSS or XMSS^MT name.
fn height(row: &Row) -> Option<u32> {
    row.name.split(['_', '/']).nth(1)?.parse().ok()
}

/// An LMS signature (RFC 8554) at the front of some bytes, and what follows it.
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

/// Returns an HSS signature (RFC 8554): signed public keys, then the message's signature.
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

/// Returns the index over the whole key: each tree counts as many as it has leaves for one of the
/// tree above.
fn overall(levels: &[LmsPart<'_>]) -> Option<u64> {
    let add = |above: u64, level: &LmsPart<'_>| {
        above.checked_mul(level.set.capacity())?.checked_add(level.index.into())
    };
    levels.iter().try_fold(0, add)
}
