//! One run under the recorder: the work before the message, then the work after it.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::ControlFlow;

use hasten_hbs::slhdsa::{Context, LimitedGeneration, LimitedSigner, SigningKey, VerifyingKey};
use hasten_hbs::{
    Error, PreparedVerifier, Set, Signer, SignerLevel, Verifier, VerifierLevel, hazmat::Throwaway,
    load,
};
use hasten_kernels::Kernels;

use super::bench::{Bench, Key, Ran};
use super::given::{garbage, message};
use super::{Operation, Request, random};
use crate::record::{Recorder, Step};

impl Bench {
    pub fn run(
        &self,
        request: &Request,
        number: u64,
        index: u64,
        force: Option<(usize, Vec<u8>)>,
    ) -> Result<Ran, Error> {
        let recorder = Recorder::new(Kernels::best(), request.lanes);
        let message = message(request, number);
        let begin = || {
            let before = recorder.stop();
            recorder.start();
            if let Some((at, digest)) = force {
                recorder.force(at, digest);
            }
            before
        };
        let loaded = Cell::new(Vec::new());
        recorder.start();
        let (ready, signature) = match (&self.key, request.operation) {
            (Key::Stateless(seed), Operation::Keygen) => {
                let ready = begin();
                make(&recorder, self.set, seed)?;
                (ready, Vec::new())
            }
            (Key::Stateless(seed), Operation::Sign(_)) if self.set.limit.is_some() => {
                let signer = limited(&recorder, self.set, seed)?;
                loaded.set(recorder.stop());
                let ready = begin();
                let made =
                    signer.sign_uncounted_beyond_any_limit(Context::EMPTY, &message, None, 1)?;
                (ready, made.into_bytes())
            }
            (Key::Stateless(seed), operation) => {
                stateless(&recorder, self.set, seed, operation, &message, begin)?
            }
            (_, Operation::Sign(level)) => {
                let mut signer = self.signer(&recorder, index)?;
                loaded.set(recorder.stop());
                recorder.start();
                sign(&mut signer, level, index, &message, begin)?
            }
            (_, Operation::Keygen) => return Err(Error::UnknownSet),
            (_, Operation::Verify(level)) => {
                self.verify(&recorder, level, index, &message, begin)?
            }
        };
        let steps = recorder.stop();
        Ok(Ran { before: prefixes(loaded.take(), &ready, &steps), steps, signature })
    }

    /// Returns a signer whose next index is `index`.
    fn signer<'r>(&self, recorder: &'r Recorder<'_>, index: u64) -> Result<Signer<'r>, Error> {
        let Key::Stateful { public, seed, cache } = &self.key else {
            return Err(Error::UnknownSet);
        };
        let mut signer = load(public, seed, cache, &Throwaway::new(), recorder.kernels())?;
        // Do the deferred tree work of the earlier signatures now.
        let mut permits = Throwaway::new();
        for _ in 0..index {
            drop(signer.prepare(permits.permit(), SignerLevel::EarlyAuth)?);
        }
        Ok(signer)
    }

    fn verify<R>(
        &self,
        recorder: &Recorder<'_>,
        level: VerifierLevel,
        index: u64,
        message: &[u8],
        begin: impl FnOnce() -> R,
    ) -> Result<(R, Vec<u8>), Error> {
        let (public, signature, before) = match &self.key {
            Key::Stateful { public, .. } => {
                self.signed(index, message).map(|s| (public, s.0, s.1))?
            }
            Key::Public(public) => (public, garbage(self.set, index), Vec::new()),
            Key::Stateless(_) => return Err(Error::UnknownSet),
        };
        let verifier = Verifier::new(public, recorder.kernels());
        if level == VerifierLevel::None {
            let ready = begin();
            let _ = verifier.verify(message, &signature);
            return Ok((ready, signature));
        }
        let mut watch = PreparedVerifier::new(verifier, level, 0);
        for (message, signature, announcement) in &before {
            if level == VerifierLevel::OtsKey {
                watch.announce(announcement)?;
            }
            if *signature != *before.last().map_or(&[][..], |last| &last.1) {
                watch.verify(message, signature)?;
            }
            watch.prepare();
        }
        let mut watch = match before.is_empty() {
            true => PreparedVerifier::new(Verifier::new(public, recorder.kernels()), level, index),
            false => watch,
        };
        let ready = begin();
        let _ = watch.verify(message, &signature);
        Ok((ready, signature))
    }

    /// Returns a good signature of `message` at `index`, and the messages, signatures and
    /// announcements of all indices up to `index`.
    fn signed(&self, index: u64, message: &[u8]) -> Result<(Vec<u8>, Vec<Signed>), Error> {
        let Key::Stateful { public, seed, cache } = &self.key else {
            return Err(Error::UnknownSet);
        };
        let mut signer = load(public, seed, cache, &Throwaway::new(), Kernels::best())?;
        let mut permits = Throwaway::new();
        let mut all = Vec::new();
        for _ in 0..=index {
            let prepared = signer.prepare(permits.permit(), SignerLevel::ChainTable)?;
            let announcement = prepared.announcement();
            let signature = prepared.finish(message)?.into_bytes();
            all.push((message.to_vec(), signature, announcement));
        }
        let last = all.last().map(|signed| signed.1.clone()).unwrap_or_default();
        Ok((last, all))
    }
}

/// Returns the steps of loading a key from whose states later hashes continue, followed by `ready`.
fn prefixes(loaded: Vec<Step>, ready: &[Step], steps: &[Step]) -> Vec<Step> {
    let mut wanted: HashSet<Vec<u8>> =
        ready.iter().chain(steps).map(|step| step.start.clone()).collect();
    let mut kept: Vec<Step> = Vec::new();
    for step in loaded.into_iter().rev() {
        if wanted.remove(&step.end) {
            wanted.insert(step.start.clone());
            kept.push(step);
        }
    }
    kept.reverse();
    kept.extend_from_slice(ready);
    kept
}

type Signed = (Vec<u8>, Vec<u8>, Vec<u8>);

fn sign<R>(
    signer: &mut Signer<'_>,
    level: SignerLevel,
    index: u64,
    message: &[u8],
    begin: impl FnOnce() -> R,
) -> Result<(R, Vec<u8>), Error> {
    let mut permits = Throwaway::new();
    for _ in 0..index {
        drop(permits.permit());
    }
    let prepared = signer.prepare(permits.permit(), level)?;
    let ready = begin();
    Ok((ready, prepared.finish(message)?.into_bytes()))
}

/// Generates an SLH-DSA key.
fn make(recorder: &Recorder<'_>, set: &'static Set, seed: &[u8]) -> Result<(), Error> {
    if set.limit.is_none() {
        return SigningKey::from_seed(&recorder.kernels(), set, seed).map(drop);
    }
    let mut generation = LimitedGeneration::new(set, seed, recorder.kernels())?;
    generation.run(1, &mut |_| ControlFlow::Continue(())).map(drop)
}

/// Returns a signer over a row of zeros, which does the same work as one over the true row.
fn limited<'r>(
    recorder: &'r Recorder<'_>,
    set: &'static Set,
    seed: &[u8],
) -> Result<LimitedSigner<'r>, Error> {
    let mut generation = LimitedGeneration::new(set, seed, recorder.kernels())?;
    generation.resume(&vec![0; LimitedGeneration::row_bytes(set)])?;
    generation.run(1, &mut |_| ControlFlow::Continue(()))
}

fn stateless<R>(
    recorder: &Recorder<'_>,
    set: &'static Set,
    seed: &[u8],
    operation: Operation,
    message: &[u8],
    begin: impl FnOnce() -> R,
) -> Result<(R, Vec<u8>), Error> {
    let kernels = recorder.kernels();
    let public = [&seed[2 * set.n..], &random("PK.root", set.n)].concat();
    if let Operation::Verify(_) = operation {
        let key = VerifyingKey::from_bytes(&kernels, set, &public)?;
        let signature = random("SLH-DSA signature", set.signature_bytes());
        let ready = begin();
        let _ = key.verify(Context::EMPTY, message, &signature);
        return Ok((ready, signature));
    }
    let key = SigningKey::from_bytes(&kernels, set, &[&seed[..2 * set.n], &public].concat())?;
    let ready = begin();
    Ok((ready, key.sign(Context::EMPTY, message, None)?.into_bytes()))
}
