//! One step of all lanes, for each rule.

use super::chains::{Engine, LaneOf, ROW, VALUE_WORDS, blank, swapped};
use super::text::{Bit, Text};
use crate::chain::{Masked, Rows, Span, Tweak};
use crate::lanes::vector::{MAX_LANES, Vector, columns, copy, swap};
use crate::lanes::word::Word;

/// The work of one step on the values of all lanes.
pub(super) trait Step<E: Engine> {
    /// Begins a chain in a lane.
    fn fill(&mut self, lane: usize, span: &Span);

    /// Steps all lanes; `row` says which row a lane needs, or that it has no chain.
    fn step(&mut self, x: &Values<E>, row: impl Fn(usize) -> Option<usize>) -> E::Wide;
}

/// The values of all lanes.
pub(super) type Values<E> = [<E as Engine>::Vector; VALUE_WORDS];

/// Returns true if values of n bytes are words that fit.
pub(super) fn fits<E: Engine>(n: usize) -> bool {
    n.is_multiple_of(size_of::<LaneOf<E>>()) && words::<E>(n) <= VALUE_WORDS
}

/// [`Tweak`] in lanes.
pub(super) struct TweakStep<'a, E: Engine> {
    text: Text<E>,
    count: Bit<E>,
    rule: &'a Tweak<'a, E::Hash>,
}

impl<'a, E: Engine> TweakStep<'a, E> {
    /// Returns `None` where the blocks are more than a text has room for.
    #[inline(always)]
    pub(super) fn new(rule: &'a Tweak<'a, E::Hash>) -> Option<Self> {
        let text = Text::new(rule.prefix, false, rule.head_len + rule.n)?;
        let count = text.bit(rule.counter.at + rule.counter.width - 1);
        Some(Self { text, count, rule })
    }
}

impl<E: Engine> Step<E> for TweakStep<'_, E> {
    #[inline(always)]
    fn fill(&mut self, lane: usize, span: &Span) {
        let mut head = span.head;
        self.rule.counter.write(&mut head, span.from);
        self.text.set(lane, &head[..self.rule.head_len]);
    }

    #[inline(always)]
    fn step(&mut self, x: &Values<E>, _row: impl Fn(usize) -> Option<usize>) -> E::Wide {
        self.text.lay(self.rule.head_len, &x[..words::<E>(self.rule.n)], false);
        let state = self.text.hash();
        self.text.add(&self.count);
        state
    }
}

/// [`Masked`] in lanes.
pub(super) struct MaskedStep<'a, E: Engine> {
    prf: Text<E>,
    count: Bit<E>,
    select: Bit<E>,
    core: Text<E>,
    rule: &'a Masked<'a, E::Hash>,
}

impl<'a, E: Engine> MaskedStep<'a, E> {
    /// Returns `None` where the blocks are more than a text has room for.
    #[inline(always)]
    pub(super) fn new(rule: &'a Masked<'a, E::Hash>) -> Option<Self> {
        let prf = Text::new(rule.prf, false, rule.head_len)?;
        let (count, select) = (prf.bit(rule.at + 3), prf.bit(rule.at + 7));
        let core = Text::new(rule.core, false, 2 * rule.n)?;
        Some(Self { prf, count, select, core, rule })
    }
}

impl<E: Engine> Step<E> for MaskedStep<'_, E> {
    #[inline(always)]
    fn fill(&mut self, lane: usize, span: &Span) {
        self.prf.set_head(lane, &self.rule.head(&span.head, span.from, 0), self.rule.head_len);
    }

    #[inline(always)]
    fn step(&mut self, x: &Values<E>, _row: impl Fn(usize) -> Option<usize>) -> E::Wide {
        let (n, words) = (self.rule.n, words::<E>(self.rule.n));
        let key = self.prf.hash();
        self.prf.flip(&self.select);
        let mask = self.prf.hash();
        self.prf.flip(&self.select);
        self.prf.add(&self.count);
        self.core.lay(0, &key.as_ref()[..words], false);
        self.core.lay(n, &xor::<E>(x, mask.as_ref())[..words], true);
        self.core.hash()
    }
}

/// [`Rows`] in lanes.
pub(super) struct RowsStep<'a, E: Engine> {
    core: Text<E>,
    resume: bool,
    rule: &'a Rows<'a, E::Hash>,
    rows: [[u8; ROW]; MAX_LANES],
}

impl<'a, E: Engine> RowsStep<'a, E> {
    /// Returns `None` where the blocks are more than a text has room for.
    #[inline(always)]
    pub(super) fn new(rule: &'a Rows<'a, E::Hash>) -> Option<Self> {
        let resume = rule.core.keeps_state(rule.n);
        let len = if resume { rule.n } else { 2 * rule.n };
        let core = Text::new(rule.core, resume, len)?;
        Some(Self { core, resume, rule, rows: [[0; ROW]; MAX_LANES] })
    }

    /// Returns the row of each lane, as words of all lanes.
    #[inline(always)]
    fn gather(&mut self, row: impl Fn(usize) -> Option<usize>) -> [E::Vector; 2 * VALUE_WORDS] {
        let len = 2 * self.rule.n;
        for (lane, to) in self.rows.iter_mut().enumerate().take(E::Vector::LANES) {
            if let Some(row) = row(lane) {
                copy(&mut to[..len], &self.rule.rows[row * len..(row + 1) * len]);
            }
        }
        let mut words = columns::<E::Vector, 16, _>(&self.rows[..E::Vector::LANES]);
        if swapped::<E>() {
            swap(&mut words);
        }
        words
    }
}

impl<E: Engine> Step<E> for RowsStep<'_, E> {
    #[inline(always)]
    fn fill(&mut self, _lane: usize, _span: &Span) {}

    #[inline(always)]
    fn step(&mut self, x: &Values<E>, row: impl Fn(usize) -> Option<usize>) -> E::Wide {
        let words = words::<E>(self.rule.n);
        let table = self.gather(row);
        let masked = xor::<E>(x, &table[words..2 * words]);
        if !self.resume {
            self.core.lay(0, &table[..words], false);
            self.core.lay(self.rule.n, &masked[..words], true);
            return self.core.hash();
        }
        let mut state = E::fill(E::Vector::splat_zero());
        state.as_mut().copy_from_slice(&table[..VALUE_WORDS]);
        self.core.lay(0, &masked[..words], false);
        self.core.hash_from(state)
    }
}

#[inline(always)]
fn xor<E: Engine>(x: &Values<E>, mask: &[E::Vector]) -> Values<E> {
    let mut masked = blank::<E>();
    for ((to, x), mask) in masked.iter_mut().zip(x).zip(mask) {
        *to = x.xor(*mask);
    }
    masked
}

/// Returns the number of words that n bytes are.
#[inline(always)]
fn words<E: Engine>(n: usize) -> usize {
    n / size_of::<LaneOf<E>>()
}
