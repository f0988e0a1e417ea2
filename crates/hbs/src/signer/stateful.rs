//! Signers: they turn permits into prepared signatures.

use super::level::SignerLevel;
use super::prepared::{Blank, Prepared};
use super::shared::Shared;
use crate::Error;
use crate::key::PublicKey;
use crate::key::Signature;
use crate::key::layered_key::LayeredKey;
use crate::one_time::partial_chains::leaf_cost;
use crate::params::Set;
use crate::scrub;
use crate::signer::permit::{Index, Permit};
use crate::tree::traversal::cut;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

/// A stateful key that can sign. Neither `Clone` nor a plain `Signer`: every index is used once.
pub struct Signer<'k> {
    set: &'static Set,
    key: Shared<LayeredKey<'k>>,
    public: Arc<PublicKey>,
    next: u64,
}

impl<'k> Signer<'k> {
    /// Returns a signer whose lowest index is `next`.
    pub(crate) fn new(
        set: &'static Set,
        key: LayeredKey<'k>,
        public: PublicKey,
        next: u64,
    ) -> Self {
        Self { set, key: Shared::new(key), public: Arc::new(public), next }
    }

    /// Returns the parameter set; for HSS with all its levels.
    pub const fn set(&self) -> &'static Set {
        self.set
    }

    /// Returns the public key.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// Returns the lowest index a permit may still have.
    pub const fn next_index(&self) -> u64 {
        self.next
    }

    /// Returns how many signatures are left at most.
    pub fn remaining(&self) -> u64 {
        self.set.capacity() - self.next
    }

    /// Returns public nodes from which [`load`](crate::load) makes the signer again without
    /// generating the key anew. They hold no secret; they are checked when they are loaded.
    pub fn to_cache(&self) -> Vec<u8> {
        self.key.with(|key| key.cache())
    }

    /// Returns the leaves next to the next index: public. Behind the cache, they spare loading the
    /// work to compute them. They change with every signature, and older ones do no harm: what does
    /// not lead to the nodes of the cache is computed again.
    pub fn to_leaves(&self) -> Vec<u8> {
        self.key.with(|key| key.leaves())
    }

    /// Returns every leaf of the tree in use, of the lowest layer, for
    /// [`LeafVerifier`](crate::LeafVerifier): n bytes each, public. It computes them, as generating
    /// the key has.
    pub fn all_leaves(&self) -> Vec<u8> {
        scrub::deep(|| self.key.with(|key| key.all_leaves()))
    }

    /// Returns steps of chains that loading takes without [`to_leaves`](Self::to_leaves).
    pub fn load_cost(&self) -> u64 {
        let layers = (0..self.set.d).map(|layer| self.set.layer(layer));
        layers.map(|set| leaf_cost(set) << cut(set.tree_height())).sum()
    }

    /// Returns public nodes of the trees that follow those in use, as far as they are made, for
    /// [`load_with_growth`](crate::load_with_growth). Unlike those of the cache they cannot be
    /// checked when they are loaded: a tree that is changed in between would be signed by the tree
    /// above, and after that the right one with the same one-time key. Whoever stores them binds
    /// them to a secret.
    pub fn growth(&self) -> Vec<u8> {
        self.key.with(|key| key.growth())
    }

    /// Returns how many trees were put into use by the signer, those that a cache held not counted.
    /// When this has changed, from 0 on, the cache is another: keep it before a signature is given
    /// away, and no tree is ever signed twice.
    pub fn turns(&self) -> u64 {
        self.key.with(|key| key.turns())
    }

    /// Returns the bytes of public nodes that the signer holds.
    pub fn bytes(&self) -> usize {
        self.key.with(|key| key.bytes())
    }

    /// Prepares the signature with the permit's index. Indices may be left out, which gives them
    /// up; they never go back.
    ///
    /// Costs, beyond what the level computes for its index, one leaf and at most k nodes (k the
    /// height at which the tree is cut); after a jump at most 2^(k+1) leaves, once. A key of
    /// several layers takes up to three leaves, and a jump into a tree that was not made yet costs
    /// that tree. At level `none` nothing is computed here.
    ///
    /// # Errors
    /// [`Error::PermitLost`], [`Error::Exhausted`], [`Error::IndexPassed`] or
    /// [`Error::OtherSector`]; the signer is as
    /// before.
    pub fn prepare<P: Permit>(
        &mut self,
        permit: P,
        level: SignerLevel,
    ) -> Result<Prepared<'k, P>, Error> {
        if !permit.is_for(self.public.as_bytes()) {
            return Err(Error::PermitLost);
        }
        let index = Index::mint(&permit, self.set.capacity())?;
        if index.get() < self.next {
            return Err(Error::IndexPassed);
        }
        if !self.key.with(|key| key.has(index.get())) {
            return Err(Error::OtherSector);
        }
        self.next = index.get() + 1;
        let (key, public) = (self.key.clone(), self.public.clone());
        let blank = Blank { set: self.set, key, public, index };
        Ok(Prepared::new(blank, permit, level))
    }

    /// Returns a signing key that takes its permits from `permits` and signs with one call.
    pub const fn with_permits<S: Permits>(self, permits: S) -> SigningKey<'k, S> {
        SigningKey { signer: self, permits }
    }
}

impl fmt::Debug for Signer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.set.name;
        write!(f, "Signer({name}, next index {})", self.next)
    }
}

/// Where permits come from.
pub trait Permits {
    /// Holds what it gives out.
    type Permit: Permit;

    /// Returns the next permit.
    ///
    /// # Errors
    /// [`Error::Exhausted`], or [`Error::PermitLost`] if none can be reserved.
    fn permit(&mut self) -> Result<Self::Permit, Error>;
}

/// A signer and its source of permits: [`signature::SignerMut`] without preparation.
#[derive(Debug)]
pub struct SigningKey<'k, S> {
    signer: Signer<'k>,
    permits: S,
}

impl<'k, S> SigningKey<'k, S> {
    /// Returns the signer.
    pub const fn signer(&self) -> &Signer<'k> {
        &self.signer
    }
}

impl<'k, S: Permits> SigningKey<'k, S> {
    /// Prepares the next permit's index.
    pub(super) fn prepare(&mut self, level: SignerLevel) -> Result<Prepared<'k, S::Permit>, Error> {
        let permit = self.permits.permit()?;
        self.signer.prepare(permit, level)
    }
}

impl<S: Permits> signature::SignerMut<Signature> for SigningKey<'_, S> {
    fn try_sign(&mut self, message: &[u8]) -> Result<Signature, signature::Error> {
        Ok(self.prepare(SignerLevel::None)?.finish(message)?)
    }
}
