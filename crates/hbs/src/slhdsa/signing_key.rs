//! Key generation and signing: the side that holds secrets.

use super::address::KeyPair;
use super::hashes::Hashes;
use super::message::{Selection, h_msg, prf_msg};
use super::{Context, PreHash, VerifyingKey, digest_bytes, hypertree, shape};
use crate::Error;
use crate::key::Signature;
use crate::params::{Scheme, Set};
use crate::scrub;
use crate::secret::Secret;
use crate::tree::Place;
use crate::tree::units::all_in_order;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use hasten_kernels::Kernels;

/// An SLH-DSA private key. It is zeroised on drop, and `Debug` shows no secrets.
pub struct SigningKey<'k> {
    kernels: Kernels<'k>,
    sk_seed: Secret,
    sk_prf: Secret,
    public: VerifyingKey<'k>,
}

impl<'k> SigningKey<'k> {
    /// Computes the key of SK.seed ‖ SK.prf ‖ PK.seed, n bytes each, from a random bit generator:
    /// FIPS 205, Algorithm 18 (slh_keygen_internal).
    ///
    /// # Errors
    /// [`Error::BadSeed`] if the seed has another length; [`Error::UnknownSet`] if `set` is not a
    /// set of SLH-DSA, or has a signature limit (for these sets, use
    /// [`LimitedSigner`](crate::slhdsa::LimitedSigner)).
    pub fn from_seed(kernels: &Kernels<'k>, set: &'static Set, seed: &[u8]) -> Result<Self, Error> {
        Self::from_seed_on(1, kernels, set, seed)
    }

    /// Computes the key as [`from_seed`](Self::from_seed) does, on `threads` threads.
    ///
    /// # Errors
    /// As [`from_seed`](Self::from_seed).
    pub fn from_seed_on(
        threads: usize,
        kernels: &Kernels<'k>,
        set: &'static Set,
        seed: &[u8],
    ) -> Result<Self, Error> {
        check(set)?;
        if seed.len() != set.seed_bytes() {
            return Err(Error::BadSeed);
        }
        let (secrets, pk_seed) = seed.split_at(2 * set.n);
        let hashes = Hashes::new(kernels, set, pk_seed);
        let root = scrub::deep(|| hypertree::root(&hashes, &secrets[..set.n], threads));
        let public = VerifyingKey::new(*kernels, hashes, [pk_seed, &root].concat());
        Ok(Self::new(*kernels, secrets, public))
    }

    /// Reads a key encoded as SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root, 4n bytes (the private key of
    /// FIPS 205). The root is not checked.
    ///
    /// # Errors
    /// [`Error::BadKey`] for a wrong length; [`Error::UnknownSet`] as for
    /// [`from_seed`](Self::from_seed).
    pub fn from_bytes(kernels: &Kernels<'k>, set: &'static Set, key: &[u8]) -> Result<Self, Error> {
        check(set)?;
        if key.len() != 4 * set.n {
            return Err(Error::BadKey);
        }
        let (secrets, public) = key.split_at(2 * set.n);
        Ok(Self::new(*kernels, secrets, VerifyingKey::from_parts(*kernels, set, public)?))
    }

    fn new(kernels: Kernels<'k>, secrets: &[u8], public: VerifyingKey<'k>) -> Self {
        let (sk_seed, sk_prf) = secrets.split_at(secrets.len() / 2);
        Self { kernels, sk_seed: Secret::copy(sk_seed), sk_prf: Secret::copy(sk_prf), public }
    }

    /// Returns the encoded private key, 4n bytes. The caller must keep it secret.
    pub fn to_bytes(&self) -> zeroize::Zeroizing<alloc::vec::Vec<u8>> {
        [&*self.sk_seed, &*self.sk_prf, self.public.as_bytes()].concat().into()
    }

    /// Returns the public key.
    pub const fn verifying_key(&self) -> &VerifyingKey<'k> {
        &self.public
    }

    /// Returns the parameter set.
    pub const fn set(&self) -> &'static Set {
        self.public.set()
    }

    /// Signs `message`: FIPS 205, Algorithm 22 (slh_sign). `randomness` is n bytes from a random
    /// bit generator (hedged), or `None` for the deterministic variant.
    ///
    /// # Errors
    /// [`Error::BadSeed`] if the randomness is not n bytes; [`Error::LongContext`] for a context
    /// with a set of round 3.1, which has none.
    pub fn sign(
        &self,
        context: Context<'_>,
        message: &[u8],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        self.sign_on(1, context, message, randomness)
    }

    /// Signs as [`sign`](Self::sign) does, on `threads` threads. Without the feature `std` there is
    /// only one.
    ///
    /// # Errors
    /// As [`sign`](Self::sign).
    pub fn sign_on(
        &self,
        threads: usize,
        context: Context<'_>,
        message: &[u8],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        let [front, bytes] = context.before(self.set())?;
        self.sign_wiped(threads, &[front, bytes, message], randomness)
    }

    /// Signs many messages, each on one of `threads` threads. `randomness` is n bytes for each
    /// message, one after the other, or `None` for the deterministic variant.
    ///
    /// # Errors
    /// [`Error::BadSeed`] if the randomness has another length; [`Error::LongContext`] as for
    /// [`sign`](Self::sign).
    pub fn sign_many_on(
        &self,
        threads: usize,
        context: Context<'_>,
        messages: &[&[u8]],
        randomness: Option<&[u8]>,
    ) -> Result<Vec<Signature>, Error> {
        let n = self.set().n;
        if randomness.is_some_and(|bytes| bytes.len() != messages.len() * n) {
            return Err(Error::BadSeed);
        }
        let make = |unit: u32| {
            let at = unit as usize;
            self.sign(context, messages[at], randomness.map(|bytes| &bytes[at * n..][..n]))
        };
        all_in_order(threads, messages.len() as u32, &make).into_iter().collect()
    }

    /// Signs a digest that the caller has computed: FIPS 205, Algorithm 23 (hash_slh_sign).
    ///
    /// # Errors
    /// [`Error::PreHash`] if the digest does not have the length of the function, or is too short
    /// for the set ([`PreHash::suits`]); [`Error::BadSeed`] as for [`sign`](Self::sign).
    pub fn sign_prehashed(
        &self,
        context: Context<'_>,
        function: PreHash,
        digest: &[u8],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        function.check(self.set())?;
        self.sign_any_prehashed(context, function, digest, randomness)
    }

    /// Signs as [`sign_prehashed`](Self::sign_prehashed) does, but also accepts functions that are
    /// too weak for the set. Some test vectors need this.
    ///
    /// # Errors
    /// As [`sign_prehashed`](Self::sign_prehashed), except for weak functions.
    #[cfg(feature = "hazmat")]
    pub fn sign_prehashed_weakly(
        &self,
        context: Context<'_>,
        function: PreHash,
        digest: &[u8],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        self.sign_any_prehashed(context, function, digest, randomness)
    }

    fn sign_any_prehashed(
        &self,
        context: Context<'_>,
        function: PreHash,
        digest: &[u8],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        let front = function.front(context, digest)?;
        self.sign_wiped(1, &[&front, context.bytes, &function.oid(), digest], randomness)
    }

    /// Signs the message M', given in parts, by FIPS 205, Algorithm 19 (slh_sign_internal). This is
    /// for test vectors. Applications sign with [`sign`](Self::sign), which puts the context before
    /// the message.
    ///
    /// # Errors
    /// [`Error::BadSeed`] if the randomness is not n bytes.
    #[cfg(feature = "hazmat")]
    pub fn sign_internal(
        &self,
        message: &[&[u8]],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        self.sign_wiped(1, message, randomness)
    }

    /// Signs, and overwrites the stack that was used.
    fn sign_wiped(
        &self,
        threads: usize,
        message: &[&[u8]],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        scrub::deep(|| self.sign_parts(threads, message, randomness))
    }

    fn sign_parts(
        &self,
        threads: usize,
        message: &[&[u8]],
        randomness: Option<&[u8]>,
    ) -> Result<Signature, Error> {
        let (set, kernels) = (self.set(), &self.kernels);
        let opt_rand = randomness.unwrap_or(self.public.seed());
        if opt_rand.len() != set.n {
            return Err(Error::BadSeed);
        }
        let mut signature = vec![0; set.signature_bytes()];
        let (r, rest) = signature.split_at_mut(set.n);
        prf_msg(kernels, set, (&self.sk_prf, opt_rand), message, r);
        let mut digest = vec![0; digest_bytes(set)];
        h_msg(kernels, set, [r, self.public.seed(), self.public.root()], message, &mut digest);
        self.sign_digest(threads, &Selection::of(set, &digest), rest);
        Ok(Signature::from(signature))
    }

    fn sign_digest(&self, threads: usize, chosen: &Selection, signature: &mut [u8]) {
        let shape = shape(self.set());
        let hashes = self.public.hashes();
        let key = KeyPair { place: Place { layer: 0, tree: chosen.tree }, leaf: chosen.leaf };
        let (fors, ht) = signature.split_at_mut(shape.signature_bytes(self.set().n));
        let message = shape.sign(hashes, (&self.sk_seed, key), threads, chosen, fors);
        hypertree::sign(hashes, (&self.sk_seed, key), threads, &message, ht);
    }
}

/// Refuses sets that are not of SLH-DSA, and those with a signature limit. Keys with a limit must
/// count their signatures, and their FORS trees of 2^24 leaves and more would be in memory as a
/// whole here.
fn check(set: &Set) -> Result<(), Error> {
    let signs = matches!(set.scheme, Scheme::SlhDsa { .. }) && set.limit.is_none();
    if signs { Ok(()) } else { Err(Error::UnknownSet) }
}

impl fmt::Debug for SigningKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("set", &self.set().name).finish_non_exhaustive()
    }
}

/// The pure form with an empty context, deterministic.
impl signature::Signer<Signature> for SigningKey<'_> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
        Ok(self.sign(Context::EMPTY, message, None)?)
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::slhdsa::{Context, VerifyingKey};
    use alloc::boxed::Box;

    /// One layer, and digits of two and of three bits, as in the draft of SP 800-230, with trees
    /// small enough to sign with.
    #[test]
    fn small_trees_in_the_shape_of_the_draft() {
        for name in ["SLH-DSA-SHA2-128-24", "SLH-DSA-SHAKE-192-24", "SLH-DSA-SHA2-256-24"] {
            let Scheme::SlhDsa { k, .. } = Set::named(name).unwrap().scheme else { panic!() };
            let scheme = Scheme::SlhDsa { a: 5, k };
            let small = Set { h: 5, scheme, limit: None, ..*Set::named(name).unwrap() };
            let set: &'static Set = Box::leak(Box::new(small));
            let kernels = Kernels::best();
            let key = SigningKey::from_seed(&kernels, set, &vec![9; 3 * set.n]).unwrap();
            let signature = key.sign(Context::EMPTY, b"message", None).unwrap().into_bytes();
            assert_eq!(signature.len(), set.signature_bytes());
            let public = key.verifying_key().as_bytes();
            let public = VerifyingKey::from_bytes(&kernels, set, public).unwrap();
            public.verify(Context::EMPTY, b"message", &signature).expect(name);
            for at in (0..signature.len()).step_by(31) {
                let mut bad = signature.clone();
                bad[at] ^= 2;
                assert!(public.verify(Context::EMPTY, b"message", &bad).is_err(), "{name} {at}");
            }
        }
    }
}
