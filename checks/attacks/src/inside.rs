//! One-time signatures of LMS inside other files: CMS, COSE, images, certificates, requests, dual
//! signatures and announcements, complete or broken off. They are found only by their types (RFC
//! 8554, section 4.5 (Signature Generation)), so that no reader of Hasten's has to be trusted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The numbers by which a one-time signature of a set is recognised.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Number of the LM-OTS type.
    one_time: u32,
    /// Number of the LMS type. A public key has it where a signature has its leaf.
    tree: u32,
    /// Length of a hash in bytes.
    n: usize,
    /// Number of chains of a one-time key.
    chains: usize,
}

impl Shape {
    fn of(alg: &str) -> Option<Self> {
        Some(match alg {
            "LMS_SHA256_M24_H5_W8" => Self { one_time: 8, tree: 10, n: 24, chains: 26 },
            "LMS_SHA256_M32_H5_W8" => Self { one_time: 4, tree: 5, n: 32, chains: 34 },
            _ => return None,
        })
    }
}

/// The leaves that the signatures of one key used.
pub struct Inside {
    shape: Shape,
    uses: BTreeMap<u32, (Vec<u8>, PathBuf)>,
    /// Number of leaves with a complete signature.
    pub whole: u64,
    /// Number of leaves with only a part of a signature.
    pub torn: u64,
    /// Sentences about leaves that signed two messages.
    pub wrong: Vec<String>,
}

impl Inside {
    /// Returns an empty account for a key of the set `alg`, of one level of 32 leaves.
    pub fn new(alg: &str) -> Option<Self> {
        let (uses, wrong) = (BTreeMap::new(), Vec::new());
        Some(Self { shape: Shape::of(alg)?, uses, whole: 0, torn: 0, wrong })
    }

    /// Enters every file of the directory except guards, whose numbers look like a signature's.
    pub fn enter_all(&mut self, dir: &Path) {
        let entries = std::fs::read_dir(dir).expect("the yard is there").flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        files.retain(|file| file.is_file() && !file.to_string_lossy().ends_with("guard"));
        for file in &files {
            let bytes = std::fs::read(file).expect("a file of the yard is read");
            self.enter(file, &bytes);
            self.enter(file, &unarmored(&bytes));
        }
    }

    /// Enters the signatures in `bytes`.
    pub fn enter(&mut self, file: &Path, bytes: &[u8]) {
        let Shape { one_time, tree, n, chains } = self.shape;
        let mut found = Vec::new();
        for (at, head) in bytes.windows(8).enumerate() {
            let (leaf, code) = head.split_at(4);
            let leaf = u32::from_be_bytes(leaf.try_into().expect("four bytes"));
            if code == one_time.to_be_bytes() && leaf < 32 && leaf != tree {
                let value = &bytes[at + 8..];
                found.push((leaf, &value[..value.len().min(n * (chains + 1))]));
            }
        }
        for (leaf, value) in found {
            self.used(leaf, value, file);
        }
    }

    /// Notes one use. The same bytes, or the beginning of them, count as the same signature.
    fn used(&mut self, leaf: u32, value: &[u8], file: &Path) {
        let all = self.shape.n * (self.shape.chains + 1);
        match self.uses.get(&leaf) {
            Some((other, _)) if other.starts_with(value) => return,
            Some((other, first)) if !value.starts_with(other) => {
                let (file, first) = (file.display(), first.display());
                self.wrong.push(format!("index {leaf} twice: {first} and {file}"));
            }
            Some((other, _)) => self.torn -= u64::from(other.len() < all),
            None => {}
        }
        if value.len() == all {
            self.whole += 1;
        } else {
            self.torn += 1;
        }
        self.uses.insert(leaf, (value.to_vec(), file.to_owned()));
    }

    /// Returns the number of leaves used.
    pub fn indices(&self) -> u64 {
        self.uses.len() as u64
    }
}

/// Returns the content of the PEM blocks of a file, the last of which may be incomplete.
fn unarmored(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut word, mut bits) = (0_u32, 0);
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"--")) {
        for byte in line {
            let digit = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => {
                    bits = 0;
                    continue;
                }
            };
            (word, bits) = (word << 6 | u32::from(digit), bits + 6);
            if bits >= 8 {
                bits -= 8;
                out.push((word >> bits) as u8);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a signature with leaf `leaf` and values of `fill` only, after other bytes.
    fn around(leaf: u32, fill: u8, length: usize) -> Vec<u8> {
        let mut bytes = b"header".to_vec();
        bytes.extend(leaf.to_be_bytes());
        bytes.extend(8_u32.to_be_bytes());
        bytes.extend(vec![fill; length]);
        bytes
    }

    fn entered(files: &[Vec<u8>]) -> Inside {
        let mut inside = Inside::new("LMS_SHA256_M24_H5_W8").expect("a set");
        files.iter().for_each(|bytes| inside.enter(Path::new("f"), bytes));
        inside
    }

    #[test]
    fn a_leaf_that_signed_two_messages_is_found_also_where_one_is_torn() {
        let all = 24 * 27;
        let good = entered(&[around(3, 1, all), around(3, 1, 40), around(4, 2, 9)]);
        assert_eq!((good.whole, good.torn, good.wrong.len()), (1, 1, 0));
        let longer = entered(&[around(3, 1, 40), around(3, 1, all)]);
        assert_eq!((longer.whole, longer.torn, longer.wrong.len()), (1, 0, 0));
        for second in [around(3, 2, all), around(3, 2, 40)] {
            assert_eq!(entered(&[around(3, 1, all), second]).wrong.len(), 1);
        }
        assert_eq!(entered(&[around(10, 1, all)]).indices(), 0, "a public key");
    }

    #[test]
    fn a_block_of_pem_is_read_as_far_as_it_is_there() {
        assert_eq!(unarmored(b"-----BEGIN A-----\nQUJD\nREVG\n-----END A-----\n"), b"ABCDEF");
        assert_eq!(unarmored(b"-----BEGIN A-----\nQUJDR"), b"ABC");
    }
}
