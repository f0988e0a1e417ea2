//! Verification of one signature, or of many together.

use super::address::KeyPair;
use super::hashes::Hashes;
use super::message::{Selection, h_msg};
use super::{Context, PreHash, digest_bytes, hypertree, shape};
use crate::Error;
use crate::key::Signature;
use crate::params::{Scheme, Set};
use crate::tree::Place;
use crate::tree::units::all_in_order;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use hasten_kernels::Kernels;

/// An SLH-DSA public key.
pub struct VerifyingKey<'k> {
    kernels: Kernels<'k>,
    hashes: Hashes<'k>,
    bytes: Vec<u8>,
}

/// A message and a claimed signature of it.
#[derive(Clone, Copy)]
pub struct Claim<'m> {
    /// The context that the signature was made with.
    pub context: Context<'m>,
    /// The message.
    pub message: &'m [u8],
    /// The encoded signature.
    pub signature: &'m [u8],
}

impl<'k> VerifyingKey<'k> {
    /// Reads a key encoded as PK.seed ‖ PK.root, 2n bytes (the public key of FIPS 205).
    ///
    /// # Errors
    /// [`Error::BadKey`] for a wrong length; [`Error::UnknownSet`] if `set` is not a set of
    /// SLH-DSA.
    pub fn from_bytes(kernels: &Kernels<'k>, set: &'static Set, key: &[u8]) -> Result<Self, Error> {
        if !matches!(set.scheme, Scheme::SlhDsa { .. }) {
            return Err(Error::UnknownSet);
        }
        Self::from_parts(*kernels, set, key)
    }

    pub(super) fn from_parts(
        kernels: Kernels<'k>,
        set: &'static Set,
        key: &[u8],
    ) -> Result<Self, Error> {
        if key.len() != 2 * set.n {
            return Err(Error::BadKey);
        }
        let hashes = Hashes::new(&kernels, set, &key[..set.n]);
        Ok(Self::new(kernels, hashes, key.to_vec()))
    }

    pub(super) const fn new(kernels: Kernels<'k>, hashes: Hashes<'k>, bytes: Vec<u8>) -> Self {
        Self { kernels, hashes, bytes }
    }

    /// Returns the parameter set.
    pub const fn set(&self) -> &'static Set {
        self.hashes.set
    }

    /// Returns the encoded key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn seed(&self) -> &[u8] {
        &self.bytes[..self.set().n]
    }

    pub(super) fn root(&self) -> &[u8] {
        &self.bytes[self.set().n..]
    }

    #[cfg(feature = "sign")]
    pub(super) const fn hashes(&self) -> &Hashes<'k> {
        &self.hashes
    }

    /// Verifies a signature: FIPS 205, Algorithm 24 (slh_verify).
    ///
    /// # Errors
    /// [`Error::BadSignature`] if the signature is wrong in any way.
    pub fn verify(
        &self,
        context: Context<'_>,
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        let before = context.before(self.set()).map_err(|_| Error::BadSignature)?;
        self.verify_internal(&[before[0], before[1], message], signature)
    }

    /// Verifies a signature of a digest that the caller has computed: FIPS 205, Algorithm 25
    /// (hash_slh_verify).
    ///
    /// # Errors
    /// [`Error::BadSignature`]; [`Error::PreHash`] if the digest does not have the length of the
    /// function, or is too short for the set ([`PreHash::suits`]).
    pub fn verify_prehashed(
        &self,
        context: Context<'_>,
        function: PreHash,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        function.check(self.set())?;
        self.verify_any_prehashed(context, function, digest, signature)
    }

    /// Verifies as [`verify_prehashed`](Self::verify_prehashed) does, but also accepts functions
    /// that are too weak for the set. Some test vectors need this.
    ///
    /// # Errors
    /// As [`verify_prehashed`](Self::verify_prehashed), except for weak functions.
    #[cfg(feature = "hazmat")]
    pub fn verify_prehashed_weakly(
        &self,
        context: Context<'_>,
        function: PreHash,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        self.verify_any_prehashed(context, function, digest, signature)
    }

    fn verify_any_prehashed(
        &self,
        context: Context<'_>,
        function: PreHash,
        digest: &[u8],
        signature: &[u8],
    ) -> Result<(), Error> {
        let front = function.front(context, digest)?;
        self.verify_internal(&[&front, context.bytes, &function.oid(), digest], signature)
    }

    /// Verifies a signature of the message M', given in parts, by FIPS 205, Algorithm 20
    /// (slh_verify_internal). Unlike its counterpart for signing, it needs no feature, because a
    /// verifier that takes M' cannot reveal a key.
    ///
    /// # Errors
    /// [`Error::BadSignature`].
    pub fn verify_internal(&self, message: &[&[u8]], signature: &[u8]) -> Result<(), Error> {
        if signature.len() != self.set().signature_bytes() {
            return Err(Error::BadSignature);
        }
        let chosen = self.select(message, signature);
        let roots = self.lead(&[chosen], &[signature]);
        if roots == self.root() { Ok(()) } else { Err(Error::BadSignature) }
    }

    /// Returns the selection by the message and the randomizer of `signature`.
    fn select(&self, message: &[&[u8]], signature: &[u8]) -> Selection {
        let mut digest = vec![0; digest_bytes(self.set())];
        let fixed = [&signature[..self.set().n], self.seed(), self.root()];
        h_msg(&self.kernels, self.set(), fixed, message, &mut digest);
        Selection::of(self.set(), &digest)
    }

    /// Returns the roots that the claims lead to. Their signatures must have the right length.
    fn roots(&self, claims: &[&Claim<'_>]) -> Vec<u8> {
        let signatures: Vec<&[u8]> = claims.iter().map(|c| c.signature).collect();
        let select = |c: &&Claim<'_>| {
            let [front, context] = c.context.before(self.set()).unwrap_or_default();
            self.select(&[front, context, c.message], c.signature)
        };
        let chosen: Vec<Selection> = claims.iter().map(select).collect();
        self.lead(&chosen, &signatures)
    }

    /// Returns the roots that the signatures lead to, one after another.
    fn lead(&self, chosen: &[Selection], signatures: &[&[u8]]) -> Vec<u8> {
        let shape = shape(self.set());
        let n = self.set().n;
        let keys: Vec<KeyPair> = chosen
            .iter()
            .map(|c| KeyPair { place: Place { layer: 0, tree: c.tree }, leaf: c.leaf })
            .collect();
        let cut = n + shape.signature_bytes(n);
        let fors: Vec<&[u8]> = signatures.iter().map(|s| &s[n..cut]).collect();
        let ht: Vec<&[u8]> = signatures.iter().map(|s| &s[cut..]).collect();
        let messages = shape.public_keys(&self.hashes, &keys, chosen, &fors);
        hypertree::roots(&self.hashes, &keys, messages, &ht)
    }
}

/// Verifies many signatures of one key together: the layers of one hypertree are hashed in turn,
/// but those of different signatures in parallel. Returns one result for each claim, in order.
pub fn verify_many(key: &VerifyingKey<'_>, claims: &[Claim<'_>]) -> Vec<Result<(), Error>> {
    verify_many_on(1, key, claims)
}

/// Verifies as [`verify_many`] does, on `threads` threads. Without the feature `std` there is only
/// one.
pub fn verify_many_on(
    threads: usize,
    key: &VerifyingKey<'_>,
    claims: &[Claim<'_>],
) -> Vec<Result<(), Error>> {
    let whole = |c: &&Claim<'_>| {
        let length = c.signature.len() == key.set().signature_bytes();
        length && c.context.before(key.set()).is_ok()
    };
    let good: Vec<&Claim<'_>> = claims.iter().filter(whole).collect();
    let groups: Vec<&[&Claim<'_>]> = good.chunks(key.hashes.lanes()).collect();
    let make = |unit: u32| key.roots(groups[unit as usize]);
    let roots = all_in_order(threads, groups.len() as u32, &make).concat();
    let mut roots = roots.chunks_exact(key.set().n);
    let mut verdict = |c: &Claim<'_>| match whole(&c).then(|| roots.next()).flatten() {
        Some(root) if root == key.root() => Ok(()),
        _ => Err(Error::BadSignature),
    };
    claims.iter().map(&mut verdict).collect()
}

impl fmt::Debug for VerifyingKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifyingKey").field("set", &self.set().name).finish_non_exhaustive()
    }
}

/// The pure form with an empty context.
impl signature::Verifier<Signature> for VerifyingKey<'_> {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(self.verify(Context::EMPTY, message, signature.as_bytes())?)
    }
}
