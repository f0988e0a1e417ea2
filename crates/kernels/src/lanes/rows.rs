//! Rows in lanes: a lane for each row, whose key and mask never leave it before they are done.

use super::chains::{Engine, LaneOf, ROW, VALUE_WORDS, swapped};
use super::text::{Bit, Text};
use crate::kernel::chain::{Masked, Span};
use crate::word::vector::{MAX_LANES, Vector, from_columns, swap};

/// Fills the rows of every step of every span; `false`, with nothing done, where the rule is of a
/// shape that has no fused form.
#[inline(always)]
pub(crate) fn fill_rows<E: Engine>(
    rule: &Masked<'_, E::Hash>,
    spans: &[Span],
    rows: &mut [u8],
) -> bool {
    if !super::step::fits::<E>(rule.n) {
        return false;
    }
    let Some(mut maker) = Maker::<E>::new(rule) else { return false };
    for (span, step) in spans.iter().flat_map(|s| (0..s.steps).map(move |k| (s, s.from + k))) {
        maker.push(span, step);
        if maker.used == E::Vector::LANES {
            maker.flush(rows);
        }
    }
    maker.flush(rows);
    true
}

struct Maker<'a, E: Engine> {
    prf: Text<E>,
    select: Bit<E>,
    core: Text<E>,
    rule: &'a Masked<'a, E::Hash>,
    places: [usize; MAX_LANES],
    used: usize,
}

impl<'a, E: Engine> Maker<'a, E> {
    #[inline(always)]
    fn new(rule: &'a Masked<'a, E::Hash>) -> Option<Self> {
        let prf = Text::new(rule.prf, false, rule.head_len, &[(0, rule.head_len)])?;
        let select = prf.bit(rule.at + 7);
        let core = Text::new(rule.core, false, 2 * rule.n, &[(0, 2 * rule.n)])?;
        Some(Self { prf, select, core, rule, places: [0; MAX_LANES], used: 0 })
    }

    #[inline(always)]
    fn push(&mut self, span: &Span, step: u32) {
        self.prf.set_head(self.used, &self.rule.head(&span.head, step, 0), self.rule.head_len);
        self.places[self.used] = span.row + step as usize;
        self.used += 1;
    }

    /// Makes the rows of all lanes, and keeps those that were asked for.
    #[inline(always)]
    fn flush(&mut self, rows: &mut [u8]) {
        let words = self.rule.n / size_of::<LaneOf<E>>();
        let mut table = [E::Vector::splat_zero(); 2 * VALUE_WORDS];
        let mut key = E::fill(E::Vector::splat_zero());
        self.prf.hash(&mut key);
        self.prf.flip(&self.select);
        let mut mask = E::fill(E::Vector::splat_zero());
        self.prf.hash(&mut mask);
        table[words..2 * words].copy_from_slice(&mask.as_ref()[..words]);
        self.prf.flip(&self.select);
        if self.rule.core.keeps_state(self.rule.n) {
            self.core.lay(0, &key.as_ref()[..words], false);
            self.core.first_block(&mut key);
        }
        table[..words].copy_from_slice(&key.as_ref()[..words]);
        if swapped::<E>() {
            swap(&mut table);
        }
        let mut items = [[0; ROW]; MAX_LANES];
        from_columns(&table, &mut items[..E::Vector::LANES]);
        let len = 2 * self.rule.n;
        for (place, item) in self.places[..self.used].iter().zip(&items) {
            rows[place * len..(place + 1) * len].copy_from_slice(&item[..len]);
        }
        self.used = 0;
    }
}
