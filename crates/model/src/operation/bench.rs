//! An operation, and the runs to which it is compared.

use std::ops::ControlFlow;

use hasten_hbs::params::Scheme;
use hasten_hbs::{Error, KeyGeneration, PublicKey, Set, SignerLevel, VerifierLevel};
use hasten_kernels::Kernels;

use super::given::{elements, extremes, message, parts, public_key};
use super::{Digest, Operation, Request, random};
use crate::record::Step;
use crate::source::Source;
use crate::trace::{Recording, Runs, Trace};
use hasten_hbs::hazmat::{lower, lower_fors};

/// The index that is recorded, and another one for comparison.
const INDEX: u64 = 2;
const ELSEWHERE: u64 = 3;

/// The key that an operation runs on.
pub(super) enum Key {
    Stateful {
        public: PublicKey,
        seed: Vec<u8>,
        cache: Vec<u8>,
    },
    Public(PublicKey),
    /// The seed of an SLH-DSA key.
    Stateless(Vec<u8>),
}

/// The set and the key that operations run on.
pub(super) struct Bench {
    pub set: &'static Set,
    pub key: Key,
}

/// The runs to which an operation is compared, and the compression that ends its message hash.
pub(super) struct Beside {
    at: Option<usize>,
    pub runs: Runs,
}

/// One run: the steps before the message, the steps after it, and the signature.
pub(super) struct Ran {
    pub before: Vec<Step>,
    pub steps: Vec<Step>,
    pub signature: Vec<u8>,
}

impl Bench {
    pub fn new(request: &Request) -> Result<Self, Error> {
        use Operation::{Keygen, Verify};
        if let Scheme::SlhDsa { .. } = request.set.scheme {
            return Self::stateless(request);
        }
        match request.operation {
            Keygen => Err(Error::UnknownSet),
            Verify(VerifierLevel::None | VerifierLevel::Masks) => {
                Ok(Self { set: request.set, key: Key::Public(public_key(request.set)?) })
            }
            _ => Self::grown(lower(request.set, 5)),
        }
    }

    /// Returns the bench for SLH-DSA. If trees are counted by their shape, its set has lower trees.
    fn stateless(request: &Request) -> Result<Self, Error> {
        use Operation::{Keygen, Sign, Verify};
        let set = match request.operation {
            Keygen => lower(request.set, request.subtrees),
            Sign(SignerLevel::None) => lower_fors(request.set, request.subtrees),
            Verify(VerifierLevel::None) => request.set,
            _ => return Err(Error::UnknownSet),
        };
        Ok(Self { set, key: Key::Stateless(random("SLH-DSA seed", set.seed_bytes())) })
    }

    fn grown(set: &'static Set) -> Result<Self, Error> {
        let seed = random(set.name, set.seed_bytes());
        let mut generation = KeyGeneration::new(set, &seed, Kernels::best())?;
        let signer = generation.run(1, &mut |_| ControlFlow::Continue(()))?;
        let public = signer.public_key().clone();
        Ok(Self { set, key: Key::Stateful { public, cache: signer.to_cache(), seed } })
    }

    /// Runs the operation with other digests, on other messages, and at another index, for
    /// comparison.
    pub fn beside(&self, request: &Request) -> Result<Beside, Error> {
        let number = request.number();
        let natural = self.run(request, number, INDEX, None)?;
        let at = self.digest_at(request, &natural);
        let forced = |digest| self.run(request, number, INDEX, at.map(|at| (at, digest)));
        let forced = extremes(self.set.n).into_iter().filter(|_| at.is_some()).map(forced);
        let mut others = forced.map(|ran| Ok(ran?.steps)).collect::<Result<Vec<_>, Error>>()?;
        let messages = match request.operation {
            Operation::Keygen => 0,
            // In one tall tree, two messages do not select the same leaf, so one other message
            // suffices.
            _ if self.set.tree_height() > 16 => 1,
            _ => 3,
        };
        for other in 1..=messages {
            others.push(self.run(request, number + other, INDEX, None)?.steps);
        }
        let elsewhere = match self.key {
            Key::Stateless(_) => natural.steps,
            _ => self.run(request, number, ELSEWHERE, None)?.steps,
        };
        Ok(Beside { at, runs: Runs::of(&others, &elsewhere) })
    }

    /// Records the operation with one digest.
    pub fn chosen(
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

    /// Returns the compression that ends the message hash of a stateful operation.
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
        let makes_key = request.operation == Operation::Keygen;
        let signs = makes_key || matches!(request.operation, Operation::Sign(_));
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
            makes_key,
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
}
