//! The secret seed of a key, as it lies in its store.
//!
//! Under a passphrase the seed is encrypted with ChaCha20-Poly1305 (RFC 8439) under a key that
//! Argon2id (RFC 9106) derives: 64 MiB, three passes. Both come from the RustCrypto project, whose
//! encodings are used here anyway: maintained, permissively licensed, pure Rust, and of the same
//! release wave, so that they add little to the tree. What stands in front of the ciphertext is
//! authenticated with it.
//!
//! The file: magic word, digest ([`blob`](super::blob)), then one byte length and the set's name,
//! eight bytes of reservation size, one byte protection; for protection 1 the costs (three
//! times four bytes), 16 bytes of salt, 12 of nonce; then the seed or its ciphertext.

use core::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, Tag};
use hasten_store::Options;
use std::path::Path;
use zeroize::Zeroizing;

use super::blob;
use crate::Error;

const MAGIC: &[u8; 8] = b"hstnkey1";
/// Memory in KiB, passes, lanes: the second recommended option of RFC 9106.
const COSTS: [u32; 3] = [64 << 10, 3, 1];
/// No file may ask for more memory (in KiB) or more passes than this.
const MOST: [u32; 3] = [1 << 20, 64, 16];
const SALT: usize = 16;
const NONCE: usize = 12;
const TAG: usize = 16;

/// What is kept of a key besides its nodes. `Debug` shows the set alone.
pub struct Kept {
    /// Name of the parameter set.
    pub set: String,
    /// Indices that one reservation of the command line sets aside.
    pub reserve: u64,
    /// The seed.
    pub seed: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("set", &self.set).finish_non_exhaustive()
    }
}

/// The file's bytes, read and found undamaged; the seed still closed.
pub struct Sealed {
    header: Header,
    /// What is authenticated along with the ciphertext.
    front: Vec<u8>,
    body: Zeroizing<Vec<u8>>,
}

struct Header {
    set: String,
    reserve: u64,
    lock: Option<PassphraseLock>,
}

struct PassphraseLock {
    costs: [u32; 3],
    salt: [u8; SALT],
    nonce: [u8; NONCE],
}

impl PassphraseLock {
    fn fresh() -> Result<Self, Error> {
        let (mut salt, mut nonce) = ([0; SALT], [0; NONCE]);
        getrandom::fill(&mut salt).map_err(|_| Error::Randomness)?;
        getrandom::fill(&mut nonce).map_err(|_| Error::Randomness)?;
        Ok(Self { costs: COSTS, salt, nonce })
    }

    fn cipher(&self, passphrase: &[u8]) -> Result<ChaCha20Poly1305, Error> {
        let [memory, passes, lanes] = self.costs;
        let params = Params::new(memory, passes, lanes, None).map_err(|_| Error::Damaged)?;
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let mut key = Zeroizing::new([0; 32]);
        let derived = argon.hash_password_into(passphrase, &self.salt, &mut *key);
        derived.map_err(|_| Error::Passphrase)?;
        ChaCha20Poly1305::new_from_slice(&*key).map_err(|_| Error::Passphrase)
    }
}

impl Header {
    fn encode(&self) -> Vec<u8> {
        let mut out = vec![self.set.len() as u8];
        out.extend(self.set.as_bytes());
        out.extend(self.reserve.to_be_bytes());
        out.push(u8::from(self.lock.is_some()));
        if let Some(lock) = &self.lock {
            lock.costs.iter().for_each(|cost| out.extend(cost.to_be_bytes()));
            out.extend(lock.salt);
            out.extend(lock.nonce);
        }
        out
    }

    /// The header at the front of `bytes`, which it cuts off.
    fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let length = take::<1>(bytes)?[0];
        let (name, rest) = bytes.split_at_checked(length.into())?;
        *bytes = rest;
        let set = core::str::from_utf8(name).ok()?.to_owned();
        let reserve = u64::from_be_bytes(take(bytes)?);
        let lock = match take::<1>(bytes)? {
            [0] => None,
            [1] => Some(PassphraseLock {
                costs: costs(bytes)?,
                salt: take(bytes)?,
                nonce: take(bytes)?,
            }),
            _ => return None,
        };
        Some(Self { set, reserve, lock })
    }
}

fn costs(bytes: &mut &[u8]) -> Option<[u32; 3]> {
    let mut costs = [0; 3];
    for (cost, most) in costs.iter_mut().zip(MOST) {
        *cost = u32::from_be_bytes(take(bytes)?);
        if *cost > most {
            return None;
        }
    }
    Some(costs)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}

impl Sealed {
    /// The file of a key, to be kept in its store.
    ///
    /// # Errors
    /// `Randomness`, or `Passphrase` when none can be derived from.
    pub fn seal(kept: &Kept, passphrase: Option<&[u8]>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let lock = passphrase.map(|_| PassphraseLock::fresh()).transpose()?;
        let header = Header { set: kept.set.clone(), reserve: kept.reserve, lock };
        let front = header.encode();
        let mut body = Zeroizing::new(kept.seed.to_vec());
        if let (Some(lock), Some(passphrase)) = (&header.lock, passphrase) {
            let cipher = lock.cipher(passphrase)?;
            let tag = cipher
                .encrypt_inout_detached(
                    &Nonce::from(lock.nonce),
                    &front,
                    body.as_mut_slice().into(),
                )
                .map_err(|_| Error::Passphrase)?;
            body.extend(tag);
        }
        let whole = Zeroizing::new([front.as_slice(), &body].concat());
        Ok(Zeroizing::new(blob::wrap(MAGIC, &[], &whole)))
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// `Damaged`.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        let whole = blob::unwrap(MAGIC, &[], file)?;
        let mut rest = whole;
        let header = Header::decode(&mut rest).ok_or(Error::Damaged)?;
        let front = whole[..whole.len() - rest.len()].to_vec();
        Ok(Self { header, front, body: Zeroizing::new(rest.to_vec()) })
    }

    /// Reads the file of the key in `dir`, without opening its store.
    ///
    /// # Errors
    /// `NoSecret` when there is none (the key was destroyed, or is no key), `Damaged`.
    pub fn of_store(dir: &Path) -> Result<Self, Error> {
        let file = Options::new().peek_blob(dir, blob::SECRET)?.ok_or(Error::NoSecret)?;
        Self::read(&Zeroizing::new(file))
    }

    /// Name of the parameter set.
    pub fn set(&self) -> &str {
        &self.header.set
    }

    /// Indices that one reservation of the command line sets aside.
    pub fn reserve(&self) -> u64 {
        self.header.reserve
    }

    /// Whether a passphrase is needed.
    pub fn is_encrypted(&self) -> bool {
        self.header.lock.is_some()
    }

    /// Opens the seed.
    ///
    /// # Errors
    /// `Passphrase` when one is needed and missing or wrong.
    pub fn open(self, passphrase: Option<&[u8]>) -> Result<Kept, Error> {
        let Self { header, front, body: mut seed } = self;
        if let Some(lock) = &header.lock {
            let cipher = lock.cipher(passphrase.ok_or(Error::Passphrase)?)?;
            let at = seed.len().checked_sub(TAG).ok_or(Error::Damaged)?;
            let (text, tag) = seed.split_at_mut(at);
            let tag = Tag::try_from(&*tag).map_err(|_| Error::Damaged)?;
            cipher
                .decrypt_inout_detached(&Nonce::from(lock.nonce), &front, text.into(), &tag)
                .map_err(|_| Error::Passphrase)?;
            seed.truncate(at);
        }
        Ok(Kept { set: header.set, reserve: header.reserve, seed })
    }
}
