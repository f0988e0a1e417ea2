//! Rows in lanes, one row in each lane. Key and mask stay in the lane until they are complete.

use super::chains::{Engine, LaneOf, VALUE_WORDS};
use super::items::{Starts, write_words};
use super::text::{Bit, Sheet, Text};
use crate::kernel::chain::{HEAD, Masked, Span};
use crate::word::vector::{MAX_LANES, Vector};

/// Fills the rows of every step of every span. Returns false, with nothing done, if the rule cannot
/// be processed in lanes.
#[inline(always)]
pub(crate) fn fill_rows<E: Engine>(
    rule: &Masked<'_, E::Hash>,
    spans: &[Span],
    rows: &mut [u8],
) -> bool {
    if !super::step::fits::<E>(rule.n) {
        return false;
    }
    let mut prf = Sheet::blank();
    let mut core = Sheet::blank();
    let Some(mut maker) = Maker::<E>::new(rule, [&mut prf, &mut core]) else { return false };
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
    prf: Text<'a, E>,
    select: Bit<E>,
    core: Text<'a, E>,
    rule: &'a Masked<'a, E::Hash>,
    heads: [[u8; HEAD]; MAX_LANES],
    places: [usize; MAX_LANES],
    used: usize,
}

impl<'a, E: Engine> Maker<'a, E> {
    #[inline(always)]
    fn new(rule: &'a Masked<'a, E::Hash>, [prf, core]: [&'a mut Sheet<E>; 2]) -> Option<Self> {
        let mut prf =
            Text::new(prf, rule.prf, false, rule.head_len, &[(0, rule.head_len)], rule.n)?;
        let select = prf.bit(rule.at + 7);
        let mut core = Text::new(core, rule.core, false, 2 * rule.n, &[(0, 2 * rule.n)], rule.n)?;
        prf.prepare();
        core.prepare();
        let (heads, places) = ([[0; HEAD]; MAX_LANES], [0; MAX_LANES]);
        Some(Self { prf, select, core, rule, heads, places, used: 0 })
    }

    #[inline(always)]
    fn push(&mut self, span: &Span, step: u32) {
        self.heads[self.used] = self.rule.head(&span.head, step, 0);
        self.places[self.used] = span.row + step as usize;
        self.used += 1;
    }

    /// Computes the rows of all lanes and stores those of the lanes in use.
    #[inline(always)]
    fn flush(&mut self, rows: &mut [u8]) {
        let words = self.rule.n / size_of::<LaneOf<E>>();
        self.prf.set_all(&self.heads, self.rule.head_len);
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
        let mut starts = [0; MAX_LANES];
        for (start, place) in starts.iter_mut().zip(&self.places[..self.used]) {
            *start = place * 2 * self.rule.n;
        }
        let starts = Starts::new(&starts[..self.used]);
        write_words::<E>(&table, rows, &starts, 2 * self.rule.n);
        self.used = 0;
    }
}
