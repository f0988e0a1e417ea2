//! The answer: two words, so that one fault does not make it.

use super::hashing::Digest;
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

/// Bits in which a root differed from the right one, and what is still due: `ROOT` for each root,
/// and one for each of its bytes. Whatever is left out of a comparison stays due.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    bits: u32,
    due: u32,
}

/// More than a root has bytes.
const ROOT: u32 = 256;

impl Comparisons {
    /// Returns comparisons of so many roots.
    pub const fn of(roots: u32) -> Self {
        let none = Comparison { bits: 0, due: roots * ROOT };
        Self { first: none, second: none }
    }

    /// Notes how many bytes one of these roots has, long before they are compared: a length that a
    /// fault has changed by then is another one.
    pub const fn owe(&mut self, bytes: u32) {
        self.first.due += bytes;
        self.second.due += bytes;
    }

    /// Compares a root with the right one.
    pub fn compare(&mut self, root: &Digest, right: &[u8]) {
        self.first.compare(root, right);
        self.second.compare(root, right);
    }

    pub fn verdict(&self) -> Verdict {
        let (first, second) = (black_box(self.first), black_box(self.second));
        Verdict { first: first.word(), second: second.word() }
    }
}

impl Comparison {
    /// Notes the bits that differ. A root that is compared with itself counts as a bit that does: a
    /// fault can turn one address into the other.
    #[inline(never)]
    fn compare(&mut self, root: &Digest, right: &[u8]) {
        self.bits |= u32::from(core::ptr::eq(root.as_ptr(), right.as_ptr()));
        self.due = self.due.wrapping_sub(ROOT);
        for (a, b) in root.iter().zip(right) {
            self.bits |= u32::from(a ^ b);
            self.due = self.due.wrapping_sub(1);
        }
    }

    const fn word(self) -> u32 {
        Verdict::GOOD ^ self.bits ^ self.due << 16
    }
}

#[cfg(test)]
mod tests {
    use super::super::hashing::{DIGEST_BYTES, Digest};
    use super::{Comparisons, Verdict};

    const BYTES: usize = 24;
    const NODE: Digest = [7; DIGEST_BYTES];

    fn judged(node: &Digest, right: &[u8]) -> Verdict {
        let mut roots = Comparisons::of(1);
        roots.owe(BYTES as u32);
        roots.compare(node, right);
        roots.verdict()
    }

    #[test]
    fn equal_roots_at_two_places_are_good() {
        let copy = NODE;
        assert!(judged(&NODE, &copy[..BYTES]).is_good());
    }

    #[test]
    fn both_words_find_what_a_fault_makes_of_the_operands() {
        let (copy, mut other) = (NODE, NODE);
        other[BYTES - 1] ^= 1;
        for (name, right) in [
            ("another root", &other[..BYTES]),
            ("the root itself", &NODE[..BYTES]),
            ("a short root", &copy[..8]),
            ("no root", &[]),
            ("a long root", &copy),
        ] {
            let verdict = judged(&NODE, right);
            assert_ne!(verdict.first, Verdict::GOOD, "{name}");
            assert_ne!(verdict.second, Verdict::GOOD, "{name}");
        }
    }

    #[test]
    fn a_root_that_is_not_compared_or_not_counted_is_found() {
        let mut roots = Comparisons::of(2);
        for _ in 0..2 {
            roots.owe(BYTES as u32);
        }
        let copy = NODE;
        roots.compare(&NODE, &copy[..BYTES]);
        let Verdict { first, second } = roots.verdict();
        assert!(first != Verdict::GOOD && second != Verdict::GOOD);
        let mut uncounted = Comparisons::of(1);
        uncounted.compare(&NODE, &copy[..BYTES]);
        let Verdict { first, second } = uncounted.verdict();
        assert!(first != Verdict::GOOD && second != Verdict::GOOD);
    }
}
