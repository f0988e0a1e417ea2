//! Rebuilding of files that follow from the seeds of a key, if they are absent or damaged.
//!
//! `cache` and `public.pem` contain nothing that the seeds do not determine. Before the result is
//! used or written, it is compared with the public key, or with its digest, to which the state is
//! bound. Rebuilding takes as long as key generation, saves its progress in the same way and
//! continues from it. `leaves` and `growth` are recomputed by loading and signing, and are not
//! handled here. A key that has given a sector away lacks that sector's seed and needs a copy of
//! the file.

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
/// Interval between two saves of the progress: a crash loses about this much work.
const BETWEEN: Duration = Duration::from_secs(2);

/// A file that was rebuilt from the seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// The file.
    pub file: KeyFile,
    /// True if the file was damaged, false if it was absent.
    pub damaged: bool,
}

/// Settings for rebuilding files.
pub struct Rebuilding<'w> {
    /// Number of threads.
    pub threads: usize,
    /// Receives the progress and may stop the rebuilding; finished work is kept.
    pub watch: &'w mut dyn FnMut(Progress) -> ControlFlow<()>,
}

/// Returns the form of the key generation's progress file, bound to the seeds.
pub(super) fn progress(kept: &Kept, owner: Owner) -> Bound {
    Bound::new(&PROGRESS, kept, owner)
}

/// Computes the missing nodes of a key in stretches, and saves the finished ones in between.
///
/// # Errors
/// `Scheme` with `Stopped` if `watch` stopped it; finished work is saved.
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

/// The inputs for loading a key whose store is locked.
pub(super) struct Loading<'l> {
    pub dir: &'l Path,
    pub world: &'l Options,
    pub nodes: &'l Nodes,
    pub kept: &'l Kept,
    pub identity: &'l Identity,
    pub status: &'l Status,
}

/// A loaded key, its public key, and the files that were rebuilt for it.
pub(super) struct Loaded<'k> {
    pub means: Means<'k>,
    pub public: PublicKey,
    pub rebuilt: Vec<Rebuilt>,
}

impl Loading<'_> {
    /// Loads the key and rebuilds its absent or damaged files. `public` is `None` if `public.pem`
    /// must be rebuilt.
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

    /// Returns how a file is at fault, or an error if it cannot be rebuilt.
    fn lack(&self, file: KeyFile) -> Result<Rebuilt, Error> {
        if self.kept.seeds.len() != self.kept.sectors as usize {
            return Err(Error::NotRebuilt(file));
        }
        let damaged = self.world.peek_blob(self.dir, file.name())?.is_some();
        Ok(Rebuilt { file, damaged })
    }

    /// Computes the key's nodes from its seeds; continues an earlier attempt.
    fn made<'k>(&self, kernels: Kernels<'k>, how: &mut Rebuilding<'_>) -> Result<Means<'k>, Error> {
        let mut growth = Growth::begin(Set::named(&self.kept.set)?, self.kept, kernels)?;
        let bound = progress(self.kept, Owner::of(self.identity));
        let done = self.world.peek_blob(self.dir, blob::PROGRESS)?.unwrap_or_default();
        growth.resume(bound.unwrap(&done))?;
        in_stretches(&mut growth, how, &|partial| {
            Ok(self.world.replace_blob(self.dir, blob::PROGRESS, &bound.wrap(partial))?)
        })
    }

    /// Fails if the computed key is not the one whose public key is known: the seeds are of another
    /// key.
    fn must_be_ours(&self, public: Option<&PublicKey>, found: &PublicKey) -> Result<(), Error> {
        let found = digest_of(found)?;
        let known = public.map_or(Ok(self.identity.public), digest_of)?;
        let bound = !self.identity.is_bound() || self.identity.public == found;
        if known == found && bound { Ok(()) } else { Err(Error::ForeignFile(KeyFile::Secret)) }
    }
}

const BAD_CACHE: Error = Error::Scheme(hbs::Error::BadCache);
