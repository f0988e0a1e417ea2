//! Key generation that survives a kill: what is done is kept, what is public.

use std::{ops::ControlFlow, path::Path};

use hasten_hbs::{self as hbs, Progress, Set, params::Scheme};
use hasten_kernels::Kernels;
use hasten_store::{NewKey, Options, Store, StoreError};
use zeroize::Zeroizing;

use super::{
    Foreign, Kept, Sealed, SectorSeed,
    blob::{self, Owner},
    digest_of,
    key::store_public,
    means::{Growth, Means},
    nodes,
    rebuild::{Rebuilding, in_stretches, progress},
    service, upgrade,
};
use crate::{Error, ForeignError, encoding::PublicKey};

/// Holds what a new stateful key is made for.
#[derive(Clone, Copy, Debug)]
pub struct NewStateful {
    /// The parameter set.
    pub set: &'static Set,
    /// Indices that one reservation of the command line sets aside.
    pub reserve: u64,
    /// Parts with a seed of their own, a power of two; 1 for none.
    pub sectors: u32,
}

impl NewStateful {
    /// Returns independent seeds, which share what is public.
    fn fresh_seeds(self) -> Result<Vec<SectorSeed>, Error> {
        let mut seeds: Vec<SectorSeed> = Vec::new();
        for sector in 0..self.sectors {
            let mut seed = Zeroizing::new(vec![0; self.set.seed_bytes()]);
            getrandom::fill(&mut seed).map_err(|_| Error::Randomness)?;
            if let Some((_, first)) = seeds.first() {
                hbs::Sectors::share(self.set, first, &mut seed)?;
            }
            seeds.push((sector, seed));
        }
        Ok(seeds)
    }
}

/// Gives all indices to a fleet, when the key is whole: is handed the store, and makes the fleet's
/// state of what it gave.
pub type HandOver<'h> = Box<dyn FnOnce(&mut Store) -> Result<(), StoreError> + 'h>;

/// A key to make, and the set of the session trees if it is for these.
type What = (NewStateful, Option<&'static Set>);

/// A key that is being generated; its store exists already.
pub struct Generation<'h> {
    store: Store,
    set: &'static Set,
    kept: Kept,
    done: Vec<u8>,
    hand_over: Option<HandOver<'h>>,
    /// The digest of the public key, where it is known before.
    expected: Option<[u8; 32]>,
}

impl<'h> Generation<'h> {
    /// Makes the store in `dir` and keeps a fresh seed in it, or goes on with a generation that
    /// was broken off there.
    ///
    /// # Errors
    /// `State` with `Exists` when `dir` holds a finished key or anything else, `WrongAlgorithm`
    /// when it holds an unfinished key of another set, `Passphrase` when it does not open.
    pub fn begin(
        dir: &Path,
        options: Options,
        new: NewStateful,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        Self::begin_any(dir, options, (new, None), passphrase)
    }

    /// Does the same for a key that signs session trees of `session` and nothing else. `new.set` is
    /// the set of the levels above, whose public key states one level more, or one of XMSS or
    /// XMSS^MT ([`Sessions`](super::Sessions)).
    ///
    /// # Errors
    /// As [`begin`](Self::begin); `WrongAlgorithm` when `session` is not of LMS, `new.set` of no
    /// scheme that can be above it, or when the levels are too many.
    pub fn begin_for_sessions(
        dir: &Path,
        options: Options,
        new: NewStateful,
        session: &'static Set,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        let above = match new.set.scheme {
            Scheme::Xmss | Scheme::XmssMt => Vec::new(),
            _ => new.set.levels(),
        };
        let fits = Set::hss(&[above, vec![session]].concat()).is_ok();
        if !fits || !matches!(session.scheme, Scheme::Lms { .. }) {
            return Err(Error::WrongAlgorithm);
        }
        Self::begin_any(dir, options, (new, Some(session)), passphrase)
    }

    fn begin_any(
        dir: &Path,
        options: Options,
        what: What,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        match Sealed::of_store_in(dir, &options.beside()) {
            Ok(sealed) => Self::resume(dir, options, what, sealed.open(passphrase)?),
            Err(Error::NoSecret) => Self::create(dir, options, what, passphrase),
            Err(error) => Err(error),
        }
    }

    fn create(
        dir: &Path,
        options: Options,
        (new, session): What,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        let NewStateful { set, sectors, .. } = new;
        if !sectors.is_power_of_two() || sectors > hbs::most_sectors(set) {
            return Err(hbs::Error::BadSeed.into());
        }
        let seeds = new.fresh_seeds()?;
        let store = options.begin(dir, &NewKey { sectors, ..NewKey::new(set.capacity()) })?;
        if store.blob(blob::PUBLIC)?.is_some() {
            return Err(StoreError::Exists.into());
        }
        Self::keep_seeds(store, (new, session), seeds, passphrase)
    }

    fn keep_seeds(
        store: Store,
        (new, session): What,
        seeds: Vec<SectorSeed>,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        let NewStateful { set, reserve, sectors } = new;
        let mut kept = Kept::new(store.identity().key_id, set.name, reserve, sectors, seeds);
        kept.sessions = session.map(|set| set.name.to_owned());
        let sealed = Sealed::seal(&kept, passphrase)?;
        store.put_blob(blob::SECRET, &sealed)?;
        service::keep(&store, &kept)?;
        Ok(Self { store, set, kept, done: Vec::new(), hand_over: None, expected: None })
    }

    /// Imports a private key of another program, or goes on with an import that was broken off:
    /// every index before `next` is burned, durably, before the seeds reach the directory.
    /// `register` is the folder in which this machine keeps what was imported: no key is imported
    /// twice.
    ///
    /// # Errors
    /// As [`begin`](Self::begin); `Foreign` with `OtherKey`, `State` with `Imported`.
    pub fn import(
        dir: &Path,
        options: Options,
        foreign: &Foreign,
        (next, reserve): (u64, u64),
        register: &Path,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        options.check_register(register)?;
        let new = NewStateful { set: foreign.set, reserve, sectors: 1 };
        let begun = match Sealed::of_store_in(dir, &options.beside()) {
            Ok(sealed) => {
                let kept = sealed.open(passphrase)?;
                if kept.seeds.iter().all(|(_, seed)| *seed != foreign.seed) {
                    return Err(ForeignError::OtherKey.into());
                }
                let mut begun = Self::resume(dir, options, (new, None), kept)?;
                foreign.burn(&mut begun.store, next, register)?;
                begun
            }
            Err(Error::NoSecret) => {
                let store = foreign.store(dir, options, next, register)?;
                Self::keep_seeds(store, (new, None), vec![(0, foreign.seed.clone())], passphrase)?
            }
            Err(error) => return Err(error),
        };
        Ok(Self { expected: Some(foreign.public), ..begun })
    }

    fn resume(
        dir: &Path,
        options: Options,
        (new, session): What,
        kept: Kept,
    ) -> Result<Self, Error> {
        let store = options.open(dir)?;
        if store.blob(blob::PUBLIC)?.is_some() {
            return Err(StoreError::Exists.into());
        }
        if kept.set != new.set.name || kept.sessions.as_deref() != session.map(|set| set.name) {
            return Err(Error::WrongAlgorithm);
        }
        if kept.sectors != new.sectors {
            return Err(Error::OtherSectors);
        }
        kept.must_be_of(&store.identity())?;
        upgrade::renew_secret(&store, &kept)?;
        service::keep(&store, &kept)?;
        let file = store.blob(blob::PROGRESS)?.unwrap_or_default();
        let done = progress(&kept, Owner::of(&store.identity())).unwrap(&file).to_vec();
        Ok(Self { store, set: new.set, kept, done, hand_over: None, expected: None })
    }

    /// Makes the key one of a fleet: `target` names the fleet and is kept in the directory, from
    /// where every signer reads it.
    ///
    /// # Errors
    /// `OtherFleet` if the generation was begun for another fleet.
    pub fn for_fleet(mut self, target: &str, hand_over: HandOver<'h>) -> Result<Self, Error> {
        match self.store.blob(blob::FLEET)? {
            None => self.store.put_blob(blob::FLEET, target.as_bytes())?,
            Some(begun) if begun == target.as_bytes() => {}
            Some(_) => return Err(Error::OtherFleet),
        }
        self.hand_over = Some(hand_over);
        Ok(self)
    }

    /// Computes what is missing, on `threads` threads. `watch` hears how far it is and may break
    /// off.
    ///
    /// # Errors
    /// `Scheme` with `Stopped` when it did: what is done is kept, and `begin` goes on from there.
    pub fn run(
        mut self,
        kernels: Kernels<'_>,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<PublicKey, Error> {
        let mut growth = Growth::begin(self.set, &self.kept, kernels)?;
        growth.resume(&std::mem::take(&mut self.done))?;
        let bound = progress(&self.kept, Owner::of(&self.store.identity()));
        let keep =
            |partial: &[u8]| Ok(self.store.replace_blob(blob::PROGRESS, &bound.wrap(partial))?);
        let means = in_stretches(&mut growth, &mut Rebuilding { threads, watch }, &keep)?;
        self.finish(&means)
    }

    /// Returns cache before public key: a key with a public key is whole. The store is bound to it
    /// before anything is given away.
    fn finish(mut self, means: &Means<'_>) -> Result<PublicKey, Error> {
        nodes::keep(&self.store, means)?;
        let public = self.kept.stated(means.published()?)?;
        if self.expected.is_some_and(|expected| digest_of(&public) != Ok(expected)) {
            return Err(ForeignError::OtherPublic.into());
        }
        self.store.bind(digest_of(&public)?)?;
        match self.hand_over.take() {
            Some(hand_over) => hand_over(&mut self.store)?,
            None if self.store.blob(blob::FLEET)?.is_some() => return Err(Error::OtherFleet),
            None => {}
        }
        store_public(&self.store, &public)?;
        if self.store.blob(blob::PROGRESS)?.is_some() {
            self.store.destroy_blob(blob::PROGRESS)?;
        }
        self.store.close()?;
        Ok(public)
    }
}
