//! Key generation that survives a kill: what is done is kept, what is public.

use std::{
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use hasten_hbs::{self as hbs, Progress, Set, Signer, xmss::KeyGeneration};
use hasten_kernels::Kernels;
use hasten_store::{NewKey, Options, Store, StoreError};
use zeroize::Zeroizing;

use super::{
    Kept, Sealed, blob,
    key::{load_cache, store_public},
};
use crate::Error;

const PROGRESS: &[u8; 8] = b"hstnprg1";
/// A kill loses no more than about this much work.
const BETWEEN: Duration = Duration::from_secs(2);

/// What a new stateful key is made for.
#[derive(Clone, Copy, Debug)]
pub struct NewStateful {
    /// The parameter set.
    pub set: &'static Set,
    /// Indices that one reservation of the command line sets aside.
    pub reserve: u64,
}

/// A key that is being generated; its store exists already.
pub struct Generation {
    store: Store,
    set: &'static Set,
    kept: Kept,
    done: Vec<u8>,
}

impl Generation {
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
        match Sealed::of_store(dir) {
            Ok(sealed) => Self::resume(dir, options, new, sealed.open(passphrase)?),
            Err(Error::NoSecret) => Self::create(dir, options, new, passphrase),
            Err(error) => Err(error),
        }
    }

    fn create(
        dir: &Path,
        options: Options,
        new: NewStateful,
        passphrase: Option<&[u8]>,
    ) -> Result<Self, Error> {
        let mut seed = Zeroizing::new(vec![0; new.set.seed_bytes()]);
        getrandom::fill(&mut seed).map_err(|_| Error::Randomness)?;
        let kept = Kept { set: new.set.name.to_owned(), reserve: new.reserve, seed };
        let sealed = Sealed::seal(&kept, passphrase)?;
        let store = options.create(dir, &NewKey::new(new.set.capacity()))?;
        store.put_blob(blob::SECRET, &sealed)?;
        Ok(Self { store, set: new.set, kept, done: Vec::new() })
    }

    fn resume(dir: &Path, options: Options, new: NewStateful, kept: Kept) -> Result<Self, Error> {
        let store = options.open(dir)?;
        if store.blob(blob::PUBLIC)?.is_some() {
            return Err(StoreError::Exists.into());
        }
        if kept.set != new.set.name {
            return Err(Error::WrongAlgorithm);
        }
        let file = store.blob(blob::PROGRESS)?.unwrap_or_default();
        let done = blob::unwrap(PROGRESS, kept.set.as_bytes(), &file).map(<[u8]>::to_vec);
        Ok(Self { store, set: new.set, kept, done: done.unwrap_or_default() })
    }

    /// Computes what is missing, on `threads` threads. `watch` hears how far it is and may break off.
    ///
    /// # Errors
    /// `Scheme` with `Stopped` when it did: what is done is kept, and `begin` goes on from there.
    pub fn run(
        mut self,
        kernels: Kernels<'_>,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<hbs::PublicKey, Error> {
        let mut tree = KeyGeneration::new(self.set, &self.kept.seed, kernels)?;
        tree.resume(&std::mem::take(&mut self.done))?;
        let signer = self.stretches(&mut tree, threads, watch)?;
        self.finish(&signer)
    }

    /// Runs in stretches and keeps what is done between them.
    fn stretches<'k>(
        &self,
        tree: &mut KeyGeneration<'k>,
        threads: usize,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Signer<'k>, Error> {
        loop {
            let (begun, mut stopped) = (Instant::now(), false);
            let ended = tree.run(threads, &mut |progress| {
                stopped = watch(progress).is_break();
                if stopped || begun.elapsed() > BETWEEN {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            match ended {
                Err(hbs::Error::Stopped) => self.keep(&tree.partial())?,
                ended => return Ok(ended?),
            }
            if stopped {
                return Err(hbs::Error::Stopped.into());
            }
        }
    }

    fn keep(&self, partial: &[u8]) -> Result<(), Error> {
        let file = blob::wrap(PROGRESS, self.kept.set.as_bytes(), partial);
        Ok(self.store.replace_blob(blob::PROGRESS, &file)?)
    }

    /// Cache before public key: a key with a public key is whole.
    fn finish(self, signer: &Signer<'_>) -> Result<hbs::PublicKey, Error> {
        load_cache::keep(&self.store, signer)?;
        store_public(&self.store, signer.public_key())?;
        if self.store.blob(blob::PROGRESS)?.is_some() {
            self.store.destroy_blob(blob::PROGRESS)?;
        }
        let public = signer.public_key().clone();
        self.store.close()?;
        Ok(public)
    }
}
