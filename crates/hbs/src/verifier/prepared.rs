//! The prepared verifier for any key.

use super::hss::HssVerifier;
use super::level::VerifierLevel;
use super::single_tree::{SingleTreeVerifier, announce_bytes};
use crate::Error;
use crate::key::PublicKey;
use crate::key::Signature;
use crate::params::Set;
use crate::verifier::Verifier;
use alloc::boxed::Box;

/// A verifier that prepares for the signature it expects. It accepts exactly the signatures that
/// [`Verifier`] accepts. The prepared data are public and change only the time.
///
/// For an HSS key, from level `node-cache` on, it keeps the verified public keys of the trees in
/// use. The first signature under a lowest tree costs all levels, the others only that tree.
pub struct PreparedVerifier<'k> {
    plain: Verifier<'k>,
    level: VerifierLevel,
    kind: Kind<'k>,
}

enum Kind<'k> {
    Tree(Box<SingleTreeVerifier<'k>>),
    Hss(Box<HssVerifier<'k>>),
}

/// Evaluates `$ask` with the inner verifier, of either kind.
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

    /// Returns the index that the verifier is prepared for, at most `u64::MAX`.
    pub const fn expected(&self) -> u64 {
        either!(&self.kind, inner => inner.expected())
    }

    /// Prepares for the expected index. Call it when a message has been processed. Without this
    /// call, verification is correct, but as slow as without preparation.
    pub fn prepare(&mut self) {
        either!(&mut self.kind, inner => inner.prepare());
    }

    /// Returns the size in bytes of an announcement: index, path and one-time public key; for HSS,
    /// the signed public keys come first.
    pub const fn announce_bytes(set: &Set) -> usize {
        announce_bytes(set)
    }

    /// Returns the number of announcements that wait for their messages.
    pub fn pending(&self) -> usize {
        either!(&self.kind, inner => inner.pending())
    }

    /// Accepts an announcement after checking that its one-time key and path lead to the root.
    ///
    /// # Errors
    /// [`Error::BadAnnouncement`] if they do not, if the index has passed, or below level
    /// `ots-key`. The announcement is then not kept.
    pub fn announce(&mut self, announcement: &[u8]) -> Result<(), Error> {
        either!(&mut self.kind, inner => inner.announce(announcement))
    }

    /// Verifies `signature` of `message`. A good signature moves the expected index past its own.
    ///
    /// # Errors
    /// [`Error::BadSignature`] if the signature is wrong in any way; the prepared data are then
    /// kept.
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

/// Verifies without changing the expected index, for use through a shared reference.
impl signature::Verifier<Signature> for PreparedVerifier<'_> {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Ok(self.plain.verify(message, signature.as_bytes())?)
    }
}
