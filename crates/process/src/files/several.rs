//! Several files are all looked at before the first result of one of them is begun.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::target::{self, Identity, Old};
use crate::{Error, NoOutput};

/// A file, and the name of its result.
pub type Planned = (PathBuf, PathBuf);

/// Refuses files that cannot be read, results that cannot be written, two of one name, and disks
/// that have no room for all of them, each of `bytes`. `own` is not replaced either.
///
/// # Errors
/// The first of these reasons.
pub fn look(
    planned: &[Planned],
    old: Old,
    own: Option<Identity>,
    bytes: usize,
) -> Result<(), Error> {
    let mut keep: Vec<_> = own.into_iter().collect();
    for (file, _) in planned {
        keep.push(readable(file)?);
    }
    let mut names = HashSet::new();
    let mut counts: HashMap<u64, (PathBuf, u64)> = HashMap::new();
    for (_, target) in planned {
        target::check(target, old, &keep)?;
        let (dir, whole) = place(target)?;
        if !names.insert(whole) {
            return Err(Error::Output { path: target.clone(), why: NoOutput::Twice });
        }
        let device = fs::metadata(&dir).map_err(Error::file(target, "writing"))?.dev();
        counts.entry(device).or_insert((dir, 0)).1 += 1;
    }
    counts.into_values().try_for_each(|(dir, count)| room(&dir, count * bytes as u64))
}

/// Returns which file it is; refuses what cannot be read or is no regular file.
fn readable(file: &Path) -> Result<Identity, Error> {
    let data = fs::metadata(file).map_err(Error::file(file, "reading"))?;
    if !data.is_file() {
        return Err(Error::NotRegular(file.to_owned()));
    }
    File::open(file).map_err(Error::file(file, "reading"))?;
    Ok(Identity::of(&data))
}

/// Returns the directory of a name, and the name in it without detours.
fn place(target: &Path) -> Result<(PathBuf, PathBuf), Error> {
    let (dir, name) = target::parted(target)?;
    let dir = fs::canonicalize(dir).map_err(Error::file(target, "writing"))?;
    let whole = dir.join(name);
    Ok((dir, whole))
}

/// Refuses a file system that says itself that it has less room than that.
fn room(dir: &Path, needed: u64) -> Result<(), Error> {
    let says =
        rustix::fs::statvfs(dir).map_err(|errno| Error::file(dir, "asking")(errno.into()))?;
    if says.f_bavail.saturating_mul(says.f_frsize) < needed {
        return Err(Error::Output { path: dir.to_owned(), why: NoOutput::NoRoom { needed } });
    }
    Ok(())
}
