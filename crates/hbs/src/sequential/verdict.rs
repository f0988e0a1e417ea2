//! The answer: two words, so that one fault does not make it.

use core::hint::black_box;

/// The answer of a verification. Each word is that of a comparison of its own; a ROM looks at both,
/// at two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Verdict {
    /// The first comparison: [`Verdict::GOOD`] or anything else.
    pub first: u32,
    /// The second one.
    pub second: u32,
}

impl Verdict {
    /// Both words of a good signature.
    pub const GOOD: u32 = 0x96c3_5a2d;

    /// Returns whether the signature is good.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.first == Self::GOOD && self.second == Self::GOOD
    }
}

/// The roots that were compared, twice.
#[derive(Debug)]
pub struct Comparisons {
    first: Comparison,
    second: Comparison,
}

/// Bits in which a root differed from the right one, and roots that are still due. A comparison
/// that is left out leaves its root due.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    bits: u32,
    due: u32,
}

impl Comparisons {
    /// Returns comparisons of `due` roots.
    pub const fn due(due: u32) -> Self {
        Self { first: Comparison { bits: 0, due }, second: Comparison { bits: 0, due } }
    }

    /// Compares a root with the right one.
    pub fn compare(&mut self, root: &[u8], right: &[u8]) {
        self.first.compare(root, right);
        self.second.compare(root, right);
    }

    pub fn verdict(&self) -> Verdict {
        let (first, second) = (black_box(self.first), black_box(self.second));
        Verdict { first: first.word(), second: second.word() }
    }
}

impl Comparison {
    /// Notes the bits that differ; bytes that were not compared count as such bits.
    #[inline(never)]
    fn compare(&mut self, root: &[u8], right: &[u8]) {
        let mut left = right.len() as u32;
        for (a, b) in root.iter().zip(right) {
            self.bits |= u32::from(a ^ b);
            left -= 1;
        }
        self.bits |= left << 8;
        self.due -= 1;
    }

    const fn word(self) -> u32 {
        Verdict::GOOD ^ self.bits ^ self.due << 16
    }
}
