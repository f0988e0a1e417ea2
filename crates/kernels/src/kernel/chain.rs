//! Chains: values that are each advanced by a number of steps of their own.
//!
//! A chain is a value of n bytes. A step replaces it by the hash of the value and of public data
//! that depends on the number of the step. A [`Rule`] defines the computation of a step. A [`Span`]
//! defines the position of a chain and its number of steps. The values are in one flat slice, n
//! bytes for each span. Here, `‖` is concatenation, j is the number of the step, and `head[at ← j]`
//! is the head of the span with the counter written at byte `at`:
//!
//! | rule | value ← | compressions per step |
//! |---|---|---|
//! | [`Rule::Tweak`] | prefix ‖ head\[at ← j\] ‖ value | 1, if that fits a block |
//! | [`Rule::Masked`] | core ‖ KEY ‖ (value ⊕ MASK) | 4 (SHA-256 n=32, SHA-512 n=64), 5 (SHA-256 n=24), 3 (SHAKE) |
//! | [`Rule::Rows`] | the same, KEY and MASK out of a table | 1 (SHA-256, SHA-512, SHAKE up to n=32) |
//!
//! with KEY = prf ‖ head\[at ← j, at+4 ← 0\] and MASK = prf ‖ head\[at ← j, at+4 ← 1\], both cut to
//! n bytes. Only the first `head_len` bytes of a head are used. [`Rule::cost`] is exact for any
//! rule.
//!
//! **Table.** Row r is the 2n bytes at `2n * r`. The first n bytes are KEY, or the state after core
//! ‖ KEY if that state has n bytes and KEY ends a block ([`Midstate::keeps_state`]). The other n
//! bytes are MASK. Step j of a span uses row `span.row + j`. [`Kernel::rows`] fills the rows of
//! all steps of every span.
//!
//! Spans may come in any order. In each window of [`WINDOW`] spans, those with the most steps are
//! started first. The time depends on the spans, never on the values.

mod order;

pub(crate) use order::Order;

use super::Kernel;
use super::function::HashFunction;
use super::message::{self, TILE, wipe};
use super::midstate::Midstate;

/// Maximum size of a value in bytes.
pub const MAX_N: usize = 64;
/// Size of a head in bytes; a rule may use fewer.
pub const HEAD: usize = 32;
/// Number of spans that are sorted by length at a time.
pub const WINDOW: usize = 512;

/// The position of one chain, and the number of steps to advance it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The bytes that the rule puts before the value. The step overwrites the counter in them.
    pub head: [u8; HEAD],
    /// Number of the first step.
    pub from: u32,
    /// Number of steps; 0 leaves the value as it is.
    pub steps: u32,
    /// Row of step 0 in the table. Only rows of steps that are taken need to exist.
    pub row: usize,
}

/// The field in a head for the number of the step, in big-endian order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepField {
    /// Offset of the first byte.
    pub at: usize,
    /// Width in bytes: 1 or 4.
    pub width: usize,
}

/// The rule value ← prefix ‖ head ‖ value.
pub struct Tweak<'a, H: HashFunction> {
    /// The beginning of the message of every step.
    pub prefix: &'a Midstate<H>,
    /// Number of bytes of the head that are used.
    pub head_len: usize,
    /// The field for the number of the step.
    pub counter: StepField,
    /// Size of a value in bytes.
    pub n: usize,
}

/// The rule value ← core ‖ KEY ‖ (value ⊕ MASK), with KEY and MASK computed from `prf` and the
/// head.
pub struct Masked<'a, H: HashFunction> {
    /// The beginning of the messages of KEY and MASK.
    pub prf: &'a Midstate<H>,
    /// The beginning of the message of the value.
    pub core: &'a Midstate<H>,
    /// Number of bytes of the head that are used.
    pub head_len: usize,
    /// Offset in the head of the number of the step, 4 bytes; the selector of KEY and MASK has the
    /// next 4.
    pub at: usize,
    /// Size of a value in bytes.
    pub n: usize,
}

/// The rule of [`Masked`], with KEY and MASK computed before.
pub struct Rows<'a, H: HashFunction> {
    /// The beginning of the message of the value.
    pub core: &'a Midstate<H>,
    /// The table, as filled by [`Kernel::rows`].
    pub rows: &'a [u8],
    /// Size of a value in bytes.
    pub n: usize,
}

/// The computation of one step; see the [module](self).
pub enum Rule<'a, H: HashFunction> {
    /// The value is hashed after a head.
    Tweak(Tweak<'a, H>),
    /// KEY and MASK are computed in each step.
    Masked(Masked<'a, H>),
    /// KEY and MASK are read from a table.
    Rows(Rows<'a, H>),
}

impl<H: HashFunction> Rule<'_, H> {
    /// Returns the size of a value in bytes.
    #[must_use]
    pub const fn n(&self) -> usize {
        match self {
            Rule::Tweak(Tweak { n, .. }) | Rule::Masked(Masked { n, .. }) => *n,
            Rule::Rows(Rows { n, .. }) => *n,
        }
    }

    /// Returns the compressions of one step.
    #[must_use]
    pub fn cost(&self) -> u64 {
        match self {
            Rule::Tweak(rule) => rule.prefix.cost(rule.head_len + rule.n),
            Rule::Masked(rule) => rule.row_cost() + row_use(rule.core, rule.n),
            Rule::Rows(rule) => row_use(rule.core, rule.n),
        }
    }
}

impl<H: HashFunction> Masked<'_, H> {
    /// Returns the compressions of one row.
    #[must_use]
    pub fn row_cost(&self) -> u64 {
        2 * self.prf.cost(self.head_len) + u64::from(self.core.keeps_state(self.n))
    }

    /// Returns the head whose hash is KEY (`selector` 0) or MASK (1) of step j.
    pub(crate) fn head(&self, head: &[u8; HEAD], step: u32, selector: u32) -> [u8; HEAD] {
        let mut head = *head;
        head[self.at..self.at + 4].copy_from_slice(&step.to_be_bytes());
        head[self.at + 4..self.at + 8].copy_from_slice(&selector.to_be_bytes());
        head
    }
}

impl StepField {
    /// Writes the step's number into a head.
    pub(crate) fn write(self, head: &mut [u8], step: u32) {
        let bytes = step.to_be_bytes();
        head[self.at..self.at + self.width].copy_from_slice(&bytes[4 - self.width..]);
    }
}

/// Returns the compressions of one step whose row is given.
fn row_use<H: HashFunction>(core: &Midstate<H>, n: usize) -> u64 {
    core.cost(2 * n) - u64::from(core.keeps_state(n))
}

/// Advances every chain by [`Kernel::compress`] alone. This is the default body of
/// [`Kernel::chains`].
///
/// # Panics
/// As [`Kernel::chains`].
pub fn advance<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    rule: &Rule<'_, H>,
    spans: &[Span],
    values: &mut [u8],
) {
    let n = rule.n();
    assert!(n <= MAX_N && values.len() == spans.len() * n);
    let mut lanes = Lanes::new(kernel, rule);
    for (spans, values) in spans.chunks(WINDOW).zip(values.chunks_mut(WINDOW * n)) {
        for &i in Order::new(spans).longest_first() {
            let i = usize::from(i);
            lanes.push(i, &spans[i], &values[i * n..(i + 1) * n]);
            while lanes.full() {
                lanes.step(values);
            }
        }
        while lanes.used > 0 {
            lanes.step(values);
        }
    }
}

/// Fills rows by [`Kernel::compress`] alone. This is the default body of [`Kernel::rows`].
///
/// # Panics
/// As [`Kernel::rows`].
pub fn fill_rows<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    rule: &Masked<'_, H>,
    spans: &[Span],
    rows: &mut [u8],
) {
    let row_len = 2 * rule.n;
    let mut tile = [0; TILE * 2 * MAX_N];
    let mut heads = [[0; HEAD]; 2 * TILE];
    let mut places = [0; TILE];
    let mut used = 0;
    let mut flush = |heads: &[[u8; HEAD]], places: &[usize]| {
        let tile = &mut tile[..places.len() * row_len];
        make_rows(kernel, rule, heads, tile);
        for (row, place) in tile.chunks(row_len).zip(places) {
            rows[place * row_len..(place + 1) * row_len].copy_from_slice(row);
        }
    };
    for (span, step) in spans.iter().flat_map(|s| (0..s.steps).map(move |k| (s, s.from + k))) {
        heads[2 * used] = rule.head(&span.head, step, 0);
        heads[2 * used + 1] = rule.head(&span.head, step, 1);
        places[used] = span.row + step as usize;
        used += 1;
        if used == TILE {
            flush(&heads, &places);
            used = 0;
        }
    }
    flush(&heads[..2 * used], &places[..used]);
}

/// Computes rows from pairs of heads.
fn make_rows<H: HashFunction, K: Kernel<H> + ?Sized>(
    kernel: &K,
    rule: &Masked<'_, H>,
    heads: &[[u8; HEAD]],
    rows: &mut [u8],
) {
    let (n, len) = (rule.n, rule.head_len);
    let mut packed = [0; 2 * TILE * HEAD];
    for (to, head) in packed.chunks_mut(len).zip(heads) {
        to.copy_from_slice(&head[..len]);
    }
    message::many(kernel, rule.prf, &packed[..heads.len() * len], rows, n);
    if !rule.core.keeps_state(n) {
        return;
    }
    let mut keys = [0; TILE * MAX_N];
    let keys = &mut keys[..rows.len() / 2];
    for (key, row) in keys.chunks_mut(n).zip(rows.chunks(2 * n)) {
        key.copy_from_slice(&row[..n]);
    }
    message::prepare_keys(kernel, rule.core, keys, n);
    for (key, row) in keys.chunks(n).zip(rows.chunks_mut(2 * n)) {
        row[..n].copy_from_slice(key);
    }
}

/// A chain in progress.
#[derive(Clone, Copy, Default)]
struct Slot {
    index: usize,
    step: u32,
    left: u32,
    row: usize,
}

/// The chains in progress, one in each lane. When a chain ends, its lane takes the next one.
struct Lanes<'a, H: HashFunction, K: ?Sized> {
    kernel: &'a K,
    rule: &'a Rule<'a, H>,
    width: usize,
    used: usize,
    slots: [Slot; TILE],
    heads: [[u8; HEAD]; TILE],
    values: [u8; TILE * MAX_N],
}

impl<'a, H: HashFunction, K: Kernel<H> + ?Sized> Lanes<'a, H, K> {
    fn new(kernel: &'a K, rule: &'a Rule<'a, H>) -> Self {
        Self {
            kernel,
            rule,
            width: kernel.lanes().clamp(1, TILE),
            used: 0,
            slots: [Slot::default(); TILE],
            heads: [[0; HEAD]; TILE],
            values: [0; TILE * MAX_N],
        }
    }

    fn full(&self) -> bool {
        self.used == self.width
    }

    fn push(&mut self, index: usize, span: &Span, value: &[u8]) {
        let (lane, n) = (self.used, value.len());
        self.slots[lane] = Slot { index, step: span.from, left: span.steps, row: span.row };
        self.heads[lane] = span.head;
        self.values[lane * n..(lane + 1) * n].copy_from_slice(value);
        self.used += 1;
    }

    /// Advances every lane by one step. Writes the values of chains that end to `values`.
    fn step(&mut self, values: &mut [u8]) {
        let (rule, used, n) = (self.rule, self.used, self.rule.n());
        match rule {
            Rule::Tweak(rule) => self.tweak(rule),
            Rule::Masked(rule) => self.masked(rule),
            Rule::Rows(rule) => self.look_up(rule),
        }
        for lane in (0..used).rev() {
            let slot = &mut self.slots[lane];
            (slot.step, slot.left) = (slot.step + 1, slot.left - 1);
            if slot.left == 0 {
                let (at, to) = (lane * n, slot.index * n);
                values[to..to + n].copy_from_slice(&self.values[at..at + n]);
                self.remove(lane);
            }
        }
    }

    /// Moves the last lane to the place of `lane`.
    fn remove(&mut self, lane: usize) {
        let (n, last) = (self.rule.n(), self.used - 1);
        self.slots[lane] = self.slots[last];
        self.heads[lane] = self.heads[last];
        self.values.copy_within(last * n..self.used * n, lane * n);
        self.used = last;
    }

    fn tweak(&mut self, rule: &Tweak<'_, H>) {
        let (used, n, head_len) = (self.used, rule.n, rule.head_len);
        let mut messages = [0; TILE * (HEAD + MAX_N)];
        let messages = &mut messages[..used * (head_len + n)];
        for (lane, message) in messages.chunks_mut(head_len + n).enumerate() {
            message[..head_len].copy_from_slice(&self.heads[lane][..head_len]);
            rule.counter.write(message, self.slots[lane].step);
            message[head_len..].copy_from_slice(&self.values[lane * n..(lane + 1) * n]);
        }
        message::many(self.kernel, rule.prefix, messages, &mut self.values[..used * n], n);
        wipe(messages, 0);
    }

    fn masked(&mut self, rule: &Masked<'_, H>) {
        let (used, n) = (self.used, rule.n);
        let mut heads = [[0; HEAD]; 2 * TILE];
        for (lane, pair) in heads.chunks_mut(2).take(used).enumerate() {
            let (head, step) = (&self.heads[lane], self.slots[lane].step);
            pair.copy_from_slice(&[rule.head(head, step, 0), rule.head(head, step, 1)]);
        }
        let mut rows = [0; TILE * 2 * MAX_N];
        let rows = &mut rows[..used * 2 * n];
        make_rows(self.kernel, rule, &heads[..2 * used], rows);
        self.core(rule.core, n, |lane| &rows[lane * 2 * n..(lane + 1) * 2 * n]);
    }

    fn look_up(&mut self, rule: &Rows<'_, H>) {
        let slots = self.slots;
        self.core(rule.core, rule.n, |lane| {
            let row = slots[lane].row + slots[lane].step as usize;
            &rule.rows[row * 2 * rule.n..(row + 1) * 2 * rule.n]
        });
    }

    /// Computes value ← core ‖ KEY ‖ (value ⊕ MASK), with the row of each lane.
    fn core<'r>(&mut self, core: &Midstate<H>, n: usize, row: impl Fn(usize) -> &'r [u8]) {
        let used = self.used;
        let mut keys = [0; TILE * MAX_N];
        let mut masked = [0; TILE * MAX_N];
        let (keys, masked) = (&mut keys[..used * n], &mut masked[..used * n]);
        for lane in 0..used {
            let (key, mask) = row(lane).split_at(n);
            keys[lane * n..(lane + 1) * n].copy_from_slice(key);
            let value = &self.values[lane * n..(lane + 1) * n];
            for ((to, x), m) in masked[lane * n..].iter_mut().zip(value).zip(mask) {
                *to = x ^ m;
            }
        }
        let out = &mut self.values[..used * n];
        message::keyed_many(self.kernel, core, keys, masked, out, n);
        wipe(masked, 0);
    }
}

impl<H: HashFunction, K: ?Sized> Drop for Lanes<'_, H, K> {
    fn drop(&mut self) {
        wipe(&mut self.values, 0);
    }
}
