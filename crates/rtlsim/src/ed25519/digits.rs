//! The scalar registers and the digits read from them.

use num_bigint::BigUint;

use super::halve::{HALF_BITS, Halved};
use super::operations::{COMB_TABLES, COMB_TEETH, Config, NAF_DIGITS};
use super::point::HALF_ENTRIES;

/// A table entry, and whether its negative is used.
pub type Digit = (u8, bool);

/// A scalar in non-adjacent form. Its digits are read in groups, the most significant digit first.
#[derive(Debug)]
struct Naf {
    /// Number of digits of the form.
    digits: u16,
    /// Maximum number of digits in a group.
    group: u64,
    triple: BigUint,
    single: BigUint,
    /// Entry, sign, and number of doublings still to come.
    pending: Option<(u8, bool, u64)>,
}

impl Naf {
    fn new(digits: u16, group: u64) -> Self {
        Self { digits, group, triple: BigUint::ZERO, single: BigUint::ZERO, pending: None }
    }
    /// Recodes k: digit i of the non-adjacent form is bit i + 1 of 3k minus bit i + 1 of k.
    fn recode(&mut self, k: &BigUint) {
        self.triple = (k * 3u8) >> 1u32;
        self.single = k >> 1u32;
        self.pending = None;
    }
    /// Returns digit `i`, counted from the top.
    fn digit(&self, i: u64) -> i8 {
        let at = u64::from(self.digits) - 1 - i;
        i8::from(self.triple.bit(at)) - i8::from(self.single.bit(at))
    }
    /// Returns the group at the current digit, if that is not zero. The group ends at its last
    /// nonzero digit, so its value is an odd multiple.
    fn group(&self) -> Option<(u8, bool, u64)> {
        let last = (0..self.group).rev().find(|i| self.digit(*i) != 0)?;
        let value = (0..=last).fold(0i8, |value, i| 2 * value + self.digit(i));
        (self.digit(0) != 0).then_some((value.unsigned_abs() / 2, value < 0, last))
    }
    fn current(&self) -> Option<(u8, bool, u64)> {
        self.pending.or_else(|| self.group())
    }
    /// Returns the multiple to add at this position, if any.
    fn due(&self) -> Option<Digit> {
        self.current().and_then(|(entry, negative, left)| (left == 0).then_some((entry, negative)))
    }
    fn shift(&mut self) {
        let mask = (BigUint::from(1u8) << self.digits) - 1u8;
        self.pending = self.current().and_then(|(e, n, left)| (left > 0).then(|| (e, n, left - 1)));
        for register in [&mut self.triple, &mut self.single] {
            *register = (&*register << 1u32) & &mask;
        }
    }
}

/// All scalar registers of a configuration.
#[derive(Debug)]
pub struct Scalars {
    config: Config,
    /// Scalar register 0: windows, or the comb.
    pub plain: BigUint,
    /// Scalar register 1: the digits of k.
    pub single: BigUint,
    k: Naf,
    u: Naf,
    v: Naf,
    /// Whether the multiple of -A changes its sign.
    negative: bool,
    /// Number of digits of u before the first digit of v.
    ahead: u16,
    /// Whether the multiple of A at this position has been added.
    added: bool,
}

impl Scalars {
    /// Returns registers without a scalar.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            plain: BigUint::ZERO,
            single: BigUint::ZERO,
            k: Naf::new(NAF_DIGITS, 4),
            u: Naf::new(NAF_DIGITS, 3),
            v: Naf::new(HALF_BITS + 1, 3),
            negative: false,
            ahead: 0,
            added: false,
        }
    }
    /// Recodes scalar register 0 into signed bits for the comb. The scalar is made odd, and then
    /// bit i stands for plus or minus 2^i.
    pub fn recode_comb(&mut self, l: &BigUint) {
        let odd = if self.plain.bit(0) { self.plain.clone() } else { &self.plain + l };
        self.plain = (odd >> 1u32) | (BigUint::from(1u8) << 255u32);
    }
    /// Recodes k, u and v into digits. The digits of u begin at the top of its register.
    pub fn recode_naf(&mut self, halved: &Halved) {
        self.k.recode(&self.single);
        self.u.recode(&(&halved.u << (NAF_DIGITS - 1 - HALF_BITS - halved.more)));
        self.v.recode(&halved.v);
        (self.negative, self.ahead, self.added) = (halved.negative, halved.more, false);
    }
    /// Returns the multiple of -A to add now, or that of R, whose entries follow those of A.
    pub fn sparse(&self) -> Option<Digit> {
        if self.config != Config::Half {
            return self.k.due();
        }
        let a = self.a_due().map(|(entry, negative)| (entry, negative != self.negative));
        a.or_else(|| self.r_due().map(|(entry, negative)| (entry + HALF_ENTRIES, !negative)))
    }
    fn a_due(&self) -> Option<Digit> {
        if self.added { None } else { self.u.due() }
    }
    fn r_due(&self) -> Option<Digit> {
        if self.ahead > 0 { None } else { self.v.due() }
    }
    /// Returns true if a second multiple must be added at this position. The first one then counts
    /// as added.
    pub fn again(&mut self) -> bool {
        let again = self.a_due().is_some() && self.r_due().is_some();
        self.added |= again;
        again
    }
    /// Moves to the next position.
    pub fn shift(&mut self) {
        let mask = (BigUint::from(1u8) << 256u32) - 1u8;
        let step = if self.config == Config::Paper { 2u32 } else { 1 };
        self.plain = (&self.plain << step) & mask;
        self.k.shift();
        self.u.shift();
        self.added = false;
        match self.ahead {
            0 => self.v.shift(),
            _ => self.ahead -= 1,
        }
    }
    /// Returns the current window of two bits.
    pub fn window(&self) -> u8 {
        u8::from(self.plain.bit(255)) << 1 | u8::from(self.plain.bit(254))
    }
    /// Returns the entry and the sign for comb table `q`.
    pub fn comb(&self, q: usize) -> (usize, bool) {
        let spacing = 256 / COMB_TEETH;
        let rows = spacing / COMB_TABLES;
        let bit = |t: usize| self.plain.bit((t * spacing + (q + 1) * rows - 1) as u64);
        let positive = bit(COMB_TEETH - 1);
        let low =
            (0..COMB_TEETH - 1).fold(0, |value, t| value | usize::from(bit(t) == positive) << t);
        (low, !positive)
    }
}
