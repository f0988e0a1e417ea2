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

/// A stateful key that can sign. It is neither `Clone` nor a plain `Signer`: every index is used
/// once.
pub struct Signer<'k> {
    set: &'static Set,
    key: Shared<LayeredKey<'k>>,
    public: Arc<PublicKey>,
    next: u64,
}

impl<'k> Signer<'k> {
    /// Returns a signer whose lowest unused index is `next`.
    pub(crate) fn new(
        set: &'static Set,
        key: LayeredKey<'k>,
        public: PublicKey,
        next: u64,
    ) -> Self {
        Self { set, key: Shared::new(key), public: Arc::new(public), next }
    }

    /// Returns the parameter set; for HSS, the set with all its levels.
    pub const fn set(&self) -> &'static Set {
        self.set
    }

    /// Returns the public key.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// Returns the lowest index that a permit may still have.
    pub const fn next_index(&self) -> u64 {
        self.next
    }

    /// Returns the maximum number of signatures that are left.
    pub fn remaining(&self) -> u64 {
        self.set.capacity() - self.next
    }

    /// Returns public nodes from which [`load`](crate::load) restores the signer without generating
    /// the key again. They contain no secrets, and are checked when they are loaded.
    pub fn to_cache(&self) -> Vec<u8> {
        self.key.with(|key| key.cache())
    }

    /// Returns the leaves next to the next index. They are public. If they follow the cache,
    /// loading does not have to compute them. They change with every signature, but older ones do
    /// no harm: leaves that do not lead to the nodes of the cache are computed again.
    pub fn to_leaves(&self) -> Vec<u8> {
        self.key.with(|key| key.leaves())
    }

    /// Returns every leaf of the lowest tree in use, for [`LeafVerifier`](crate::LeafVerifier): n
    /// bytes each, public. The leaves are computed, as in key generation.
    pub fn all_leaves(&self) -> Vec<u8> {
        scrub::deep(|| self.key.with(|key| key.all_leaves()))
    }

    /// Returns the number of chain steps that loading takes without [`to_leaves`](Self::to_leaves).
    pub fn load_cost(&self) -> u64 {
        let layers = (0..self.set.d).map(|layer| self.set.layer(layer));
        layers.map(|set| leaf_cost(set) << cut(set.tree_height())).sum()
    }

    /// Returns public nodes of the next trees, as far as they are computed, for
    /// [`load_with_growth`](crate::load_with_growth). Unlike those of the cache, they cannot be
    /// checked when they are loaded. If a tree were changed in storage, the tree above would sign
    /// it, and later sign the right tree with the same one-time key. The caller must therefore
    /// authenticate the stored nodes with a secret.
    pub fn growth(&self) -> Vec<u8> {
        self.key.with(|key| key.growth())
    }

    /// Returns how many trees the signer has put into use, not counting those from a cache. Compare
    /// it with 0 at first, and later with the value before: if it differs, the cache has changed.
    /// Store the new cache before a signature is released, so that no tree is ever signed twice.
    pub fn turns(&self) -> u64 {
        self.key.with(|key| key.turns())
    }

    /// Returns the size in bytes of the public nodes in memory.
    pub fn bytes(&self) -> usize {
        self.key.with(|key| key.bytes())
    }

    /// Prepares the signature with the index of the permit. Indices may be skipped; a skipped index
    /// is given up and can never be used.
    ///
    /// In addition to the work of the level for its index, this costs one leaf and at most k nodes,
    /// where k is the height at which the tree is cut. After skipped indices, it costs at most
    /// 2^(k+1) leaves once. A key of several layers takes up to three leaves, and skipping to a
    /// tree that is not computed yet costs that tree. At level `none`, nothing is computed here.
    ///
    /// # Errors
    /// [`Error::PermitLost`], [`Error::Exhausted`], [`Error::IndexPassed`] or
    /// [`Error::OtherSector`]; the signer is then unchanged.
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

/// A source of permits.
pub trait Permits {
    /// The type of its permits.
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
    /// Prepares a signature with the next permit.
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
