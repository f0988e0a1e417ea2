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

    /// Compares a root with the right one, which is asked for twice.
    pub fn compare<'k>(&mut self, root: &[u8], right: impl Fn() -> &'k [u8]) {
        self.first.compare(root, right());
        self.second.compare(root, right());
    }

    pub fn verdict(&self) -> Verdict {
        let (first, second) = (black_box(self.first), black_box(self.second));
        Verdict { first: first.word(), second: second.word() }
    }
}

impl Comparison {
    /// Notes the bits that differ. Bytes that were not compared count as such bits, and so do two
    /// lengths that differ, and a root that is compared with itself: a fault can change a length or
    /// turn one address into the other.
    #[inline(never)]
    fn compare(&mut self, root: &[u8], right: &[u8]) {
        let mut left = right.len() as u32;
        self.bits |= (left ^ root.len() as u32) << 8;
        self.bits |= u32::from(core::ptr::eq(root.as_ptr(), right.as_ptr())) << 8;
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

#[cfg(test)]
mod tests {
    use super::{Comparisons, Verdict};

    const ROOT: [u8; 24] = [7; 24];

    fn judged(root: &[u8], right: &[u8]) -> Verdict {
        let mut roots = Comparisons::due(1);
        roots.compare(root, || right);
        roots.verdict()
    }

    #[test]
    fn equal_roots_at_two_places_are_good() {
        let copy = ROOT;
        assert!(judged(&ROOT, &copy).is_good());
    }

    #[test]
    fn both_words_find_what_a_fault_makes_of_the_operands() {
        let (copy, mut other) = (ROOT, ROOT);
        other[23] ^= 1;
        for (name, root, right) in [
            ("another root", &ROOT[..], &other[..]),
            ("the root itself", &ROOT, &ROOT),
            ("a short root", &ROOT[..8], &copy),
            ("no root", &[], &copy),
            ("a short key", &ROOT, &copy[..8]),
            ("no key", &ROOT, &[]),
        ] {
            let verdict = judged(root, right);
            assert_ne!(verdict.first, Verdict::GOOD, "{name}");
            assert_ne!(verdict.second, Verdict::GOOD, "{name}");
        }
        let none = Comparisons::due(1).verdict();
        assert!(none.first != Verdict::GOOD && none.second != Verdict::GOOD);
    }
}
