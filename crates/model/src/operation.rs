//! Recording of an operation.
//!
//! A verification runs on a signature of random bytes. It does the same work as for a good
//! signature, so every tree height can be recorded without generating a key. Signing, and
//! verification at levels that need a good signature, run on a tree of at most 2^5 leaves. From
//! level `early-auth` on, nothing that runs depends on the height; at level `none`, the number of
//! nodes that a leaf completes does.
//!
//! The SLH-DSA sets with a signature limit have trees of up to 2^25 leaves. Lower trees are
//! recorded in their place, and [counted](crate::counted) by their shape.

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

/// The operation to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Key generation; only for SLH-DSA.
    Keygen,
    /// Signing, from the message to the signature, at a level.
    Sign(SignerLevel),
    /// Verifying, from message and signature to the verdict, at a level.
    Verify(VerifierLevel),
}

/// The digest of the message, which determines the digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Digest {
    /// The digest of a pseudorandom message with this number.
    Message(u64),
    /// The digest that makes the operation longest.
    Worst,
    /// These n bytes.
    Given(Vec<u8>),
}

/// A request to record an operation.
#[derive(Clone, Debug)]
pub struct Request {
    set: &'static Set,
    operation: Operation,
    message: usize,
    digest: Digest,
    lanes: usize,
    subtrees: u32,
}

/// Height of the FORS subtrees that are recorded for a set with a signature limit; its signer works
/// in units of this height.
const UNIT: u32 = 12;
/// Height of the subtree of one-time keys that is recorded for key generation of such a set.
const KEYS: u32 = 6;

impl Request {
    /// Creates a request for an operation of `set` on a message of 64 bytes with its own digest.
    #[must_use]
    pub fn new(set: &'static Set, operation: Operation) -> Self {
        let subtrees = match (set.limit, operation) {
            (None, _) => u32::MAX,
            (Some(_), Operation::Keygen) => KEYS,
            (Some(_), _) => UNIT,
        };
        Self { set, operation, message: 64, digest: Digest::Message(0), lanes: 16, subtrees }
    }

    /// Sets the length of the message to `bytes` bytes.
    #[must_use]
    pub const fn message(mut self, bytes: usize) -> Self {
        self.message = bytes;
        self
    }

    /// Sets the digest.
    #[must_use]
    pub fn digest(mut self, digest: Digest) -> Self {
        self.digest = digest;
        self
    }

    /// Sets the number of lanes of the recording kernels, which determines the size of batches.
    #[must_use]
    pub const fn lanes(mut self, lanes: usize) -> Self {
        self.lanes = lanes;
        self
    }

    /// Limits the height of recorded subtrees to `height`, at least 3. Taller trees are counted by
    /// their shape: FORS trees in signing, and the tree of key generation, both of SLH-DSA. Sets
    /// with a signature limit have a limit of the height by default.
    #[must_use]
    pub const fn subtrees(mut self, height: u32) -> Self {
        self.subtrees = if height < 3 { 3 } else { height };
        self
    }

    /// Records the operation, with the runs to which it is compared.
    ///
    /// # Errors
    /// [`Error::UnknownSet`] if the set does not have the operation or level; other errors cannot
    /// occur with a set of the table.
    pub fn record(&self) -> Result<Trace, Error> {
        let mut all = self.record_each(std::slice::from_ref(&self.digest))?;
        all.pop().ok_or(Error::UnknownSet)
    }

    /// Records the operation with each of several digests, on one key.
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

    /// Returns the recorded and the true height of the trees that are counted by their shape.
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

    /// Returns the digest that makes the operation longest: all digits of the message are largest
    /// for signing, and smallest for verification.
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
