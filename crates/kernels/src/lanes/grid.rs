//! Grids in lanes: one head is laid out for all items, and numbers are written into its words.

use super::batch;
use super::chains::{Engine, LaneOf, VALUE, VALUE_WORDS};
use super::items::{Starts, read_words, write_words};
use super::step::{self, MaskedStep, Step, TweakStep};
use super::text::{Hole, Sheet, Slot, Text};
use crate::kernel::chain::Rule;
use crate::kernel::grid::{Grid, Number, Numbered, Tail};
use crate::kernel::message::wipe;
use crate::word::Lane;
use crate::word::vector::{MAX_LANES, Vector};

/// Number of bytes of a number that change.
const LOW: usize = 2;

/// The numbers in the heads of a group of items, one item in each lane.
pub(super) struct Heads<'g> {
    grid: &'g Grid,
    row: [u32; MAX_LANES],
    column: [u32; MAX_LANES],
    columns: u32,
    /// Rows and columns between an item and the item of the next group in the same lane.
    step: [u32; 2],
}

impl<'g> Heads<'g> {
    /// Returns the heads of the first group of `count` items; `None` if the numbers differ in more
    /// than two bytes, or columns have no number.
    #[inline(always)]
    fn new(grid: &'g Grid, count: usize, lanes: usize) -> Option<Self> {
        let columns = grid.columns.min(count.next_multiple_of(lanes).max(1));
        let rows = count.div_ceil(columns);
        let short = grid.column.is_short(columns.min(count)) && grid.row.is_short(rows);
        if !short || grid.column.width == 0 || columns > 1 << 16 {
            return None;
        }
        let low = |number: Number| number.first & 0xffff;
        let (mut row, mut column) = ([low(grid.row); MAX_LANES], [0; MAX_LANES]);
        for lane in 0..MAX_LANES {
            row[lane] += (lane / columns) as u32;
            column[lane] = (lane % columns) as u32;
        }
        let step = [(lanes / columns) as u32, (lanes % columns) as u32];
        Some(Self { grid, row, column, columns: columns as u32, step })
    }

    /// Returns the head of the first item, with zeros in place of the bytes that change.
    fn blank(&self) -> [u8; crate::kernel::chain::HEAD] {
        let mut head = self.grid.head(0);
        for at in [self.grid.row, self.grid.column].into_iter().filter_map(Number::low) {
            head[at..at + LOW].fill(0);
        }
        head
    }

    /// Returns the places of the bytes that change from group to group.
    fn holes(&self) -> [Hole; 2] {
        let column = self.grid.column.low().unwrap_or_default();
        [self.grid.row.low().unwrap_or(column), column].map(|at| (at, at + LOW))
    }

    /// Returns the numbers of a group, first the rows, then the columns.
    #[inline(always)]
    fn numbers<E: Engine>(&self) -> [E::Vector; 2] {
        let first = self.grid.column.first & 0xffff;
        let mut numbers = [E::Vector::splat_zero(); 2];
        for lane in 0..E::Vector::LANES {
            numbers[0].lanes_mut()[lane] = LaneOf::<E>::number(self.row[lane]);
            numbers[1].lanes_mut()[lane] = LaneOf::<E>::number(first + self.column[lane]);
        }
        if self.grid.row.width == 0 {
            numbers[0] = E::Vector::splat_zero();
        }
        numbers
    }

    /// Advances to the next group.
    #[inline(always)]
    fn advance(&mut self) {
        for (row, column) in self.row.iter_mut().zip(&mut self.column) {
            *column += self.step[1];
            let over = u32::from(*column >= self.columns);
            *column -= over * self.columns;
            *row += self.step[0] + over;
        }
    }
}

/// Returns the slots for the numbers of row and column, in a text whose body begins with a blank
/// head.
#[inline(always)]
fn slots<E: Engine>(text: &Text<'_, E>, heads: &Heads<'_>) -> Option<[Slot<E>; 2]> {
    let [row, column] = heads.holes();
    Some([text.slot(row.0)?, text.slot(column.0)?])
}

/// Hashes as many messages as fill the lanes, and the rest too if they are at least `break_even`.
/// Returns how many were hashed: none if their shape cannot be processed in lanes.
#[inline(always)]
pub(crate) fn numbered<E: Engine>(
    messages: &Numbered<'_, E::Hash>,
    out: &mut [u8],
    n: usize,
    break_even: usize,
) -> usize {
    let mut sheet = Sheet::blank();
    hash_items::<E>(messages, out, n, break_even, &mut sheet).unwrap_or(0)
}

#[inline(always)]
fn hash_items<E: Engine>(
    messages: &Numbered<'_, E::Hash>,
    out: &mut [u8],
    n: usize,
    break_even: usize,
    sheet: &mut Sheet<E>,
) -> Option<usize> {
    let (count, lanes, word) = (out.len() / n, E::Vector::LANES, size_of::<LaneOf<E>>());
    let (taken, tail) = (batch::taken(count, lanes, break_even), messages.tail_len(count));
    if taken == 0 || n > VALUE || !n.is_multiple_of(word) || !tail.is_multiple_of(word) {
        return None;
    }
    let mut heads = Heads::new(messages.grid, count, lanes)?;
    let (head_len, end) = (messages.head_len, messages.head_len + tail);
    let [row, column] = heads.holes();
    let (each, same): (&[u8], &[u8]) = match messages.tail {
        Tail::Same(tail) => (&[], tail),
        Tail::Each(tails) => (tails, &[]),
    };
    let hole = if same.is_empty() { (head_len, end) } else { column };
    let mut text = Text::new(sheet, messages.prefix, false, end, &[row, column, hole], n)?;
    text.set_same(0, &heads.blank()[..head_len]);
    text.set_same(head_len, same);
    let slots = slots(&text, &heads)?;
    if taken > lanes {
        text.prepare();
    }
    let mut state = E::fill(E::Vector::splat_zero());
    let mut values = [E::Vector::splat_zero(); 2 * VALUE_WORDS];
    let mut starts = Starts::every(tail, lanes);
    for (first, out) in (0..taken).step_by(lanes).zip(out[..taken * n].chunks_mut(lanes * n)) {
        text.number(&slots, &heads.numbers::<E>());
        heads.advance();
        if same.is_empty() && tail > 0 {
            if count - first < lanes {
                starts.repeat_last(count - first);
            }
            read_words::<E>(&each[first * tail..], &starts, tail, &mut values);
            text.lay(head_len, &values[..tail / word], false);
        }
        text.hash(&mut state);
        write_words::<E>(state.as_ref(), out, &Starts::every(n, out.len() / n), n);
    }
    text.wipe();
    wipe(&mut values, E::Vector::splat_zero());
    wipe(state.as_mut(), E::Vector::splat_zero());
    Some(taken)
}

/// Advances as many chains as fill the lanes, and the rest as [`numbered`] does with messages. With
/// `keep`, every value of a chain is written after the one before it. Returns how many chains were
/// advanced.
#[inline(always)]
pub(crate) fn walk<E: Engine>(
    rule: &Rule<'_, E::Hash>,
    (grid, steps, keep): (&Grid, u32, bool),
    values: &mut [u8],
    break_even: usize,
) -> usize {
    let n = rule.n();
    let each = if keep { (steps as usize + 1) * n } else { n };
    let (count, lanes) = (values.len() / each, E::Vector::LANES);
    let taken = batch::taken(count, lanes, break_even);
    let Some(heads) = Heads::new(grid, count, lanes) else { return 0 };
    if taken == 0 || steps > 256 || !step::fits::<E>(n) {
        return 0;
    }
    let mut walk = Walk { heads, count, taken, steps, n, each };
    let mut first = Sheet::blank();
    match rule {
        Rule::Tweak(rule) => {
            let holes = if steps <= FEW { walk.heads.holes() } else { [(0, 0); 2] };
            walk.run(TweakStep::<E>::with(rule, &mut first, holes), values)
        }
        Rule::Masked(rule) => {
            let mut second = Sheet::blank();
            walk.run(MaskedStep::<E>::new(rule, [&mut first, &mut second]), values)
        }
        Rule::Rows(_) => 0,
    }
}

/// Up to this number of steps, the constant words are prepared once for all groups, and the numbers
/// are among the words that change. For more steps, they are prepared for each group.
const FEW: u32 = 7;

/// Chains of a grid, advanced in lanes.
struct Walk<'g> {
    heads: Heads<'g>,
    count: usize,
    taken: usize,
    steps: u32,
    n: usize,
    /// Distance in bytes from one chain to the next: more than n if every value is kept.
    each: usize,
}

impl Walk<'_> {
    /// Advances the chains and returns how many were advanced.
    #[inline(always)]
    fn run<E: Engine, S: Step<E>>(&mut self, step: Option<S>, values: &mut [u8]) -> usize {
        let Some(mut step) = step else { return 0 };
        let [(row, _), (column, _)] = self.heads.holes();
        let Some(slots) = step.open(&self.heads.blank(), [row, column]) else { return 0 };
        let (n, each, lanes) = (self.n, self.each, E::Vector::LANES);
        let (mut x, mut starts) = (E::fill(E::Vector::splat_zero()), Starts::every(each, lanes));
        for first in (0..self.taken).step_by(lanes) {
            let items = lanes.min(self.count - first);
            if items < lanes {
                starts.repeat_last(items);
            }
            let values = &mut values[first * each..(first + items) * each];
            step.number(&slots, &self.heads.numbers::<E>());
            self.heads.advance();
            read_words::<E>(values, &starts, n, x.as_mut());
            step.begin(self.steps);
            let places = Starts::every(each, items);
            for taken in 1..=self.steps as usize {
                step.step(&mut x, |_| None);
                if each > n {
                    write_words::<E>(x.as_ref(), &mut values[taken * n..], &places, n);
                }
            }
            if each == n {
                write_words::<E>(x.as_ref(), values, &places, n);
            }
        }
        wipe(x.as_mut(), E::Vector::splat_zero());
        self.taken
    }
}
