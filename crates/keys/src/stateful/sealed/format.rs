//! The bytes of a secret file.
//!
//! One byte length and the set's name, eight bytes of reservation size, one byte of flags; with
//! flag 1 (passphrase) the costs, three times four bytes, and 16 bytes of salt. Then, of a key of
//! one seed, the nonce where there is a passphrase, and the seed or its ciphertext. With flag 2
//! (sectors) four bytes with their number, and for each seed at hand, in order: four bytes with its
//! sector, two with the length of the body, the nonce where there is a passphrase, the body. With
//! flag 4 (sessions) one byte length and the name of the set of session trees stand before the
//! seeds: such a key signs session trees alone.

use zeroize::Zeroizing;

use super::lock::{NONCE, PassphraseLock};

const PASSPHRASE: u8 = 1;
const SECTORS: u8 = 2;
const SESSIONS: u8 = 4;

/// The most bytes in front of an entry's body.
pub const ENTRY: usize = 4 + 2 + NONCE;

/// Holds what stands in front of the seeds.
pub struct Header {
    /// The key; `None` in a file of the old form. It stands in front of the header, for all kinds
    /// of files.
    pub key_id: Option<[u8; 16]>,
    pub set: String,
    pub reserve: u64,
    pub sectors: u32,
    /// The set of session trees, of a key that signs nothing else.
    pub sessions: Option<String>,
    pub lock: Option<PassphraseLock>,
}

/// The seed of a sector, or its ciphertext.
pub struct Entry {
    pub sector: u32,
    /// Where there is a passphrase.
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

    /// Returns the header at the front of `bytes`, which it cuts off.
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

    /// Returns what is authenticated along with an entry's ciphertext: everything in front of it,
    /// the key first.
    pub fn context(&self, entry: &Entry) -> Vec<u8> {
        let mut out: Vec<u8> = self.key_id.into_iter().flatten().collect();
        out.extend(self.encode());
        match self.sectors {
            1 => out.extend(entry.nonce.unwrap_or_default()),
            _ => out.extend(entry.sector.to_be_bytes()),
        }
        out
    }

    /// Writes an entry.
    pub fn append(&self, entry: &Entry, out: &mut Vec<u8>) {
        if self.sectors > 1 {
            out.extend(entry.sector.to_be_bytes());
            out.extend((entry.body.len() as u16).to_be_bytes());
        }
        out.extend(entry.nonce.iter().flatten());
        out.extend(&*entry.body);
    }

    /// Returns all entries; sectors rise and lie within the key.
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

    /// Returns the nonce, if there is a passphrase; `None` only when it is cut off.
    fn nonce(&self, bytes: &mut &[u8]) -> Option<Option<[u8; NONCE]>> {
        match self.lock {
            Some(_) => take(bytes).map(Some),
            None => Some(None),
        }
    }
}

/// Returns one byte length and `name`.
fn named(name: &str) -> Vec<u8> {
    [&[name.len() as u8], name.as_bytes()].concat()
}

/// Returns the name at the front of `bytes`, which it cuts off.
fn name(bytes: &mut &[u8]) -> Option<String> {
    let [length] = take(bytes)?;
    let (name, rest) = bytes.split_at_checked(length.into())?;
    *bytes = rest;
    Some(core::str::from_utf8(name).ok()?.to_owned())
}

/// Returns the first `N` bytes, which it cuts off.
pub fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}
