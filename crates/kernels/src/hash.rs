//! The three hash functions: their states, blocks and padding, and their rounds over a vector word.

pub(crate) mod keccak;
pub(crate) mod sha2;
pub(crate) mod sha256;
pub(crate) mod sha512;
mod starts;
pub(crate) mod template;
mod truncated;

pub use crate::kernel::function::{HashFunction, Keccak, Sha256, Sha512, Which};

use crate::word::vector::Vector;
use crate::word::{Lane, Round};

/// State of SHA-256: eight 32-bit words (FIPS 180-4, section 5.3.3 (SHA-256)).
pub type State256 = [u32; 8];
/// State of SHA-512: eight 64-bit words (FIPS 180-4, section 5.3.5 (SHA-512)).
pub type State512 = [u64; 8];
/// State of Keccak-f\[1600\]: lane (x, y) at `x + 5y`
/// (FIPS 202, section 3.1.2 (Converting Strings to State Arrays)).
pub type State1600 = [u64; 25];

/// The vector words that a backend computes with.
pub(crate) trait Words {
    /// Words of 32 bits.
    type U32: Vector<Lane = u32> + Round;
    /// Words of 64 bits.
    type U64: Vector<Lane = u64> + Round;
}

/// A hash function whose rounds are written once, over the vector word.
pub(crate) trait Rounds: HashFunction<State: AsRef<[Self::Lane]>> {
    /// A word of one lane.
    type Lane: Lane + Vector<Lane = Self::Lane>;
    /// The vector word of a backend that the function computes with.
    type Vector<B: Words>: Vector<Lane = Self::Lane> + Round;
    /// One state in each lane.
    type Wide<V: Copy>: Copy + AsRef<[V]> + AsMut<[V]>;
    /// The words that one call of the rounds absorbs into every lane. A sponge takes any number.
    type Words<V: Copy>: ?Sized;
    /// One [`Block`](HashFunction::Block) in each lane.
    type WideBlock<V: Copy>: AsRef<[V]>;
    /// The constant part of a [template], computed once.
    type Prepared<V: Vector<Lane = Self::Lane>>: Copy;
    /// True if a word of the message begins with its most significant byte.
    const BIG_ENDIAN: bool;

    /// Returns the state in which every word is `word`.
    fn fill<V: Copy>(word: V) -> Self::Wide<V>;

    /// Converts a block to the words that the rounds take.
    ///
    /// # Panics
    /// If `block` is too short.
    fn words<V: Copy>(block: &[V]) -> &Self::Words<V>;

    /// Returns an empty constant part, for [`prepare`](Self::prepare) to fill.
    fn unprepared<V: Vector<Lane = Self::Lane>>() -> Self::Prepared<V>;

    /// Absorbs one block into every lane.
    fn absorb_words<V: Round<Lane = Self::Lane>>(state: &mut Self::Wide<V>, block: &Self::Words<V>);

    /// Computes everything that depends only on the constant words of a template.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn prepare<V, const HOLES: u32, const FRESH: bool>(
        to: &mut Self::Prepared<V>,
        start: &Self::Wide<V>,
        block: &Self::Words<V>,
    ) where
        V: Vector<Lane = Self::Lane> + Round;

    /// Absorbs a block of a prepared template into every lane.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn fill_in<V, const HOLES: u32, const FRESH: bool>(
        state: &mut Self::Wide<V>,
        from: &Self::Prepared<V>,
        block: &Self::Words<V>,
    ) where
        V: Vector<Lane = Self::Lane> + Round;

    /// Transposes the states of `LANES` items into one state in each lane.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn transpose_states<V: Vector<Lane = Self::Lane>>(states: &[Self::State]) -> Self::Wide<V>;

    /// Writes back the states that [`transpose_states`](Self::transpose_states) has read.
    #[allow(dead_code, reason = "used where there are vectors")]
    fn restore_states<V: Vector<Lane = Self::Lane>>(
        wide: &Self::Wide<V>,
        states: &mut [Self::State],
    );

    /// Transposes the blocks of `LANES` items into one block in each lane.
    fn transpose_blocks<V: Vector<Lane = Self::Lane>>(blocks: &[Self::Block])
    -> Self::WideBlock<V>;
}
