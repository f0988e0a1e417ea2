//! Signatures that wait for their message, and finished signatures that wait to be released.

use std::ops::ControlFlow;

use hasten_hbs::{self as hbs, Progress, Set, slhdsa::Context};
use hasten_store::Recorder;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{Note, means::Waiting, permit::Refusal};
use crate::{Error, scheme, verify::MOST_WHOLE};

/// A prepared signature that waits for its message. It carries the recorder of its index, so that
/// every released signature is recorded.
pub struct Ready<'k> {
    pub(super) waiting: Waiting<'k>,
    pub(super) refusal: Refusal,
    pub(super) recorder: Recorder,
    pub(super) set: &'static Set,
    pub(super) threads: usize,
    /// SHA-256 of the message parts absorbed so far.
    pub(super) hash: Sha256,
}

impl<'k> Ready<'k> {
    /// Returns the index that this signature will use.
    pub fn index(&self) -> u64 {
        match &self.waiting {
            Waiting::OneTime(prepared) => prepared.index(),
            Waiting::Counted(prepared, _) => prepared.index(),
        }
    }

    /// Sets the number of threads for a key with a signature limit; other keys need one thread.
    #[must_use = "it is the signature"]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Absorbs a part of the message. A key with a signature limit holds the message in memory.
    pub fn update(&mut self, part: &[u8]) {
        self.hash.update(part);
        match &mut self.waiting {
            Waiting::OneTime(prepared) => prepared.update(part),
            // A message that is too long is rejected at the end and not held in memory.
            Waiting::Counted(_, message) if message.len() as u64 > MOST_WHOLE => {}
            Waiting::Counted(_, message) => message.extend_from_slice(part),
        }
    }

    /// Signs the absorbed parts followed by `last`, records the signature and returns it. The
    /// permit is checked again before signing. The signature of an LMS key is an HSS signature with
    /// one level, matching its public key (RFC 9802).
    ///
    /// # Errors
    /// `State` if the reservation is no longer valid; nothing was signed then. `TooLong` for a
    /// message above 1 GiB and a key with a signature limit, `Randomness`. `State` if the record
    /// cannot be made; the signature is not released then.
    pub fn finish(self, last: &[u8], note: Note) -> Result<Vec<u8>, Error> {
        let mut made = self.finish_watched(last, &mut |_| ControlFlow::Continue(()))?;
        made.record(note)?;
        Ok(std::mem::take(&mut *made.signature))
    }

    /// Signs the absorbed parts followed by `last`. [`release`](Unreleased::release) then records
    /// the signature and hands it out. For a key with a signature limit `watch` receives the
    /// progress, and may stop the signature.
    ///
    /// # Errors
    /// As [`finish`](Self::finish); `Scheme` with `Stopped` if `watch` stopped it. The index is
    /// lost then.
    pub fn finish_watched(
        mut self,
        last: &[u8],
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Unreleased, Error> {
        let index = self.index();
        match self.waiting {
            Waiting::OneTime(_) => self.hash.update(last),
            Waiting::Counted(..) => self.update(last),
        }
        let Self { waiting, refusal, recorder, set, threads, hash } = self;
        let made = match waiting {
            Waiting::OneTime(prepared) => prepared.finish(last),
            Waiting::Counted(_, message) if message.len() as u64 > MOST_WHOLE => {
                return Err(Error::TooLong);
            }
            Waiting::Counted(prepared, message) => {
                let mut random = Zeroizing::new(vec![0; set.n]);
                getrandom::fill(&mut random).map_err(|_| Error::Randomness)?;
                let prepared = prepared.on_threads(threads);
                prepared.sign_watched(Context::EMPTY, &message, Some(&random), watch)
            }
        };
        let signature = made.map_err(|error| refusal.explain(error))?;
        let signature = scheme::published_signature(set, signature).into();
        Ok(Unreleased { index, signature, recorder, digest: hash.finalize().into() })
    }

    /// Signs `message` with the help of a device that holds the key and signs by itself. `sign`
    /// receives the index and returns the randomizer and the chain values. The permit is checked
    /// before.
    ///
    /// # Errors
    /// `State` if the reservation is no longer valid, `Scheme` if the output of `sign` has a wrong
    /// length, `NotBuiltIn` for a key with a signature limit, and the errors of `sign`.
    pub fn finish_elsewhere<E: From<Error>>(
        self,
        message: &[u8],
        sign: impl FnOnce(u64) -> Result<Vec<u8>, E>,
    ) -> Result<Unreleased, E> {
        let index = self.index();
        let Self { waiting, refusal, recorder, set, hash, .. } = self;
        let Waiting::OneTime(prepared) = waiting else { return Err(Error::NotBuiltIn.into()) };
        let made = prepared.finish_elsewhere(|index| sign(index).map_err(Elsewhere::Device));
        let signature = match made {
            Ok(signature) => scheme::published_signature(set, signature).into(),
            Err(Elsewhere::Device(error)) => return Err(error),
            Err(Elsewhere::Scheme(error)) => return Err(refusal.explain(error).into()),
        };
        let digest = hash.chain_update(message).finalize().into();
        Ok(Unreleased { index, signature, recorder, digest })
    }
}

/// A signature that was made but not yet released. Dropping it loses its index.
#[must_use = "dropping it loses a one-time index"]
pub struct Unreleased {
    index: u64,
    signature: Zeroizing<Vec<u8>>,
    recorder: Recorder,
    /// SHA-256 of the signed bytes.
    digest: [u8; 32],
}

impl Unreleased {
    /// Returns the index that this signature used.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Passes the signature to `out`, which checks and delivers it, and records it after `out`
    /// succeeds. The record is in memory first; the next commit or the end of the session writes it
    /// to the log.
    ///
    /// # Errors
    /// `Out` with the error of `out`: nothing is recorded, and the index is lost. `Unrecorded` if
    /// the signature was released but could not be recorded.
    pub fn release<T, E>(
        mut self,
        note: Note,
        out: impl FnOnce(Vec<u8>) -> Result<T, E>,
    ) -> Result<T, ReleaseError<E>> {
        let given = out(std::mem::take(&mut *self.signature)).map_err(ReleaseError::Out)?;
        self.record(note).map_err(ReleaseError::Unrecorded)?;
        Ok(given)
    }

    fn record(&self, note: Note) -> Result<(), Error> {
        Ok(self.recorder.record_signed(&note.entry(self.index, self.digest))?)
    }
}

/// The reason why a signature was not released, or was released without a record.
#[derive(Debug)]
pub enum ReleaseError<E> {
    /// The signature was not released.
    Out(E),
    /// The signature was released but could not be recorded.
    Unrecorded(Error),
}

/// The source of a failure: the signing device or the scheme.
enum Elsewhere<E> {
    Device(E),
    Scheme(hbs::Error),
}

impl<E> From<hbs::Error> for Elsewhere<E> {
    fn from(error: hbs::Error) -> Self {
        Self::Scheme(error)
    }
}
