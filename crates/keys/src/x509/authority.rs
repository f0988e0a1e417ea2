//! Keys that sign certificates, with or without a state.

use super::CertificateSigner;
use crate::{
    Error,
    encoding::PublicKey,
    registry::Row,
    stateful::{Note, Stateful},
    stateless::Signer,
};

/// A key that signs certificates, with or without a state.
pub enum Authority<'k> {
    /// A key without a state.
    Stateless(Signer<'k>),
    /// A key in a store.
    Stateful(Box<Stateful<'k>>),
}

impl Authority<'_> {
    /// Returns true if the key is of this algorithm. A stateful LMS key counts as LMS here, not as
    /// the HSS key that is published.
    #[must_use]
    pub fn is_of(&self, row: &'static Row) -> bool {
        match self {
            Self::Stateless(key) => key.public_key().is_of(row),
            Self::Stateful(key) => key.set().name == row.name,
        }
    }

    /// Ends the session of the store and returns the number of indices left, if the key has a
    /// state.
    ///
    /// # Errors
    /// `State` if the store could not write its status.
    pub fn close(self) -> Result<Option<u64>, Error> {
        match self {
            Self::Stateless(_) => Ok(None),
            Self::Stateful(key) => key.close().map(|status| Some(status.remaining)),
        }
    }
}

impl CertificateSigner for Authority<'_> {
    fn public_key(&self) -> Result<PublicKey, Error> {
        match self {
            Self::Stateless(key) => CertificateSigner::public_key(key),
            Self::Stateful(key) => CertificateSigner::public_key(&**key),
        }
    }

    fn sign(&mut self, message: &[u8], note: Note) -> Result<Vec<u8>, Error> {
        match self {
            Self::Stateless(key) => CertificateSigner::sign(key, message, note),
            Self::Stateful(key) => CertificateSigner::sign(&mut **key, message, note),
        }
    }
}
