//! Searches the memory of this process for secrets.
//!
//! Needles, the secrets to search for, are stored masked, so that the search does not find its own
//! copies. A match is eight bytes of a secret that begin at one of its words. They are contiguous
//! at any place, or two words of 32 bits as far apart as the lanes of a backend put them. Both byte
//! orders within a word match.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The mask that is xored with every byte of a stored needle.
pub const MASK: u8 = 0x5a;
const WORD_MASK: u64 = u64::from_ne_bytes([MASK; 8]);

/// Distances in bytes between a word of a value and the next: contiguous, and in 4, 8 and 16 lanes.
const STRIDES: [usize; 4] = [4, 16, 32, 64];
/// Number of entries in the filter of needles.
const FILTER: usize = 1 << 18;
/// Number of bytes read at a time.
const CHUNK: usize = 1 << 20;

/// The masked needles: all their eight-byte parts, each with the name of its secret.
pub struct Needles {
    names: Vec<String>,
    pairs: HashMap<u64, usize>,
    /// The low bits that occur in any part, for a fast first check.
    filter: Vec<bool>,
}

impl Needles {
    /// Returns the needles with these names and masked bytes.
    pub fn new(masked: impl Iterator<Item = (String, Vec<u8>)>) -> Self {
        let (mut names, mut pairs) = (Vec::new(), HashMap::new());
        for (name, bytes) in masked {
            for turned in [bytes.clone(), reversed(&bytes, 4), reversed(&bytes, 8)] {
                for eight in turned.windows(8).step_by(4) {
                    pairs.insert(u64::from_ne_bytes(eight.try_into().unwrap()), names.len());
                }
            }
            names.push(name);
        }
        let mut filter = vec![false; FILTER];
        pairs.keys().for_each(|pair| filter[*pair as usize % FILTER] = true);
        Self { names, pairs, filter }
    }

    fn find(&self, masked: u64) -> Option<&str> {
        if !self.filter[masked as usize % FILTER] {
            return None;
        }
        self.pairs.get(&masked).map(|name| &*self.names[*name])
    }

    /// Returns one line for each match in writable memory.
    pub fn search(&self) -> Vec<String> {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let mut memory = File::open("/proc/self/mem").unwrap();
        let mut buffer = vec![0; CHUNK + STRIDES[3] + 8];
        let mut found = Vec::new();
        for line in maps.lines().filter(|line| line.split(' ').nth(1).unwrap().starts_with("rw")) {
            let (from, to) = line.split(' ').next().unwrap().split_once('-').unwrap();
            let [from, to] = [from, to].map(|at| u64::from_str_radix(at, 16).unwrap());
            for at in (from..to).step_by(CHUNK) {
                let len = buffer.len().min((to - at) as usize);
                memory.seek(SeekFrom::Start(at)).unwrap();
                if memory.read_exact(&mut buffer[..len]).is_ok() {
                    let place = line.split_whitespace().nth(5).unwrap_or("other");
                    self.search_part(&buffer[..len], &format!("{place} {at:x}"), &mut found);
                }
                buffer.fill(0);
            }
        }
        found
    }

    fn search_part(&self, bytes: &[u8], place: &str, found: &mut Vec<String>) {
        for (at, eight) in bytes.windows(8).enumerate() {
            let beside = u64::from_ne_bytes(eight.try_into().unwrap()) ^ WORD_MASK;
            if let Some(name) = self.find(beside) {
                found.push(format!("{name} at {place} + {at:x}"));
            }
        }
        for stride in &STRIDES[1..] {
            for at in (0..bytes.len().saturating_sub(stride + 4)).step_by(4) {
                if let Some(name) = self.find(pair(bytes, at, at + stride)) {
                    found.push(format!("{name} in lanes {stride} apart at {place} + {at:x}"));
                }
            }
        }
    }
}

/// Returns two words, masked, as if they were contiguous.
fn pair(bytes: &[u8], first: usize, second: usize) -> u64 {
    let word = |at: usize| u64::from(u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    (word(first) | word(second) << 32) ^ WORD_MASK
}

/// Returns `bytes` with the bytes of every word reversed.
fn reversed(bytes: &[u8], word: usize) -> Vec<u8> {
    bytes.chunks(word).flat_map(|word| word.iter().rev()).copied().collect()
}
