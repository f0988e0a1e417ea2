//! Private keys that were made and used by another program: hash-sigs, wolfSSL, Bouncy Castle.
//!
//! | program | file | parsed by |
//! |---|---|---|
//! | hash-sigs, wolfSSL | LMS and HSS: index, levels, SEED, I | `compact` |
//! | wolfSSL | XMSS and XMSS^MT: index, the seeds, the root | `xmss` |
//! | Bouncy Castle | LMS and HSS in PKCS#8 | `pkcs8` |
//!
//! All of them derive one-time keys and lower trees from the seed in the same way as Hasten. A
//! signature is therefore, byte for byte, the one that the other program would have made with the
//! same index. This is essential: if a lower tree were derived differently, it would be signed by a
//! one-time key that has already signed the original one. For this reason levels with different
//! hash functions are refused: Bouncy Castle takes the length of a lower SEED from the tree above.
//!
//! The index in the file is that of one copy. Only the owner knows how far the key was really used,
//! and must name the highest used index; a margin after it is given up.

mod compact;
mod pkcs8;
mod top;
mod xmss;

use std::path::Path;

use hasten_hbs::Set;
use hasten_store::{NewKey, Options, Store, StoreError};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{blob, digest_of};
use crate::{
    Error,
    encoding::{self, PublicKey},
    error::ForeignError::{NothingLeft, UsedFurther},
    registry::Family,
};

/// A private key of another program, with its public key. It is not `Clone` and has no `Debug`.
pub struct Foreign {
    pub(super) set: &'static Set,
    /// The seed of the whole key, in the format of its set.
    pub(super) seed: Zeroizing<Vec<u8>>,
    /// The digest of the public key, which the store will be bound to.
    pub(super) public: [u8; 32],
    next: u64,
}

/// The contents of a file: the set, the seed in the format of the set, and the next index.
struct Found {
    set: &'static Set,
    seed: Zeroizing<Vec<u8>>,
    next: u64,
}

impl Foreign {
    /// Parses a private key and its public key, which determines the algorithm.
    ///
    /// # Errors
    /// As [`of`](Self::of); the errors of [`encoding::read_public`].
    pub fn read(private: &[u8], public: &[u8]) -> Result<Self, Error> {
        Self::of(private, &encoding::read_public(public, None)?)
    }

    /// Parses the private key of a public key.
    ///
    /// # Errors
    /// `Foreign` with the reason.
    pub fn of(private: &[u8], public: &PublicKey) -> Result<Self, Error> {
        let Found { set, seed, next } = match (pkcs8::inside(private)?, public.row.family) {
            (Some(key), _) => pkcs8::read(&key, public)?,
            (None, Family::Xmss | Family::XmssMt) => xmss::read(private, public)?,
            (None, _) => compact::read(private, public)?,
        };
        Ok(Self { set, seed, public: digest_of(public)?, next })
    }

    /// Returns the parameter set.
    pub fn set(&self) -> &'static Set {
        self.set
    }

    /// Returns the first index that may be used. `through` is the highest used index (`None` if no
    /// index was used); `margin` further indices are given up.
    ///
    /// # Errors
    /// `Foreign` with `UsedFurther` if the file shows a higher used index, and with `NothingLeft`.
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

    /// Returns the store for the imported key, with all indices before `next` burned durably.
    /// Continues in `dir` if it contains a begun store without a secret.
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

    /// Burns all indices before `next` durably, and registers the key as imported on this machine.
    pub(super) fn burn(&self, store: &mut Store, next: u64, register: &Path) -> Result<(), Error> {
        store.burn_to(next)?;
        let digest = Sha256::new_with_prefix(b"hasten foreign key 1").chain_update(self.public);
        let mut id = [0; 16];
        id.copy_from_slice(&digest.finalize()[..16]);
        Ok(store.arrive_as(&id, register)?)
    }
}

/// Returns the concatenation of these parts.
fn joined(parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    // The buffer has its full size from the start: a growing buffer leaves copies of secrets in
    // memory.
    let mut whole = Zeroizing::new(Vec::with_capacity(parts.iter().map(|part| part.len()).sum()));
    parts.iter().for_each(|part| whole.extend_from_slice(part));
    whole
}
