//! Stateful keys: a directory with a seed, a store of one-time indices, and a guard outside it.

use std::{ops::ControlFlow, path::Path, thread::available_parallelism};

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::{
    Error,
    encoding::PublicKey,
    stateful::{Generation, NewStateful, Note, Ready, Sealed, Stateful},
};
use hasten_store::{Indices, Options, Status};

/// A stateful key, open and owned by this process. No index signs twice: each is reserved on the
/// disk before it is used, and a copy of the key that is put back is refused. Every signature is
/// recorded with SHA-256 of its message, for `hasten audit`. Not `Clone`.
///
/// Indices that were reserved and not used are lost when the session ends, never used again.
/// [`close`](Self::close) says whether the last account reached the disk, and the record of what
/// was signed; dropping the key writes both too, as far as that succeeds, and says nothing.
#[must_use = "a key that is dropped at once has signed nothing"]
pub struct StatefulKey {
    key: Stateful<'static>,
    public: PublicKey,
}

/// A signature that waits for its message. It holds one index; dropping it loses that index.
#[must_use = "dropping it loses a one-time index"]
pub struct Prepared(Ready<'static>);

impl StatefulKey {
    /// Generates a key of the set `alg` in the new directory `dir`, on all threads, and opens it.
    /// A generation that was killed goes on from where it was. The guard notes outside `dir` how
    /// far the key has been used: put it on another disk than the backups of `dir`.
    ///
    /// Large sets take minutes; [`keys::stateful::Generation`](crate::keys::stateful::Generation)
    /// shows progress and encrypts the seed.
    ///
    /// # Errors
    /// `Scheme` for an unknown set, `State` when `dir` or `guard` holds anything else already.
    pub fn generate(alg: &str, dir: &Path, guard: &Path) -> Result<Self, Error> {
        let new = NewStateful { set: Set::named(alg)?, reserve: 1, sectors: 1 };
        let generation = Generation::begin(dir, Options::new().guard(guard), new, None)?;
        let threads = available_parallelism().map_or(1, usize::from);
        generation.run(Kernels::best(), threads, &mut |_| ControlFlow::Continue(()))?;
        Self::open(dir)
    }

    /// Opens the key in `dir` with the guard that it was made with.
    ///
    /// # Errors
    /// `State` with the refusal of the store: an old copy, a key in use, an exhausted key;
    /// `Passphrase` for an encrypted seed.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        Self::open_with(dir, Options::new(), None)
    }

    /// Opens the key in `dir` with options of the store (guard, witness, waiting) and the
    /// passphrase of an encrypted seed.
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

    /// Opens the key in `dir` with indices from elsewhere: those of a fleet, from
    /// `hasten_store_etcd`. They must be of this key.
    ///
    /// # Errors
    /// `State` when they are of another key; `Passphrase` for an encrypted seed.
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

    /// Returns the public key as it is published: an LMS key is one of HSS with one level
    /// (RFC 9802).
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// Returns the account: indices used, lost and left.
    pub fn status(&self) -> Status {
        self.key.status()
    }

    /// Reserves an index and computes what does not depend on the message, up to `level`.
    ///
    /// # Errors
    /// `State`: with `Exhausted` and its kin when no index is left.
    pub fn prepare(&mut self, level: SignerLevel) -> Result<Prepared, Error> {
        Ok(Prepared(self.key.prepare_next(level)?))
    }

    /// Signs `message` with what this key prepared, and records that.
    ///
    /// # Errors
    /// `State` when the reservation no longer holds, `NotPreparedHere` when another key prepared
    /// it; nothing was signed then.
    pub fn finish(&mut self, prepared: Prepared, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.finish_noted(prepared, message, Note::message())
    }

    /// Signs as [`finish`](Self::finish) does; the record also has this note.
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

    /// Reserves an index, signs `message`, and records that.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare) and [`finish`](Self::finish).
    pub fn sign(&mut self, message: &[u8]) -> Result<Vec<u8>, Error> {
        self.sign_noted(message, Note::message())
    }

    /// Signs as [`sign`](Self::sign) does; the record also has this note.
    ///
    /// # Errors
    /// As [`sign`](Self::sign).
    pub fn sign_noted(&mut self, message: &[u8], note: Note) -> Result<Vec<u8>, Error> {
        self.key.sign(message, note)
    }

    /// Ends the session, with a commit of what was signed, and returns the account.
    ///
    /// # Errors
    /// `State` when record or account could not be written; the session is over all the same.
    pub fn close(self) -> Result<Status, Error> {
        self.key.close()
    }
}

impl Prepared {
    /// Returns the index that the signature will use up.
    pub fn index(&self) -> u64 {
        self.0.index()
    }
}
