//! A signature that waits for its message, and one that was made and waits to be given out.

use std::ops::ControlFlow;

use hasten_hbs::{self as hbs, Progress, Set, slhdsa::Context};
use hasten_store::Recorder;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{Note, means::Waiting, permit::Refusal};
use crate::{Error, scheme, verify::MOST_WHOLE};

/// One signature that waits for its message. It carries the recorder of its index: a signature
/// leaves it together with the entry of what it signed.
pub struct Ready<'k> {
    pub(super) waiting: Waiting<'k>,
    pub(super) refusal: Refusal,
    pub(super) recorder: Recorder,
    pub(super) set: &'static Set,
    pub(super) threads: usize,
    /// SHA-256 of the message, as far as it was absorbed.
    pub(super) hash: Sha256,
}

impl<'k> Ready<'k> {
    /// Returns the index it will use up.
    pub fn index(&self) -> u64 {
        match &self.waiting {
            Waiting::OneTime(prepared) => prepared.index(),
            Waiting::Counted(prepared, _) => prepared.index(),
        }
    }

    /// Puts the work of a key that counts on so many threads; the others need one.
    #[must_use = "it is the signature"]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Absorbs a part of the message. A key that counts holds the message.
    pub fn update(&mut self, part: &[u8]) {
        self.hash.update(part);
        match &mut self.waiting {
            Waiting::OneTime(prepared) => prepared.update(part),
            // One that is too long is refused at the end, and not held.
            Waiting::Counted(_, message) if message.len() as u64 > MOST_WHOLE => {}
            Waiting::Counted(_, message) => message.extend_from_slice(part),
        }
    }

    /// Signs what was absorbed and `last`, records that, and returns the signature; the permit is
    /// asked again before it is made. The signature of an LMS key is one of HSS with one level, as
    /// its public key is (RFC 9802).
    ///
    /// # Errors
    /// `State` when the reservation no longer holds; nothing was signed then. `TooLong` for a
    /// message above 1 GiB with a key that counts, `Randomness`. `State` when the record cannot be
    /// made; the signature is not given out then.
    pub fn finish(self, last: &[u8], note: Note) -> Result<Vec<u8>, Error> {
        let mut made = self.finish_watched(last, &mut |_| ControlFlow::Continue(()))?;
        made.record(note)?;
        Ok(std::mem::take(&mut *made.signature))
    }

    /// Signs what was absorbed and `last`. The signature is given out by
    /// [`release`](Unreleased::release), which records it. `watch` hears how far a signature of a
    /// key that counts is, and may break it off.
    ///
    /// # Errors
    /// As [`finish`](Self::finish); `Scheme` with `Stopped` if it did. The index is lost then.
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

    /// Signs `message` with what a device made that has the key and signs by itself: `sign` gets
    /// the index and gives the randomizer and the chain values. The permit is asked before.
    ///
    /// # Errors
    /// `State` when the reservation no longer holds, `Scheme` when what was made has another
    /// length, `NotBuiltIn` for a key that counts, and what `sign` says.
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

/// A signature that was made, and that nobody has yet. Dropping it loses its index.
#[must_use = "dropping it loses a one-time index"]
pub struct Unreleased {
    index: u64,
    signature: Zeroizing<Vec<u8>>,
    recorder: Recorder,
    /// SHA-256 of the signed bytes.
    digest: [u8; 32],
}

impl Unreleased {
    /// Returns the index it has used up.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Hands the signature to `out`, which checks it and gives it away, and records it when `out`
    /// has succeeded. The record is in memory, and in the log with the next commit or at the end of
    /// the session.
    ///
    /// # Errors
    /// `Out` with what `out` says: nothing is recorded, and the index is lost. `Unrecorded` where
    /// the signature is out and the record could not be made.
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

/// Why a signature was not released, or was released without its record.
#[derive(Debug)]
pub enum ReleaseError<E> {
    /// It was not given out.
    Out(E),
    /// It is out, and the record could not be made.
    Unrecorded(Error),
}

/// Who failed: the device that signs, or the scheme.
enum Elsewhere<E> {
    Device(E),
    Scheme(hbs::Error),
}

impl<E> From<hbs::Error> for Elsewhere<E> {
    fn from(error: hbs::Error) -> Self {
        Self::Scheme(error)
    }
}
