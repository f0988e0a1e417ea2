//! Public keys from any supported encoding.

use hasten_hbs::Set;

use zeroize::Zeroizing;

use super::{PemBlock, decode_spki, encode_spki, hash_based, pem_blocks, to_pem};
use crate::{
    Error,
    registry::{self, Family, Kind, Row},
};

/// A public key as the raw bytes of its standard, with its algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The algorithm.
    pub row: &'static Row,
    /// For RSA the DER of RSAPublicKey (RFC 8017), for all other algorithms the raw key.
    pub raw: Vec<u8>,
}

impl PublicKey {
    /// Creates a key of the given algorithm.
    ///
    /// # Errors
    /// `KeySize` if keys of the algorithm have another size.
    pub fn new(row: &'static Row, raw: &[u8]) -> Result<Self, Error> {
        let fits = row.sizes.public == raw.len() || row.sizes.public == 0;
        if fits { Ok(Self { row, raw: raw.to_vec() }) } else { Err(Error::KeySize) }
    }
}

/// Returns a public key from PEM, DER or raw bytes. `named` decides if the bytes are ambiguous.
///
/// # Errors
/// `Ambiguous` if raw bytes fit several algorithms and none is named, `WrongAlgorithm` if the file
/// contains another algorithm than the named one, `NotAKey` and `KeySize` if nothing fits.
pub fn read_public(bytes: &[u8], named: Option<&str>) -> Result<PublicKey, Error> {
    let named = named.map(registry::find).transpose()?;
    let blocks = pem_blocks(bytes);
    if let Some(key) = blocks.iter().find_map(labelled) {
        let fits = |row| is_of(row, key.row, &key.raw);
        return if named.is_none_or(fits) { Ok(key) } else { Err(Error::WrongAlgorithm) };
    }
    let block = blocks.iter().find(|block| block.label == "PUBLIC KEY");
    let der = block.map_or(bytes, |block| block.der.as_slice());
    match (decode_spki(der), named) {
        (Ok(key), Some(row)) if !is_of(row, key.row, &key.raw) => Err(Error::WrongAlgorithm),
        (Ok(key), _) => Ok(key),
        (Err(error), _) if block.is_some() => Err(error),
        (Err(_), Some(row)) => named_public(row, bytes),
        (Err(_), None) => raw_public(bytes),
    }
}

/// Returns every public key in a file: those of its PEM blocks in order, or the only one, as
/// [`read_public`] reads it.
///
/// # Errors
/// As [`read_public`]; `NotAKey` if one of several blocks contains no key.
pub fn read_publics(bytes: &[u8]) -> Result<Vec<PublicKey>, Error> {
    let is_begin = |line: &&[u8]| line.starts_with(BEGIN) && line.trim_ascii_end().ends_with(BEGUN);
    let begun = bytes.split(|byte| *byte == b'\n').filter(is_begin).count();
    if begun < 2 {
        return Ok(vec![read_public(bytes, None)?]);
    }
    let blocks = pem_blocks(bytes);
    let blocks: Vec<_> = blocks.iter().filter(|block| block.label.ends_with(PUBLIC)).collect();
    if blocks.len() != begun {
        return Err(Error::NotAKey);
    }
    blocks
        .into_iter()
        .map(|block| labelled(block).map_or_else(|| decode_spki(&block.der), Ok))
        .collect()
}

/// Suffix of the label of every block with a public key, and the parts of the line that begins it.
const PUBLIC: &str = "PUBLIC KEY";
const BEGIN: &[u8] = b"-----BEGIN ";
const BEGUN: &[u8] = b"PUBLIC KEY-----";

/// Returns the key of a block whose label names the algorithm.
pub(crate) fn labelled(block: &PemBlock) -> Option<PublicKey> {
    let name = block.label.strip_suffix(LABEL)?.replace(' ', "-");
    let row = registry::find(&name).ok()?;
    PublicKey::new(row, &block.der).ok().filter(|_| has_no_identifier(row))
}

/// Suffix of a label that begins with the algorithm, with spaces instead of hyphens.
const LABEL: &str = " PUBLIC KEY";

/// Returns true if the algorithm has no object identifier yet: the sets of draft SP 800-230.
fn has_no_identifier(row: &Row) -> bool {
    row.family == Family::SlhDsa && row.oid_now().is_none()
}

/// Returns a public key in PEM as SubjectPublicKeyInfo. If its algorithm has no object identifier,
/// the block contains the raw bytes, and its label names the algorithm.
///
/// # Errors
/// As [`encode_spki`].
pub fn public_to_pem(key: &PublicKey) -> Result<Zeroizing<String>, Error> {
    match has_no_identifier(key.row) {
        true => to_pem(&format!("{}{LABEL}", key.row.name.replace('-', " ")), &key.raw),
        false => to_pem("PUBLIC KEY", &encode_spki(key)?),
    }
}

/// Returns a raw key of a named algorithm. If the bytes begin with an algorithm number, it must
/// match.
fn named_public(row: &'static Row, bytes: &[u8]) -> Result<PublicKey, Error> {
    let stateful = row.kind == Kind::StatefulSignature && row.family != Family::SlhDsa;
    let found = numbered_public(bytes).into_iter().find(|found| is_of(row, found, bytes));
    match found {
        None if stateful => Err(Error::WrongAlgorithm),
        found => PublicKey::new(found.unwrap_or(row), bytes),
    }
}

/// Returns true if a raw key of `found` can be one of `row`. If `row` is an HSS set, the key must
/// have its number of levels and its highest level.
pub(super) fn is_of(row: &'static Row, found: &'static Row, raw: &[u8]) -> bool {
    let of_levels = || {
        let (levels, top) = hash_based::hss_public(raw)?;
        let set = Set::named(&row.name).ok()?;
        Some(set.d == levels && set.levels()[0].name == top.name)
    };
    let named = row.family == Family::Hss && found.family == Family::Hss;
    row == found || (named && of_levels().unwrap_or(false))
}

fn raw_public(bytes: &[u8]) -> Result<PublicKey, Error> {
    match raw_fits(bytes)[..] {
        [] => Err(Error::NotAKey),
        [row] => PublicKey::new(row, bytes),
        _ => Err(Error::Ambiguous),
    }
}

/// Returns every algorithm whose raw public key these bytes can be: those whose number is at the
/// start or, if there is none, those with keys of this size.
pub fn raw_fits(bytes: &[u8]) -> Vec<&'static Row> {
    let numbered = numbered_public(bytes);
    let stateful = |row: &&Row| row.kind == Kind::StatefulSignature;
    let sized =
        registry::all().iter().filter(|row| row.sizes.public == bytes.len() && !stateful(row));
    if numbered.is_empty() { sized.collect() } else { numbered }
}

/// Returns every stateful scheme whose public key these bytes can be, judging by the leading
/// numbers.
pub fn numbered_public(bytes: &[u8]) -> Vec<&'static Row> {
    let xmss = [Family::Xmss, Family::XmssMt].map(|family| hash_based::xmss_public(family, bytes));
    let hss = hash_based::hss_public(bytes).and_then(|_| registry::find("HSS").ok());
    xmss.into_iter().chain([hss, hash_based::lms_public(bytes)]).flatten().collect()
}
