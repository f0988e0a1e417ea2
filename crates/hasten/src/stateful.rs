//! Stateful keys: a directory with a seed and a store of one-time indices, and a guard outside it.

use std::{ops::ControlFlow, path::Path, thread::available_parallelism};

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::{
    Error,
    encoding::PublicKey,
    stateful::{Generation, NewStateful, Note, Ready, Sealed, Stateful},
};
use hasten_store::{Indices, Options, Status};

/// A stateful key, opened and owned by this process. No index signs twice: each index is reserved
/// on disk before it is used, and a restored backup of the key is refused. Every signature is
/// recorded with the SHA-256 of its message, for `hasten audit`. The type is not `Clone`.
///
/// Indices that were reserved but not used are lost when the session ends; they are never used
/// again. [`close`](Self::close) returns an error if the final status or the record of the
/// signatures could not be written. Dropping the key also tries to write both, but reports no
/// error.
#[must_use = "a key that is dropped at once has signed nothing"]
pub struct StatefulKey {
    key: Stateful<'static>,
    public: PublicKey,
}

/// A signature prepared for a message that is not known yet. It holds one index; dropping it loses
/// that index.
#[must_use = "dropping it loses a one-time index"]
pub struct Prepared(Ready<'static>);

impl StatefulKey {
    /// Generates a key of the parameter set `alg` in the new directory `dir`, on all threads, and
    /// opens it. If an earlier call was interrupted, generation continues from its saved progress.
    /// The guard is a file outside `dir` that records how far the key has been used. Keep it on
    /// another disk than the backups of `dir`.
    ///
    /// Large sets take minutes; [`keys::stateful::Generation`](crate::keys::stateful::Generation)
    /// shows progress and encrypts the seed.
    ///
    /// # Errors
    /// `Scheme` for an unknown set; `State` if `dir` or `guard` already contains something else.
    pub fn generate(alg: &str, dir: &Path, guard: &Path) -> Result<Self, Error> {
        let new = NewStateful { set: Set::named(alg)?, reserve: 1, sectors: 1 };
        let generation = Generation::begin(dir, Options::new().guard(guard), new, None)?;
        let threads = available_parallelism().map_or(1, usize::from);
        generation.run(Kernels::best(), threads, &mut |_| ControlFlow::Continue(()))?;
        Self::open(dir)
    }

    /// Opens the key in `dir` with the guard that it was generated with.
    ///
    /// # Errors
    /// `State` if the store refuses: the key is an old copy, in use or exhausted; `Passphrase` if
    /// the seed is encrypted.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        Self::open_with(dir, Options::new(), None)
    }

    /// Opens the key in `dir` with options of the store (guard, witness, waiting), and with the
    /// passphrase if the seed is encrypted.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(
        dir: &Path,
        options: Options,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        let kept = Sealed::of_store(dir)?.open(passphrase)?;
        let key = Stateful::open(dir, options, &kept, Kernels::best())?;
        let public = key.public_key()?;
        Ok(Self { key, public })
    }

    /// Opens the key in `dir` with indices from another source, such as a fleet
    /// (`hasten_store_etcd`). The indices must belong to this key.
    ///
    /// # Errors
    /// `State` if the indices belong to another key; `Passphrase` if the seed is encrypted and the
    /// passphrase is missing or wrong.
    pub fn open_over(
        dir: &Path,
        indices: Box<dyn Indices>,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        let kept = Sealed::of_store(dir)?.open(passphrase)?;
        let key = Stateful::over(dir, indices, &kept, Kernels::best())?;
        let public = key.public_key()?;
        Ok(Self { key, public })
    }

    /// Returns the public key in its published form: an LMS key is published as an HSS key with one
    /// level (RFC 9802).
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// Returns the status: the numbers of indices used, lost and left.
    pub fn status(&self) -> Status {
        self.key.status()
    }

    /// Reserves an index and computes the parts of its signature that do not depend on the message,
    /// up to `level`.
    ///
    /// # Errors
    /// `State` if no index can be reserved, for example because the key is exhausted.
    pub fn prepare(&mut self, level: SignerLevel) -> Result<Prepared, Error> {
        Ok(Prepared(self.key.prepare_next(level)?))
    }

    /// Signs `message` with a signature that this key prepared, and records it.
    ///
    /// # Errors
    /// `State` if the reservation no longer holds; `NotPreparedHere` if another key prepared the
    /// signature. After an error, nothing was signed.
    pub fn finish(&mut self, prepared: Prepared, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.finish_noted(prepared, message, Note::message())
    }

    /// Signs as [`finish`](Self::finish) does, and adds `note` to the record.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn finish_noted(
        &mut self,
        prepared: Prepared,
        message: &[u8],
        note: Note,
    ) -> Result<Vec<u8>, Error> {
        match self.key.has_prepared(&prepared.0) {
            true => prepared.0.finish(message, note),
            false => Err(Error::NotPreparedHere),
        }
    }

    /// Reserves an index, signs `message` and records the signature.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare) and [`finish`](Self::finish).
    pub fn sign(&mut self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.sign_noted(message, Note::message())
    }

    /// Signs as [`sign`](Self::sign) does, and adds `note` to the record.
    ///
    /// # Errors
    /// As [`sign`](Self::sign).
    pub fn sign_noted(&mut self, message: &[u8], note: Note) -> Result<Vec<u8>, Error> {
        self.key.sign(message, note)
    }

    /// Ends the session, commits the record of the signatures and returns the final status.
    ///
    /// # Errors
    /// `State` if the record or the status could not be written; the session is over all the same.
    pub fn close(self) -> Result<Status, Error> {
        self.key.close()
    }
}

impl Prepared {
    /// Returns the index that the signature will use.
    pub fn index(&self) -> u64 {
        self.0.index()
    }
}
