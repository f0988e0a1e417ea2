//! Files of a key that follow from its seeds, made anew where they are absent or damaged.
//!
//! `cache` and `public.pem` hold nothing that the seeds do not give. The result is compared with
//! the public key, or with the digest of it that the state is bound to, before it is believed or
//! written. It takes as long as key generation, keeps its progress as that does, and goes on from
//! there. `leaves` and `growth` are made anew by loading and signing, and need nothing here. A key
//! that has given a sector away lacks that sector's seed: it needs a copy of the file.

use std::{
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use hasten_hbs::{self as hbs, Progress, Set};
use hasten_kernels::Kernels;
use hasten_store::{Identity, Options, Status};

use super::{
    Kept,
    blob::{self, Bound, Form, Owner},
    digest_of, key,
    means::{Growth, Means},
    nodes::{self, Nodes},
};
use crate::{
    Error, KeyFile,
    encoding::{self, PublicKey},
};

const PROGRESS: Form = Form { file: KeyFile::Progress, magic: b"hstnprg3", old: b"hstnprg2" };
/// A kill loses no more than about this much work.
const BETWEEN: Duration = Duration::from_secs(2);

/// A file that was made anew from the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// The file.
    pub file: KeyFile,
    /// The file was there and damaged, and not absent.
    pub damaged: bool,
}

/// How files are made anew: on so many threads, heard and perhaps stopped by `watch`.
pub struct Rebuilding<'w> {
    /// Threads.
    pub threads: usize,
    /// Hears how far it is, and may break off: what is done is kept.
    pub watch: &'w mut dyn FnMut(Progress) -> ControlFlow<()>,
}

/// Returns the progress of a key's generation, as its file is bound to the seeds.
pub(super) fn progress(kept: &Kept, owner: Owner) -> Bound {
    Bound::new(&PROGRESS, kept, owner)
}

/// Computes what is missing of a key in stretches, and keeps what is done between them.
///
/// # Errors
/// `Scheme` with `Stopped` when `watch` broke off: what is done is kept.
pub(super) fn in_stretches<'k>(
    growth: &mut Growth<'k>,
    how: &mut Rebuilding<'_>,
    keep: &dyn Fn(&[u8]) -> Result<(), Error>,
) -> Result<Means<'k>, Error> {
    loop {
        let (begun, mut stopped) = (Instant::now(), false);
        let ended = growth.run(how.threads, &mut |progress| {
            stopped = (how.watch)(progress).is_break();
            if stopped || begun.elapsed() > BETWEEN {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        match ended {
            Err(hbs::Error::Stopped) => keep(&growth.partial())?,
            ended => return Ok(ended?),
        }
        if stopped {
            return Err(hbs::Error::Stopped.into());
        }
    }
}

/// A key that is to be loaded, whose store is held.
pub(super) struct Loading<'l> {
    pub dir: &'l Path,
    pub world: &'l Options,
    pub nodes: &'l Nodes,
    pub kept: &'l Kept,
    pub identity: &'l Identity,
    pub status: &'l Status,
}

/// A key that was loaded, its public key, and what was made anew for it.
pub(super) struct Loaded<'k> {
    pub means: Means<'k>,
    pub public: PublicKey,
    pub rebuilt: Vec<Rebuilt>,
}

impl Loading<'_> {
    /// Loads the key; what is missing of it, or damaged, is made anew. `public`: nothing where
    /// `public.pem` is.
    pub fn load<'k>(
        &self,
        public: Option<PublicKey>,
        kernels: Kernels<'k>,
        how: &mut Rebuilding<'_>,
    ) -> Result<Loaded<'k>, Error> {
        let mut rebuilt = Vec::new();
        if let Some(public) = &public {
            match key::load(self.nodes, public, self.kept, self.status, kernels) {
                Ok(means) => return Ok(Loaded { means, public: public.clone(), rebuilt }),
                Err(
                    Error::AbsentFile(KeyFile::Cache)
                    | Error::DamagedFile(KeyFile::Cache)
                    | BAD_CACHE,
                ) => {
                    rebuilt.push(self.lack(KeyFile::Cache)?);
                }
                Err(error) => return Err(error),
            }
        } else {
            rebuilt.push(self.lack(KeyFile::Public)?);
        }
        let made = self.made(kernels, how)?;
        let found = self.kept.stated(made.published()?)?;
        self.must_be_ours(public.as_ref(), &found)?;
        let cache = nodes::cache_of(&self.identity.key_id, &made);
        self.world.replace_blob(self.dir, blob::CACHE, &cache)?;
        if public.is_none() {
            let pem = encoding::public_to_pem(&found)?;
            self.world.replace_blob(self.dir, blob::PUBLIC, pem.as_bytes())?;
        }
        self.world.discard_blob(self.dir, blob::PROGRESS)?;
        let means = key::load(self.nodes, &found, self.kept, self.status, kernels)?;
        Ok(Loaded { means, public: found, rebuilt })
    }

    /// Returns how a file lacks.
    fn lack(&self, file: KeyFile) -> Result<Rebuilt, Error> {
        if self.kept.seeds.len() != self.kept.sectors as usize {
            return Err(Error::NotRebuilt(file));
        }
        let damaged = self.world.peek_blob(self.dir, file.name())?.is_some();
        Ok(Rebuilt { file, damaged })
    }

    /// Makes the key's nodes from its seeds; goes on where an earlier try stopped.
    fn made<'k>(&self, kernels: Kernels<'k>, how: &mut Rebuilding<'_>) -> Result<Means<'k>, Error> {
        let mut growth = Growth::begin(Set::named(&self.kept.set)?, self.kept, kernels)?;
        let bound = progress(self.kept, Owner::of(self.identity));
        let done = self.world.peek_blob(self.dir, blob::PROGRESS)?.unwrap_or_default();
        growth.resume(bound.unwrap(&done))?;
        in_stretches(&mut growth, how, &|partial| {
            Ok(self.world.replace_blob(self.dir, blob::PROGRESS, &bound.wrap(partial))?)
        })
    }

    /// Refuses a key that is not the one whose public key is known: the seeds are of another.
    fn must_be_ours(&self, public: Option<&PublicKey>, found: &PublicKey) -> Result<(), Error> {
        let found = digest_of(found)?;
        let known = public.map_or(Ok(self.identity.public), digest_of)?;
        let bound = !self.identity.is_bound() || self.identity.public == found;
        if known == found && bound { Ok(()) } else { Err(Error::ForeignFile(KeyFile::Secret)) }
    }
}

const BAD_CACHE: Error = Error::Scheme(hbs::Error::BadCache);
