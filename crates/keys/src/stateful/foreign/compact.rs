//! Private keys of LMS and HSS of hash-sigs, the reference code of the authors of RFC 8554 (LMS),
//! and of wolfSSL, which took over its form.
//!
//! The file has eight bytes of the next index, one for each of up to eight levels with the numbers
//! of LMS and LM-OTS, SEED of the highest tree, and its I: 64 bytes, and with n = 24, which wolfSSL
//! alone has, 56. hash-sigs writes it with its secret method 2, which is what it is built with. A
//! file of 48 bytes is of another method, and does not say of which: it is refused.

use hasten_hbs::Set;

use super::{
    Found, joined,
    top::{ID, Top},
};
use crate::{
    encoding::PublicKey,
    error::ForeignError::{self, OtherMethod, OtherPublic, Sets, Unknown},
};

/// Bytes of the next index.
const INDEX: usize = 8;
/// Bytes of the levels.
const LEVELS: usize = 8;
/// Stands behind the last level.
const END: u8 = 0xff;
/// Bytes of a private key of the secret methods 0 and 1 of hash-sigs.
const OLDER: usize = 48;

/// Reads the private key of a public key.
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

/// Returns the sets of these levels: those with the hash function and length of the highest tree.
fn sets(levels: &[u8], top: &Top<'_>) -> Result<Vec<&'static Set>, ForeignError> {
    let count = levels.iter().take_while(|level| **level != END).count();
    if count == 0 || levels[count..].iter().any(|level| *level != END) {
        return Err(Sets);
    }
    let row = |level: &u8| top.alike().find(|(set, ots)| code(set, *ots) == *level);
    levels[..count].iter().map(|level| row(level).map(|(set, _)| set).ok_or(Sets)).collect()
}

/// Returns the byte of a level: four bits of the typecode of LMS, then that of LM-OTS. It is that
/// of one set of a hash function and length, although the higher bits are not there.
fn code(set: &Set, ots: u32) -> u8 {
    ((set.number.get() << 4) + ots) as u8
}
