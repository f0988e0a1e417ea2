//! One step of all lanes, for each rule.

use super::chains::{Engine, LaneOf, ROW, VALUE_WORDS, blank, swapped};
use super::text::{Bit, Text};
use crate::kernel::chain::{Masked, Rows, Span, Tweak};
use crate::word::Word;
use crate::word::vector::{MAX_LANES, Vector, columns, copy, swap};

/// The work of one step on the values of all lanes.
pub(super) trait Step<E: Engine> {
    /// Begins a chain in a lane.
    fn fill(&mut self, lane: usize, span: &Span);

    /// Makes ready for `steps` steps of all lanes.
    fn begin(&mut self, steps: u32);

    /// Steps all lanes; `row` says which row a lane needs, or that it has no chain.
    fn step(&mut self, x: &mut E::Wide, row: impl Fn(usize) -> Option<usize>);
}

/// From how many steps on it pays to prepare a text whose heads have changed.
const WORTH: u32 = 2;

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
        let last = rule.counter.at + rule.counter.width - 1;
        let (head, len) = (rule.head_len, rule.head_len + rule.n);
        let text = Text::new(rule.prefix, false, len, &[(last, last + 1), (head, len)])?;
        let count = text.bit(last);
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
    fn begin(&mut self, steps: u32) {
        if steps >= WORTH {
            self.text.prepare();
        }
    }

    #[inline(always)]
    fn step(&mut self, x: &mut E::Wide, _row: impl Fn(usize) -> Option<usize>) {
        self.text.lay(self.rule.head_len, &x.as_ref()[..words::<E>(self.rule.n)], false);
        self.text.hash(x);
        self.text.add(&self.count);
    }
}

/// [`Masked`] in lanes.
pub(super) struct MaskedStep<'a, E: Engine> {
    prf: Text<E>,
    count: Bit<E>,
    select: Bit<E>,
    core: Text<E>,
    key: E::Wide,
    mask: E::Wide,
    rule: &'a Masked<'a, E::Hash>,
}

impl<'a, E: Engine> MaskedStep<'a, E> {
    /// Returns `None` where the blocks are more than a text has room for.
    #[inline(always)]
    pub(super) fn new(rule: &'a Masked<'a, E::Hash>) -> Option<Self> {
        let (count, select) = (rule.at + 3, rule.at + 7);
        let holes = [(count, count + 1), (select, select + 1)];
        let prf = Text::new(rule.prf, false, rule.head_len, &holes)?;
        let (count, select) = (prf.bit(count), prf.bit(select));
        let core = Text::new(rule.core, false, 2 * rule.n, &[(0, 2 * rule.n)])?;
        let zero = E::fill(E::Vector::splat_zero());
        Some(Self { prf, count, select, core, key: zero, mask: zero, rule })
    }
}

impl<E: Engine> Step<E> for MaskedStep<'_, E> {
    #[inline(always)]
    fn fill(&mut self, lane: usize, span: &Span) {
        self.prf.set_head(lane, &self.rule.head(&span.head, span.from, 0), self.rule.head_len);
    }

    #[inline(always)]
    fn begin(&mut self, steps: u32) {
        if steps >= WORTH {
            self.prf.prepare();
        }
        self.core.prepare();
    }

    #[inline(always)]
    fn step(&mut self, x: &mut E::Wide, _row: impl Fn(usize) -> Option<usize>) {
        let (n, words) = (self.rule.n, words::<E>(self.rule.n));
        self.prf.hash(&mut self.key);
        self.prf.flip(&self.select);
        self.prf.hash(&mut self.mask);
        self.prf.flip(&self.select);
        self.prf.add(&self.count);
        self.core.lay(0, &self.key.as_ref()[..words], false);
        self.core.lay(n, &xor::<E>(x.as_ref(), self.mask.as_ref())[..words], true);
        self.core.hash(x);
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
        let core = Text::new(rule.core, resume, len, &[(0, len)])?;
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
    fn begin(&mut self, _steps: u32) {
        self.core.prepare();
    }

    #[inline(always)]
    fn step(&mut self, x: &mut E::Wide, row: impl Fn(usize) -> Option<usize>) {
        let words = words::<E>(self.rule.n);
        let table = self.gather(row);
        let masked = xor::<E>(x.as_ref(), &table[words..2 * words]);
        if !self.resume {
            self.core.lay(0, &table[..words], false);
            self.core.lay(self.rule.n, &masked[..words], true);
            return self.core.hash(x);
        }
        x.as_mut().copy_from_slice(&table[..VALUE_WORDS]);
        self.core.lay(0, &masked[..words], false);
        self.core.hash_from(x);
    }
}

#[inline(always)]
fn xor<E: Engine>(x: &[E::Vector], mask: &[E::Vector]) -> Values<E> {
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
