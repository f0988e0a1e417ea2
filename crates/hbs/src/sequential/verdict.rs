//! The result of a verification: two words, so that a single fault cannot make it good.

use super::hashing::Digest;
use core::hint::black_box;

/// The result of a verification. Each word comes from a separate comparison. A ROM should check
/// both words, in two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Verdict {
    /// The result of the first comparison: [`Verdict::GOOD`] or anything else.
    pub first: u32,
    /// The result of the second comparison.
    pub second: u32,
}

impl Verdict {
    /// The value of both words for a good signature.
    pub const GOOD: u32 = 0x96c3_5a2d;

    /// Returns true if the signature is good.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.first == Self::GOOD && self.second == Self::GOOD
    }
}

/// The results of comparing the roots, kept twice.
#[derive(Debug)]
pub struct Comparisons {
    first: Comparison,
    second: Comparison,
}

/// The bits in which a root differed from the right one, and a count of the comparisons still due:
/// `ROOT` for each root, and 1 for each of its bytes. A comparison that is skipped remains due.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    bits: u32,
    due: u32,
}

/// The count for a root: more than the number of its bytes.
const ROOT: u32 = 256;

impl Comparisons {
    /// Returns the comparisons of `roots` roots, all of them still due.
    pub const fn of(roots: u32) -> Self {
        let none = Comparison { bits: 0, due: roots * ROOT };
        Self { first: none, second: none }
    }

    /// Adds the number of bytes of one root to the count, long before the root is compared. If a
    /// fault changes the length in between, the count does not reach zero.
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
    /// Records the bits that differ. Comparing a root with itself counts as a difference, because a
    /// fault can replace one address by the other.
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
