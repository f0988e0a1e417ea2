//! Grids: messages and chains whose heads differ only in two numbers.
//!
//! The leaves of a tree, the chains of its one-time keys and the secret elements of these chains
//! are hashed under addresses that count up. A [`Grid`] describes such addresses. A backend then
//! lays out one head for all items, and computes once what they share.

use super::Kernel;
use super::chain::{HEAD, MAX_N, Rule, Span};
use super::function::HashFunction;
use super::message::{self, TILE, wipe};
use super::midstate::Midstate;

/// A number in a head: big-endian, 2 or 4 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Number {
    /// Offset of the first byte.
    pub at: usize,
    /// Width in bytes: 2 or 4, or 0 if there is no number.
    pub width: usize,
    /// The first number.
    pub first: u32,
}

/// Heads in rows and columns: item i is in row `i / columns` and column `i % columns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The bytes of every head, outside the numbers.
    pub head: [u8; HEAD],
    /// The number of the row.
    pub row: Number,
    /// The number of the column.
    pub column: Number,
    /// Number of items in a row.
    pub columns: usize,
}

/// Messages prefix ‖ head i ‖ tail, one for each item of a grid.
pub struct Numbered<'a, H: HashFunction> {
    /// The beginning of every message.
    pub prefix: &'a Midstate<H>,
    /// Number of bytes of a head that are used.
    pub head_len: usize,
    /// The heads.
    pub grid: &'a Grid,
    /// The ends of the messages.
    pub tail: Tail<'a>,
}

/// The ends of messages.
#[derive(Clone, Copy)]
pub enum Tail<'a> {
    /// All messages end with these bytes.
    Same(&'a [u8]),
    /// Each message ends with its share of these bytes.
    Each(&'a [u8]),
}

/// A backend that lays out one head for all items of a grid.
pub trait Grids<H: HashFunction>: Kernel<H> {
    /// Implements [`numbered`](crate::numbered).
    ///
    /// # Panics
    /// As [`numbered`](crate::numbered).
    fn numbered(&self, messages: &Numbered<'_, H>, out: &mut [u8], n: usize);

    /// Implements [`walk`](crate::walk).
    ///
    /// # Panics
    /// As [`walk`](crate::walk).
    fn walk(&self, rule: &Rule<'_, H>, grid: &Grid, steps: u32, values: &mut [u8]) {
        walk_spans(self, rule, (grid, steps), 0, values);
    }

    /// Implements [`trace`](crate::trace).
    ///
    /// # Panics
    /// As [`trace`](crate::trace).
    fn trace(&self, rule: &Rule<'_, H>, grid: &Grid, steps: u32, table: &mut [u8]) {
        trace_spans(self, rule, (grid, steps), 0, table);
    }
}

/// Hashes messages whose heads count up. Digest i, cut to n bytes, goes to `out[i * n..]`.
///
/// # Panics
/// If `out` is not a multiple of n bytes, or a head or a tail is too long.
pub fn numbered<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    messages: &Numbered<'_, H>,
    out: &mut [u8],
    n: usize,
) {
    match kernel.grids() {
        Some(grids) => grids.numbered(messages, out, n),
        None => messages.hash_laid_out(kernel, 0, out, n),
    }
}

/// Advances the chain of every item of a grid by its first `steps` steps. The rule must not be
/// [`Rule::Rows`].
///
/// # Panics
/// If `values` is not a multiple of n bytes. The function may also panic for [`Rule::Rows`].
pub fn walk<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    rule: &Rule<'_, H>,
    grid: &Grid,
    steps: u32,
    values: &mut [u8],
) {
    match kernel.grids() {
        Some(grids) => grids.walk(rule, grid, steps, values),
        None => walk_spans(kernel, rule, (grid, steps), 0, values),
    }
}

/// Advances the chain of every item of a grid as [`walk`] does, and keeps every value. `table` has
/// `steps + 1` consecutive values for each item. The caller sets the first of them.
///
/// # Panics
/// If `table` is not a multiple of `steps + 1` values, or the rule is [`Rule::Rows`].
pub fn trace<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    rule: &Rule<'_, H>,
    grid: &Grid,
    steps: u32,
    table: &mut [u8],
) {
    match kernel.grids() {
        Some(grids) => grids.trace(rule, grid, steps, table),
        None => trace_spans(kernel, rule, (grid, steps), 0, table),
    }
}

/// Maximum size of a tail in bytes.
const TAIL: usize = 2 * MAX_N;

impl Number {
    /// Returns the offset of the last two bytes of the number, if there is a number.
    #[allow(dead_code, reason = "used where there are vectors")]
    pub(crate) const fn low(self) -> Option<usize> {
        if self.width == 0 { None } else { Some(self.at + self.width - 2) }
    }

    /// Returns true if `count` consecutive numbers differ only in their last two bytes.
    #[allow(dead_code, reason = "used where there are vectors")]
    pub(crate) fn is_short(self, count: usize) -> bool {
        self.width == 0 || (self.first & 0xffff) as usize + count <= 1 << 16
    }

    /// Writes the number `first + add`.
    pub fn write(self, head: &mut [u8; HEAD], add: usize) {
        let bytes = (self.first + add as u32).to_be_bytes();
        head[self.at..self.at + self.width].copy_from_slice(&bytes[4 - self.width..]);
    }
}

impl Grid {
    /// Returns a grid with a single row.
    #[must_use]
    pub const fn line(head: [u8; HEAD], column: Number) -> Self {
        Self { head, row: Number { at: 0, width: 0, first: 0 }, column, columns: usize::MAX }
    }

    /// Returns the head of item i.
    #[must_use]
    pub fn head(&self, i: usize) -> [u8; HEAD] {
        let mut head = self.head;
        self.row.write(&mut head, i / self.columns);
        self.column.write(&mut head, i % self.columns);
        head
    }

    /// Returns item i as the span of a chain.
    pub(crate) fn span(&self, i: usize, steps: u32) -> Span {
        Span { head: self.head(i), from: 0, steps, row: 0 }
    }
}

impl<H: HashFunction> Numbered<'_, H> {
    /// Returns the compressions of each of `count` messages.
    #[must_use]
    pub fn cost(&self, count: usize) -> u64 {
        self.prefix.cost(self.head_len + self.tail_len(count))
    }

    /// Returns the size of a tail in bytes, if there are `count` messages.
    pub(crate) fn tail_len(&self, count: usize) -> usize {
        match self.tail {
            Tail::Same(tail) => tail.len(),
            Tail::Each(tails) => tails.len() / count.max(1),
        }
    }

    /// Returns tail i.
    fn tail(&self, i: usize, len: usize) -> &[u8] {
        match self.tail {
            Tail::Same(tail) => tail,
            Tail::Each(tails) => &tails[i * len..(i + 1) * len],
        }
    }

    /// Hashes the messages from number `first` on, each laid out in full. [`numbered`] does this
    /// for backends that do not implement [`Grids`].
    ///
    /// # Panics
    /// As [`numbered`].
    pub fn hash_laid_out<K: Kernel<H> + ?Sized>(
        &self,
        kernel: &K,
        first: usize,
        out: &mut [u8],
        n: usize,
    ) {
        let tail = self.tail_len(out.len() / n);
        assert!(self.head_len <= HEAD && tail <= TAIL && out.len().is_multiple_of(n));
        let (each, mut laid) = (self.head_len + tail, [0; TILE * (HEAD + TAIL)]);
        for (tile, out) in out[first * n..].chunks_mut(TILE * n).enumerate() {
            let laid = &mut laid[..out.len() / n * each];
            for (i, message) in laid.chunks_exact_mut(each).enumerate() {
                let i = first + tile * TILE + i;
                message[..self.head_len].copy_from_slice(&self.grid.head(i)[..self.head_len]);
                message[self.head_len..].copy_from_slice(self.tail(i, tail));
            }
            message::many(kernel, self.prefix, laid, out, n);
        }
        let longest = TILE.min(out.len() / n - first) * each;
        wipe(&mut laid[..longest], 0);
    }
}

/// Advances the chains from number `first` on as spans.
///
/// # Panics
/// As [`walk`].
pub(crate) fn walk_spans<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    rule: &Rule<'_, H>,
    (grid, steps): (&Grid, u32),
    first: usize,
    values: &mut [u8],
) {
    let n = rule.n();
    let mut spans = [Span::default(); TILE];
    for (tile, values) in values[first * n..].chunks_mut(TILE * n).enumerate() {
        let spans = &mut spans[..values.len() / n];
        for (i, span) in spans.iter_mut().enumerate() {
            *span = grid.span(first + tile * TILE + i, steps);
        }
        kernel.chains(rule, spans, values);
    }
}

/// Advances the chains from number `first` on as spans, one step at a time.
///
/// # Panics
/// As [`trace`].
pub(crate) fn trace_spans<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    rule: &Rule<'_, H>,
    (grid, steps): (&Grid, u32),
    first: usize,
    table: &mut [u8],
) {
    let n = rule.n();
    let each = (steps as usize + 1) * n;
    assert!(table.len().is_multiple_of(each) && !matches!(rule, Rule::Rows(_)));
    let (mut spans, mut values) = ([Span::default(); TILE], [0; TILE * MAX_N]);
    for (tile, chains) in table[first * each..].chunks_mut(TILE * each).enumerate() {
        let count = chains.len() / each;
        let (spans, values) = (&mut spans[..count], &mut values[..count * n]);
        for (i, span) in spans.iter_mut().enumerate() {
            *span = grid.span(first + tile * TILE + i, 1);
        }
        for step in 0..steps as usize {
            for (value, chain) in values.chunks_exact_mut(n).zip(chains.chunks_exact(each)) {
                value.copy_from_slice(&chain[step * n..][..n]);
            }
            spans.iter_mut().for_each(|span| span.from = step as u32);
            kernel.chains(rule, spans, values);
            for (value, chain) in values.chunks_exact(n).zip(chains.chunks_exact_mut(each)) {
                chain[(step + 1) * n..][..n].copy_from_slice(value);
            }
        }
    }
    wipe(&mut values, 0);
}
