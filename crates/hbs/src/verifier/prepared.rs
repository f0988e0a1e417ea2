//! The prepared verifier of any key.

use super::hss::HssVerifier;
use super::level::VerifierLevel;
use super::single_tree::{SingleTreeVerifier, announce_bytes};
use crate::Error;
use crate::key::PublicKey;
use crate::key::Signature;
use crate::params::Set;
use crate::verifier::Verifier;
use alloc::boxed::Box;

/// A verifier that prepares for the signature it expects. It accepts exactly what
/// [`Verifier`] accepts; what it has prepared is public and changes the time only.
///
/// For a key of HSS it keeps, from level `node-cache` on, the verified public keys of the trees in
/// use: the first signature under a tree costs every level, the others that tree alone.
pub struct PreparedVerifier<'k> {
    plain: Verifier<'k>,
    level: VerifierLevel,
    kind: Kind<'k>,
}

enum Kind<'k> {
    Tree(Box<SingleTreeVerifier<'k>>),
    Hss(Box<HssVerifier<'k>>),
}

/// Asks the verifier of either kind.
macro_rules! either {
    ($kind:expr, $inner:ident => $ask:expr) => {
        match $kind {
            Kind::Tree($inner) => $ask,
            Kind::Hss($inner) => $ask,
        }
    };
}

impl<'k> PreparedVerifier<'k> {
    /// Returns a verifier at `level` that expects index `expected` first.
    pub fn new(verifier: Verifier<'k>, level: VerifierLevel, expected: u64) -> Self {
        let plain = verifier.clone();
        let kind = match verifier.public_key().levels() {
            Some(_) => Kind::Hss(Box::new(HssVerifier::new(verifier, level, expected))),
            None => Kind::Tree(Box::new(SingleTreeVerifier::new(verifier, level, expected))),
        };
        Self { plain, level, kind }
    }

    /// Returns the public key.
    pub const fn public_key(&self) -> &PublicKey {
        self.plain.public_key()
    }

    /// Returns the index for which it is prepared; the largest number past the 2^64th of HSS.
    pub const fn expected(&self) -> u64 {
        either!(&self.kind, inner => inner.expected())
    }

    /// Prepares for the expected index; call it when a message has been dealt with. Without this
    /// call verification is right, but as slow as with nothing prepared.
    pub fn prepare(&mut self) {
        either!(&mut self.kind, inner => inner.prepare());
    }

    /// Returns the bytes of an announcement: index, path, one-time public key; for HSS behind the
    /// signed public keys.
    pub const fn announce_bytes(set: &Set) -> usize {
        announce_bytes(set)
    }

    /// Announcements that wait for their messages.
    pub fn pending(&self) -> usize {
        either!(&self.kind, inner => inner.pending())
    }

    /// Takes an announcement, once its one-time key and path have led to the root.
    ///
    /// # Errors
    /// [`Error::BadAnnouncement`] if they do not, if the index has passed, or below level
    /// `ots-key`; nothing is kept then.
    pub fn announce(&mut self, announcement: &[u8]) -> Result<(), Error> {
        either!(&mut self.kind, inner => inner.announce(announcement))
    }

    /// Checks whether `signature` is a signature of `message`. A good one moves the expectation to
    /// the index that follows it.
    ///
    /// # Errors
    /// [`Error::BadSignature`], whatever is wrong; nothing is forgotten then.
    pub fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        either!(&mut self.kind, inner => inner.verify(message, signature))
    }
}

impl core::fmt::Debug for PreparedVerifier<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (level, expected) = (self.level.name(), self.expected());
        write!(f, "PreparedVerifier({:?}, {level}, expects {expected})", self.plain)
    }
}

/// Verifies and keeps the expectation as it is: for those who hold it by shared reference.
impl signature::Verifier<Signature> for PreparedVerifier<'_> {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(self.plain.verify(message, signature.as_bytes())?)
    }
}
