//! Private keys that another program has made and used: hash-sigs, the reference code of the
//! authors of RFC 8554 (LMS).
//!
//! Its file has 64 bytes with its secret method 2, which is what it is built with: eight bytes of
//! the next index, one for each of up to eight levels with the numbers of LMS and LM-OTS, SEED of
//! the highest tree, and its I. The seeds below come from these as they do here (`hss`), so a
//! signature here is, byte for byte, the one that hash-sigs would have made with that index. A file
//! of 48 bytes is of another method, and does not say of which: it is refused.
//!
//! The index in the file is that of one copy. How far the key was really used only its owner knows,
//! who names the highest index used; a margin is given up behind it.

use std::path::Path;

use hasten_hbs::Set;
use hasten_store::{NewKey, Options, Store, StoreError};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{blob, digest_of};
use crate::{
    Error, encoding,
    error::ForeignError::{
        self, NothingLeft, OtherMethod, OtherPublic, Sets, Unknown, UsedFurther,
    },
};

/// Bytes of a private key of hash-sigs: index, levels, SEED, I.
const PRIVATE: usize = 8 + LEVELS + SEED + ID;
const LEVELS: usize = 8;
const SEED: usize = 32;
const ID: usize = 16;
/// Bytes of a private key of its secret methods 0 and 1.
const OLDER: usize = 48;
/// Stands behind the last level.
const END: u8 = 0xff;

/// A private key of another program, and its public key. Not `Clone`, and without `Debug`.
pub struct Foreign {
    pub(super) set: &'static Set,
    /// I and SEED of the highest tree.
    pub(super) seed: Zeroizing<Vec<u8>>,
    /// The digest of the public key, to which the store is bound.
    pub(super) public: [u8; 32],
    next: u64,
}

impl Foreign {
    /// Reads a private key of hash-sigs, and the public key that belongs to it.
    ///
    /// # Errors
    /// `Foreign` with the reason; the errors of [`encoding::read_public`].
    pub fn read(private: &[u8], public: &[u8]) -> Result<Self, Error> {
        if private.len() == OLDER {
            return Err(OtherMethod.into());
        }
        let private: &[u8; PRIVATE] = private.try_into().map_err(|_| Unknown)?;
        let (front, secret) = private.split_at(8 + LEVELS);
        let (next, levels) = front.split_first_chunk().ok_or(Unknown)?;
        let (set, numbers) = set(levels)?;
        let (seed, id) = secret.split_at(SEED);
        let public = encoding::read_public(public, None)?;
        let head = [&numbers[..], id].concat();
        if !public.raw.starts_with(&head) {
            return Err(OtherPublic.into());
        }
        let mut whole = Zeroizing::new(Vec::with_capacity(ID + SEED));
        whole.extend(id);
        whole.extend(seed);
        let public = digest_of(&public)?;
        Ok(Self { set, seed: whole, public, next: u64::from_be_bytes(*next) })
    }

    /// Returns the parameter set.
    pub fn set(&self) -> &'static Set {
        self.set
    }

    /// Returns the first index that may be used, where the highest one used is `through` (`None`:
    /// there is none) and `margin` further ones are given up.
    ///
    /// # Errors
    /// `Foreign` with `UsedFurther` where the file knows of a higher one, and with `NothingLeft`.
    pub fn first_usable(&self, through: Option<u64>, margin: u64) -> Result<u64, Error> {
        let capacity = self.set.capacity();
        let left =
            |next: u64| if next < capacity { Ok(next) } else { Err(NothingLeft { capacity }) };
        left(self.next)?;
        let used = through.map_or(Some(0), |index| index.checked_add(1));
        let used = left(used.unwrap_or(u64::MAX))?;
        if used < self.next {
            return Err(UsedFurther { through: self.next - 1 }.into());
        }
        Ok(left(used.saturating_add(margin))?)
    }

    /// Returns the store in which the key is made, with everything before `next` burned, durably;
    /// one that was begun and has no secret yet, if it is in `dir`.
    pub(super) fn store(
        &self,
        dir: &Path,
        options: Options,
        next: u64,
        register: &Path,
    ) -> Result<Store, Error> {
        let capacity = self.set.capacity();
        let unused = |status: hasten_store::Status| {
            (status.start, status.end, status.capacity) == (0, capacity, capacity)
                && (status.used, status.lost, status.sectors) == (0, 0, 1)
                && !status.retired
        };
        let begun = options.beside().peek(dir).is_ok_and(unused);
        let mut store = match begun {
            true => options.open(dir)?,
            false => options.begin(dir, &NewKey::new(capacity))?,
        };
        if store.blob(blob::PUBLIC)?.is_some() {
            return Err(StoreError::Exists.into());
        }
        self.burn(&mut store, next, register)?;
        Ok(store)
    }

    /// Burns everything before `next`, durably, and notes that this machine has the key.
    pub(super) fn burn(&self, store: &mut Store, next: u64, register: &Path) -> Result<(), Error> {
        store.burn_to(next)?;
        let digest = Sha256::new_with_prefix(b"hasten foreign key 1").chain_update(self.public);
        let mut id = [0; 16];
        id.copy_from_slice(&digest.finalize()[..16]);
        Ok(store.arrive_as(&id, register)?)
    }
}

/// Returns the set of these levels, and the numbers with which its public key begins.
fn set(levels: &[u8]) -> Result<(&'static Set, Vec<u8>), ForeignError> {
    let count = levels.iter().take_while(|level| **level != END).count();
    if count == 0 || levels[count..].iter().any(|level| *level != END) {
        return Err(Sets);
    }
    let rows = levels[..count].iter().map(|level| row(*level)).collect::<Option<Vec<_>>>();
    let set = match &rows.ok_or(Sets)?[..] {
        [only] => only,
        rows => Set::hss(rows).map_err(|_| Sets)?,
    };
    let numbers = [count as u32, u32::from(levels[0] >> 4), u32::from(levels[0] & 15)];
    Ok((set, numbers.iter().flat_map(|number| number.to_be_bytes()).collect()))
}

/// Returns the set of a level: the numbers of RFC 8554 with SHA-256 and 32 bytes.
fn row(level: u8) -> Option<&'static Set> {
    let height = [5, 10, 15, 20, 25].get(usize::from(level >> 4).checked_sub(5)?)?;
    let width = [1, 2, 4, 8].get(usize::from(level & 15).checked_sub(1)?)?;
    let name = format!("LMS_SHA256_M32_H{height}/LMOTS_SHA256_N32_W{width}");
    Set::named(&name).ok()
}
