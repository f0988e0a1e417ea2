//! Templates of blocks: constant words and holes.
//!
//! The steps of a chain hash blocks whose words are mostly the same: seeds, addresses, padding. A
//! template names the words that change, its holes. All that depends on the other words alone is
//! computed once ([`sha2::prepare`](super::sha2::prepare)): the rounds before the first hole, words
//! of the message schedule, and the constant terms of the words that do change. The compiler
//! derives the rounds that remain from the two constants `HOLES` and `FRESH`
//! ([`sha2::fill_in`](super::sha2::fill_in)); no scheme has rounds of its own.

/// Number of rounds of SHA-512, which has more than SHA-256.
pub(crate) const MOST_ROUNDS: usize = 80;

/// A block with holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The words that change, word i as bit i.
    pub holes: u32,
    /// True if the state before the block is constant too.
    pub fresh: bool,
    /// True if no more than [`ROW`] words of the state after the block are read.
    pub row: bool,
}

/// Words in a row of the Keccak state. The last round computes one row for a fifth of its work.
pub(crate) const ROW: usize = 5;

impl Template {
    /// Returns true if the routine of `other` can absorb a block of this template.
    #[allow(dead_code, reason = "used where there are vectors")]
    pub const fn is_part_of(self, other: Self) -> bool {
        self.holes & !other.holes == 0 && self.fresh == other.fresh && (self.row || !other.row)
    }
}

/// Returns the words of the message schedule that change, word t as bit t.
pub(crate) const fn changing(holes: u32) -> u128 {
    let mut words = holes as u128;
    let mut t = 16;
    while t < MOST_ROUNDS {
        if words >> (t - 16) & 0b1 != 0
            || words >> (t - 15) & 0b1 != 0
            || words >> (t - 7) & 0b1 != 0
            || words >> (t - 2) & 0b1 != 0
        {
            words |= 1 << t;
        }
        t += 1;
    }
    words
}

/// Returns true if word t of the message schedule changes.
pub(crate) const fn changes(holes: u32, t: usize) -> bool {
    changing(holes) >> t & 1 == 1
}

/// Returns true if word t changes and has constant terms.
pub(crate) const fn has_constant_part(holes: u32, t: usize) -> bool {
    t >= 16
        && changes(holes, t)
        && !(changes(holes, t - 16)
            && changes(holes, t - 15)
            && changes(holes, t - 7)
            && changes(holes, t - 2))
}

/// Returns the first round that takes a hole.
pub(crate) const fn first(holes: u32) -> usize {
    holes.trailing_zeros() as usize
}

/// Returns true if round t is computed once: it comes before the first hole or takes that hole.
pub(crate) const fn begins(holes: u32, t: usize) -> bool {
    t <= first(holes)
}

/// Returns true if variable h of round t is constant: the first hole has not yet changed it.
pub(crate) const fn knows_h(holes: u32, fresh: bool, t: usize) -> bool {
    fresh && t < first(holes) + 4
}
