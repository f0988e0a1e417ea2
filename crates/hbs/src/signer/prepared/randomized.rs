//! The randomizer of LMS from a generator, as SP 800-208, section 6.1 (LMS and HSS Random Number
//! Generation Requirements), requires. By default, a signer derives it from the seed.

use super::Prepared;
use crate::Error;
use crate::key::Signature;
use crate::params::Scheme;
use crate::signer::SignerLevel;
use crate::signer::permit::Permit;
use crate::signer::{Permits, SigningKey};
use signature::rand_core::TryCryptoRng;

impl<P: Permit> Prepared<'_, P> {
    /// Takes C of an LMS signature (for HSS, of the lowest tree) from `rng`, before the first part
    /// of the message. For XMSS it does nothing: by its standard, the randomizer is a function of
    /// the index.
    ///
    /// # Errors
    /// [`Error::Begun`] if a part of the message was already absorbed, [`Error::Rng`] if the
    /// generator fails; the signature is then unchanged.
    pub fn randomize<R: TryCryptoRng + ?Sized>(&mut self, rng: &mut R) -> Result<(), Error> {
        if matches!(self.set().scheme, Scheme::Xmss | Scheme::XmssMt) {
            return Ok(());
        }
        if self.begun {
            return Err(Error::Begun);
        }
        let n = self.set().n;
        let mut fresh = [0; 64];
        rng.try_fill_bytes(&mut fresh[..n]).map_err(|_| Error::Rng)?;
        let place = self.layout.r..self.layout.r + n;
        self.signature[place].copy_from_slice(&fresh[..n]);
        let (index, root) = (self.number(), self.blank.public.root());
        self.opening = Some(self.tree.public().opening(root, index, &fresh[..n]));
        Ok(())
    }

    /// Calls [`randomize`](Self::randomize), then [`finish`](Self::finish).
    ///
    /// # Errors
    /// The errors of both; the index is then lost.
    pub fn finish_with_rng<R: TryCryptoRng + ?Sized>(
        mut self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        self.randomize(rng)?;
        self.finish(message)
    }
}

impl<S: Permits> signature::RandomizedSignerMut<Signature> for SigningKey<'_, S> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &mut self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, signature::Error> {
        let prepared = self.prepare(SignerLevel::None)?;
        Ok(prepared.finish_with_rng(rng, message)?)
    }
}
