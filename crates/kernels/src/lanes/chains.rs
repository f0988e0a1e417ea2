//! Chains in lanes: values stay transposed from their first step to their last.
//!
//! The code is generic over the vector word and the hash function. The blocks that a step hashes
//! are kept as words of all lanes ([`text`](super::text)). A step writes the values into them and
//! absorbs them. A lane whose chain ends takes the next chain. When no chain is left to take and
//! few lanes are in use, their chains are passed to a narrower backend.

use super::items::{Starts, read_words, write_words};
use super::plan::Routine;
use super::step::{self, MaskedStep, RowsStep, Step, TweakStep};
use super::text::Sheet;
use crate::hash::HashFunction;
use crate::hash::template::Template;
use crate::kernel::chain::{Masked, Order, Rows, Rule, Span, Tweak, WINDOW};
use crate::kernel::message::wipe;
use crate::word::Lane;
use crate::word::vector::{MAX_LANES, Vector};

/// Maximum number of words in a value.
pub(super) const VALUE_WORDS: usize = 8;
/// Maximum size of a value in bytes.
pub(super) const VALUE: usize = 64;

pub(super) type LaneOf<E> = <<E as Engine>::Vector as crate::word::Word>::Lane;

/// A hash function in lanes.
pub(crate) trait Engine: Sized {
    /// The vector word.
    type Vector: Vector;
    /// The hash function.
    type Hash: HashFunction<State: AsRef<[LaneOf<Self>]>>;
    /// The states of all lanes.
    type Wide: Copy + AsRef<[Self::Vector]> + AsMut<[Self::Vector]>;
    /// The constant part of a template, computed once.
    type Prepared: Copy;
    /// True if a word of the message begins with its most significant byte.
    const BIG_ENDIAN: bool;

    /// Returns the state in which every word is `word`.
    fn fill(word: Self::Vector) -> Self::Wide;

    /// Absorbs one block into every lane.
    fn absorb(state: &mut Self::Wide, block: &[Self::Vector]);

    /// Absorbs one block into copies of a state.
    #[inline(always)]
    fn begin(to: &mut Self::Wide, from: &Self::Wide, block: &[Self::Vector]) {
        *to = *from;
        Self::absorb(to, block);
    }

    /// Returns an empty constant part.
    fn unprepared() -> Self::Prepared;

    /// Returns the routine that absorbs blocks of a template, if there is a special one.
    fn routine(_template: Template) -> Option<Routine<Self>> {
        None
    }
}

/// Returns true if the byte order of the machine differs from that of the message.
pub(super) const fn swapped<E: Engine>() -> bool {
    E::BIG_ENDIAN != cfg!(target_endian = "big")
}

/// Returns the bit mask of all lanes.
fn all_lanes<E: Engine>() -> u32 {
    (1 << E::Vector::LANES) - 1
}

/// A function that advances the chains that a backend leaves to a narrower one.
pub(crate) type Narrow<'n, H> = &'n dyn Fn(&Rule<'_, H>, &[Span], &mut [u8]);

/// The chain in a lane.
#[derive(Clone, Copy, Default)]
struct Job {
    index: usize,
    /// Number of the next step, and its row.
    step: u32,
    row: usize,
    left: u32,
}

impl Job {
    /// Returns the job of chain `index` at the beginning of its span.
    #[inline(always)]
    fn new(index: usize, span: &Span) -> Self {
        let row = span.row + span.from as usize;
        Self { index, step: span.from, row, left: span.steps }
    }
}

/// Chains to advance, and the narrower backend for the rest.
pub(crate) struct Work<'a, H: HashFunction> {
    pub rule: &'a Rule<'a, H>,
    pub spans: &'a [Span],
    /// If fewer chains than this are left, `narrow` advances them.
    pub break_even: usize,
    pub narrow: Narrow<'a, H>,
}

impl<H: HashFunction> Work<'_, H> {
    /// Returns true if the values and counters can be processed in lanes.
    #[inline(always)]
    pub fn fits<E: Engine<Hash = H>>(&self, values: &[u8]) -> bool {
        let n = self.rule.n();
        assert!(values.len() == self.spans.len() * n);
        // Steps change only the last byte of a counter.
        let long = |span: &Span| u64::from(span.from) + u64::from(span.steps) > 256;
        !self.spans.iter().any(long) && step::fits::<E>(n)
    }

    /// Advances chains by [`Tweak`]. Returns false, with nothing done, if a text has no room for
    /// the blocks.
    #[inline(always)]
    pub fn tweak<E: Engine<Hash = H>>(&self, rule: &Tweak<'_, H>, values: &mut [u8]) -> bool {
        let mut sheet = Sheet::blank();
        self.run(TweakStep::<E>::new(rule, &mut sheet), values)
    }

    /// Advances chains by [`Masked`]. Returns false as [`tweak`](Self::tweak) does.
    #[inline(always)]
    pub fn masked<E: Engine<Hash = H>>(&self, rule: &Masked<'_, H>, values: &mut [u8]) -> bool {
        let mut prf = Sheet::blank();
        let mut core = Sheet::blank();
        self.run(MaskedStep::<E>::new(rule, [&mut prf, &mut core]), values)
    }

    /// Advances chains by [`Rows`]. Returns false as [`tweak`](Self::tweak) does.
    #[inline(always)]
    pub fn rows<E: Engine<Hash = H>>(&self, rule: &Rows<'_, H>, values: &mut [u8]) -> bool {
        let mut sheet = Sheet::blank();
        self.run(RowsStep::<E>::new(rule, &mut sheet), values)
    }

    #[inline(always)]
    fn run<E: Engine<Hash = H>>(&self, mut step: Option<impl Step<E>>, values: &mut [u8]) -> bool {
        let Some(step) = &mut step else { return false };
        let n = self.rule.n();
        let jobs = [Job::default(); MAX_LANES];
        let free = all_lanes::<E>();
        let x = E::fill(E::Vector::splat_zero());
        let mut lanes = Lanes { step, n, x, jobs, free };
        for (spans, values) in self.spans.chunks(WINDOW).zip(values.chunks_mut(WINDOW * n)) {
            lanes.window(&Work { spans, ..*self }, values);
        }
        wipe(lanes.x.as_mut(), E::Vector::splat_zero());
        true
    }
}

#[inline(always)]
pub(super) fn blank<E: Engine>() -> [E::Vector; VALUE_WORDS] {
    [E::Vector::splat_zero(); VALUE_WORDS]
}

struct Lanes<'s, E: Engine, R: Step<E>> {
    step: &'s mut R,
    n: usize,
    /// The values, in the first words of the states that they came from.
    x: E::Wide,
    jobs: [Job; MAX_LANES],
    /// Lanes without a chain, as a bit mask.
    free: u32,
}

impl<E: Engine, R: Step<E>> Lanes<'_, E, R> {
    #[inline(always)]
    fn window(&mut self, work: &Work<'_, E::Hash>, values: &mut [u8]) {
        let spans = work.spans;
        let order = Order::new(spans);
        let mut next = order.longest_first();
        loop {
            if E::Vector::LANES > 1
                && self.free == all_lanes::<E>()
                && let Some((now, later)) = next.split_at_checked(E::Vector::LANES)
            {
                self.fill_all(now, spans, values);
                next = later;
            }
            while self.free != 0
                && let Some((&index, later)) = next.split_first()
            {
                self.fill(usize::from(index), &spans[usize::from(index)], values);
                next = later;
            }
            if (self.used().count_ones() as usize) < work.break_even {
                return self.hand_on(work, values);
            }
            self.run();
            self.retire(values);
        }
    }

    /// Returns the lanes with a chain, as a bit mask.
    #[inline(always)]
    fn used(&self) -> u32 {
        all_lanes::<E>() & !self.free
    }

    /// Puts a chain into a free lane.
    #[inline(always)]
    fn fill(&mut self, index: usize, span: &Span, values: &[u8]) {
        let lane = self.free.trailing_zeros() as usize;
        self.free &= self.free - 1;
        self.jobs[lane] = Job::new(index, span);
        let value = &values[index * self.n..(index + 1) * self.n];
        for (word, bytes) in self.x.as_mut().iter_mut().zip(value.chunks(size_of::<LaneOf<E>>())) {
            word.lanes_mut()[lane] = LaneOf::<E>::from_bytes(bytes, E::BIG_ENDIAN);
        }
        self.step.fill(lane, span);
    }

    /// Puts a chain into every lane.
    #[inline(always)]
    fn fill_all(&mut self, order: &[u16], spans: &[Span], values: &[u8]) {
        let mut starts = [0; MAX_LANES];
        for ((job, start), index) in self.jobs.iter_mut().zip(&mut starts).zip(order) {
            let index = usize::from(*index);
            *job = Job::new(index, &spans[index]);
            *start = index * self.n;
        }
        let starts = Starts::new(&starts[..E::Vector::LANES]);
        read_words::<E>(values, &starts, self.n, self.x.as_mut());
        self.step.fill_all(spans, order);
        self.free = 0;
    }

    /// Advances all lanes until the first chain ends.
    #[inline(always)]
    fn run(&mut self) {
        let used = self.used();
        let active = |lane: &usize| used >> lane & 1 == 1;
        let steps = (0..E::Vector::LANES).filter(active).map(|i| self.jobs[i].left).min();
        let steps = steps.unwrap_or(0);
        self.step.begin(steps);
        for k in 0..steps as usize {
            let jobs = &self.jobs;
            let row = |lane: usize| active(&lane).then(|| jobs[lane].row + k);
            self.step.step(&mut self.x, row);
        }
        for lane in (0..E::Vector::LANES).filter(active) {
            let job = &mut self.jobs[lane];
            job.step += steps;
            job.row += steps as usize;
            job.left -= steps;
        }
    }

    /// Writes back the values of chains that have ended and frees their lanes.
    #[inline(always)]
    fn retire(&mut self, values: &mut [u8]) {
        if E::Vector::LANES > 1
            && self.free == 0
            && self.jobs[..E::Vector::LANES].iter().all(|job| job.left == 0)
        {
            return self.take_all(values);
        }
        for lane in 0..E::Vector::LANES {
            if self.free >> lane & 1 == 0 && self.jobs[lane].left == 0 {
                let at = self.jobs[lane].index * self.n;
                self.take(lane, &mut values[at..at + self.n]);
            }
        }
    }

    #[inline(always)]
    fn take(&mut self, lane: usize, value: &mut [u8]) {
        for (word, bytes) in self.x.as_ref().iter().zip(value.chunks_mut(size_of::<LaneOf<E>>())) {
            word.lanes()[lane].to_bytes(bytes, E::BIG_ENDIAN);
        }
        self.free |= 1 << lane;
    }

    /// Writes back the values of all lanes and frees the lanes.
    #[inline(always)]
    fn take_all(&mut self, values: &mut [u8]) {
        let mut starts = [0; MAX_LANES];
        for (start, job) in starts.iter_mut().zip(&self.jobs) {
            *start = job.index * self.n;
        }
        let starts = Starts::new(&starts[..E::Vector::LANES]);
        write_words::<E>(self.x.as_ref(), values, &starts, self.n);
        self.free = all_lanes::<E>();
    }

    /// Lets `narrow` finish the chains that are still in lanes.
    #[inline(always)]
    fn hand_on(&mut self, work: &Work<'_, E::Hash>, values: &mut [u8]) {
        let mut rest = [Span::default(); MAX_LANES];
        let mut places = [0; MAX_LANES];
        let mut buffer = [0; MAX_LANES * VALUE];
        let mut count = 0;
        for lane in 0..E::Vector::LANES {
            if self.free >> lane & 1 == 0 {
                let Job { index, step, left, .. } = self.jobs[lane];
                rest[count] = Span { from: step, steps: left, ..work.spans[index] };
                places[count] = index * self.n;
                self.take(lane, &mut buffer[count * self.n..(count + 1) * self.n]);
                count += 1;
            }
        }
        if count == 0 {
            return;
        }
        (work.narrow)(work.rule, &rest[..count], &mut buffer[..count * self.n]);
        for (place, value) in places[..count].iter().zip(buffer.chunks(self.n)) {
            values[*place..place + self.n].copy_from_slice(value);
        }
        wipe(&mut buffer, 0);
    }
}
