//! A session tree: it grows in parts, is signed by the identity, and is used up.

use super::error::Error;
use super::identity::Identity;
use super::permit::{Counter, SessionPermit};
use crate::format::{Announced, Digest, MOST_BYTES, announcement, digest};
use crate::signed_keys::{Identity as Verifies, SignedKeys, is_xmss};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use hasten_hbs::{KeyGeneration, Prepared, Set, Signer, SignerLevel};
use hasten_kernels::Kernels;
use zeroize::Zeroizing;

/// Height of the tallest tree whose nodes are all kept, which takes less than 4 MiB. A taller tree
/// computes leaves anew for its paths.
const MOST_KEPT: u32 = 15;

/// The next tree, in its states of preparation.
pub enum Next<'k> {
    /// The tree is not begun.
    Nothing,
    /// The leaves are computed part by part. The number is that of the finished leaves.
    Growing(KeyGeneration<'k>, u64),
    /// All leaves are computed.
    Grown(Signer<'k>),
    /// The identity has signed the tree.
    Signed(SessionTree<'k>),
}

impl<'k> Next<'k> {
    /// Begins a tree of `set` with a seed from the system's generator.
    pub fn begin(set: &'static Set, kernels: Kernels<'k>) -> Result<Self, Error> {
        let mut seed = Zeroizing::new(vec![0; set.seed_bytes()]);
        getrandom::fill(&mut seed).map_err(|_| Error::Randomness)?;
        let mut generation = KeyGeneration::new(set, &seed, kernels)?;
        if set.tree_height() <= MOST_KEPT {
            generation.keep_nodes();
        }
        Ok(Self::Growing(generation, 0))
    }

    /// Returns the number of finished leaves.
    pub const fn leaves(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Growing(_, done) => *done,
            Self::Grown(_) | Self::Signed(_) => u64::MAX,
        }
    }

    /// Computes the leaves of one more subtree.
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

/// A tree that the identity has signed, with its remaining keys.
pub struct SessionTree<'k> {
    /// The identity's index with which the tree was signed.
    pub number: u64,
    /// The announcement of the tree, as a datagram.
    pub announcement: Arc<[u8]>,
    /// The first bytes of the announcement's SHA-256.
    pub digest: Digest,
    signer: Signer<'k>,
    counter: Counter,
}

impl<'k> SessionTree<'k> {
    /// Has `identity` sign a tree and verifies that signature. With `has_leaves`, the leaves are
    /// part of the announcement.
    pub fn sign(
        signer: Signer<'k>,
        identity: &mut dyn Identity,
        verifies: &Verifies<'_>,
        has_leaves: bool,
    ) -> Result<Self, Error> {
        let leaves = if has_leaves { signer.all_leaves() } else { Vec::new() };
        let mut signed = identity.sign_tree(signer.public_key())?;
        signed.signed_keys.extend(leaves);
        let (tree, is_xmss) = (signed.number, is_xmss(verifies.key()));
        let announced = Announced { tree, is_xmss, has_leaves, keys: &signed.signed_keys };
        let keys = SignedKeys::read(verifies.key(), &announced).ok_or(Error::Faulty)?;
        verifies.verify(&keys).map_err(|_| Error::Faulty)?;
        let announcement = announcement(&announced);
        if announcement.len() > MOST_BYTES {
            return Err(Error::LongLeaves { needs: announcement.len() });
        }
        let digest = digest(&announcement);
        let (number, counter) = (signed.number, Counter::new());
        Ok(Self { number, announcement: announcement.into(), digest, signer, counter })
    }

    /// Returns the number of keys that were given out.
    pub const fn used(&self) -> u64 {
        self.counter.used()
    }

    /// Returns the number of keys that are left.
    pub const fn left(&self) -> u64 {
        self.signer.set().capacity() - self.counter.used()
    }

    /// Prepares the next key to a level.
    pub fn prepare(&mut self, level: SignerLevel) -> Result<Prepared<'k, SessionPermit>, Error> {
        Ok(self.signer.prepare(self.counter.permit(), level)?)
    }
}
