//! SHA-256 of a message in pieces (FIPS 180-4, section 6.2 (SHA-256)).

use hasten_kernels::{Sha256, State256};

/// Bytes of a digest.
pub const DIGEST_BYTES: usize = 32;

/// A digest; sets with n = 24 take its first 24 bytes.
pub type Digest = [u8; DIGEST_BYTES];

/// A message under way.
#[derive(Clone, Debug)]
pub struct Hashing {
    state: State256,
    block: [u8; 64],
    len: usize,
}

impl Default for Hashing {
    fn default() -> Self {
        Self { state: Sha256::INITIAL, block: [0; 64], len: 0 }
    }
}

impl Hashing {
    /// Absorbs parts of the message.
    #[inline(never)]
    pub fn update(&mut self, parts: &[&[u8]]) {
        for byte in parts.iter().flat_map(|part| part.iter()) {
            self.block[self.len % 64] = *byte;
            self.len += 1;
            if self.len.is_multiple_of(64) {
                Sha256::absorb_in_loop(&mut self.state, &self.block);
            }
        }
    }

    /// Ends the message, and writes the digest.
    pub fn finish(mut self, digest: &mut Digest) {
        let bits = (self.len as u64 * 8).to_be_bytes();
        self.update(&[&[0x80]]);
        while self.len % 64 != 56 {
            self.update(&[&[0]]);
        }
        self.update(&[&bits]);
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
    }
}

/// Writes the digest of the parts, one behind the other.
#[inline(never)]
pub fn hash(parts: &[&[u8]], digest: &mut Digest) {
    let mut hashing = Hashing::default();
    hashing.update(parts);
    hashing.finish(digest);
}
