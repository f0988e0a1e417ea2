//! Kernels over CPU instructions that run the rounds of one state at a time.
//!
//! A single stream is bound by the latency of these instructions. Two interleaved streams stall
//! less, so batches and chains are processed in pairs.

use crate::backend::features::{Features, FillRows, Job, chains};
use crate::backend::vectors::Digests;
use crate::hash::{HashFunction, Rounds};
use crate::kernel::Kernel;
use crate::kernel::chain::{self, Masked, Rule, Span};
use crate::kernel::message::Messages;
use crate::lanes::chains::{Engine, Work};
use crate::word::vector::Vector;
use core::marker::PhantomData;

/// A hash function whose rounds the CPU has instructions for.
pub(in crate::backend) trait Instructed:
    Rounds<State: AsMut<[Self::Lane]>>
{
    /// The backend: the CPU features that the instructions need.
    type Backend: Features;
    /// A register: consecutive words of one state or block.
    type Register: Vector<Lane = Self::Lane>;
    /// The registers of one state.
    type Loaded: Copy + AsMut<[Self::Register]>;
    /// The registers of one block.
    type Message: Copy + AsMut<[Self::Register]>;

    /// The name of the backend.
    const NAME: &'static str;
    /// Minimum number of chains or messages that are processed in lanes; at most the number of
    /// lanes.
    const BREAK_EVEN: usize;

    /// Returns the registers of an all-zero state and of an all-zero block.
    fn blank() -> (Self::Loaded, Self::Message);

    /// Absorbs a block into each of N states, interleaved.
    ///
    /// # Safety
    /// The CPU has the features of the backend.
    unsafe fn rounds<const N: usize>(state: &mut [Self::Loaded; N], block: [Self::Message; N]);
}

/// Backend with the CPU instructions for `H`. A value exists only if the CPU has them.
#[derive(Debug)]
pub struct Instructions<H>(PhantomData<H>);

impl<H> Instructions<H> {
    /// Returns the backend. Only its `detect` calls this.
    pub(super) const fn found() -> Self {
        Self(PhantomData)
    }
}

impl<H: Instructed> Kernel<H> for Instructions<H> {
    fn name(&self) -> &'static str {
        H::NAME
    }

    fn lanes(&self) -> usize {
        H::Register::LANES
    }

    fn compress(&self, states: &mut [H::State], blocks: &[H::Block]) {
        assert_eq!(states.len(), blocks.len());
        // SAFETY: `self` exists, so the features were found.
        unsafe { H::Backend::enter(Batch::<H> { states, blocks }) }
    }

    fn chains(&self, rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]) {
        let one = |rule: &Rule<'_, H>, spans: &[Span], values: &mut [u8]| {
            let work = Work { rule, spans, break_even: 1, narrow: &|_, _, _| () };
            // SAFETY: `self` exists, so the features were found.
            unsafe { chains::<H::Backend, One<H>>(&work, values) };
        };
        let work = Work { rule, spans, break_even: H::BREAK_EVEN, narrow: &one };
        // SAFETY: `self` exists, so the features were found.
        if !unsafe { chains::<H::Backend, Many<H>>(&work, values) } {
            chain::advance(self, rule, spans, values);
        }
    }

    fn rows(&self, rule: &Masked<'_, H>, spans: &[Span], rows: &mut [u8]) {
        let job = FillRows::<Many<H>> { rule, spans, rows: &mut *rows };
        // SAFETY: `self` exists, so the features were found.
        if !unsafe { H::Backend::enter(job) } {
            chain::fill_rows(self, rule, spans, rows);
        }
    }

    fn digests(&self, messages: &Messages<'_, H>, out: &mut [u8], n: usize) {
        let job = Digests::<Many<H>> { messages, out: &mut *out, n, break_even: H::BREAK_EVEN };
        // SAFETY: `self` exists, so the features were found.
        let done = unsafe { H::Backend::enter(job) };
        let rest = messages.after(done, out.len() / n);
        rest.hash_in_tiles(self, &mut out[done * n..], n);
    }
}

/// A job that absorbs a block into each state: in pairs, then the last state if their number is
/// odd.
struct Batch<'a, H: HashFunction> {
    states: &'a mut [H::State],
    blocks: &'a [H::Block],
}

impl<H: Instructed> Job for Batch<'_, H> {
    type Done = ();

    #[inline(always)]
    fn run(self) {
        let (pairs, rest) = self.states.as_chunks_mut::<2>();
        let (pair_blocks, rest_blocks) = self.blocks.as_chunks::<2>();
        for (states, blocks) in pairs.iter_mut().zip(pair_blocks) {
            absorb_blocks::<H, 2>(states, blocks);
        }
        for (state, block) in rest.iter_mut().zip(rest_blocks) {
            absorb_blocks::<H, 1>(core::array::from_mut(state), core::array::from_ref(block));
        }
    }
}

#[inline(always)]
fn absorb_blocks<H: Instructed, const N: usize>(
    states: &mut [H::State; N],
    blocks: &[H::Block; N],
) {
    let (loaded, message) = H::blank();
    let (mut loaded, mut message) = ([loaded; N], [message; N]);
    for i in 0..N {
        load(states[i].as_ref(), loaded[i].as_mut());
        load(H::block_bytes(&blocks[i]), message[i].as_mut());
        for words in message[i].as_mut() {
            *words = words.swap_bytes();
        }
    }
    // SAFETY: jobs run only where the features were found.
    unsafe { H::rounds(&mut loaded, message) };
    for (state, loaded) in states.iter_mut().zip(&mut loaded) {
        store(loaded.as_mut(), state.as_mut());
    }
}

/// Fills registers with consecutive words from memory.
#[inline(always)]
fn load<V: Vector, T>(from: &[T], to: &mut [V]) {
    assert!(size_of_val(from) >= size_of_val(to));
    for (i, register) in to.iter_mut().enumerate() {
        // SAFETY: `from` has as many bytes as all registers, by the assertion.
        *register = unsafe { V::read(from.as_ptr().cast::<V>().add(i).cast(), size_of::<V>()) };
    }
}

/// Writes registers to memory: the reverse of [`load`].
#[inline(always)]
fn store<V: Vector>(from: &[V], to: &mut [V::Lane]) {
    for (register, to) in from.iter().zip(to.chunks_exact_mut(V::LANES)) {
        to.copy_from_slice(register.lanes());
    }
}

/// Engine for as many chains as a register has words, absorbed in pairs.
struct Many<H>(PhantomData<H>);

impl<H: Instructed> Engine for Many<H> {
    type Vector = H::Register;
    type Hash = H;
    type Wide = H::Wide<H::Register>;
    type Prepared = ();
    const BIG_ENDIAN: bool = H::BIG_ENDIAN;

    #[inline(always)]
    fn fill(word: H::Register) -> Self::Wide {
        H::fill(word)
    }

    #[inline(always)]
    fn unprepared() {}

    #[inline(always)]
    fn absorb(state: &mut Self::Wide, block: &[H::Register]) {
        // SAFETY: engines are used only by a backend, which exists only where its features were
        // found.
        unsafe { H::Backend::enter(AbsorbLanes::<H> { state: state.as_mut(), block }) }
    }
}

/// Engine for one chain.
struct One<H>(PhantomData<H>);

impl<H: Instructed> Engine for One<H> {
    type Vector = H::Lane;
    type Hash = H;
    type Wide = H::Wide<H::Lane>;
    type Prepared = ();
    const BIG_ENDIAN: bool = H::BIG_ENDIAN;

    #[inline(always)]
    fn fill(word: H::Lane) -> Self::Wide {
        H::fill(word)
    }

    #[inline(always)]
    fn unprepared() {}

    #[inline(always)]
    fn absorb(state: &mut Self::Wide, block: &[H::Lane]) {
        // SAFETY: as in `Many::absorb`.
        unsafe { H::Backend::enter(AbsorbOne::<H> { state: state.as_mut(), block }) }
    }
}

/// A job that absorbs a block into one state, both given as words.
struct AbsorbOne<'a, H: Rounds> {
    state: &'a mut [H::Lane],
    block: &'a [H::Lane],
}

impl<H: Instructed> Job for AbsorbOne<'_, H> {
    type Done = ();

    #[inline(always)]
    fn run(self) {
        let (mut loaded, mut message) = H::blank();
        load(self.state, loaded.as_mut());
        load(self.block, message.as_mut());
        let mut one = [loaded];
        // SAFETY: jobs run only where the features were found.
        unsafe { H::rounds(&mut one, [message]) };
        store(one[0].as_mut(), self.state);
    }
}

/// Maximum number of words in a register.
const MOST: usize = 4;

/// A job that absorbs one block into every lane. Each lane is transposed into registers of its own,
/// and back afterwards.
struct AbsorbLanes<'a, H: Instructed> {
    state: &'a mut [H::Register],
    block: &'a [H::Register],
}

impl<H: Instructed> Job for AbsorbLanes<'_, H> {
    type Done = ();

    #[inline(always)]
    fn run(self) {
        let lanes = H::Register::LANES;
        let (loaded, message) = H::blank();
        let (mut loaded, mut message) = ([loaded; MOST], [message; MOST]);
        for (at, words) in self.state.chunks_exact(lanes).enumerate() {
            let turned = turned(words);
            for i in 0..lanes {
                loaded[i].as_mut()[at] = turned[i];
            }
        }
        for (at, words) in self.block.chunks_exact(lanes).enumerate() {
            let turned = turned(words);
            for i in 0..lanes {
                message[i].as_mut()[at] = turned[i];
            }
        }
        for i in (0..lanes).step_by(2) {
            let pair = &mut loaded.as_chunks_mut::<2>().0[i / 2];
            // SAFETY: jobs run only where the features were found.
            unsafe { H::rounds(pair, [message[i], message[i + 1]]) };
        }
        for (at, words) in self.state.chunks_exact_mut(lanes).enumerate() {
            for i in 0..lanes {
                words[i] = loaded[i].as_mut()[at];
            }
            H::Register::transpose(words);
        }
    }
}

/// Returns the transpose of the square matrix `words` of `LANES` rows.
#[inline(always)]
fn turned<V: Vector>(words: &[V]) -> [V; MOST] {
    let mut turned = [V::splat_zero(); MOST];
    turned[..V::LANES].copy_from_slice(words);
    V::transpose(&mut turned[..V::LANES]);
    turned
}
