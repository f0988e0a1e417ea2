//! Running an operation under the recorder.
//!
//! A verification runs on a signature of random bytes: it does the same work as a good one, and
//! every tree height can be recorded without making a key. A signature, and the verifier's levels
//! that need one, run on a tree of at most 2^5 leaves: from level `early-auth` on nothing that runs
//! depends on the height, and at level `none` the number of nodes that a leaf completes does.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::ControlFlow;

use hasten_hbs::params::Scheme;
use hasten_hbs::slhdsa::{Context, SigningKey, VerifyingKey};
use hasten_hbs::xmss::{KeyGeneration, load};
use hasten_hbs::{
    Error, PreparedVerifier, PublicKey, Set, Signer, SignerLevel, Throwaway, Verifier,
    VerifierLevel,
};
use hasten_kernels::{Kernels, Midstate, ViaKeccak};

use crate::record::{Recorder, Step};
use crate::trace::{Recording, Runs, Source, Trace};

/// What is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// From the message to the signature, at a level.
    Sign(SignerLevel),
    /// From message and signature to the verdict, at a level.
    Verify(VerifierLevel),
}

/// Which digits the message's digest has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Digest {
    /// Those of a pseudorandom message with this number.
    Message(u64),
    /// Those that make the operation longest.
    Worst,
    /// These bytes, n of them.
    Given(Vec<u8>),
}

/// An operation to record.
#[derive(Clone, Debug)]
pub struct Request {
    set: &'static Set,
    operation: Operation,
    message: usize,
    digest: Digest,
    lanes: usize,
}

/// The index that is recorded, and the one that it is compared with.
const INDEX: u64 = 2;
const ELSEWHERE: u64 = 3;

impl Request {
    /// An operation of `set`, on a message of 64 bytes and its digest.
    #[must_use]
    pub fn new(set: &'static Set, operation: Operation) -> Self {
        Self { set, operation, message: 64, digest: Digest::Message(0), lanes: 16 }
    }

    /// With a message of `bytes` bytes.
    #[must_use]
    pub const fn message(mut self, bytes: usize) -> Self {
        self.message = bytes;
        self
    }

    /// With these digits.
    #[must_use]
    pub fn digest(mut self, digest: Digest) -> Self {
        self.digest = digest;
        self
    }

    /// With kernels that show this many lanes: it decides how large batches are.
    #[must_use]
    pub const fn lanes(mut self, lanes: usize) -> Self {
        self.lanes = lanes;
        self
    }

    /// Runs the operation, and what it is compared with.
    ///
    /// # Errors
    /// [`Error::UnknownSet`] for a level of preparation of a set that has none; others cannot
    /// occur with a set of the table.
    pub fn record(&self) -> Result<Trace, Error> {
        let mut all = self.record_each(std::slice::from_ref(&self.digest))?;
        all.pop().ok_or(Error::UnknownSet)
    }

    /// The operation with each of some digests, on one key.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn record_each(&self, digests: &[Digest]) -> Result<Vec<Trace>, Error> {
        let bench = Bench::new(self)?;
        let beside = bench.beside(self)?;
        let one = |digest| Ok(Trace::of(&bench.chosen(self, digest, &beside)?, &beside.runs));
        digests.iter().map(one).collect()
    }

    const fn number(&self) -> u64 {
        match self.digest {
            Digest::Message(number) => number,
            _ => 0,
        }
    }

    /// The digest that makes the operation longest: all digits of a signature's message the
    /// largest, of a verification's the smallest.
    fn worst(&self) -> Vec<u8> {
        let byte = if matches!(self.operation, Operation::Sign(_)) { 0xff } else { 0 };
        vec![byte; self.set.n]
    }
}

/// Pseudorandom bytes: SHAKE256 of a label.
pub(crate) fn random(label: &str, bytes: usize) -> Vec<u8> {
    let (kernels, start) = (Kernels::portable(), Midstate::shake256());
    let mut out = vec![0; bytes];
    for (i, part) in out.chunks_mut(136).enumerate() {
        start.finish(ViaKeccak(kernels.keccak), format!("{label} {i}").as_bytes(), part);
    }
    out
}

/// The key an operation runs on.
enum Key {
    Stateful { public: PublicKey, seed: Vec<u8>, cache: Vec<u8> },
    Public(PublicKey),
    Stateless(Vec<u8>),
}

/// Where operations run.
struct Bench {
    set: &'static Set,
    key: Key,
}

/// What an operation is compared with, and where its message hash ends.
struct Beside {
    at: Option<usize>,
    runs: Runs,
}

/// One run: what ran before the message, what ran then, and what was made.
struct Ran {
    before: Vec<Step>,
    steps: Vec<Step>,
    signature: Vec<u8>,
}

impl Bench {
    fn new(request: &Request) -> Result<Self, Error> {
        use Operation::{Sign, Verify};
        if let Scheme::SlhDsa { .. } = request.set.scheme {
            let plain =
                matches!(request.operation, Sign(SignerLevel::None) | Verify(VerifierLevel::None));
            let seed = random("SLH-DSA seed", request.set.seed_bytes());
            let key = Key::Stateless(seed);
            return if plain { Ok(Self { set: request.set, key }) } else { Err(Error::UnknownSet) };
        }
        match request.operation {
            Verify(VerifierLevel::None | VerifierLevel::Masks) => {
                Ok(Self { set: request.set, key: Key::Public(public_key(request.set)?) })
            }
            _ => Self::grown(lower(request.set, 5)),
        }
    }

    fn grown(set: &'static Set) -> Result<Self, Error> {
        let seed = random(set.name, set.seed_bytes());
        let mut generation = KeyGeneration::new(set, &seed, Kernels::best())?;
        let signer = generation.run(1, &mut |_| ControlFlow::Continue(()))?;
        let public = signer.public_key().clone();
        Ok(Self { set, key: Key::Stateful { public, cache: signer.to_cache(), seed } })
    }

    /// The operation on the message asked for, with other digests, and at another index.
    fn beside(&self, request: &Request) -> Result<Beside, Error> {
        let number = request.number();
        let natural = self.run(request, number, INDEX, None)?;
        let at = self.digest_at(request, &natural);
        let forced = |digest| self.run(request, number, INDEX, at.map(|at| (at, digest)));
        let forced = extremes(self.set.n).into_iter().filter(|_| at.is_some()).map(forced);
        let mut others = forced.map(|ran| Ok(ran?.steps)).collect::<Result<Vec<_>, Error>>()?;
        for other in 1..4 {
            others.push(self.run(request, number + other, INDEX, None)?.steps);
        }
        let elsewhere = self.run(request, number, ELSEWHERE, None)?.steps;
        Ok(Beside { at, runs: Runs::of(&others, &elsewhere) })
    }

    /// The operation with one digest.
    fn chosen(
        &self,
        request: &Request,
        digest: &Digest,
        beside: &Beside,
    ) -> Result<Recording, Error> {
        let digest = match digest {
            Digest::Message(_) => None,
            Digest::Worst => Some(request.worst()),
            Digest::Given(digest) => Some(digest.clone()),
        };
        let number = request.number();
        let force = beside.at.zip(digest);
        let ran = self.run(request, number, INDEX, force)?;
        Ok(self.recording(request, number, ran))
    }

    /// Which compression of a stateful operation ends the message's hash.
    fn digest_at(&self, request: &Request, ran: &Ran) -> Option<usize> {
        if matches!(self.key, Key::Stateless(_)) {
            return None;
        }
        let copy = Ran {
            before: ran.before.clone(),
            steps: ran.steps.clone(),
            signature: ran.signature.clone(),
        };
        Trace::digest_of(&self.recording(request, 0, copy)).map(|at| at as usize)
    }

    fn recording(&self, request: &Request, number: u64, ran: Ran) -> Recording {
        let signs = matches!(request.operation, Operation::Sign(_));
        let mut given = vec![(Source::Message, message(request, number))];
        let elements = elements(self.set, &ran.signature);
        let mut made = Vec::new();
        if signs {
            made = elements;
        } else {
            given.extend(parts(self.set, &ran.signature, elements));
        }
        let leaf = self.set.place(INDEX).1;
        Recording {
            set: self.set,
            signs,
            leaf,
            public_seed: self.public_seed(),
            given,
            before: ran.before,
            steps: ran.steps,
            made,
        }
    }

    fn public_seed(&self) -> Vec<u8> {
        match &self.key {
            Key::Stateful { public, .. } | Key::Public(public) => public.seed().to_vec(),
            Key::Stateless(seed) => seed[2 * self.set.n..].to_vec(),
        }
    }

    fn run(
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
            (Key::Stateless(seed), operation) => {
                stateless(&recorder, self.set, seed, operation, &message, begin)?
            }
            (_, Operation::Sign(level)) => {
                let mut signer = self.signer(&recorder, index)?;
                loaded.set(recorder.stop());
                recorder.start();
                sign(&mut signer, level, index, &message, begin)?
            }
            (_, Operation::Verify(level)) => {
                self.verify(&recorder, level, index, &message, begin)?
            }
        };
        let steps = recorder.stop();
        Ok(Ran { before: prefixes(loaded.take(), &ready, &steps), steps, signature })
    }

    /// The signer at `index`.
    fn signer<'r>(&self, recorder: &'r Recorder<'_>, index: u64) -> Result<Signer<'r>, Error> {
        let Key::Stateful { public, seed, cache } = &self.key else {
            return Err(Error::UnknownSet);
        };
        let mut signer = load(public, seed, cache, 0, recorder.kernels())?;
        // What the tree still owes for earlier signatures is paid before.
        let mut permits = Throwaway::new();
        for _ in 0..index {
            signer.prepare(permits.permit(), SignerLevel::EarlyAuth)?;
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

    /// A good signature of `message` at `index`, and messages, signatures and announcements of all
    /// indices up to it.
    fn signed(&self, index: u64, message: &[u8]) -> Result<(Vec<u8>, Vec<Signed>), Error> {
        let Key::Stateful { public, seed, cache } = &self.key else {
            return Err(Error::UnknownSet);
        };
        let mut signer = load(public, seed, cache, 0, Kernels::best())?;
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

/// Of what loading a key computed, the beginnings that later hashes go on from; then `ready`.
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
        permits.permit();
    }
    let prepared = signer.prepare(permits.permit(), level)?;
    let ready = begin();
    Ok((ready, prepared.finish(message)?.into_bytes()))
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

/// Digests between which every digit, those of the checksum too, takes no step in one and some in
/// another.
fn extremes(n: usize) -> [Vec<u8>; 4] {
    let mut one = vec![0; n];
    one[n - 1] = 1;
    let mut low = vec![0xff; n];
    low[..8].fill(0);
    [vec![0; n], vec![0xff; n], one, low]
}

/// The set with trees of at most 2^`height` leaves.
fn lower(set: &'static Set, height: u32) -> &'static Set {
    if set.tree_height() <= height {
        return set;
    }
    let mut low = *set;
    low.h = height * set.d;
    Box::leak(Box::new(low))
}

/// A public key that nothing verifies under.
fn public_key(set: &'static Set) -> Result<PublicKey, Error> {
    let mut bytes = random("public key", set.public_key_bytes());
    bytes[..4].copy_from_slice(&set.oid.to_be_bytes());
    match set.scheme {
        Scheme::Xmss => PublicKey::from_xmss_bytes(&bytes),
        Scheme::XmssMt => PublicKey::from_xmssmt_bytes(&bytes),
        Scheme::Lms { ots } => {
            bytes[4..8].copy_from_slice(&ots.to_be_bytes());
            PublicKey::from_lms_bytes(&bytes)
        }
        _ => Err(Error::UnknownSet),
    }
}

fn message(request: &Request, number: u64) -> Vec<u8> {
    random(&format!("message {number}"), request.message)
}

/// Where the one-time signature begins.
fn ots_at(set: &Set) -> usize {
    let types = if matches!(set.scheme, Scheme::Lms { .. }) { 4 } else { 0 };
    set.index_bytes() + types + set.n
}

/// Random bytes with an index and typecodes in their places.
fn garbage(set: &Set, index: u64) -> Vec<u8> {
    let mut bytes = random("signature", set.signature_bytes());
    let places = set.index_bytes();
    bytes[..places].copy_from_slice(&index.to_be_bytes()[8 - places..]);
    if let Scheme::Lms { ots } = set.scheme {
        let path = ots_at(set) + set.ots_bytes();
        bytes[places..places + 4].copy_from_slice(&ots.to_be_bytes());
        bytes[path..path + 4].copy_from_slice(&set.oid.to_be_bytes());
    }
    bytes
}

/// The elements of the one-time signature; none for a stateless scheme.
fn elements(set: &Set, signature: &[u8]) -> Vec<Vec<u8>> {
    if matches!(set.scheme, Scheme::SlhDsa { .. }) {
        return Vec::new();
    }
    let ots = &signature[ots_at(set)..][..set.ots_bytes()];
    ots.chunks_exact(set.n).map(<[u8]>::to_vec).collect()
}

/// The parts of a signature that is verified.
fn parts(set: &Set, signature: &[u8], elements: Vec<Vec<u8>>) -> Vec<(Source, Vec<u8>)> {
    let element = |(i, e): (usize, Vec<u8>)| (Source::Element(i as u16), e);
    if elements.is_empty() {
        return vec![
            (Source::Randomizer, signature[..set.n].to_vec()),
            (Source::Path, signature[set.n..].to_vec()),
        ];
    }
    let ots = ots_at(set);
    let types = if matches!(set.scheme, Scheme::Lms { .. }) { 4 } else { 0 };
    let mut parts: Vec<_> = elements.into_iter().enumerate().map(element).collect();
    parts.push((Source::Randomizer, signature[ots - set.n..ots].to_vec()));
    let path = signature[ots + set.ots_bytes() + types..].chunks(set.n);
    parts.extend(path.map(|node| (Source::Path, node.to_vec())));
    parts
}
