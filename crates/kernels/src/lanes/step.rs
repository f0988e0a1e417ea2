//! One step of all lanes, for each [`Rule`](crate::kernel::chain::Rule).

use super::chains::{Engine, LaneOf, VALUE_WORDS, blank};
use super::items::{Starts, read_words};
use super::text::{Bit, Hole, Sheet, Slot, Text};
use crate::kernel::chain::{HEAD, Masked, Rows, Span, Tweak};
use crate::word::Word;
use crate::word::vector::{MAX_LANES, Vector};

/// One step on the values of all lanes.
pub(super) trait Step<E: Engine> {
    /// Begins a chain in a lane.
    fn fill(&mut self, lane: usize, span: &Span);

    /// Begins a chain in every lane: `spans[order[i]]` in lane i.
    fn fill_all(&mut self, spans: &[Span], order: &[u16]);

    /// Prepares `steps` steps of all lanes.
    fn begin(&mut self, steps: u32);

    /// Begins a chain in every lane, with heads that differ only in two numbers. `head` must be
    /// zero where the numbers change; `at` has the offsets of these bytes. Returns the slots for
    /// [`number`](Self::number), or `None` if the step has no heads or a number is split between
    /// two words.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn open(&mut self, head: &[u8; HEAD], at: [usize; 2]) -> Option<[Slot<E>; 3]>;

    /// Begins a chain in every lane, with these numbers in the heads.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn number(&mut self, slots: &[Slot<E>; 3], numbers: &[E::Vector; 2]);

    /// Advances all lanes by one step. `row` returns the row that a lane needs, or `None` if the
    /// lane has no chain.
    fn step(&mut self, x: &mut E::Wide, row: impl Fn(usize) -> Option<usize>);
}

/// Minimum number of steps for which it pays off to prepare a text whose heads have changed.
const WORTH: u32 = 2;

/// The values of all lanes.
pub(super) type Values<E> = [<E as Engine>::Vector; VALUE_WORDS];

/// Returns true if values of n bytes are whole words and not too long.
pub(super) fn fits<E: Engine>(n: usize) -> bool {
    n.is_multiple_of(size_of::<LaneOf<E>>()) && words::<E>(n) <= VALUE_WORDS
}

/// [`Tweak`] in lanes.
pub(super) struct TweakStep<'a, E: Engine> {
    text: Text<'a, E>,
    count: Bit<E>,
    rule: &'a Tweak<'a, E::Hash>,
}

impl<'a, E: Engine> TweakStep<'a, E> {
    /// Returns `None` if a text has no room for the blocks.
    #[inline(always)]
    pub(super) fn new(rule: &'a Tweak<'a, E::Hash>, sheet: &'a mut Sheet<E>) -> Option<Self> {
        Self::with(rule, sheet, [(0, 0); 2])
    }

    /// Returns a step for heads in which these bytes, too, change from one group of chains to the
    /// next.
    #[inline(always)]
    pub(super) fn with(
        rule: &'a Tweak<'a, E::Hash>,
        sheet: &'a mut Sheet<E>,
        [row, column]: [Hole; 2],
    ) -> Option<Self> {
        let last = rule.counter.at + rule.counter.width - 1;
        let (head, len) = (rule.head_len, rule.head_len + rule.n);
        let holes = [(last, last + 1), (head, len), row, column];
        let text = Text::new(sheet, rule.prefix, false, len, &holes, rule.n)?;
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
    fn fill_all(&mut self, spans: &[Span], order: &[u16]) {
        let mut heads = [[0; HEAD]; MAX_LANES];
        for (head, index) in heads.iter_mut().zip(order) {
            let span = &spans[usize::from(*index)];
            *head = span.head;
            self.rule.counter.write(head, span.from);
        }
        self.text.set_all(&heads, self.rule.head_len);
    }

    #[inline(always)]
    fn open(&mut self, head: &[u8; HEAD], [row, column]: [usize; 2]) -> Option<[Slot<E>; 3]> {
        let (mut head, counter) = (*head, self.rule.counter);
        counter.write(&mut head, 0);
        self.text.set_same(0, &head[..self.rule.head_len]);
        let counter = self.text.kept(counter.at + counter.width - 1);
        Some([self.text.slot(row)?, self.text.slot(column)?, counter])
    }

    #[inline(always)]
    fn number(&mut self, slots: &[Slot<E>; 3], numbers: &[E::Vector; 2]) {
        self.text.number(slots, numbers);
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
    prf: Text<'a, E>,
    count: Bit<E>,
    select: Bit<E>,
    core: Text<'a, E>,
    key: E::Wide,
    mask: E::Wide,
    rule: &'a Masked<'a, E::Hash>,
}

impl<'a, E: Engine> MaskedStep<'a, E> {
    /// Returns `None` if a text has no room for the blocks.
    #[inline(always)]
    pub(super) fn new(
        rule: &'a Masked<'a, E::Hash>,
        [prf, core]: [&'a mut Sheet<E>; 2],
    ) -> Option<Self> {
        let (count, select) = (rule.at + 3, rule.at + 7);
        let holes = [(count, count + 1), (select, select + 1)];
        let prf = Text::new(prf, rule.prf, false, rule.head_len, &holes, rule.n)?;
        let (count, select) = (prf.bit(count), prf.bit(select));
        let core = Text::new(core, rule.core, false, 2 * rule.n, &[(0, 2 * rule.n)], rule.n)?;
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
    fn fill_all(&mut self, spans: &[Span], order: &[u16]) {
        let mut heads = [[0; HEAD]; MAX_LANES];
        for (head, index) in heads.iter_mut().zip(order) {
            let span = &spans[usize::from(*index)];
            *head = self.rule.head(&span.head, span.from, 0);
        }
        self.prf.set_all(&heads, self.rule.head_len);
    }

    #[inline(always)]
    fn open(&mut self, head: &[u8; HEAD], [row, column]: [usize; 2]) -> Option<[Slot<E>; 3]> {
        self.prf.set_same(0, &self.rule.head(head, 0, 0)[..self.rule.head_len]);
        let counter = self.prf.kept(self.rule.at + 3);
        Some([self.prf.slot(row)?, self.prf.slot(column)?, counter])
    }

    #[inline(always)]
    fn number(&mut self, slots: &[Slot<E>; 3], numbers: &[E::Vector; 2]) {
        self.prf.number(slots, numbers);
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
    core: Text<'a, E>,
    resume: bool,
    rule: &'a Rows<'a, E::Hash>,
}

impl<'a, E: Engine> RowsStep<'a, E> {
    /// Returns `None` if a text has no room for the blocks.
    #[inline(always)]
    pub(super) fn new(rule: &'a Rows<'a, E::Hash>, sheet: &'a mut Sheet<E>) -> Option<Self> {
        let resume = rule.core.keeps_state(rule.n);
        let len = if resume { rule.n } else { 2 * rule.n };
        let core = Text::new(sheet, rule.core, resume, len, &[(0, len)], rule.n)?;
        Some(Self { core, resume, rule })
    }

    /// Returns the row of each lane, as words of all lanes.
    #[inline(always)]
    fn gather(&self, row: impl Fn(usize) -> Option<usize>) -> [E::Vector; 2 * VALUE_WORDS] {
        let len = 2 * self.rule.n;
        let mut starts = [0; MAX_LANES];
        for (lane, start) in starts.iter_mut().enumerate().take(E::Vector::LANES) {
            *start = row(lane).map_or(0, |row| row * len);
        }
        let mut words = [E::Vector::splat_zero(); 2 * VALUE_WORDS];
        let starts = Starts::new(&starts[..E::Vector::LANES]);
        read_words::<E>(self.rule.rows, &starts, len, &mut words);
        words
    }
}

impl<E: Engine> Step<E> for RowsStep<'_, E> {
    #[inline(always)]
    fn fill(&mut self, _lane: usize, _span: &Span) {}

    #[inline(always)]
    fn fill_all(&mut self, _spans: &[Span], _order: &[u16]) {}

    #[inline(always)]
    fn open(&mut self, _head: &[u8; HEAD], _at: [usize; 2]) -> Option<[Slot<E>; 3]> {
        None
    }

    #[inline(always)]
    fn number(&mut self, _slots: &[Slot<E>; 3], _numbers: &[E::Vector; 2]) {}

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

/// Returns the number of words in n bytes.
#[inline(always)]
fn words<E: Engine>(n: usize) -> usize {
    n / size_of::<LaneOf<E>>()
}
