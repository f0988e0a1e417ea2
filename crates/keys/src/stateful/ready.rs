//! A signature that waits for its message.

use std::ops::ControlFlow;

use hasten_hbs::{self as hbs, Progress, Set, slhdsa::Context};
use zeroize::Zeroizing;

use super::{means::Waiting, permit::Refusal};
use crate::{Error, scheme, verify::MOST_WHOLE};

/// One signature that waits for its message.
pub struct Ready<'k> {
    pub(super) waiting: Waiting<'k>,
    pub(super) refusal: Refusal,
    pub(super) set: &'static Set,
    pub(super) threads: usize,
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
        match &mut self.waiting {
            Waiting::OneTime(prepared) => prepared.update(part),
            // One that is too long is refused at the end, and not held.
            Waiting::Counted(_, message) if message.len() as u64 > MOST_WHOLE => {}
            Waiting::Counted(_, message) => message.extend_from_slice(part),
        }
    }

    /// Signs what was absorbed and `last`; the permit is asked again before that. The signature
    /// of an LMS key is one of HSS with one level, as its public key is (RFC 9802).
    ///
    /// # Errors
    /// `State` when the reservation no longer holds; nothing was signed then. `TooLong` for a
    /// message above 1 GiB with a key that counts, `Randomness`.
    pub fn finish(self, last: &[u8]) -> Result<Vec<u8>, Error> {
        self.finish_watched(last, &mut |_| ControlFlow::Continue(()))
    }

    /// Does the same; `watch` hears how far a signature of a key that counts is, and may break it
    /// off.
    ///
    /// # Errors
    /// As [`finish`](Self::finish); `Scheme` with `Stopped` if it did. The index is lost then.
    pub fn finish_watched(
        mut self,
        last: &[u8],
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<u8>, Error> {
        if let Waiting::Counted(..) = self.waiting {
            self.update(last);
        }
        let (set, refusal) = (self.set, self.refusal);
        let made = match self.waiting {
            Waiting::OneTime(prepared) => prepared.finish(last),
            Waiting::Counted(_, message) if message.len() as u64 > MOST_WHOLE => {
                return Err(Error::TooLong);
            }
            Waiting::Counted(prepared, message) => {
                let mut random = Zeroizing::new(vec![0; set.n]);
                getrandom::fill(&mut random).map_err(|_| Error::Randomness)?;
                let prepared = prepared.on_threads(self.threads);
                prepared.sign_watched(Context::EMPTY, &message, Some(&random), watch)
            }
        };
        let signature = made.map_err(|error| refusal.explain(error))?;
        Ok(scheme::published_signature(set, signature))
    }

    /// Signs with what a device made that has the key and signs by itself: `sign` gets the index
    /// and gives the randomizer and the chain values. The permit is asked before.
    ///
    /// # Errors
    /// `State` when the reservation no longer holds, `Scheme` when what was made has another
    /// length, `NotBuiltIn` for a key that counts, and what `sign` says.
    pub fn finish_elsewhere<E: From<Error>>(
        self,
        sign: impl FnOnce(u64) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let Self { waiting, refusal, set, .. } = self;
        let Waiting::OneTime(prepared) = waiting else { return Err(Error::NotBuiltIn.into()) };
        let made = prepared.finish_elsewhere(|index| sign(index).map_err(Elsewhere::Device));
        match made {
            Ok(signature) => Ok(scheme::published_signature(set, signature)),
            Err(Elsewhere::Device(error)) => Err(error),
            Err(Elsewhere::Scheme(error)) => Err(refusal.explain(error).into()),
        }
    }
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
