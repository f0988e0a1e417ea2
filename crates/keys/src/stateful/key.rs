//! An open stateful key: reserves, prepares, signs.

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

/// Returns what a store is bound to: the SHA-256 of a public key as its scheme writes it.
///
/// # Errors
/// `NotBuiltIn` for a key without a state, `Scheme` for one that its scheme does not take.
pub fn digest_of(public: &PublicKey) -> Result<[u8; 32], Error> {
    Ok(Sha256::digest(scheme::own_bytes(public)?).into())
}

/// Writes the public key into the store, as PEM.
pub(super) fn store_public(store: &Store, public: &PublicKey) -> Result<(), Error> {
    let pem = encoding::public_to_pem(public)?;
    Ok(store.put_blob(blob::PUBLIC, pem.as_bytes())?)
}

/// Returns the public key of the stateful key in `dir`, without opening its store.
///
/// # Errors
/// `Unfinished` when its generation has not ended, `UnfinishedImport` when its import has not,
/// `State` when `dir` is no store.
pub fn read_public_of(dir: &Path) -> Result<PublicKey, Error> {
    read_public_in(dir, &Options::new())
}

pub(super) fn read_public_in(dir: &Path, world: &Options) -> Result<PublicKey, Error> {
    match world.peek_blob(dir, blob::PUBLIC)? {
        Some(pem) => {
            encoding::read_public(&pem, None).map_err(|_| Error::DamagedFile(KeyFile::Public))
        }
        // The log tells an unfinished key from what is no store.
        None => Err(world.peek(dir).map_or_else(Error::State, |status| unfinished(&status))),
    }
}

/// Returns the public key in `dir`; nothing where its file is absent or damaged and the state,
/// which is bound to the key of the same secret, proves one that is made anew.
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

/// Says what must go on with a store that has no public key yet. A generation has all indices and
/// burns none; a shard has some of them, and the import of another program's key burns.
pub fn unfinished(status: &Status) -> Error {
    let whole = (status.start, status.end) == (0, status.capacity);
    if whole && status.burned == 0 { Error::Unfinished } else { Error::UnfinishedImport }
}

/// Returns the fleet from which the key in `dir` takes its indices, as key generation was told;
/// `None` for a key with a state of its own.
///
/// # Errors
/// `State` for a failed read, `Damaged` when it is no text.
pub fn fleet_of(dir: &Path) -> Result<Option<String>, Error> {
    fleet_in(dir, &Options::new())
}

pub(super) fn fleet_in(dir: &Path, world: &Options) -> Result<Option<String>, Error> {
    let damaged = |_| Error::DamagedFile(KeyFile::Fleet);
    let target = world.peek_blob(dir, blob::FLEET)?;
    target.map(|text| String::from_utf8(text).map_err(damaged)).transpose()
}

/// A stateful key, open and owned by this process. Signs with reserved indices only.
pub struct Stateful<'k> {
    source: Source,
    means: Means<'k>,
    nodes: Nodes,
    key: Arc<[u8]>,
    refusal: Refusal,
    upgraded: bool,
    rebuilt: Vec<Rebuilt>,
    /// The public key, as it is published.
    public: PublicKey,
}

impl<'k> Stateful<'k> {
    /// Opens the key in `dir`: owner, guard and witness are checked by the store, the nodes
    /// against the public key by the scheme, and that every file belongs to the state beside it. A
    /// key of the old form is upgraded ([`upgraded`](Self::upgraded)). Files that follow from the
    /// seeds are made anew where they are absent or damaged ([`rebuilt`](Self::rebuilt)), which
    /// takes as long as key generation: [`open_watched`](Self::open_watched) hears of it.
    ///
    /// # Errors
    /// `State` with the store's refusal, `Unfinished`, `DamagedFile`, `ForeignFile`, `NotRebuilt`,
    /// `Scheme`, `OfFleet`, `OfSessions`.
    pub fn open(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        Self::open_watched(dir, options, kept, kernels, unwatched(&mut go_on))
    }

    /// Opens as [`open`](Self::open) does; `how` hears of files that are made anew, and may stop
    /// that.
    ///
    /// # Errors
    /// As [`open`](Self::open); `Scheme` with `Stopped` when it was stopped: what is done is kept,
    /// and the next opening goes on.
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

    /// Does the same for a key of any purpose.
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

    /// Returns the key in `dir` with indices from elsewhere: a fleet's. They must be of this key.
    ///
    /// # Errors
    /// `State` with `Refused` when they are of another one; `Unfinished`, `DamagedFile`,
    /// `ForeignFile`, `Scheme`, `OfSessions`.
    pub fn over(
        dir: &Path,
        indices: Box<dyn Indices>,
        kept: &Kept,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        Self::over_watched(dir, indices, kept, kernels, unwatched(&mut go_on))
    }

    /// Returns as [`over`](Self::over) does; `how` hears of files that are made anew, and may stop
    /// that.
    ///
    /// # Errors
    /// As [`over`](Self::over); `Scheme` with `Stopped` when it was stopped.
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

    /// Returns whether the key was of the old form and was upgraded when it was opened.
    pub fn upgraded(&self) -> bool {
        self.upgraded
    }

    /// Returns which files were absent or damaged when the key was opened, and were made anew from
    /// its seeds.
    pub fn rebuilt(&self) -> &[Rebuilt] {
        &self.rebuilt
    }

    /// Returns the public key, as it is published.
    ///
    /// # Errors
    /// None: the key was read when it was opened.
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        Ok(self.public.clone())
    }

    /// Returns the parameter set; for HSS with all its levels.
    pub fn set(&self) -> &'static Set {
        self.means.set()
    }

    /// Returns the account; while a thread reserves ahead, as it was before.
    pub fn status(&self) -> Status {
        self.source.status()
    }

    /// Sets aside the next `count` indices, durably. Those not used when the key is closed are
    /// lost.
    ///
    /// # Errors
    /// `State`, as the store's own `reserve`; with `Closed` while a thread reserves ahead.
    pub fn reserve(&mut self, count: u64) -> Result<Reserved, Error> {
        let interval = self.source.indices()?.reserve(count)?;
        Ok(Reserved { interval, key: self.key.clone(), refusal: self.refusal.clone() })
    }

    /// Starts a thread that reserves ahead of need, by the signing rate and the time that commits
    /// take, so that no commit is waited for while the rate holds. Permits come from
    /// [`permit`](Self::permit).
    ///
    /// # Errors
    /// `State` with `Closed` if one does already.
    pub fn reserve_ahead(&mut self, policy: Policy) -> Result<(), Error> {
        Ok(self.source.run_ahead(policy)?)
    }

    /// Returns the next permit of those reserved ahead; waits up to `patience` if none is ready.
    ///
    /// # Errors
    /// `State`: with `Empty` if none came in time, or why no more come.
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
    /// `State` when the reservation no longer holds, `Scheme`.
    pub fn prepare(&mut self, permit: StorePermit, level: SignerLevel) -> Result<Ready<'k>, Error> {
        let (refusal, recorder) = (self.refusal.clone(), permit.recorder());
        let waiting = self.means.prepare(permit, level).map_err(|e| refusal.explain(e))?;
        self.nodes.prepared(&self.means)?;
        let (set, hash) = (self.means.set(), Sha256::new());
        Ok(Ready { waiting, refusal, recorder, set, threads: 1, hash })
    }

    /// Reserves the next index, durably, and prepares its signature.
    ///
    /// # Errors
    /// As [`reserve`](Self::reserve) and [`prepare`](Self::prepare).
    pub fn prepare_next(&mut self, level: SignerLevel) -> Result<Ready<'k>, Error> {
        let permit = self.reserve(1)?.first()?;
        self.prepare(permit, level)
    }

    /// Returns whether a signature was prepared by this open key.
    pub fn has_prepared(&self, ready: &Ready<'_>) -> bool {
        self.refusal.is_of_same_key(&ready.refusal)
    }

    /// Signs a message with the next index: reserves it, durably, prepares, signs, and records what
    /// was signed, as `note` says. [`close`](Self::close) confirms the record.
    ///
    /// # Errors
    /// As [`prepare_next`](Self::prepare_next) and [`Ready::finish`].
    pub fn sign(&mut self, message: &[u8], note: Note) -> Result<Vec<u8>, Error> {
        self.prepare_next(SignerLevel::None)?.finish(message, note)
    }

    /// Ends the session and gives the key's account: commits what was signed, so that guard and
    /// witness hold the head of the record, and keeps what was made of the trees that follow. A key
    /// that is dropped commits too, as far as that succeeds, and says nothing of it.
    ///
    /// # Errors
    /// `State` when record or account could not be written; the session is over all the same.
    pub fn close(self) -> Result<Status, Error> {
        let kept = self.nodes.close(&self.means);
        let leaves = self.nodes.leaves(&self.means);
        // Leaves that are not kept are computed when the key is loaded: that is no failure.
        let keep =
            |indices: &dyn Indices| drop(leaves.map(|file| indices.keep(blob::LEAVES, &file)));
        let status = self.source.close(keep)?;
        kept.map(|()| status)
    }
}

/// Returns a store that is bound to another public key, in terms of the file that names ours.
fn foreign_public(error: StoreError) -> Error {
    match error {
        StoreError::Refused(r) if r.reason == Reason::OtherKey => {
            Error::ForeignFile(KeyFile::Public)
        }
        error => error.into(),
    }
}

/// Refuses a key that signs session trees.
fn must_sign_messages(kept: &Kept) -> Result<(), Error> {
    if kept.sessions.is_none() { Ok(()) } else { Err(Error::OfSessions) }
}

/// Goes on, whatever is heard.
pub(super) fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns a rebuilding that nobody hears of, on every core.
pub(super) fn unwatched(on: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Rebuilding<'_> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Rebuilding { threads, watch: on }
}

/// Returns what signs, from the nodes of a key.
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
