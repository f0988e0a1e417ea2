//! A check whether bytes can be a signature of a key at all. It precedes verification and needs no
//! message.
//!
//! Bytes with the length of the key's signatures fit, whatever their values are. A changed bit
//! therefore always leads to an invalid signature and never to another error. If the length follows
//! from numbers in the signature (the levels of HSS, the integers of ECDSA), one of these numbers
//! may be wrong.

use core::fmt;

use hasten_hbs::params::{SETS, Scheme, Set};

use crate::{
    encoding::{PublicKey, hash_based},
    form::{self, Form},
    registry::{Family, Row},
};

/// The reason why bytes cannot be a signature of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// There are no bytes.
    Empty,
    /// The bytes may be the beginning of a signature of the key, but end too early.
    Cut {
        /// Number of bytes.
        bytes: usize,
        /// Size in bytes of a signature of the key.
        of: usize,
        /// True if a signature of the key may also be longer.
        at_least: bool,
    },
    /// The bytes have a different length.
    Length {
        /// Number of bytes.
        bytes: usize,
        /// Size in bytes of a signature of the key.
        of: usize,
    },
    /// The bytes are a signature of another parameter set, whose name is given.
    OtherSet(String),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::Cut { bytes, of, at_least: false } => {
                write!(f, "cut short: {bytes} of {of} bytes")
            }
            Self::Cut { bytes, of, at_least: true } => {
                write!(f, "cut short: {bytes} of at least {of} bytes")
            }
            Self::Length { bytes, of } => {
                write!(f, "{bytes} bytes, where a signature of this key has {of}")
            }
            Self::OtherSet(name) => write!(f, "a signature of {name}"),
        }
    }
}

/// Checks that `signature` can be a signature of the key, in the form of the key.
///
/// ```
/// use hasten_keys::{encoding::PublicKey, fit::{Unfit, fit}, registry};
///
/// let key = PublicKey::new(registry::find("Ed25519")?, &[0; 32])?;
/// assert_eq!(fit(&key, &[1; 64]), Ok(()));
/// assert_eq!(fit(&key, &[]), Err(Unfit::Empty));
/// # Ok::<(), hasten_keys::Error>(())
/// ```
///
/// # Errors
/// The reason why it cannot.
pub fn fit(key: &PublicKey, signature: &[u8]) -> Result<(), Unfit> {
    if signature.is_empty() {
        return Err(Unfit::Empty);
    }
    let size = key.row.sizes.output;
    match key.row.family {
        Family::Hss if !form::is_one_level(key) => of_levels(key, signature),
        Family::Hss | Family::Lms => of_tree(key, signature, length(key).unwrap_or(size)),
        Family::Ecdsa => of_integers(key.row, signature),
        Family::Falcon => of_length(signature, shortest_of_falcon(key.row)..=size, true),
        _ => of_length(signature, size..=size, true),
    }
}

/// Returns the size in bytes of every signature of the key; `None` if it varies.
#[must_use]
pub fn length(key: &PublicKey) -> Option<usize> {
    let size = key.row.sizes.output;
    match key.row.family {
        Family::Hss if form::is_one_level(key) => {
            Some(key.tree().sizes.output + form::LEVELS_BYTES)
        }
        Family::Hss => None,
        _ => (!key.row.variable).then_some(size),
    }
}

/// Returns the other form of LMS if `signature` fits that form and not the form of the key.
pub fn other_form(key: &PublicKey, signature: &[u8]) -> Option<Form> {
    let other = match key.row.family {
        Family::Lms => Form::Hss,
        Family::Hss if form::is_one_level(key) => Form::Lms,
        _ => return None,
    };
    let bytes = form::in_form(key, signature, other).ok()?;
    let fits = fit(key, signature).is_err() && fit(key, &bytes).is_ok();
    let set = Set::named(&key.tree().name).ok()?;
    // A length that differs by four may also mean that bytes are missing or appended at the end.
    // The typecodes tell these cases apart.
    let [own, others] = match other {
        Form::Lms => [form::LEVELS_BYTES, 0],
        Form::Hss => [0, form::LEVELS_BYTES],
    };
    let is_other = typecodes(signature, others, set) > typecodes(signature, own, set);
    (fits && is_other).then_some(other)
}

/// Counts the typecodes of `set` at their positions in a one-tree signature that starts after
/// `front` bytes.
fn typecodes(signature: &[u8], front: usize, set: &Set) -> usize {
    let Scheme::Lms { ots } = set.scheme else { return 0 };
    let places = [(front + 4, ots), (front + 8 + set.n + set.ots_bytes(), set.number.get())];
    let is_there =
        |&&(at, code): &&(usize, u32)| signature.get(at..at + 4) == Some(&code.to_be_bytes());
    places.iter().filter(is_there).count()
}

/// Judges a signature by its length alone. `begins` is true if too few bytes can be the beginning
/// of a signature.
fn of_length(
    signature: &[u8],
    lengths: core::ops::RangeInclusive<usize>,
    begins: bool,
) -> Result<(), Unfit> {
    let (bytes, least, most) = (signature.len(), *lengths.start(), *lengths.end());
    match bytes {
        _ if lengths.contains(&bytes) => Ok(()),
        _ if bytes < least && begins => {
            Err(Unfit::Cut { bytes, of: least, at_least: least < most })
        }
        _ => Err(Unfit::Length { bytes, of: most }),
    }
}

/// Judges a signature of one LMS tree by its length, and by its two typecodes if both name the same
/// other set.
fn of_tree(key: &PublicKey, signature: &[u8], size: usize) -> Result<(), Unfit> {
    let front = size - key.tree().sizes.output;
    let set = Set::named(&key.tree().name).ok();
    let begins = set.is_none_or(|set| begins_as(signature, front, 0, set));
    of_length(signature, size..=size, begins)?;
    let readings = hash_based::signature_readings(signature);
    let reading = readings.into_iter().find(|reading| reading.family == key.row.family);
    let reading = reading.filter(|_| signature[..front].iter().all(|byte| *byte == 0));
    let other = reading.filter(|reading| !reading.name.contains(&*key.tree().name));
    other.map_or(Ok(()), |reading| Err(Unfit::OtherSet(reading.name)))
}

/// Returns true if the number of signed keys or the one-time typecode at the front of a signature
/// is the one that `set` requires, or if the signature is too short to hold either.
fn begins_as(signature: &[u8], front: usize, signed_keys: u32, set: &Set) -> bool {
    let Scheme::Lms { ots } = set.scheme else { return true };
    let agrees = |(at, number): (usize, u32)| {
        let given = signature.get(at..).unwrap_or_default();
        let given = &given[..given.len().min(4)];
        (!given.is_empty()).then(|| number.to_be_bytes().starts_with(given))
    };
    let places = [Some((0, signed_keys)).filter(|_| front > 0), Some((front + 4, ots))];
    let mut told = places.into_iter().flatten().filter_map(agrees).peekable();
    told.peek().is_none() || told.any(|right| right)
}

/// Judges a signature of HSS with several levels. The public key gives the number of levels and the
/// set of the highest level. The signature names each lower set four times; three of the four
/// suffice.
fn of_levels(key: &PublicKey, signature: &[u8]) -> Result<(), Unfit> {
    let Some((levels, top)) = hash_based::hss_public(&key.raw) else { return Ok(()) };
    let Ok(top) = Set::named(&top.name) else { return Ok(()) };
    let bytes = signature.len();
    let front = form::LEVELS_BYTES;
    let mut lengths = Vec::new();
    ends(signature, front, levels, top, &mut lengths);
    let longer = lengths.iter().filter(|length| **length > bytes).min();
    let begins = begins_as(signature, front, levels - 1, top);
    match (lengths.contains(&bytes), longer, lengths.iter().max()) {
        (true, _, _) => Ok(()),
        (false, Some(least), _) if begins => {
            Err(Unfit::Cut { bytes, of: *least, at_least: lengths.len() > 1 })
        }
        // No lower level can be read. The highest set is the key's, so the numbers below it are
        // wrong.
        (false, None, None) if begins => Ok(()),
        (false, _, most) => Err(Unfit::Length { bytes, of: most.map_or(0, |most| *most) }),
    }
}

/// Collects the possible ends of a signature. Its tree of `set` begins at `at`; `levels` levels are
/// left from there.
fn ends(signature: &[u8], at: usize, levels: u32, set: &'static Set, into: &mut Vec<usize>) {
    let end = at + set.signature_bytes();
    if levels <= 1 {
        if !into.contains(&end) {
            into.push(end);
        }
        return;
    }
    for below in lms_sets().filter(|below| is_named(signature, end, below)) {
        ends(signature, end + below.public_key_bytes(), levels - 1, below, into);
    }
}

fn lms_sets() -> impl Iterator<Item = &'static Set> {
    SETS.iter().filter(|set| matches!(set.scheme, Scheme::Lms { .. }))
}

/// Returns true if at least three of the four typecodes of a level name `set`: two in its public
/// key at `at`, two in the signature that follows. A typecode that is cut off counts as correct.
fn is_named(signature: &[u8], at: usize, set: &Set) -> bool {
    let Scheme::Lms { ots } = set.scheme else { return false };
    let behind = at + set.public_key_bytes();
    let lms = set.number.get();
    let codes =
        [(at, lms), (at + 4, ots), (behind + 4, ots), (behind + 8 + set.n + set.ots_bytes(), lms)];
    let is_right = |&(at, code): &(usize, u32)| {
        signature.get(at..at + 4).is_none_or(|given| given == code.to_be_bytes())
    };
    codes.iter().filter(|code| is_right(code)).count() >= 3
}

/// Judges an ECDSA signature: two integers in DER. Its end follows both from the lengths of the
/// integers and from the outer length; one of the two may be wrong.
fn of_integers(row: &Row, signature: &[u8]) -> Result<(), Unfit> {
    let (bytes, most) = (signature.len(), row.sizes.output);
    let byte = |at: usize| signature.get(at).map(|byte| usize::from(*byte));
    let outer = match byte(1) {
        Some(0x81) => byte(2).map(|length| 3 + length),
        length => length.filter(|length| *length < 0x80).map(|length| 2 + length),
    };
    let inner = || {
        let first = if byte(2) == Some(2) { 2 } else { 3 };
        let second = first + 2 + byte(first + 1)?;
        Some(second + 2 + byte(second + 1)?)
    };
    if bytes <= most && [outer, inner()].contains(&Some(bytes)) {
        return Ok(());
    }
    match outer.filter(|end| *end <= most && signature[0] == 0x30) {
        Some(end) if bytes < end => Err(Unfit::Cut { bytes, of: end, at_least: false }),
        Some(end) => Err(Unfit::Length { bytes, of: end }),
        None if bytes < 2 => Err(Unfit::Cut { bytes, of: most, at_least: false }),
        None => Err(Unfit::Length { bytes, of: most }),
    }
}

/// Returns the minimum size in bytes of a Falcon signature: head, salt and coefficients of at least
/// nine bits. The degree follows from the length of the public key.
fn shortest_of_falcon(row: &Row) -> usize {
    let coefficients = if row.sizes.public > 1000 { 1024 } else { 512 };
    1 + 40 + coefficients * 9 / 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn key(name: &str, raw: &[u8]) -> PublicKey {
        PublicKey { row: registry::find(name).expect("a row"), raw: raw.to_vec() }
    }

    /// Returns an HSS key with these levels and a signature that is well-formed but not valid.
    fn hss(names: &[&str]) -> (PublicKey, Vec<u8>) {
        let sets: Vec<_> = names.iter().map(|name| Set::named(name).expect("a set")).collect();
        let public = |set: &Set| {
            let Scheme::Lms { ots } = set.scheme else { panic!("a set of LMS") };
            let mut raw = vec![7; set.public_key_bytes()];
            raw[..4].copy_from_slice(&set.number.get().to_be_bytes());
            raw[4..8].copy_from_slice(&ots.to_be_bytes());
            raw
        };
        let signed = |set: &Set| {
            let Scheme::Lms { ots } = set.scheme else { panic!("a set of LMS") };
            let mut bytes = vec![9; set.signature_bytes()];
            bytes[..4].fill(0);
            bytes[4..8].copy_from_slice(&ots.to_be_bytes());
            let at = 8 + set.n + set.ots_bytes();
            bytes[at..at + 4].copy_from_slice(&set.number.get().to_be_bytes());
            bytes
        };
        let mut signature = (sets.len() as u32 - 1).to_be_bytes().to_vec();
        for (level, set) in sets.iter().enumerate() {
            if level > 0 {
                signature.extend(public(set));
            }
            signature.extend(signed(set));
        }
        let raw = [&(sets.len() as u32).to_be_bytes()[..], &public(sets[0])].concat();
        (key("HSS", &raw), signature)
    }

    const LEVELS: [&[&str]; 4] = [
        &["LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8"],
        &["LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4", "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4"],
        &["LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8", "LMS_SHAKE_M24_H10/LMOTS_SHAKE_N24_W4"],
        &[
            "LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8",
            "LMS_SHA256_M24_H10/LMOTS_SHA256_N24_W4",
            "LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8",
        ],
    ];

    #[test]
    fn every_bit_of_a_signature_may_be_wrong() {
        for names in LEVELS {
            let (key, signature) = hss(names);
            assert_eq!(fit(&key, &signature), Ok(()), "{names:?}");
            for bit in 0..signature.len() * 8 {
                let mut changed = signature.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(fit(&key, &changed), Ok(()), "{names:?}, bit {bit}");
            }
        }
    }

    #[test]
    fn every_cut_is_one_and_so_is_every_addition() {
        for names in LEVELS {
            let (key, signature) = hss(names);
            assert_eq!(fit(&key, &[]), Err(Unfit::Empty));
            for length in 1..signature.len() {
                let cut = fit(&key, &signature[..length]);
                let is_cut = matches!(cut, Err(Unfit::Cut { bytes, .. }) if bytes == length);
                assert!(is_cut, "{names:?}, {length}: {cut:?}");
            }
            for more in [1, 4, 100] {
                let long = [&signature[..], &vec![0; more]].concat();
                let other = fit(&key, &long);
                assert!(matches!(other, Err(Unfit::Length { .. })), "{names:?}: {other:?}");
            }
        }
    }

    #[test]
    fn other_sets_of_one_length_are_named() {
        let (key, _) = hss(&["LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8"]);
        let (_, other) = hss(&["LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W8"]);
        let unfit = fit(&key, &other).expect_err("another set");
        assert!(unfit.to_string().contains("LMS_SHAKE_M24_H5"), "{unfit}");
    }

    #[test]
    fn the_other_form_of_a_tree_is_found() {
        let (key, signature) = hss(LEVELS[0]);
        assert_eq!(other_form(&key, &signature), None);
        assert_eq!(other_form(&key, &signature[4..]), Some(Form::Lms));
        let bare = crate::encoding::read_public(&key.raw[4..], None).expect("a key of LMS");
        assert_eq!(other_form(&bare, &signature), Some(Form::Hss));
        assert_eq!(other_form(&bare, &signature[4..]), None);
        assert_eq!(other_form(&key, &signature[..signature.len() - 4]), None, "cut");
        assert_eq!(other_form(&bare, &[&signature[4..], &[0; 4]].concat()), None, "longer");
        let (levels, signature) = hss(LEVELS[1]);
        assert_eq!(other_form(&levels, &signature[4..]), None);
    }

    /// Returns an ECDSA signature that is well-formed but not valid, with integers of these
    /// lengths.
    fn ecdsa(first: usize, second: usize) -> Vec<u8> {
        let integer = |length: usize| [vec![2, length as u8], vec![0x55; length]].concat();
        let both = [integer(first), integer(second)].concat();
        let head = if both.len() < 0x80 { vec![0x30] } else { vec![0x30, 0x81] };
        [head, vec![both.len() as u8], both].concat()
    }

    #[test]
    fn signatures_of_ecdsa_say_their_length_twice() {
        for (name, n) in [("ECDSA-P-256", 32), ("ECDSA-P-384", 48), ("ECDSA-P-521", 66)] {
            let key = key(name, &vec![4; 2 * n + 1]);
            for (first, second) in [(n, n), (n - 1, n), (n, n - 2), (5, n)] {
                let signature = ecdsa(first, second);
                assert_eq!(fit(&key, &signature), Ok(()), "{name} {first} {second}");
                for bit in 0..signature.len() * 8 {
                    let mut changed = signature.clone();
                    changed[bit / 8] ^= 1 << (bit % 8);
                    assert_eq!(fit(&key, &changed), Ok(()), "{name} {first}, bit {bit}");
                }
                for length in 1..signature.len() {
                    assert!(fit(&key, &signature[..length]).is_err(), "{name}: {length}");
                }
                assert!(fit(&key, &[&signature[..], &[0]].concat()).is_err(), "{name}");
            }
            assert!(fit(&key, &vec![0x55; 2 * n]).is_err(), "{name}: both integers alone");
        }
    }

    #[test]
    fn other_families_by_their_length() {
        for row in registry::all() {
            if [Family::Hss, Family::Ecdsa, Family::Falcon, Family::Lms].contains(&row.family)
                || row.sizes.output == 0
            {
                continue;
            }
            let (key, size) = (PublicKey { row, raw: Vec::new() }, row.sizes.output);
            let bytes = vec![3; size + 1];
            assert_eq!(fit(&key, &bytes[..size]), Ok(()), "{}", row.name);
            let cut = Unfit::Cut { bytes: size - 1, of: size, at_least: false };
            assert_eq!(fit(&key, &bytes[1..size]), Err(cut), "{}", row.name);
            let long = Unfit::Length { bytes: size + 1, of: size };
            assert_eq!(fit(&key, &bytes), Err(long), "{}", row.name);
        }
    }
}
