//! Meanings of a number: what it stands for now, and what it stood for earlier.

use super::all;
use super::row::{Era, Row};
use der::oid::ObjectIdentifier;

/// One meaning of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The algorithm.
    pub row: &'static Row,
    /// Who gave the number this meaning, and when.
    pub era: Era,
    /// A further sentence for the reader; may be empty.
    pub note: &'static str,
}

/// OIDs with another meaning earlier or elsewhere: OID, other algorithm, its era, explanation.
const OIDS_MOVED: [(&str, &str, Era, &str); 3] = [
    ("1.3.6.1.4.1.2.267.12.4.4", "Dilithium2", Era::OqsRound31, MOVED_DILITHIUM),
    ("1.3.6.1.4.1.2.267.12.6.5", "Dilithium3", Era::OqsRound31, MOVED_DILITHIUM),
    ("1.3.6.1.4.1.2.267.12.8.7", "Dilithium5", Era::OqsRound31, MOVED_DILITHIUM),
];

const MOVED_DILITHIUM: &str = "this number stood for round-3 Dilithium, then for drafts of ML-DSA: the bytes alone cannot say which";

/// Botan's OID for XMSS.
pub(crate) const BOTAN_XMSS: &str = "0.4.0.127.0.15.1.1.13.0";

/// OIDs of other products for keys that are supported here, and how these products wrap them.
const OIDS_VENDOR: [(&str, &str); 2] = [
    (BOTAN_XMSS, "Botan's number for XMSS: the key is wrapped in an OCTET STRING"),
    (
        "1.3.6.1.4.1.22554.2.2",
        "Bouncy Castle's older number for XMSS, with its own structure inside",
    ),
];

/// TLS numbers with another meaning elsewhere.
const TLS_MOVED: [(u16, &str); 1] =
    [(0x0200, "Open Quantum Safe gave this number to frodo640aes before IANA gave it to MLKEM512")];

/// Returns all meanings of an object identifier, current ones first.
pub fn oid_meanings(oid: &ObjectIdentifier) -> Vec<Meaning> {
    let mut found = numbered(|row| row.oids.iter().find(|(_, o)| o == oid).map(|(era, _)| *era));
    for (_, name, era, note) in OIDS_MOVED.iter().filter(|(o, ..)| is(oid, o)) {
        found.iter_mut().for_each(|meaning| meaning.note = note);
        found.extend(super::find(name).map(|row| Meaning { row, era: *era, note }));
    }
    found
}

/// Returns a sentence about an object identifier that only one product uses.
pub fn oid_of_vendor(oid: &ObjectIdentifier) -> Option<&'static str> {
    OIDS_VENDOR.iter().find(|(o, _)| is(oid, o)).map(|(_, note)| *note)
}

/// Returns all meanings of the number of a TLS group or signature scheme.
pub fn tls_meanings(number: u16) -> Vec<Meaning> {
    let mut found = numbered(|row| row.tls.iter().find(|(_, n)| *n == number).map(|(era, _)| *era));
    if let Some((_, note)) = TLS_MOVED.iter().find(|(n, _)| *n == number) {
        found.iter_mut().for_each(|meaning| meaning.note = note);
    }
    found
}

fn is(oid: &ObjectIdentifier, text: &str) -> bool {
    ObjectIdentifier::new(text).is_ok_and(|o| o == *oid)
}

fn numbered(era: impl Fn(&Row) -> Option<Era>) -> Vec<Meaning> {
    let meaning = |row| era(row).map(|era| Meaning { row, era, note: "" });
    all().iter().filter_map(meaning).collect()
}
