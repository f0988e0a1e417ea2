//! Passphrase encryption: ChaCha20-Poly1305 (RFC 8439) under a key derived by Argon2id (RFC 9106)
//! with 64 MiB and three passes. Both implementations are from the RustCrypto project, whose
//! encoding crates are dependencies anyway. They are maintained, permissively licensed, pure Rust
//! and from the same series of releases, so they add little to the dependency tree.

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, Tag};
use zeroize::Zeroizing;

pub use super::format::take;
use crate::Error;

/// Memory in KiB, passes, lanes: the second recommended option of RFC 9106.
const COSTS: [u32; 3] = [64 << 10, 3, 1];
/// Maximum memory in KiB, passes and lanes that a file may request.
const MOST: [u32; 3] = [1 << 20, 64, 16];
const SALT: usize = 16;
const TAG: usize = 16;

/// Size of a nonce in bytes.
pub const NONCE: usize = 12;

/// The parameters that derive the key from the passphrase.
#[derive(Clone, Copy)]
pub struct PassphraseLock {
    costs: [u32; 3],
    salt: [u8; SALT],
}

impl PassphraseLock {
    /// Returns the current costs with a fresh salt.
    pub fn fresh() -> Result<Self, Error> {
        Ok(Self { costs: COSTS, salt: random()? })
    }

    /// Appends the encoding that [`decode`](Self::decode) reads to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        self.costs.iter().for_each(|cost| out.extend(cost.to_be_bytes()));
        out.extend(self.salt);
    }

    /// Parses costs and salt at the front of `bytes` and removes them.
    pub fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let mut costs = [0; 3];
        for (cost, most) in costs.iter_mut().zip(MOST) {
            *cost = u32::from_be_bytes(take(bytes)?);
            if *cost > most {
                return None;
            }
        }
        Some(Self { costs, salt: take(bytes)? })
    }

    /// Derives the cipher from a passphrase. The duration depends on the costs.
    pub fn cipher(&self, passphrase: &[u8]) -> Result<ChaCha20Poly1305, Error> {
        let [memory, passes, lanes] = self.costs;
        let params = Params::new(memory, passes, lanes, None).map_err(|_| Error::Damaged)?;
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let mut key = Zeroizing::new([0; 32]);
        let derived = argon.hash_password_into(passphrase, &self.salt, &mut *key);
        derived.map_err(|_| Error::Passphrase)?;
        ChaCha20Poly1305::new_from_slice(&*key).map_err(|_| Error::Passphrase)
    }
}

/// Returns fresh random bytes.
pub fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Error::Randomness)?;
    Ok(bytes)
}

/// Encrypts in place and appends the tag.
pub fn close(
    cipher: &ChaCha20Poly1305,
    nonce: [u8; NONCE],
    context: &[u8],
    body: &mut Zeroizing<Vec<u8>>,
) -> Result<(), Error> {
    let closed =
        cipher.encrypt_inout_detached(&Nonce::from(nonce), context, body.as_mut_slice().into());
    body.extend(closed.map_err(|_| Error::Passphrase)?);
    Ok(())
}

/// Checks the tag, decrypts in place and removes the tag.
pub fn open(
    cipher: &ChaCha20Poly1305,
    nonce: [u8; NONCE],
    context: &[u8],
    body: &mut Zeroizing<Vec<u8>>,
) -> Result<(), Error> {
    let at = body.len().checked_sub(TAG).ok_or(Error::Damaged)?;
    let (text, tag) = body.split_at_mut(at);
    let tag = Tag::try_from(&*tag).map_err(|_| Error::Damaged)?;
    let opened = cipher.decrypt_inout_detached(&Nonce::from(nonce), context, text.into(), &tag);
    opened.map_err(|_| Error::Passphrase)?;
    body.truncate(at);
    Ok(())
}
