//! Keys that sign certificates and requests, stored in a file or in a store.

use signature::Keypair;
use spki::{AlgorithmIdentifierOwned, Document, DynSignatureAlgorithmIdentifier, EncodePublicKey};

use super::identifier::signature_identifier;
use crate::{
    Error,
    encoding::{PublicKey, encode_spki},
    stateful::{Note, Stateful},
    stateless::Signer,
};

/// A key that signs certificates.
pub trait CertificateSigner {
    /// Returns the public key in its published encoding.
    ///
    /// # Errors
    /// The errors of the key.
    fn public_key(&self) -> Result<PublicKey, Error>;

    /// Signs one message. A stateful key first reserves one index durably, and records the
    /// signature with this note.
    ///
    /// # Errors
    /// The errors of the key.
    fn sign(&mut self, message: &[u8], note: Note) -> Result<Vec<u8>, Error>;
}

impl CertificateSigner for Signer<'_> {
    fn public_key(&self) -> Result<PublicKey, Error> {
        Ok(Signer::public_key(self).clone())
    }

    fn sign(&mut self, message: &[u8], _: Note) -> Result<Vec<u8>, Error> {
        Signer::sign(self, message)
    }
}

impl CertificateSigner for Stateful<'_> {
    fn public_key(&self) -> Result<PublicKey, Error> {
        Stateful::public_key(self)
    }

    fn sign(&mut self, message: &[u8], note: Note) -> Result<Vec<u8>, Error> {
        Stateful::sign(self, message, note)
    }
}

/// A public key in the form in which the builder requires its signer.
pub(super) struct Signing(pub(super) PublicKey);

/// The public key in DER.
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
