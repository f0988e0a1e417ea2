//! Verification without preparation. RFC 8391, Algorithm 14 (XMSS_verify).

use super::signed_keys::Front;
use crate::Error;
use crate::counted::Arc;
use crate::key::PublicKey;
use crate::key::Signature;
use crate::key::signature::{Layout, Parts};
use crate::one_time::auth_path::root_of;
use crate::one_time::{OneTime, Stream};
use crate::params::Scheme;
use crate::tree::Place;
use alloc::boxed::Box;
use alloc::vec::Vec;
use hasten_kernels::Kernels;

/// A public key, ready to verify: its constant prefixes are absorbed.
#[derive(Clone)]
pub struct Verifier<'k> {
    key: PublicKey,
    kernels: Kernels<'k>,
    /// Tree 0 of layer 0: the only tree of a key with one layer.
    first: Arc<dyn OneTime<'k> + 'k>,
    pub(crate) layout: Layout,
}

impl<'k> Verifier<'k> {
    /// Returns a verifier for `key` that hashes with `kernels`. For an HSS key it contains the
    /// highest tree.
    pub fn new(key: &PublicKey, kernels: Kernels<'k>) -> Self {
        let first = make(key, Place::default(), kernels);
        Self { key: key.clone(), kernels, first, layout: Layout::of(key.set()) }
    }

    /// Returns tree `number` of `layer`.
    pub(crate) fn tree(&self, layer: u32, number: u64) -> Arc<dyn OneTime<'k> + 'k> {
        match (layer, number) {
            (0, 0) => self.first.clone(),
            _ => make(&self.key, Place { layer, tree: number }, self.kernels),
        }
    }

    /// Returns the public key.
    pub const fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// Verifies `signature` of `message`.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if the signature is wrong in any way.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.begin(signature)?.finish(message)
    }

    /// Begins the verification of a message that comes in pieces.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if the length or the index is wrong, or a signed public key of HSS
    /// does not verify.
    pub fn begin<'s>(&self, signature: &'s [u8]) -> Result<Verification<'s, 'k>, Error> {
        if self.key.levels().is_some() {
            let front = Front::verified(&self.key, signature, self.kernels)?;
            return Self::new(&front.lowest, self.kernels).begin(front.rest);
        }
        let parts = self.split(signature)?;
        let stream = self.opening(&parts);
        Ok(Verification { verifier: self.clone(), parts, stream })
    }

    /// Returns the kernels that this verifier hashes with.
    pub(crate) const fn kernels(&self) -> Kernels<'k> {
        self.kernels
    }

    pub(crate) fn split<'s>(&self, signature: &'s [u8]) -> Result<Parts<'s>, Error> {
        self.layout.split(signature, self.key.set().capacity())
    }

    pub(crate) fn opening(&self, parts: &Parts<'_>) -> Box<dyn Stream + 'k> {
        self.first.opening(self.key.root(), parts.index, parts.r)
    }

    /// Writes the message hash of a message that is in memory as a whole.
    pub(crate) fn digest(&self, parts: &Parts<'_>, message: &[u8], digest: &mut [u8]) {
        if !self.first.digest(self.key.root(), (parts.index, parts.r), message, digest) {
            self.opening(parts).finish(message, digest);
        }
    }

    /// Checks that the chains of `parts` lead from `digest` to the root.
    fn check(&self, parts: &Parts<'_>, digest: &[u8]) -> Result<(), Error> {
        let (number, leaf) = self.key.set().place(parts.index);
        let (path, upper) = parts.path.split_at(self.key.set().path_bytes());
        let root = root_of(&*self.tree(0, number), leaf, digest, (parts.ots, path));
        if self.leads(number, root, upper) { Ok(()) } else { Err(Error::BadSignature) }
    }

    /// Returns true if the root of tree `number` of layer 0 leads along `upper` to the root of the
    /// key.
    pub(crate) fn leads(&self, mut number: u64, mut root: Vec<u8>, upper: &[u8]) -> bool {
        if upper.is_empty() {
            return root == self.key.root();
        }
        let set = self.key.set();
        let parts = upper.chunks_exact(set.ots_bytes() + set.path_bytes());
        for (layer, part) in (1..).zip(parts) {
            let leaf;
            (number, leaf) = set.place(number);
            let part = part.split_at(set.ots_bytes());
            root = root_of(&*self.tree(layer, number), leaf, &root, part);
        }
        root == self.key.root()
    }
}

/// Returns the public side of a tree of `key`.
fn make<'k>(key: &PublicKey, place: Place, kernels: Kernels<'k>) -> Arc<dyn OneTime<'k> + 'k> {
    match key.set().scheme {
        Scheme::Xmss | Scheme::XmssMt => crate::xmss::tree(key.set(), key.seed(), place, kernels),
        Scheme::Lms { .. } => crate::lms::tree(key.set(), key.seed(), kernels),
        _ => unreachable!("a key has the set of a tree"),
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

/// A verification that is still receiving its message.
pub struct Verification<'s, 'k> {
    verifier: Verifier<'k>,
    parts: Parts<'s>,
    stream: Box<dyn Stream + 'k>,
}

impl Verification<'_, '_> {
    /// Absorbs a part of the message.
    pub fn update(&mut self, part: &[u8]) {
        self.stream.update(part);
    }

    /// Absorbs the last part of the message and verifies the signature.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::SETS;

    #[test]
    fn a_short_message_is_hashed_as_one_that_is_streamed() {
        let bytes: [u8; 66] = core::array::from_fn(|i| 3 * i as u8 + 1);
        let is_xmss = |scheme| matches!(scheme, Scheme::Xmss | Scheme::XmssMt);
        for set in SETS.iter().filter(|set| is_xmss(set.scheme)) {
            let key = PublicKey::new(set, &bytes[..set.n], &bytes[1..=set.n]);
            let verifier = Verifier::new(&key, Kernels::portable());
            let parts = Parts { index: 0x1_0203, r: &bytes[2..][..set.n], ots: &[], path: &[] };
            for len in [0, 1, 31, 63, 64, 65, 66] {
                let message = &bytes[..len];
                let [mut one, mut other, mut short] = [[0; 64]; 3];
                verifier.opening(&parts).finish(message, &mut one[..set.n]);
                verifier.digest(&parts, message, &mut other[..set.n]);
                assert_eq!(one, other, "{} {len}", set.name);
                let given = (parts.index, parts.r);
                let taken = &mut short[..set.n];
                let is_short = verifier.first.digest(key.root(), given, message, taken);
                assert_eq!(is_short, len <= 64);
            }
        }
    }
}
