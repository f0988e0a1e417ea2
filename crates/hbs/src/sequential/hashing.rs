//! SHA-256 of a message in pieces (FIPS 180-4, section 6.2 (SHA-256)).

use super::unit::{Alone, Block, Unit};
use hasten_kernels::{Sha256, State256};

/// Size of a digest in bytes.
pub const DIGEST_BYTES: usize = 32;

/// A digest; sets with n = 24 use its first 24 bytes.
pub type Digest = [u8; DIGEST_BYTES];

/// Zeros for the padding.
static ZEROS: [u8; 64] = [0; 64];

/// A message hash in progress.
#[derive(Clone, Debug)]
pub struct Hashing<U = Alone> {
    unit: U,
    state: State256,
    block: Block,
    len: usize,
}

impl Default for Hashing {
    fn default() -> Self {
        Self::by(Alone)
    }
}

impl<U: Unit> Hashing<U> {
    /// Begins a message that `unit` hashes.
    pub fn by(unit: U) -> Self {
        Self { unit, state: Sha256::INITIAL, block: Block([0; 64]), len: 0 }
    }

    /// Absorbs parts of the message.
    #[inline(never)]
    pub fn update(&mut self, parts: &[&[u8]]) {
        for mut part in parts.iter().copied() {
            while !part.is_empty() {
                let at = self.len % 64;
                let (now, later) = part.split_at(part.len().min(64 - at));
                self.block.0[at..][..now.len()].copy_from_slice(now);
                self.len += now.len();
                part = later;
                if self.len.is_multiple_of(64) {
                    self.unit.absorb(&mut self.state, &self.block);
                }
            }
        }
    }

    /// Absorbs `count` words of the message, each with its lowest byte first. `words` must have at
    /// least `count` words. This is fast if the message before them has an even number of bytes.
    pub fn update_words(&mut self, mut count: usize, mut words: impl Iterator<Item = u32>) {
        while count > 0 {
            let (filled, mut taken) = (self.len % 64, count / 16 * 16);
            if taken > 0 && matches!(filled, 0 | 2) {
                let [low, high, ..] = self.block.0;
                let front = if filled == 0 { 0 } else { u16::from_le_bytes([low, high]).into() };
                let front = (front, 8 * filled as u32);
                let rest;
                (rest, words) = self.unit.stream(&mut self.state, front, taken / 16, words);
                self.block.0[..4].copy_from_slice(&rest.to_le_bytes());
                self.len += 4 * taken;
            } else {
                taken = 1;
                self.update(&[&words.next().unwrap_or_default().to_le_bytes()]);
            }
            count -= taken;
        }
    }

    /// Ends the message and writes the digest.
    pub fn finish(mut self, digest: &mut Digest) {
        self.end(digest);
    }

    /// Ends the message in place and writes the digest.
    pub(super) fn end(&mut self, digest: &mut Digest) {
        let bits = (self.len as u64 * 8).to_be_bytes();
        let zeros = &ZEROS[..(119 - self.len % 64) % 64];
        self.update(&[&[0x80], zeros, &bits]);
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
    }
}

/// Writes the digest of the concatenated parts.
#[inline(never)]
pub fn hash<U: Unit>(unit: U, parts: &[&[u8]], digest: &mut Digest) {
    let mut hashing = Hashing::by(unit);
    hashing.update(parts);
    hashing.end(digest);
}
