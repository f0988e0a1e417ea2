//! Keys that sign certificates and requests: in a file, or in a store.

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use signature::Keypair;
use spki::{AlgorithmIdentifierOwned, Document, DynSignatureAlgorithmIdentifier, EncodePublicKey};

use super::identifier::signature_identifier;
use crate::{
    Error,
    encoding::{PrivateKey, PublicKey, encode_spki},
    scheme,
    stateful::Stateful,
    stateless,
};

/// A key that signs certificates.
pub trait CertificateSigner {
    /// Its public half, as it is published.
    ///
    /// # Errors
    /// As the key's own.
    fn public_key(&self) -> Result<PublicKey, Error>;

    /// Signs once; a key with state sets one index aside for it, durably, first.
    ///
    /// # Errors
    /// As the key's own.
    fn sign(&mut self, message: &[u8]) -> Result<Vec<u8>, Error>;
}

/// A key out of a file.
pub struct Stateless<'k> {
    key: PrivateKey,
    kernels: Kernels<'k>,
}

impl<'k> Stateless<'k> {
    /// The key and the kernels it signs with.
    pub fn new(key: PrivateKey, kernels: Kernels<'k>) -> Self {
        Self { key, kernels }
    }
}

impl CertificateSigner for Stateless<'_> {
    fn public_key(&self) -> Result<PublicKey, Error> {
        stateless::public(&self.key, self.kernels)
    }

    fn sign(&mut self, message: &[u8]) -> Result<Vec<u8>, Error> {
        stateless::sign(&self.key, message, self.kernels)
    }
}

impl CertificateSigner for Stateful<'_> {
    fn public_key(&self) -> Result<PublicKey, Error> {
        scheme::published(Stateful::public_key(self))
    }

    fn sign(&mut self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let permit = self.reserve(1)?.next().ok_or(Error::Unfinished)?;
        let ready = self.prepare(permit, SignerLevel::None)?;
        let index = ready.index();
        let signature = ready.finish(message)?;
        self.record(index)?;
        Ok(signature)
    }
}

/// A public key in the shape in which the builder asks for its signer.
pub(super) struct Signing(pub(super) PublicKey);

/// DER of the public key.
#[derive(Clone)]
pub(super) struct Spki(Vec<u8>);

impl EncodePublicKey for Spki {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        Ok(Document::try_from(self.0.as_slice())?)
    }
}

impl Keypair for Signing {
    type VerifyingKey = Spki;

    fn verifying_key(&self) -> Spki {
        Spki(encode_spki(&self.0).unwrap_or_default())
    }
}

impl DynSignatureAlgorithmIdentifier for Signing {
    fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        signature_identifier(self.0.row).map_err(|_| spki::Error::KeyMalformed)
    }
}
