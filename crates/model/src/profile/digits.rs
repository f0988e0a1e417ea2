//! Digits: those of a given digest, of a typical one, and of the extreme ones.

use hasten_hbs::Set;

/// The digits that messages are assumed to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Digits {
    /// Those of the digest whose digit sum is nearest to the mean.
    Typical,
    /// Those of the digest that makes signing longest: every digit of the message is largest.
    LongSign,
    /// Those of the digest that makes verifying longest: every digit of the message is 0.
    LongVerify,
}

impl Digits {
    /// All choices of digits.
    pub const ALL: [Self; 3] = [Self::Typical, Self::LongSign, Self::LongVerify];

    /// Returns the digits of a set's chains: the number of steps of each when signing.
    #[must_use]
    pub fn of(self, set: &Set) -> Vec<u32> {
        digits(set, &self.digest(set))
    }

    pub(super) fn digest(self, set: &Set) -> Vec<u8> {
        match self {
            Self::Typical => typical(set),
            Self::LongSign => vec![0xff; set.n],
            Self::LongVerify => vec![0; set.n],
        }
    }
}

/// Returns the digits of a digest of n bytes, including those of the checksum: the number of steps
/// of every chain when signing.
#[must_use]
pub fn digits(set: &Set, digest: &[u8]) -> Vec<u32> {
    let mut all = base_w(set, digest, set.len1());
    let sum: u32 = all.iter().map(|digit| set.w() as u32 - 1 - digit).sum();
    let bits = set.len2() * set.lg_w as usize;
    let shifted = u64::from(sum) << (bits.next_multiple_of(8) - bits);
    all.extend(base_w(set, &shifted.to_be_bytes()[8 - bits.div_ceil(8)..], set.len2()));
    all
}

fn base_w(set: &Set, bytes: &[u8], count: usize) -> Vec<u32> {
    let each = set.lg_w as usize;
    let digit = |i: usize| {
        let at = i * each;
        u32::from(bytes[at / 8]) >> (8 - each - at % 8) & ((1 << each) - 1)
    };
    (0..count).map(digit).collect()
}

/// Returns the digest whose digit sum is nearest to the mean, among pseudorandom candidates. The
/// lengths of its longest chains are therefore common ones.
#[must_use]
pub fn typical(set: &Set) -> Vec<u8> {
    let mean = mean_digit_sum(set);
    let candidates = (0..400).map(|i| crate::operation::random(&format!("typical {i}"), set.n));
    let off = |digest: &Vec<u8>| {
        let sum: u32 = digits(set, digest).iter().sum();
        (f64::from(sum) - mean).abs()
    };
    candidates.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or_default()
}

/// Returns E\[D\], exactly: the mean of the digits of the message, plus that of the checksum digits
/// over the distribution of the checksum.
#[must_use]
pub fn mean_digit_sum(set: &Set) -> f64 {
    let (w, len1) = (set.w(), set.len1());
    let mut sums = vec![1.0_f64];
    for _ in 0..len1 {
        sums = add_digit(&sums, w);
    }
    let digit_sum = |mut sum: usize| {
        let mut digits = 0;
        while sum > 0 {
            digits += sum % w;
            sum /= w;
        }
        digits as f64
    };
    let check: f64 = sums.iter().enumerate().map(|(sum, p)| p * digit_sum(sum)).sum();
    len1 as f64 * (w - 1) as f64 / 2.0 + check
}

/// Returns the distribution of a sum with one more digit, all of whose values are equally likely.
fn add_digit(sums: &[f64], w: usize) -> Vec<f64> {
    let mut out = vec![0.0; sums.len() + w - 1];
    let mut window = 0.0;
    for (at, out) in out.iter_mut().enumerate() {
        window += sums.get(at).copied().unwrap_or(0.0);
        if at >= w {
            window -= sums.get(at - w).copied().unwrap_or(0.0);
        }
        *out = window / w as f64;
    }
    out
}
