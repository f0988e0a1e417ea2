//! Signing with a key that has a signature limit: FIPS 205, Algorithm 22 (slh_sign).

use super::check;
use super::tall::Tall;
use crate::Error;
use crate::key::Signature;
use crate::params::Set;
use crate::scrub;
use crate::secret::Secret;
use crate::signer::permit::{Account, Index, Permit};
use crate::slhdsa::forest::Forest;
use crate::slhdsa::hashes::Hashes;
use crate::slhdsa::message::{Selection, h_msg, prf_msg};
use crate::slhdsa::{Context, VerifyingKey, digest_bytes, hypertree, shape};
use crate::tree::build::Progress;
use crate::tree::subtree::Subtree;
use crate::tree::traversal::cut;
use crate::tree::{Position, Shape};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use hasten_kernels::Kernels;

/// A callback that receives the number of finished leaves of the FORS trees, and may stop a
/// signature.
pub type Watch<'w> = dyn FnMut(Progress) -> ControlFlow<()> + 'w;

/// The data that all signatures of a key share.
struct Key<'k> {
    kernels: Kernels<'k>,
    tall: Tall<'k>,
    sk_prf: Secret,
    public: VerifyingKey<'k>,
    /// The stored row and all nodes above it.
    top: Subtree,
}

/// A key for a limited number of signatures. It is neither `Clone` nor a plain `Signer`: every
/// signature takes an index from a permit, and there are no more indices than the limit of the set.
pub struct LimitedSigner<'k> {
    key: Arc<Key<'k>>,
    next: u64,
}

impl<'k> LimitedSigner<'k> {
    /// Loads a key from its seed and the output of [`to_cache`](Self::to_cache), ready to sign from
    /// the next index of `account` on. `public` is PK.seed ‖ PK.root.
    ///
    /// # Errors
    /// [`Error::UnknownSet`] if the set has no limit, [`Error::BadSeed`] if the seed is not that of
    /// this key, [`Error::BadKey`] for a public key of a wrong length, [`Error::BadCache`] if the
    /// row does not lead to its root.
    pub fn load(
        set: &'static Set,
        public: &[u8],
        seed: &[u8],
        cache: &[u8],
        account: &dyn Account,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        check(set)?;
        if public.len() != set.public_key_bytes() {
            return Err(Error::BadKey);
        }
        if seed.len() != set.seed_bytes() || seed[2 * set.n..] != public[..set.n] {
            return Err(Error::BadSeed);
        }
        let (root, next) = (Some(&public[set.n..]), account.next_index());
        scrub::deep(|| Self::of_row(set, seed, cache, root, next, kernels))
    }

    /// Returns the signer with a row of nodes. If `root` is given, the row must lead to it.
    pub(super) fn of_row(
        set: &'static Set,
        seed: &[u8],
        row: &[u8],
        root: Option<&[u8]>,
        next: u64,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        let (height, levels) = (cut(set.h), set.h - cut(set.h));
        if row.len() != set.n << levels {
            return Err(Error::BadCache);
        }
        let (secrets, pk_seed) = seed.split_at(2 * set.n);
        let (sk_seed, sk_prf) = secrets.split_at(set.n);
        let hashes = Hashes::new(&kernels, set, pk_seed);
        let tall = Tall { hashes, sk_seed: Secret::copy(sk_seed) };
        let top = Subtree::over(&tall, Position { height, index: 0 }, levels, row);
        if root.is_some_and(|root| root != top.root()) {
            return Err(Error::BadCache);
        }
        let bytes = [pk_seed, top.root()].concat();
        let public = VerifyingKey::from_parts(kernels, set, &bytes)?;
        let key = Key { kernels, tall, sk_prf: Secret::copy(sk_prf), public, top };
        Ok(Self { key: Arc::new(key), next })
    }

    /// Returns the parameter set.
    pub fn set(&self) -> &'static Set {
        self.key.public.set()
    }

    /// Returns the public key.
    pub fn verifying_key(&self) -> &VerifyingKey<'k> {
        &self.key.public
    }

    /// Returns the lowest index that a permit may still have.
    pub const fn next_index(&self) -> u64 {
        self.next
    }

    /// Returns the maximum number of signatures that are left.
    pub fn remaining(&self) -> u64 {
        self.set().capacity().saturating_sub(self.next)
    }

    /// Returns the row from which [`load`](Self::load) restores the signer. It is public, and is
    /// checked when it is loaded.
    pub fn to_cache(&self) -> Vec<u8> {
        self.key.top.row().to_vec()
    }

    /// Prepares one signature with the index of the permit. Indices may be skipped; a skipped index
    /// is given up and can never be used.
    ///
    /// # Errors
    /// [`Error::PermitLost`], [`Error::IndexPassed`], and [`Error::Exhausted`] at the limit; the
    /// signer is then unchanged.
    pub fn prepare<P: Permit>(&mut self, permit: P) -> Result<LimitedPrepared<'k, P>, Error> {
        if !permit.is_for(self.key.public.as_bytes()) {
            return Err(Error::PermitLost);
        }
        let index = Index::mint(&permit, self.set().capacity())?;
        if index.get() < self.next {
            return Err(Error::IndexPassed);
        }
        self.next = index.get() + 1;
        Ok(LimitedPrepared { key: self.key.clone(), permit, index, threads: 1 })
    }

    /// Signs without a permit and without counting: the caller alone is responsible for the limit.
    /// This is for test vectors and measurements.
    ///
    /// # Errors
    /// As [`LimitedPrepared::sign_watched`].
    #[cfg(feature = "hazmat")]
    pub fn sign_uncounted_beyond_any_limit(
        &self,
        context: Context<'_>,
        message: &[u8],
        randomness: Option<&[u8]>,
        threads: usize,
    ) -> Result<Signature, Error> {
        let watch: &mut Watch<'_> = &mut |_| ControlFlow::Continue(());
        scrub::deep(|| self.key.sign(context, message, randomness, threads, watch))
    }
}

impl fmt::Debug for LimitedSigner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LimitedSigner({}, next index {})", self.set().name, self.next)
    }
}

/// A counted signature that waits for its message.
#[must_use = "dropped without `sign`, its index is lost"]
pub struct LimitedPrepared<'k, P> {
    key: Arc<Key<'k>>,
    permit: P,
    index: Index,
    threads: usize,
}

impl<P: Permit> LimitedPrepared<'_, P> {
    /// Returns the index that this signature uses.
    pub const fn index(&self) -> u64 {
        self.index.get()
    }

    /// Sets the number of threads for the signature. The default is one.
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Signs a message. `randomness` is n bytes from a random bit generator (hedged), or `None` for
    /// the deterministic variant.
    ///
    /// # Errors
    /// As [`sign_watched`](Self::sign_watched).
    pub fn sign(
        self,
        context: Context<'_>,
        message: &[u8],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        self.sign_watched(context, message, randomness, &mut |_| ControlFlow::Continue(()))
    }

    /// Signs as [`sign`](Self::sign) does. `watch` receives the number of finished leaves of the
    /// FORS trees, and may stop the signature.
    ///
    /// # Errors
    /// [`Error::BadSeed`] if the randomness is not n bytes; [`Error::Stopped`] if `watch` stopped
    /// it; [`Error::PermitLost`] if the reservation no longer holds at the beginning or at the end.
    /// The index is then lost, and nothing was revealed.
    pub fn sign_watched(
        self,
        context: Context<'_>,
        message: &[u8],
        randomness: Option<&[u8]>,
        watch: &mut Watch<'_>,
    ) -> Result<Signature, Error> {
        self.permit.check()?;
        let sign = || self.key.sign(context, message, randomness, self.threads, watch);
        let signature = scrub::deep(sign)?;
        self.permit.check()?;
        Ok(signature)
    }
}

impl<P> fmt::Debug for LimitedPrepared<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LimitedPrepared({}, index {})", self.key.public.set().name, self.index.get())
    }
}

impl Key<'_> {
    /// Signs by FIPS 205, Algorithm 19 (slh_sign_internal).
    fn sign(
        &self,
        context: Context<'_>,
        message: &[u8],
        randomness: Option<&[u8]>,
        threads: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Signature, Error> {
        let set = self.public.set();
        let opt_rand = randomness.unwrap_or(self.public.seed());
        if opt_rand.len() != set.n {
            return Err(Error::BadSeed);
        }
        let [front, bytes] = context.before(set)?;
        let message = [front, bytes, message];
        let mut signature = vec![0; set.signature_bytes()];
        let (r, rest) = signature.split_at_mut(set.n);
        prf_msg(&self.kernels, set, (&self.sk_prf, opt_rand), &message, r);
        let mut digest = vec![0; digest_bytes(set)];
        let fixed = [r, self.public.seed(), self.public.root()];
        h_msg(&self.kernels, set, fixed, &message, &mut digest);
        self.sign_digest(&Selection::of(set, &digest), threads, rest, watch)?;
        Ok(Signature::from(signature))
    }

    fn sign_digest(
        &self,
        chosen: &Selection,
        threads: usize,
        signature: &mut [u8],
        watch: &mut Watch<'_>,
    ) -> Result<(), Error> {
        let (set, hashes) = (self.public.set(), &self.tall.hashes);
        let (shape, key) = (shape(set), Tall::key(chosen.leaf));
        let (fors, tree) = signature.split_at_mut(shape.signature_bytes(set.n));
        let forest = Forest { shape, hashes, sk_seed: &self.tall.sk_seed, key };
        let message = forest.sign(chosen, threads, fors, watch)?;
        let (ots, path) = tree.split_at_mut(set.ots_bytes());
        let messages = core::iter::once(&message[..]);
        let made = hypertree::one_time_signatures(hashes, &self.tall.sk_seed, &[key], messages);
        ots.copy_from_slice(&made);
        self.path(chosen.leaf, path);
        Ok(())
    }

    /// Writes the authentication path of a leaf. The part below the stored row is computed, the
    /// part above is looked up.
    fn path(&self, leaf: u32, out: &mut [u8]) {
        let cut = cut(self.tall.height());
        let low = Subtree::of_leaves(&self.tall, cut, leaf >> cut);
        let nodes = low.path(leaf).chain(self.top.path(leaf >> cut));
        let places = out.chunks_exact_mut(self.public.set().n);
        places.zip(nodes).for_each(|(place, node)| place.copy_from_slice(node));
    }
}
