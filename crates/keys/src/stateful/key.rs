//! An open stateful key: reserves, prepares, signs.

use std::{path::Path, sync::Arc, time::Duration};

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_store::{
    Indices, Options, Policy, Reason, Recorder, Refusal as Refused, Signed, Status, Store,
    StoreError,
};
use sha2::{Digest, Sha256};

use super::{
    Kept,
    blob::{self, Owner},
    means::Means,
    nodes::Nodes,
    permit::{Refusal, Reserved, StorePermit},
    ready::Ready,
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

fn read_public_in(dir: &Path, world: &Options) -> Result<PublicKey, Error> {
    match world.peek_blob(dir, blob::PUBLIC)? {
        Some(pem) => {
            encoding::read_public(&pem, None).map_err(|_| Error::DamagedFile(KeyFile::Public))
        }
        // The log tells an unfinished key from what is no store.
        None => Err(world.peek(dir).map_or_else(Error::State, |status| unfinished(&status))),
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

fn fleet_in(dir: &Path, world: &Options) -> Result<Option<String>, Error> {
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
    /// Records for the session that the last permit came from.
    recorder: Option<Recorder>,
    upgraded: bool,
    /// The public key, as it is published.
    public: PublicKey,
}

impl<'k> Stateful<'k> {
    /// Opens the key in `dir`: owner, guard and witness are checked by the store, the nodes
    /// against the public key by the scheme, and that every file belongs to the state beside it. A
    /// key of the old form is upgraded ([`upgraded`](Self::upgraded)).
    ///
    /// # Errors
    /// `State` with the store's refusal, `Unfinished`, `DamagedFile`, `ForeignFile`, `Scheme`,
    /// `OfFleet`, `OfSessions`.
    pub fn open(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        must_sign_messages(kept)?;
        Self::open_any(dir, options, kept, kernels)
    }

    /// Does the same for a key of any purpose.
    pub(super) fn open_any(
        dir: &Path,
        options: Options,
        kept: &Kept,
        kernels: Kernels<'k>,
    ) -> Result<Self, Error> {
        let world = options.beside();
        let public = read_public_in(dir, &world)?;
        if fleet_in(dir, &world)?.is_some() {
            return Err(Error::OfFleet);
        }
        let mut store = options.public(digest_of(&public)?).open(dir).map_err(foreign_public)?;
        kept.must_be_of(&store.identity())?;
        let nodes = Nodes::new(dir, world, kept, Owner::of(&store.identity()));
        let means = load(&nodes, &public, kept, &store.status(), kernels)?;
        let upgraded = upgrade::bring_up(&mut store, &nodes, &means, kept)?;
        let nodes = if upgraded { nodes.of_bound() } else { nodes };
        Ok(Self { upgraded, ..Self::with(Box::new(store), means, nodes, public) })
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
        must_sign_messages(kept)?;
        let world = Options::new();
        let public = read_public_in(dir, &world)?;
        let (identity, status) = (indices.identity(), indices.status());
        let other = identity.contradicts(&digest_of(&public)?) || identity.key_id != kept.key_id;
        if other {
            return Err(StoreError::Refused(Refused::of_status(Reason::OtherKey, &status)).into());
        }
        let nodes = Nodes::new(dir, world, kept, Owner::of(&identity));
        let means = load(&nodes, &public, kept, &status, kernels)?;
        Ok(Self::with(indices, means, nodes, public))
    }

    fn with(indices: Box<dyn Indices>, means: Means<'k>, nodes: Nodes, public: PublicKey) -> Self {
        let key = means.public_bytes().into();
        let (source, refusal) = (Source::new(indices), Refusal::default());
        Self { source, means, nodes, key, refusal, recorder: None, upgraded: false, public }
    }

    /// Returns whether the key was of the old form and was upgraded when it was opened.
    pub fn upgraded(&self) -> bool {
        self.upgraded
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
        let refusal = self.refusal.clone();
        self.recorder = Some(permit.recorder());
        let waiting = self.means.prepare(permit, level).map_err(|e| refusal.explain(e))?;
        self.nodes.prepared(&self.means)?;
        Ok(Ready { waiting, refusal, set: self.means.set(), threads: 1 })
    }

    /// Notes that the signature with this index is out.
    ///
    /// # Errors
    /// `State`.
    pub fn record(&mut self, index: u64) -> Result<(), Error> {
        let recorder = self.recorder.as_ref().ok_or(StoreError::NotReserved { index })?;
        Ok(recorder.record(index)?)
    }

    /// Notes that a signature is out, and what it signed, for the audit log.
    ///
    /// # Errors
    /// `State`.
    pub fn record_signed(&mut self, signed: &Signed) -> Result<(), Error> {
        let unknown = StoreError::NotReserved { index: signed.index };
        Ok(self.recorder.as_ref().ok_or(unknown)?.record_signed(signed)?)
    }

    /// Ends the session as [`close`](Self::close), after a commit of what was signed: guard and
    /// witness then hold the head of the record.
    ///
    /// # Errors
    /// As [`close`](Self::close).
    pub fn close_confirmed(mut self) -> Result<Status, Error> {
        self.source.come_back();
        let confirmed = self.source.indices().and_then(|indices| indices.confirm());
        let closed = self.close();
        confirmed?;
        closed
    }

    /// Ends the session, keeps what was made of the trees that follow, and gives the key's account.
    ///
    /// # Errors
    /// `State` when the account could not be written; the session is over all the same.
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

/// Returns what signs, from the nodes of a key.
fn load<'k>(
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
