//! The encoding of a shard file after its head: 32 bytes of SHA-256 over everything else and one
//! byte of flags. With flag 1 (passphrase) the Argon2id costs, the salt and a nonce follow. Then
//! comes the content or its ciphertext. The content is the secret, public key, nodes and witness
//! key, each preceded by its length in four bytes.

use hasten_store::Carried;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::{
    Error,
    stateful::sealed::lock::{self, NONCE, PassphraseLock, take},
};

const HEAD: usize = Carried::HEAD;
const DIGEST: usize = 32;
const PASSPHRASE: u8 = 1;
/// Size in bytes of the authentication tag of the content.
const TAG: usize = 16;

/// The files for the shard's directory.
pub struct Content {
    pub secret: Zeroizing<Vec<u8>>,
    pub public: Vec<u8>,
    pub cache: Vec<u8>,
    pub service: Zeroizing<Vec<u8>>,
}

impl Content {
    /// Returns the whole file.
    pub fn closed(
        &self,
        carried: &Carried,
        passphrase: Option<&[u8]>,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut body = self.encode();
        let mut front = vec![if passphrase.is_some() { PASSPHRASE } else { 0 }];
        if let Some(word) = passphrase {
            let (lock, nonce) = (PassphraseLock::fresh()?, lock::random()?);
            lock.encode(&mut front);
            front.extend(nonce);
            let context = [&carried.encode()[..], &front].concat();
            lock::close(&lock.cipher(word)?, nonce, &context, &mut body)?;
        }
        let head = carried.encode();
        let mut file = Zeroizing::new(Vec::with_capacity(HEAD + DIGEST + front.len() + body.len()));
        file.extend(head);
        file.extend(digest(&head, &[&front, &body]));
        file.extend(front);
        file.extend(&*body);
        Ok(file)
    }

    /// Encodes the parts. The buffer has its full size from the start, because a growing buffer
    /// leaves copies of secrets in memory.
    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let parts = [&*self.secret, &self.public, &self.cache, &*self.service];
        let size: usize = parts.iter().map(|part| 4 + part.len()).sum();
        let mut out = Zeroizing::new(Vec::with_capacity(size + TAG));
        for part in parts {
            out.extend((part.len() as u32).to_be_bytes());
            out.extend(part);
        }
        out
    }

    fn decode(mut bytes: &[u8]) -> Option<Self> {
        let mut next = || {
            let length = u32::from_be_bytes(take(&mut bytes)?) as usize;
            let (part, rest) = bytes.split_at_checked(length)?;
            bytes = rest;
            Some(part.to_vec())
        };
        let secret = Zeroizing::new(next()?);
        let (public, cache) = (next()?, next()?);
        let service = Zeroizing::new(next()?);
        bytes.is_empty().then_some(Self { secret, public, cache, service })
    }
}

/// The bytes after the head, with their digest verified.
pub struct Closed {
    /// The flags and, with a passphrase, the key derivation parameters and the nonce.
    front: Vec<u8>,
    lock: Option<(PassphraseLock, [u8; NONCE])>,
    body: Zeroizing<Vec<u8>>,
}

impl Closed {
    /// Parses a file that begins with a head.
    ///
    /// # Errors
    /// `BrokenShard`.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        let (head, rest) = file.split_at_checked(HEAD).ok_or(Error::BrokenShard)?;
        let (sum, rest) = rest.split_at_checked(DIGEST).ok_or(Error::BrokenShard)?;
        if digest(head, &[rest]) != sum {
            return Err(Error::BrokenShard);
        }
        Self::parse(rest).ok_or(Error::BrokenShard)
    }

    fn parse(rest: &[u8]) -> Option<Self> {
        let mut body = rest;
        let lock = match take(&mut body)? {
            [0] => None,
            [PASSPHRASE] => Some((PassphraseLock::decode(&mut body)?, take(&mut body)?)),
            _ => return None,
        };
        let front = rest[..rest.len() - body.len()].to_vec();
        Some(Self { front, lock, body: Zeroizing::new(body.to_vec()) })
    }

    /// Returns true if a passphrase is needed.
    pub fn is_encrypted(&self) -> bool {
        self.lock.is_some()
    }

    /// Decrypts and parses the content.
    ///
    /// # Errors
    /// `Passphrase`, `BrokenShard`.
    pub fn open(mut self, carried: &Carried, passphrase: Option<&[u8]>) -> Result<Content, Error> {
        if let Some((lock, nonce)) = &self.lock {
            let cipher = lock.cipher(passphrase.ok_or(Error::Passphrase)?)?;
            let context = [&carried.encode()[..], &self.front].concat();
            lock::open(&cipher, *nonce, &context, &mut self.body)?;
        }
        Content::decode(&self.body).ok_or(Error::BrokenShard)
    }
}

fn digest(head: &[u8], parts: &[&[u8]]) -> [u8; DIGEST] {
    let hash =
        parts.iter().fold(Sha256::new_with_prefix(head), |hash, part| hash.chain_update(part));
    hash.finalize().into()
}
