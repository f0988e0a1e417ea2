//! Private LMS and HSS keys of hash-sigs, the reference code of the authors of RFC 8554 (LMS), and
//! of wolfSSL, which uses the same format.
//!
//! The file contains the next index (eight bytes), one byte with the LMS and LM-OTS numbers for
//! each of up to eight levels, and SEED and I of the highest tree. It has 64 bytes, or 56 with n =
//! 24, which only wolfSSL supports. hash-sigs writes this format with its secret method 2, the
//! default of its build. A file of 48 bytes is of one of the other methods, which cannot be told
//! apart, and is refused.

use hasten_hbs::Set;

use super::{
    Found, joined,
    top::{ID, Top},
};
use crate::{
    encoding::PublicKey,
    error::ForeignError::{self, OtherMethod, OtherPublic, Sets, Unknown},
};

/// Size of the next index in bytes.
const INDEX: usize = 8;
/// Size of the levels in bytes.
const LEVELS: usize = 8;
/// Marks the unused bytes after the last level.
const END: u8 = 0xff;
/// Size in bytes of a private key of the secret methods 0 and 1 of hash-sigs.
const OLDER: usize = 48;

/// Parses the private key of a public key.
pub(super) fn read(private: &[u8], public: &PublicKey) -> Result<Found, ForeignError> {
    if private.len() == OLDER {
        return Err(OtherMethod);
    }
    let top = Top::of(public)?;
    if private.len() != INDEX + LEVELS + top.set.n + ID {
        return Err(Unknown);
    }
    let (next, rest) = private.split_first_chunk().ok_or(Unknown)?;
    let (levels, secret) = rest.split_at(LEVELS);
    let set = top.over(&sets(levels, &top)?)?;
    let (seed, id) = secret.split_at(top.set.n);
    if id != top.id {
        return Err(OtherPublic);
    }
    Ok(Found { set, seed: joined(&[id, seed]), next: u64::from_be_bytes(*next) })
}

/// Returns the sets of these levels, all with the hash function and length of the highest tree.
fn sets(levels: &[u8], top: &Top<'_>) -> Result<Vec<&'static Set>, ForeignError> {
    let count = levels.iter().take_while(|level| **level != END).count();
    if count == 0 || levels[count..].iter().any(|level| *level != END) {
        return Err(Sets);
    }
    let row = |level: &u8| top.alike().find(|(set, ots)| code(set, *ots) == *level);
    levels[..count].iter().map(|level| row(level).map(|(set, _)| set).ok_or(Sets)).collect()
}

/// Returns the byte of a level: the low four bits of the LMS typecode, then the LM-OTS typecode. It
/// is unique among the sets with one hash function and length, although the higher bits are
/// missing.
fn code(set: &Set, ots: u32) -> u8 {
    ((set.number.get() << 4) + ots) as u8
}
