//! The public data of a case: key, cache, signature, and every hash of the verifier.

use std::fs;
use std::path::Path;

/// Bytes that identify a value: n of the shortest set.
const KNOWN_BY: usize = 16;

/// The beginning of a value.
pub type Start = [u8; KNOWN_BY];

/// Public data of one case.
#[derive(Default)]
pub struct Public {
    /// The public key.
    pub key: Vec<u8>,
    /// The cached nodes of a stateful key.
    pub cache: Vec<u8>,
    /// Beginnings of public values, in order.
    pub values: Vec<Start>,
}

impl Public {
    /// Returns true if a value that begins with `start` is public.
    pub fn has(&self, start: &Start) -> bool {
        self.values.binary_search(start).is_ok()
    }

    /// Adds the values in key, cache and `signature`. Values begin at multiples of four bytes.
    pub fn close(mut self, signature: &[u8]) -> Self {
        for bytes in [&self.key, &self.cache, signature] {
            self.values.extend(bytes.windows(KNOWN_BY).step_by(4).map(start));
        }
        self.values.sort_unstable();
        self.values.dedup();
        self
    }

    /// Writes the data to a file.
    pub fn write(&self, path: &Path) {
        let lengths = [self.key.len(), self.cache.len()].map(|len| (len as u32).to_be_bytes());
        let all = [lengths.as_flattened(), &self.key, &self.cache, self.values.as_flattened()];
        fs::write(path, all.concat()).expect("room for a temporary file");
    }

    /// Reads the data from a file.
    pub fn read(path: &Path) -> Self {
        let bytes = fs::read(path).expect("the file that was recorded");
        let length = |at: usize| u32::from_be_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
        let (key, rest) = bytes[8..].split_at(length(0));
        let (cache, values) = rest.split_at(length(4));
        let values = values.as_chunks().0.to_vec();
        Self { key: key.into(), cache: cache.into(), values }
    }
}

/// Returns the beginning of a value.
pub fn start(bytes: &[u8]) -> Start {
    *bytes.first_chunk().expect("16 bytes at least")
}
