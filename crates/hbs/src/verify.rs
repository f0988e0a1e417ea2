//! Verification with nothing prepared. RFC 8391, Algorithm 14 (XMSS_verify).

use crate::climb::{LeafRows, chain_ends, climb};
use crate::onetime::{OneTime, Stream};
use crate::params::Scheme;
use crate::public_key::PublicKey;
use crate::signature::{Layout, Parts};
use crate::{Error, Signature};
use alloc::boxed::Box;
use alloc::sync::Arc;
use core::convert::Infallible;
use core::ops::ControlFlow;
use hasten_kernels::Kernels;

/// A public key, ready to verify: its constant prefixes are absorbed.
#[derive(Clone)]
pub struct Verifier<'k> {
    key: PublicKey,
    pub(crate) tree: Arc<dyn OneTime<'k> + 'k>,
    pub(crate) layout: Layout,
}

impl<'k> Verifier<'k> {
    /// A verifier for `key` that hashes with `kernels`.
    pub fn new(key: &PublicKey, kernels: Kernels<'k>) -> Self {
        let set = key.set();
        let tree = match set.scheme {
            Scheme::Xmss => crate::xmss::tree(key, kernels),
            Scheme::Lms { .. } => crate::lms::tree(set, key.seed(), kernels),
            Scheme::SlhDsa { .. } => unreachable!("no stateful key has a set of SLH-DSA"),
        };
        Self { key: key.clone(), tree, layout: Layout::of(set) }
    }

    /// The public key.
    pub const fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// Whether `signature` is a signature of `message`.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever is wrong.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.begin(signature)?.finish(message)
    }

    /// Begins to verify a message that comes in pieces.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if length or index are wrong.
    pub fn begin<'s>(&'s self, signature: &'s [u8]) -> Result<Verification<'s, 'k>, Error> {
        let parts = self.split(signature)?;
        let stream = self.opening(&parts);
        Ok(Verification { verifier: self, parts, stream })
    }

    pub(crate) fn split<'s>(&self, signature: &'s [u8]) -> Result<Parts<'s>, Error> {
        self.layout.split(signature, self.key.set().capacity())
    }

    pub(crate) fn opening(&self, parts: &Parts<'_>) -> Box<dyn Stream + 'k> {
        self.tree.opening(self.key.root(), parts.index, parts.r)
    }

    /// Whether the chains of `parts` lead from `digest` to the root.
    fn check(&self, parts: &Parts<'_>, digest: &[u8]) -> Result<(), Error> {
        let (tree, leaf) = (&*self.tree, parts.index as u32);
        let mut node = chain_ends(tree, None, leaf, digest, parts.ots);
        let rows = LeafRows::tree(tree, leaf);
        tree.compress(&rows.leaf, &[leaf], &mut node);
        let mut pass = |_, _: &[u8]| ControlFlow::<Infallible>::Continue(());
        let ControlFlow::Continue(root) =
            climb(tree, &rows.path, leaf, node, parts.path, &mut pass);
        if root == self.key.root() { Ok(()) } else { Err(Error::BadSignature) }
    }
}

impl core::fmt::Debug for Verifier<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Verifier({:?})", self.key)
    }
}

impl signature::Verifier<Signature> for Verifier<'_> {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(Verifier::verify(self, message, signature.as_bytes())?)
    }
}

/// A verification whose message is still coming.
pub struct Verification<'s, 'k> {
    verifier: &'s Verifier<'k>,
    parts: Parts<'s>,
    stream: Box<dyn Stream + 'k>,
}

impl Verification<'_, '_> {
    /// Absorbs a part of the message.
    pub fn update(&mut self, part: &[u8]) {
        self.stream.update(part);
    }

    /// The last part of the message.
    ///
    /// # Errors
    /// [`Error::BadSignature`].
    pub fn finish(self, last: &[u8]) -> Result<(), Error> {
        let mut digest = [0; 64];
        let digest = &mut digest[..self.verifier.key.set().n];
        self.stream.finish(last, digest);
        self.verifier.check(&self.parts, digest)
    }
}

impl core::fmt::Debug for Verification<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Verification(index {})", self.parts.index)
    }
}
