//! Running an operation under the recorder.
//!
//! A verification runs on a signature of random bytes: it does the same work as a good one, and
//! every tree height can be recorded without making a key. A signature, and the verifier's levels
//! that need one, run on a tree of at most 2^5 leaves: from level `early-auth` on nothing that runs
//! depends on the height, and at level `none` the number of nodes that a leaf completes does.
//!
//! The sets of SLH-DSA for a limited number of signatures have trees of up to 2^25 leaves. Lower
//! trees are recorded in their place, and [counted](crate::counted) by their shape.

mod bench;
mod given;
mod run;
mod title;

use hasten_hbs::params::Scheme;
use hasten_hbs::{Error, Set, SignerLevel, VerifierLevel};
use hasten_kernels::{Kernels, Midstate};

use crate::counted::Taller;
use crate::trace::Trace;
use bench::Bench;
pub use title::Head;

/// Says what is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Making a key: SLH-DSA alone.
    Keygen,
    /// From the message to the signature, at a level.
    Sign(SignerLevel),
    /// From message and signature to the verdict, at a level.
    Verify(VerifierLevel),
}

/// Which digits the message's digest has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Digest {
    /// Those of a pseudorandom message with this number.
    Message(u64),
    /// Those that make the operation longest.
    Worst,
    /// These bytes, n of them.
    Given(Vec<u8>),
}

/// An operation to record.
#[derive(Clone, Debug)]
pub struct Request {
    set: &'static Set,
    operation: Operation,
    message: usize,
    digest: Digest,
    lanes: usize,
    subtrees: u32,
}

/// Height of the FORS subtrees that are recorded of a set with a limit: the units of its signer.
const UNIT: u32 = 12;
/// Height of the subtree of one-time keys that is recorded when such a key is made.
const KEYS: u32 = 6;

impl Request {
    /// Returns an operation of `set`, on a message of 64 bytes and its digest.
    #[must_use]
    pub fn new(set: &'static Set, operation: Operation) -> Self {
        let subtrees = match (set.limit, operation) {
            (None, _) => u32::MAX,
            (Some(_), Operation::Keygen) => KEYS,
            (Some(_), _) => UNIT,
        };
        Self { set, operation, message: 64, digest: Digest::Message(0), lanes: 16, subtrees }
    }

    /// Sets a message of `bytes` bytes.
    #[must_use]
    pub const fn message(mut self, bytes: usize) -> Self {
        self.message = bytes;
        self
    }

    /// Sets these digits.
    #[must_use]
    pub fn digest(mut self, digest: Digest) -> Self {
        self.digest = digest;
        self
    }

    /// Sets kernels that show this many lanes: it decides how large batches are.
    #[must_use]
    pub const fn lanes(mut self, lanes: usize) -> Self {
        self.lanes = lanes;
        self
    }

    /// Records no subtrees higher than `height`, 3 at least, and counts taller trees by shape: FORS
    /// trees of a signature, and the tree of a key of SLH-DSA that is made. Sets with a limit do so
    /// by themselves.
    #[must_use]
    pub const fn subtrees(mut self, height: u32) -> Self {
        self.subtrees = if height < 3 { 3 } else { height };
        self
    }

    /// Runs the operation, and what it is compared with.
    ///
    /// # Errors
    /// [`Error::UnknownSet`] for a level of preparation of a set that has none; others cannot
    /// occur with a set of the table.
    pub fn record(&self) -> Result<Trace, Error> {
        let mut all = self.record_each(std::slice::from_ref(&self.digest))?;
        all.pop().ok_or(Error::UnknownSet)
    }

    /// Returns the operation with each of some digests, on one key.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn record_each(&self, digests: &[Digest]) -> Result<Vec<Trace>, Error> {
        let bench = Bench::new(self)?;
        let beside = bench.beside(self)?;
        let one = |digest| {
            let trace = Trace::of(&bench.chosen(self, digest, &beside)?, &beside.runs);
            Ok(self.taller().into_iter().fold(trace, Trace::with))
        };
        digests.iter().map(one).collect()
    }

    /// Returns how much taller the trees are than what is recorded of them.
    fn taller(&self) -> Option<Taller> {
        let Scheme::SlhDsa { a, .. } = self.set.scheme else { return None };
        match self.operation {
            Operation::Keygen => Some(Taller::keys(self.subtrees, self.set.tree_height())),
            Operation::Sign(_) => Some(Taller::fors(self.subtrees, a)),
            Operation::Verify(_) => None,
        }
    }

    const fn number(&self) -> u64 {
        match self.digest {
            Digest::Message(number) => number,
            _ => 0,
        }
    }

    /// Returns the digest that makes the operation longest: all digits of a signature's message the
    /// largest, of a verification's the smallest.
    fn worst(&self) -> Vec<u8> {
        let byte = if matches!(self.operation, Operation::Sign(_)) { 0xff } else { 0 };
        vec![byte; self.set.n]
    }
}

/// Returns pseudorandom bytes: SHAKE256 of a label.
pub(crate) fn random(label: &str, bytes: usize) -> Vec<u8> {
    let (kernels, start) = (Kernels::portable(), Midstate::shake256());
    let mut out = vec![0; bytes];
    for (i, part) in out.chunks_mut(136).enumerate() {
        start.finish(kernels.keccak, format!("{label} {i}").as_bytes(), part);
    }
    out
}
