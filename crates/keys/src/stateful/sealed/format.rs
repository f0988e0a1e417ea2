//! The encoding of a secret file.
//!
//! One byte length and the set's name, eight bytes of reservation size, one byte of flags. With
//! flag 1 (passphrase): the costs, three times four bytes, and 16 bytes of salt. A key with a
//! single seed ends with the nonce, if there is a passphrase, and the seed or its ciphertext. With
//! flag 2 (sectors): four bytes with the number of sectors. Then follows for each available seed,
//! in order: four bytes with its sector, two with the length of the body, the nonce if there is a
//! passphrase, and the body. With flag 4 (sessions) one byte length and the name of the set of
//! session trees precede the seeds; such a key signs only session trees.

use zeroize::Zeroizing;

use super::lock::{NONCE, PassphraseLock};

const PASSPHRASE: u8 = 1;
const SECTORS: u8 = 2;
const SESSIONS: u8 = 4;

/// Maximum number of bytes before an entry's body.
pub const ENTRY: usize = 4 + 2 + NONCE;

/// The data before the seeds.
pub struct Header {
    /// Identifier of the key; `None` in a file of the old format. It is stored before the header,
    /// in all kinds of files.
    pub key_id: Option<[u8; 16]>,
    pub set: String,
    pub reserve: u64,
    pub sectors: u32,
    /// The set of the session trees, if the key signs only these.
    pub sessions: Option<String>,
    pub lock: Option<PassphraseLock>,
}

/// The seed of a sector or its ciphertext.
pub struct Entry {
    pub sector: u32,
    /// Present if there is a passphrase.
    pub nonce: Option<[u8; NONCE]>,
    pub body: Zeroizing<Vec<u8>>,
}

impl Header {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = named(&self.set);
        out.extend(self.reserve.to_be_bytes());
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        out.push(
            flag(self.sectors > 1, SECTORS)
                | flag(self.lock.is_some(), PASSPHRASE)
                | flag(self.sessions.is_some(), SESSIONS),
        );
        if let Some(lock) = &self.lock {
            lock.encode(&mut out);
        }
        if self.sectors > 1 {
            out.extend(self.sectors.to_be_bytes());
        }
        out.extend(self.sessions.iter().flat_map(|name| named(name)));
        out
    }

    /// Parses the header at the front of `bytes` and removes it.
    pub fn decode(key_id: Option<[u8; 16]>, bytes: &mut &[u8]) -> Option<Self> {
        let set = name(bytes)?;
        let reserve = u64::from_be_bytes(take(bytes)?);
        let [flags] = take(bytes)?;
        if flags & !(PASSPHRASE | SECTORS | SESSIONS) != 0 {
            return None;
        }
        let locked = flags & PASSPHRASE != 0;
        let lock = if locked { Some(PassphraseLock::decode(bytes)?) } else { None };
        let many = flags & SECTORS != 0;
        let sectors = if many { u32::from_be_bytes(take(bytes)?) } else { 1 };
        let sessions = if flags & SESSIONS != 0 { Some(name(bytes)?) } else { None };
        ((sectors > 1) == many).then_some(Self { key_id, set, reserve, sectors, sessions, lock })
    }

    /// Returns the data that are authenticated with an entry's ciphertext: everything before it,
    /// beginning with the key's identifier.
    pub fn context(&self, entry: &Entry) -> Vec<u8> {
        let mut out: Vec<u8> = self.key_id.into_iter().flatten().collect();
        out.extend(self.encode());
        match self.sectors {
            1 => out.extend(entry.nonce.unwrap_or_default()),
            _ => out.extend(entry.sector.to_be_bytes()),
        }
        out
    }

    /// Appends an encoded entry to `out`.
    pub fn append(&self, entry: &Entry, out: &mut Vec<u8>) {
        if self.sectors > 1 {
            out.extend(entry.sector.to_be_bytes());
            out.extend((entry.body.len() as u16).to_be_bytes());
        }
        out.extend(entry.nonce.iter().flatten());
        out.extend(&*entry.body);
    }

    /// Parses all entries. Their sectors must be in ascending order and within the key.
    pub fn entries(&self, mut bytes: &[u8]) -> Option<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        while self.sectors > 1 && !bytes.is_empty() {
            let entry = self.entry(&mut bytes)?;
            let rises = entries.last().is_none_or(|last| last.sector < entry.sector);
            if !rises || entry.sector >= self.sectors {
                return None;
            }
            entries.push(entry);
        }
        if self.sectors == 1 {
            let nonce = self.nonce(&mut bytes)?;
            entries.push(Entry { sector: 0, nonce, body: bytes.to_vec().into() });
        }
        (!entries.is_empty()).then_some(entries)
    }

    fn entry(&self, bytes: &mut &[u8]) -> Option<Entry> {
        let sector = u32::from_be_bytes(take(bytes)?);
        let length = u16::from_be_bytes(take(bytes)?);
        let nonce = self.nonce(bytes)?;
        let (body, rest) = bytes.split_at_checked(length.into())?;
        *bytes = rest;
        Some(Entry { sector, nonce, body: body.to_vec().into() })
    }

    /// Parses the nonce if there is a passphrase. Returns `None` only if it is truncated.
    fn nonce(&self, bytes: &mut &[u8]) -> Option<Option<[u8; NONCE]>> {
        match self.lock {
            Some(_) => take(bytes).map(Some),
            None => Some(None),
        }
    }
}

/// Returns `name` preceded by its length in one byte.
fn named(name: &str) -> Vec<u8> {
    [&[name.len() as u8], name.as_bytes()].concat()
}

/// Parses the name at the front of `bytes` and removes it.
fn name(bytes: &mut &[u8]) -> Option<String> {
    let [length] = take(bytes)?;
    let (name, rest) = bytes.split_at_checked(length.into())?;
    *bytes = rest;
    Some(core::str::from_utf8(name).ok()?.to_owned())
}

/// Returns the first `N` bytes and removes them.
pub fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}
