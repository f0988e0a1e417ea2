//! The two kinds of stateful keys: trees of one-time keys, and keys with a signature limit.

use std::ops::ControlFlow;

use hasten_hbs::{
    self as hbs, KeyGeneration, Progress, Set, Signer, SignerLevel, load_with_growth,
    slhdsa::{LimitedGeneration, LimitedPrepared, LimitedSigner},
};
use hasten_kernels::Kernels;
use hasten_store::Status;

use super::{Kept, permit::StorePermit};
use crate::{Error, encoding::PublicKey, registry, scheme};

/// The signer of an open key.
pub(super) enum Means<'k> {
    /// One-time keys: an index selects one of them.
    Trees(Signer<'k>),
    /// SLH-DSA with a limited number of signatures: an index is only counted.
    Counted(LimitedSigner<'k>),
}

/// The usage of the key according to its store.
struct Used<'s>(&'s Status);

impl hbs::Account for Used<'_> {
    fn next_index(&self) -> u64 {
        self.0.next
    }
}

impl<'k> Means<'k> {
    /// Loads a key from its seeds and from its saved nodes: the cache and the growth.
    pub fn load(
        public: &PublicKey,
        kept: &Kept,
        (cache, growth): (&[u8], &[u8]),
        status: &Status,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        let (set, used) = (Set::named(&kept.set)?, Used(status));
        if set.limit.is_some() {
            must_be_of(public, set)?;
            let seed = kept.only_seed()?;
            let signer = LimitedSigner::load(set, &public.raw, seed, cache, &used, kernels)?;
            return Ok(Self::Counted(signer));
        }
        let (public, seeds) = (scheme::public_key(public)?, kept.for_scheme()?);
        let files = (cache, growth);
        Ok(Self::Trees(load_with_growth(set, &public, &seeds, files, &used, kernels)?))
    }

    /// Returns the parameter set; for HSS the one with all levels.
    pub fn set(&self) -> &'static Set {
        match self {
            Self::Trees(signer) => signer.set(),
            Self::Counted(signer) => signer.set(),
        }
    }

    /// Returns the public key in the encoding of its scheme.
    pub fn public_bytes(&self) -> &[u8] {
        match self {
            Self::Trees(signer) => signer.public_key().as_bytes(),
            Self::Counted(signer) => signer.verifying_key().as_bytes(),
        }
    }

    /// Returns the public key in its published encoding.
    pub fn published(&self) -> Result<PublicKey, Error> {
        match self {
            Self::Trees(signer) => scheme::published(signer.public_key()),
            Self::Counted(signer) => {
                let row = registry::find(signer.set().name)?;
                PublicKey::new(row, signer.verifying_key().as_bytes())
            }
        }
    }

    /// Returns the public nodes needed to load the key again.
    pub fn to_cache(&self) -> Vec<u8> {
        match self {
            Self::Trees(signer) => signer.to_cache(),
            Self::Counted(signer) => signer.to_cache(),
        }
    }

    /// Returns the leaves next to the next index, which speed up loading.
    pub fn to_leaves(&self) -> Vec<u8> {
        match self {
            Self::Trees(signer) => signer.to_leaves(),
            Self::Counted(_) => Vec::new(),
        }
    }

    /// Returns the number of chain steps that loading needs without these leaves.
    pub fn load_cost(&self) -> u64 {
        match self {
            Self::Trees(signer) => signer.load_cost(),
            Self::Counted(_) => 0,
        }
    }

    /// Returns the finished parts of the trees that will be used next.
    pub fn growth(&self) -> Vec<u8> {
        match self {
            Self::Trees(signer) => signer.growth(),
            Self::Counted(_) => Vec::new(),
        }
    }

    /// Returns the number of trees that have come into use.
    pub fn turns(&self) -> u64 {
        match self {
            Self::Trees(signer) => signer.turns(),
            Self::Counted(_) => 0,
        }
    }

    /// Prepares the signature of a permit's index. A key with a signature limit ignores `level`.
    pub fn prepare(
        &mut self,
        permit: StorePermit,
        level: SignerLevel,
    ) -> Result<Waiting<'k>, hbs::Error> {
        Ok(match self {
            Self::Trees(signer) => Waiting::OneTime(signer.prepare(permit, level)?),
            Self::Counted(signer) => Waiting::Counted(signer.prepare(permit)?, Vec::new()),
        })
    }
}

/// A prepared signature that waits for its message.
pub(super) enum Waiting<'k> {
    OneTime(hbs::Prepared<'k, StorePermit>),
    /// With the message parts so far, because the message is read twice.
    Counted(LimitedPrepared<'k, StorePermit>, Vec<u8>),
}

/// Rejects a public key of another set.
fn must_be_of(public: &PublicKey, set: &Set) -> Result<(), Error> {
    if public.row.name == set.name { Ok(()) } else { Err(Error::WrongAlgorithm) }
}

/// The state of a key generation.
pub(super) enum Growth<'k> {
    Trees(KeyGeneration<'k>),
    Counted(Box<LimitedGeneration<'k>>),
}

impl<'k> Growth<'k> {
    /// Begins the generation of a key from its seeds.
    pub fn begin(set: &'static Set, kept: &Kept, kernels: Kernels<'k>) -> Result<Self, Error> {
        if set.limit.is_none() {
            return Ok(Self::Trees(KeyGeneration::of_sectors(set, &kept.for_scheme()?, kernels)?));
        }
        let growth = LimitedGeneration::new(set, kept.only_seed()?, kernels)?;
        Ok(Self::Counted(Box::new(growth)))
    }

    /// Continues from finished nodes.
    pub fn resume(&mut self, partial: &[u8]) -> Result<(), hbs::Error> {
        match self {
            Self::Trees(growth) => growth.resume(partial),
            Self::Counted(growth) => growth.resume(partial),
        }
    }

    /// Returns the finished nodes.
    pub fn partial(&self) -> Vec<u8> {
        match self {
            Self::Trees(growth) => growth.partial(),
            Self::Counted(growth) => growth.partial().to_vec(),
        }
    }

    /// Computes the missing nodes.
    pub fn run(
        &mut self,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Means<'k>, hbs::Error> {
        Ok(match self {
            Self::Trees(growth) => Means::Trees(growth.run(threads, watch)?),
            Self::Counted(growth) => Means::Counted(growth.run(threads, watch)?),
        })
    }
}
