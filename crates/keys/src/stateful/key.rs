//! An open stateful key, which reserves indices, prepares signatures and signs.

use std::{ops::ControlFlow, path::Path, sync::Arc, time::Duration};

use hasten_hbs::{Progress, Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_store::{
    Indices, Options, Policy, Reason, Refusal as Refused, Status, Store, StoreError,
};
use sha2::{Digest, Sha256};

use super::{
    Kept, Note,
    blob::{self, Owner},
    means::Means,
    nodes::Nodes,
    permit::{Refusal, Reserved, StorePermit},
    ready::Ready,
    rebuild::{Loaded, Loading, Rebuilding, Rebuilt},
    service,
    source::Source,
    upgrade,
};
use crate::{
    Error, KeyFile,
    encoding::{self, PublicKey},
    scheme,
};

/// Returns the digest that binds a store to a key: the SHA-256 of the public key in the encoding of
/// its scheme.
///
/// # Errors
/// `NotBuiltIn` for a key without a state, `Scheme` for a key that its scheme rejects.
pub fn digest_of(public: &PublicKey) -> Result<[u8; 32], Error> {
    Ok(Sha256::digest(scheme::own_bytes(public)?).into())
}

/// Writes the public key into the store as PEM.
pub(super) fn store_public(store: &Store, public: &PublicKey) -> Result<(), Error> {
    let pem = encoding::public_to_pem(public)?;
    Ok(store.put_blob(blob::PUBLIC, pem.as_bytes())?)
}

/// Returns the public key of the stateful key in `dir`, without opening its store.
///
/// # Errors
/// `Unfinished` if the key generation is unfinished, `UnfinishedImport` if the import is, `State`
/// if `dir` is not a store.
pub fn read_public_of(dir: &Path) -> Result<PublicKey, Error> {
    read_public_in(dir, &Options::new())
}

pub(super) fn read_public_in(dir: &Path, world: &Options) -> Result<PublicKey, Error> {
    match world.peek_blob(dir, blob::PUBLIC)? {
        Some(pem) => {
            encoding::read_public(&pem, None).map_err(|_| Error::DamagedFile(KeyFile::Public))
        }
        // The log shows whether this is an unfinished key or not a store at all.
        None => Err(world.peek(dir).map_or_else(Error::State, |status| unfinished(&status))),
    }
}

/// Returns the public key in `dir`. Returns `None` if its file is absent or damaged and can be
/// rebuilt: the state is bound to the public key, so the rebuilt one can be verified.
fn public_to_open(dir: &Path, world: &Options, kept: &Kept) -> Result<Option<PublicKey>, Error> {
    let read = read_public_in(dir, world).and_then(|public| {
        let identity = world.peek_identity(dir)?;
        let other = identity.contradicts(&digest_of(&public)?) && kept.key_id == identity.key_id;
        if other { Err(Error::DamagedFile(KeyFile::Public)) } else { Ok(public) }
    });
    match read {
        Err(
            error @ (Error::DamagedFile(KeyFile::Public)
            | Error::Unfinished
            | Error::UnfinishedImport),
        ) => match world.peek_identity(dir)?.is_bound() {
            true => Ok(None),
            false => Err(error),
        },
        read => read.map(Some),
    }
}

/// Returns the error for a store without a public key: an unfinished generation has all indices and
/// burns none; a shard has only some indices, and the import of a key from another program burns
/// some.
pub fn unfinished(status: &Status) -> Error {
    let whole = (status.start, status.end) == (0, status.capacity);
    if whole && status.burned == 0 { Error::Unfinished } else { Error::UnfinishedImport }
}

/// Returns the fleet that issues the indices of the key in `dir`, as specified for key generation;
/// `None` for a key with its own state.
///
/// # Errors
/// `State` if reading fails, `DamagedFile` if the file is not text.
pub fn fleet_of(dir: &Path) -> Result<Option<String>, Error> {
    fleet_in(dir, &Options::new())
}

pub(super) fn fleet_in(dir: &Path, world: &Options) -> Result<Option<String>, Error> {
    let damaged = |_| Error::DamagedFile(KeyFile::Fleet);
    let target = world.peek_blob(dir, blob::FLEET)?;
    target.map(|text| String::from_utf8(text).map_err(damaged)).transpose()
}

/// A stateful key, open and owned by this process. It signs only with reserved indices.
pub struct Stateful<'k> {
    source: Source,
    means: Means<'k>,
    nodes: Nodes,
    key: Arc<[u8]>,
    refusal: Refusal,
    upgraded: bool,
    rebuilt: Vec<Rebuilt>,
    /// The public key in its published encoding.
    public: PublicKey,
}

impl<'k> Stateful<'k> {
    /// Opens the key in `dir`. The store checks owner, guard and witness, the scheme checks the
    /// nodes against the public key, and every file must belong to the key of the state. A key of
    /// the old format is upgraded ([`upgraded`](Self::upgraded)). If files that follow from the
    /// seeds are absent or damaged, they are rebuilt ([`rebuilt`](Self::rebuilt)), which takes as
    /// long as key generation; [`open_watched`](Self::open_watched) reports its progress.
    ///
    /// # Errors
    /// `State` with the store's error, `Unfinished`, `DamagedFile`, `ForeignFile`, `NotRebuilt`,
    /// `Scheme`, `OfFleet`, `OfSessions`.
    pub fn open(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        Self::open_watched(dir, options, kept, kernels, unwatched(&mut go_on))
    }

    /// Opens a key like [`open`](Self::open). `how` is informed of the rebuilding of files and may
    /// stop it.
    ///
    /// # Errors
    /// As [`open`](Self::open); `Scheme` with `Stopped` if it was stopped. Finished work is kept,
    /// and the next call continues it.
    pub fn open_watched(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
        how: Rebuilding<'_>,
    ) -> Result<Self, Error> {
        must_sign_messages(kept)?;
        Self::open_any(dir, options, kept, kernels, how)
    }

    /// Opens a key of any purpose, otherwise like [`open_watched`](Self::open_watched).
    pub(super) fn open_any(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
        mut how: Rebuilding<'_>,
    ) -> Result<Self, Error> {
        let world = options.beside();
        let public = public_to_open(dir, &world, kept)?;
        if fleet_in(dir, &world)?.is_some() {
            return Err(Error::OfFleet);
        }
        let service = service::mend(dir, &world, kept)?;
        let expected = public.as_ref().map(digest_of).transpose()?;
        let options = expected.into_iter().fold(options, Options::public);
        let mut store = options.open(dir).map_err(foreign_public)?;
        let (identity, status) = (store.identity(), store.status());
        kept.must_be_of(&identity)?;
        let nodes = Nodes::new(dir, world.beside(), kept, Owner::of(&identity));
        let loading = Loading {
            dir,
            world: &world,
            nodes: &nodes,
            kept,
            identity: &identity,
            status: &status,
        };
        let Loaded { means, public, mut rebuilt } = loading.load(public, kernels, &mut how)?;
        rebuilt.extend(service);
        let upgraded = upgrade::bring_up(&mut store, &nodes, &means, kept)?;
        let nodes = if upgraded { nodes.of_bound() } else { nodes };
        Ok(Self { upgraded, rebuilt, ..Self::with(Box::new(store), means, nodes, public) })
    }

    /// Opens the key in `dir` with indices from another source: a fleet. They must belong to this
    /// key.
    ///
    /// # Errors
    /// `State` with `Refused` if they belong to another key; `Unfinished`, `DamagedFile`,
    /// `ForeignFile`, `Scheme`, `OfSessions`.
    pub fn over(
        dir: &Path,
        indices: Box<dyn Indices>,
        kept: &Kept,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        Self::over_watched(dir, indices, kept, kernels, unwatched(&mut go_on))
    }

    /// Opens a key like [`over`](Self::over). `how` is informed of the rebuilding of files and may
    /// stop it.
    ///
    /// # Errors
    /// As [`over`](Self::over); `Scheme` with `Stopped` if it was stopped.
    pub fn over_watched(
        dir: &Path,
        indices: Box<dyn Indices>,
        kept: &Kept,
        kernels: Kernels<'k>,
        mut how: Rebuilding<'_>,
    ) -> Result<Self, Error> {
        must_sign_messages(kept)?;
        let world = Options::new();
        let public = public_to_open(dir, &world, kept)?;
        let expected = public.as_ref().map(digest_of).transpose()?;
        let (identity, status) = (indices.identity(), indices.status());
        let other = expected.is_some_and(|digest| identity.contradicts(&digest));
        if other || identity.key_id != kept.key_id {
            return Err(StoreError::Refused(Refused::of_status(Reason::OtherKey, &status)).into());
        }
        let nodes = Nodes::new(dir, Options::new(), kept, Owner::of(&identity));
        let loading = Loading {
            dir,
            world: &world,
            nodes: &nodes,
            kept,
            identity: &identity,
            status: &status,
        };
        let Loaded { means, public, rebuilt } = loading.load(public, kernels, &mut how)?;
        Ok(Self { rebuilt, ..Self::with(indices, means, nodes, public) })
    }

    fn with(indices: Box<dyn Indices>, means: Means<'k>, nodes: Nodes, public: PublicKey) -> Self {
        let key = means.public_bytes().into();
        let (source, refusal) = (Source::new(indices), Refusal::default());
        let (upgraded, rebuilt) = (false, Vec::new());
        Self { source, means, nodes, key, refusal, upgraded, rebuilt, public }
    }

    /// Returns true if the key had the old format and was upgraded when it was opened.
    pub fn upgraded(&self) -> bool {
        self.upgraded
    }

    /// Returns the files that were absent or damaged when the key was opened, and were rebuilt from
    /// its seeds.
    pub fn rebuilt(&self) -> &[Rebuilt] {
        &self.rebuilt
    }

    /// Returns the public key in its published encoding.
    ///
    /// # Errors
    /// None: the key was read when it was opened.
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        Ok(self.public.clone())
    }

    /// Returns the parameter set; for HSS the one with all levels.
    pub fn set(&self) -> &'static Set {
        self.means.set()
    }

    /// Returns the status. While a thread reserves ahead, this is the status before that thread
    /// started.
    pub fn status(&self) -> Status {
        self.source.status()
    }

    /// Reserves the next `count` indices durably. Indices that are unused when the key is closed
    /// are lost.
    ///
    /// # Errors
    /// `State`, as for `reserve` of the store; with `Closed` while a thread reserves ahead.
    pub fn reserve(&mut self, count: u64) -> Result<Reserved, Error> {
        let interval = self.source.indices()?.reserve(count)?;
        Ok(Reserved { interval, key: self.key.clone(), refusal: self.refusal.clone() })
    }

    /// Starts a thread that reserves indices ahead of need. It adapts to the signing rate and to
    /// the duration of commits, so that signing never waits for a commit while the rate is steady.
    /// [`permit`](Self::permit) then returns the permits.
    ///
    /// # Errors
    /// `State` with `Closed` if such a thread is already running.
    pub fn reserve_ahead(&mut self, policy: Policy) -> Result<(), Error> {
        Ok(self.source.run_ahead(policy)?)
    }

    /// Returns the next permit that was reserved ahead. Waits up to `patience` if none is
    /// available.
    ///
    /// # Errors
    /// `State`: with `Empty` if none was available in time, or with the reason why no more will
    /// come.
    pub fn permit(&self, patience: Duration) -> Result<StorePermit, Error> {
        let inner = self.source.tap()?.take(patience)?;
        Ok(StorePermit::new(inner, self.key.clone(), self.refusal.clone()))
    }

    /// Acknowledges that few indices are left.
    ///
    /// # Errors
    /// `State`.
    pub fn acknowledge(&mut self) -> Result<(), Error> {
        Ok(self.source.indices()?.acknowledge()?)
    }

    /// Prepares the signature of one reserved index.
    ///
    /// # Errors
    /// `State` if the reservation is no longer valid, `Scheme`.
    pub fn prepare(&mut self, permit: StorePermit, level: SignerLevel) -> Result<Ready<'k>, Error> {
        let (refusal, recorder) = (self.refusal.clone(), permit.recorder());
        let waiting = self.means.prepare(permit, level).map_err(|e| refusal.explain(e))?;
        self.nodes.prepared(&self.means)?;
        let (set, hash) = (self.means.set(), Sha256::new());
        Ok(Ready { waiting, refusal, recorder, set, threads: 1, hash })
    }

    /// Reserves the next index durably and prepares its signature.
    ///
    /// # Errors
    /// As [`reserve`](Self::reserve) and [`prepare`](Self::prepare).
    pub fn prepare_next(&mut self, level: SignerLevel) -> Result<Ready<'k>, Error> {
        let permit = self.reserve(1)?.first()?;
        self.prepare(permit, level)
    }

    /// Returns true if this open key prepared the signature.
    pub fn has_prepared(&self, ready: &Ready<'_>) -> bool {
        self.refusal.is_of_same_key(&ready.refusal)
    }

    /// Signs a message with the next index: reserves it durably, prepares the signature, signs, and
    /// records the signature with `note`. [`close`](Self::close) commits the record.
    ///
    /// # Errors
    /// As [`prepare_next`](Self::prepare_next) and [`Ready::finish`].
    pub fn sign(&mut self, message: &[u8], note: Note) -> Result<Vec<u8>, Error> {
        self.prepare_next(SignerLevel::None)?.finish(message, note)
    }

    /// Ends the session and returns the key's status. Commits the record of signatures, so that
    /// guard and witness cover it, and saves the finished parts of the trees that will be used
    /// next. A key that is dropped also commits if possible, but does not report errors.
    ///
    /// # Errors
    /// `State` if the record or the status could not be written; the session ends in any case.
    pub fn close(self) -> Result<Status, Error> {
        let kept = self.nodes.close(&self.means);
        let leaves = self.nodes.leaves(&self.means);
        // Leaves that are not saved are computed when the key is loaded, so this is not an error.
        let keep =
            |indices: &dyn Indices| drop(leaves.map(|file| indices.keep(blob::LEAVES, &file)));
        let status = self.source.close(keep)?;
        kept.map(|()| status)
    }
}

/// Converts the error of a store bound to another public key into one about the public key file.
fn foreign_public(error: StoreError) -> Error {
    match error {
        StoreError::Refused(r) if r.reason == Reason::OtherKey => {
            Error::ForeignFile(KeyFile::Public)
        }
        error => error.into(),
    }
}

/// Rejects a key that signs session trees.
fn must_sign_messages(kept: &Kept) -> Result<(), Error> {
    if kept.sessions.is_none() { Ok(()) } else { Err(Error::OfSessions) }
}

/// Progress callback that never stops.
pub(super) fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns the settings for a rebuilding on all cores, with `on` as its callback.
pub(super) fn unwatched(on: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Rebuilding<'_> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Rebuilding { threads, watch: on }
}

/// Loads the signer from the nodes of a key.
pub(super) fn load<'k>(
    nodes: &Nodes,
    public: &PublicKey,
    kept: &Kept,
    status: &Status,
    kernels: Kernels<'k>,
) -> Result<Means<'k>, Error> {
    let public = kept.durable(public)?;
    let (cache, growth) = (nodes.cache(&scheme::own_bytes(&public)?)?, nodes.growth()?);
    Means::load(&public, kept, (&cache, &growth), status, kernels)
}
