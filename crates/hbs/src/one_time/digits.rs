//! The digits of a digest, which are the lengths of the chains: RFC 8391, section 2.6 (Strings of
//! Base w Numbers) and the checksum of RFC 8391, section 3.1.5 (WOTS+ Signature Generation).

use crate::params::Set;

/// Maximum number of chains in any set: LMS with n = 32 and w = 1.
pub const MOST_CHAINS: usize = 265;

/// Maximum number of chains in a set with n <= 32 and w = 16. A buffer of this size takes less time
/// to zero, which counts in every signature.
const FEW_CHAINS: usize = 67;

/// Calls `job` with the `len` digits of `digest` (n bytes), including the checksum.
pub fn with_digits<T>(set: &Set, digest: &[u8], job: impl FnOnce(&[u8]) -> T) -> T {
    let len = set.len();
    if len <= FEW_CHAINS {
        let mut out = [0; FEW_CHAINS];
        digits(set, digest, &mut out[..len]);
        return job(&out[..len]);
    }
    let mut out = [0; MOST_CHAINS];
    digits(set, digest, &mut out[..len]);
    job(&out[..len])
}

/// Writes the `len` digits of `digest` (n bytes), including the checksum. Each digit is below w.
///
/// `out` must have length `set.len()`.
pub fn digits(set: &Set, digest: &[u8], out: &mut [u8]) {
    let (message, check) = out.split_at_mut(set.len1());
    let sum = message.len() * (set.w() - 1) - base_w(set.lg_w, digest, message);
    let bits = set.len2() * set.lg_w as usize;
    let shifted = (sum << (bits.next_multiple_of(8) - bits)) as u64;
    base_w(set.lg_w, &shifted.to_be_bytes()[8 - bits.div_ceil(8)..], check);
}

/// Computes RFC 8391, Algorithm 1 (base_w): the first digits of a byte string, most significant
/// first. Returns their sum.
fn base_w(lg_w: u32, bytes: &[u8], out: &mut [u8]) -> usize {
    match lg_w {
        1 => in_bytes::<8>(bytes, out),
        2 => in_bytes::<4>(bytes, out),
        4 if bytes.len().is_multiple_of(4) && out.len() == 2 * bytes.len() => in_words(bytes, out),
        4 => in_bytes::<2>(bytes, out),
        8 => in_bytes::<1>(bytes, out),
        _ => base_2b(lg_w as usize, bytes, out),
    }
}

/// Computes [`base_w`] for digits of four bits, eight at a time.
fn in_words(bytes: &[u8], out: &mut [u8]) -> usize {
    let mut sum = 0;
    for (digits, word) in out.as_chunks_mut::<8>().0.iter_mut().zip(bytes.as_chunks().0) {
        let word = u32::from_le_bytes(*word);
        let [high, low] = [word >> 4, word].map(|w| w & 0x0f0f_0f0f);
        // The upper byte of the product is the sum of the four bytes, which is at most 120.
        sum += (high + low).wrapping_mul(0x0101_0101) >> 24;
        let ([a, c, e, g], [b, d, f, h]) = (high.to_le_bytes(), low.to_le_bytes());
        *digits = [a, b, c, d, e, f, g, h];
    }
    sum as usize
}

/// Computes [`base_w`] for digits whose size in bits divides 8.
fn in_bytes<const IN_BYTE: usize>(bytes: &[u8], out: &mut [u8]) -> usize {
    let digit = |byte: u8, i: usize| {
        let bits = 8 / IN_BYTE;
        byte >> (8 - bits * (i + 1)) & (0xff >> (8 - bits))
    };
    let (whole, rest) = out.as_chunks_mut::<IN_BYTE>();
    let (now, later) = bytes.split_at(whole.len());
    let mut sum = 0;
    for (digits, byte) in whole.iter_mut().zip(now) {
        *digits = core::array::from_fn(|i| digit(*byte, i));
        sum += digits.iter().map(|d| usize::from(*d)).sum::<usize>();
    }
    for (i, place) in rest.iter_mut().enumerate() {
        *place = digit(later[0], i);
        sum += usize::from(*place);
    }
    sum
}

/// Computes [`base_w`] for digits of any size: FIPS 205, Algorithm 4 (base_2b).
fn base_2b(b: usize, bytes: &[u8], out: &mut [u8]) -> usize {
    let bit = |at: usize| bytes[at / 8] >> (7 - at % 8) & 1;
    let mut sum = 0;
    for (i, digit) in out.iter_mut().enumerate() {
        *digit = (i * b..(i + 1) * b).fold(0, |digit, at| digit << 1 | bit(at));
        sum += usize::from(*digit);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::SETS;

    #[test]
    fn digits_of_three_bits_cross_bytes() {
        let mut out = [0; 8];
        base_w(3, &[0b1011_1001, 0b0111_0001, 0b1101_0011], &mut out);
        assert_eq!(out, [5, 6, 2, 7, 0, 7, 2, 3]);
        for b in [1, 2, 4, 8] {
            let (mut one, mut other) = ([0; 3], [0; 3]);
            assert!(base_w(b, &[0x5a, 0xc3, 0x17], &mut one) > 0);
            let sum = base_2b(b as usize, &[0x5a, 0xc3, 0x17], &mut other);
            assert_eq!((one, sum), (other, one.iter().map(|d| usize::from(*d)).sum()));
        }
    }

    #[test]
    fn digits_of_four_bits_come_eight_at_a_time() {
        let bytes: [u8; 64] = core::array::from_fn(|i| (37 * i + 251) as u8);
        for bytes in [&bytes[..4], &bytes[..24], &bytes[..32], &bytes[..], &[0xff; 64]] {
            let (mut one, mut other) = ([0; 128], [0; 128]);
            let sum = in_words(bytes, &mut one[..2 * bytes.len()]);
            assert_eq!(sum, base_2b(4, bytes, &mut other[..2 * bytes.len()]));
            assert_eq!(one, other);
        }
    }

    #[test]
    fn the_example_of_the_standard() {
        let mut out = [0; 8];
        base_w(4, &[0x12, 0x34], &mut out[..4]);
        assert_eq!(out[..4], [1, 2, 3, 4]);
        base_w(2, &[0x12, 0x34], &mut out);
        assert_eq!(out, [0, 1, 0, 2, 0, 3, 1, 0]);
        base_w(1, &[0x12], &mut out);
        assert_eq!(out, [0, 0, 0, 1, 0, 0, 1, 0]);
    }

    #[test]
    fn checksums_balance() {
        for set in SETS {
            for byte in [0, 0x5a, 0xff] {
                let digest = [byte; 64];
                let mut out = [0; MOST_CHAINS];
                let out = &mut out[..set.len()];
                digits(set, &digest[..set.n], out);
                let sum: usize =
                    out[..set.len1()].iter().map(|d| set.w() - 1 - usize::from(*d)).sum();
                let check = out[set.len1()..].iter().fold(0, |c, d| c * set.w() + usize::from(*d));
                assert_eq!(sum, check, "{}", set.name);
            }
        }
    }
}
