//! Key generation that survives a crash: finished nodes are saved, as they are public.

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

/// Options of a new stateful key.
#[derive(Clone, Copy, Debug)]
pub struct NewStateful {
    /// The parameter set.
    pub set: &'static Set,
    /// Indices per reservation of the command line.
    pub reserve: u64,
    /// Number of sectors, each with its own seed: a power of two; 1 for a key with a single seed.
    pub sectors: u32,
}

impl NewStateful {
    /// Returns independent seeds that share their public part.
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

/// Gives all indices to a fleet when the key is complete. It receives the store and creates the
/// fleet's state from the indices.
pub type HandOver<'h> = Box<dyn FnOnce(&mut Store) -> Result<(), StoreError> + 'h>;

/// The options of the key, and the set of its session trees if it signs session trees.
type What = (NewStateful, Option<&'static Set>);

/// A key generation in progress; the store of the key already exists.
pub struct Generation<'h> {
    store: Store,
    set: &'static Set,
    kept: Kept,
    done: Vec<u8>,
    hand_over: Option<HandOver<'h>>,
    /// The digest of the public key, if it is known in advance.
    expected: Option<[u8; 32]>,
}

impl<'h> Generation<'h> {
    /// Creates the store in `dir` with a fresh seed, or continues an interrupted generation there.
    ///
    /// # Errors
    /// `State` with `Exists` if `dir` contains a finished key or anything else, `WrongAlgorithm` if
    /// it contains an unfinished key of another set, `Passphrase` if the seeds cannot be decrypted.
    pub fn begin(
        dir: &Path,
        options: Options,
        new: NewStateful,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        Self::begin_any(dir, options, (new, None), passphrase)
    }

    /// Begins, like [`begin`](Self::begin), a key that signs only session trees of the set
    /// `session`. `new.set` is the set of the levels above: an HSS or LMS set, whose public key
    /// then states one more level, or a set of XMSS or XMSS^MT ([`Sessions`](super::Sessions)).
    ///
    /// # Errors
    /// As [`begin`](Self::begin); `WrongAlgorithm` if `session` is not an LMS set, if the scheme of
    /// `new.set` cannot be above it, or if there are too many levels.
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

    /// Imports a private key of another program, or continues an interrupted import. Every index
    /// before `next` is burned durably before the seeds are written to the directory. `register` is
    /// the folder in which this machine records imported keys, so that no key is imported twice.
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

    /// Makes the key one of a fleet. `target` names the fleet and is saved in the directory, where
    /// every signer reads it.
    ///
    /// # Errors
    /// `OtherFleet` if the generation was started for another fleet.
    pub fn for_fleet(mut self, target: &str, hand_over: HandOver<'h>) -> Result<Self, Error> {
        match self.store.blob(blob::FLEET)? {
            None => self.store.put_blob(blob::FLEET, target.as_bytes())?,
            Some(begun) if begun == target.as_bytes() => {}
            Some(_) => return Err(Error::OtherFleet),
        }
        self.hand_over = Some(hand_over);
        Ok(self)
    }

    /// Computes the missing nodes on `threads` threads. `watch` receives the progress and may stop
    /// the generation.
    ///
    /// # Errors
    /// `Scheme` with `Stopped` if it was stopped. Finished work is saved, and `begin` continues it.
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

    /// Writes the cache before the public key, because a key with a public key counts as complete.
    /// Binds the store to the public key before anything is handed out.
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
