//! One session tree: grown in pieces, signed by the identity, used up.

use super::error::Error;
use super::identity::Identity;
use super::permit::{Counter, SessionPermit};
use crate::format::{Digest, announcement, digest};
use crate::signed_keys::{Identity as Verifies, SignedKeys};
use alloc::sync::Arc;
use core::ops::ControlFlow;
use hasten_hbs::{KeyGeneration, Prepared, Set, Signer, SignerLevel};
use hasten_kernels::Kernels;
use zeroize::Zeroizing;

/// A tree that follows.
pub enum Next<'k> {
    /// Nothing was begun.
    Nothing,
    /// Its leaves are computed, part by part; so many are done.
    Growing(KeyGeneration<'k>, u64),
    /// All are.
    Grown(Signer<'k>),
    /// The identity has signed it.
    Signed(SessionTree<'k>),
}

impl<'k> Next<'k> {
    /// Begins a tree of `set` with a seed from the system's generator.
    pub fn begin(set: &'static Set, kernels: Kernels<'k>) -> Result<Self, Error> {
        let mut seed = Zeroizing::new(vec![0; set.seed_bytes()]);
        getrandom::fill(&mut seed).map_err(|_| Error::Randomness)?;
        Ok(Self::Growing(KeyGeneration::new(set, &seed, kernels)?, 0))
    }

    /// Returns how many leaves are done.
    pub const fn leaves(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Growing(_, done) => *done,
            Self::Grown(_) | Self::Signed(_) => u64::MAX,
        }
    }

    /// Computes some more leaves: those of one subtree.
    pub fn grow(self) -> Result<Self, Error> {
        let Self::Growing(mut generation, mut done) = self else { return Ok(self) };
        let mut watch = |progress: hasten_hbs::Progress| {
            done = progress.done;
            let whole = done == progress.total;
            if whole { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        match generation.run(1, &mut watch) {
            Ok(signer) => Ok(Self::Grown(signer)),
            Err(hasten_hbs::Error::Stopped) => Ok(Self::Growing(generation, done)),
            Err(error) => Err(error.into()),
        }
    }
}

/// A tree that the identity has signed, and its keys that are left.
pub struct SessionTree<'k> {
    /// The index of the identity that signed it.
    pub number: u64,
    /// The datagram that announces it.
    pub announcement: Arc<[u8]>,
    /// The start of its SHA-256.
    pub digest: Digest,
    signer: Signer<'k>,
    counter: Counter,
}

impl<'k> SessionTree<'k> {
    /// Has a tree signed by `identity`, and verifies that signature.
    pub fn sign(
        signer: Signer<'k>,
        identity: &mut dyn Identity,
        verifies: &Verifies<'_>,
    ) -> Result<Self, Error> {
        let signed = identity.sign_tree(signer.public_key())?;
        let keys = SignedKeys::read(verifies.key(), &signed.signed_keys);
        let keys = keys.filter(|keys| keys.number == signed.number).ok_or(Error::Faulty)?;
        verifies.verify(&keys).map_err(|_| Error::Faulty)?;
        let announcement = announcement(signed.number, &signed.signed_keys);
        let digest = digest(&announcement);
        let (number, counter) = (signed.number, Counter::new());
        Ok(Self { number, announcement: announcement.into(), digest, signer, counter })
    }

    /// Returns how many keys were given out.
    pub const fn used(&self) -> u64 {
        self.counter.used()
    }

    /// Returns how many keys are left.
    pub const fn left(&self) -> u64 {
        self.signer.set().capacity() - self.counter.used()
    }

    /// Prepares the next key to the highest level.
    pub fn prepare(&mut self) -> Result<Prepared<'k, SessionPermit>, Error> {
        Ok(self.signer.prepare(self.counter.permit(), SignerLevel::ChainTable)?)
    }
}
