//! Raw bytes without a container, identified by the numbers at the start, then by their length.

use hasten_hbs::{Set, params::DRAFT};

use super::{Finding, What, finding::BY_LENGTH};
use crate::{
    encoding::{self, PemBlock, hash_based, numbered_public},
    registry::{self, Family, Kind, Row},
};

/// Returns all readings. Readings by length are included only if no number inside gives a reading.
pub(super) fn readings(bytes: &[u8]) -> Vec<Finding> {
    let mut found: Vec<_> = numbered(bytes).into_iter().chain(signatures(bytes)).collect();
    if found.is_empty() {
        found = by_length(bytes);
    }
    if found.len() > 1 {
        found = found
            .into_iter()
            .map(|f| f.note("these bytes have more than one reading: --alg decides"))
            .collect();
    }
    found
}

/// Returns the finding for a block whose label names an algorithm.
pub(super) fn labelled(block: &PemBlock) -> Option<Finding> {
    let key = encoding::labelled(block)?;
    let finding = Finding::new(What::PublicKey, "raw").algorithm(&key.row.name);
    Some(finding.number("public_key_bytes", key.raw.len()).note(&draft(key.row)))
}

/// Returns a note that names the draft, if the set is from one.
pub(super) fn draft(row: &Row) -> String {
    let set = Set::named(&row.name).ok().filter(|set| set.draft);
    set.map_or(String::new(), |_| format!("draft: {DRAFT}"))
}

fn numbered(bytes: &[u8]) -> Vec<Finding> {
    let key = |row: &&'static Row| {
        let finding = Finding::new(What::PublicKey, encoding(row.family)).algorithm(&row.name);
        let finding = finding.number("public_key_bytes", bytes.len());
        match hash_based::hss_public(bytes) {
            Some((levels, top)) => {
                finding.number("levels", levels as usize).text("top_set", &top.name)
            }
            None => finding,
        }
    };
    let rows = numbered_public(bytes);
    let finding = rows.iter().map(key);
    let shared = rows.len() > 1;
    finding
        .map(|f| {
            if shared {
                f.note("XMSS and XMSS^MT count their sets from the same numbers")
            } else {
                f
            }
        })
        .collect()
}

fn encoding(family: Family) -> &'static str {
    match family {
        Family::Xmss | Family::XmssMt => "raw, RFC 8391",
        Family::Lms | Family::Hss => "raw, RFC 8554",
        _ => "raw",
    }
}

fn signatures(bytes: &[u8]) -> Vec<Finding> {
    let finding = |reading: hash_based::SignatureReading| {
        let finding = Finding::new(What::Signature, encoding(reading.family));
        indices(finding, &reading).algorithm(reading.name).number("signature_bytes", bytes.len())
    };
    hash_based::signature_readings(bytes).into_iter().map(finding).collect()
}

/// Adds the index in the whole key, and for HSS with several levels the index in each tree.
fn indices(mut finding: Finding, reading: &hash_based::SignatureReading) -> Finding {
    if let Some(index) = reading.index {
        finding = finding.number("index", index as usize);
    }
    match reading.level_indices.as_slice() {
        [] | [_] => finding,
        levels => finding.text("level_indices", &joined(levels)),
    }
}

fn joined(indices: &[u32]) -> String {
    let words: Vec<_> = indices.iter().map(u32::to_string).collect();
    words.join(", ")
}

fn by_length(bytes: &[u8]) -> Vec<Finding> {
    let no_state = |row: &&Row| row.kind != Kind::StatefulSignature || row.family == Family::SlhDsa;
    let rows = registry::all().iter().filter(no_state);
    rows.flat_map(|row| roles(row, bytes)).collect()
}

/// Returns a finding for every item of the row that has this length.
fn roles(row: &'static Row, bytes: &[u8]) -> Vec<Finding> {
    let (sizes, output) = (&row.sizes, output(row));
    let all = [
        (What::PublicKey, sizes.public),
        (What::PrivateKey, sizes.secret),
        (What::PrivateKey, sizes.seed),
        (output, if row.variable { 0 } else { sizes.output }),
    ];
    // FIPS 205 sets have keys of the same lengths as the sets with a signature limit, but not
    // signatures.
    let counts = row.kind == Kind::StatefulSignature;
    let fits = all.into_iter().filter(|(_, size)| *size == bytes.len() && *size > 0);
    let fits = fits.filter(|(what, _)| !counts || *what == What::Signature);
    fits.map(|(what, _)| by_length_alone(row, what, bytes.len())).collect()
}

fn output(row: &Row) -> What {
    match row.kind {
        Kind::Signature | Kind::StatefulSignature => What::Signature,
        _ => What::Ciphertext,
    }
}

fn by_length_alone(row: &Row, what: What, length: usize) -> Finding {
    let finding = Finding::new(what, "raw").algorithm(&row.name).number("bytes", length);
    finding.note(BY_LENGTH).note(&draft(row))
}
