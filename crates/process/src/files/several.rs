//! Checks of several files before the first result is begun.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::target::{self, Identity, Old};
use crate::{Error, NoOutput};

/// A file, and the name of its result.
pub type Planned = (PathBuf, PathBuf);

/// Returns an error for a file that cannot be read, a result that cannot be written, two results of
/// one name, or a disk without enough space for all results of `bytes` each. `own` is another file
/// that must not be replaced.
///
/// # Errors
/// The first of these errors.
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

/// Returns the identity of a file. Returns an error if it cannot be read or is not a regular file.
fn readable(file: &Path) -> Result<Identity, Error> {
    let data = fs::metadata(file).map_err(Error::file(file, "reading"))?;
    if !data.is_file() {
        return Err(Error::NotRegular(file.to_owned()));
    }
    File::open(file).map_err(Error::file(file, "reading"))?;
    Ok(Identity::of(&data))
}

/// Returns the directory of a path, and the path without links or detours.
fn place(target: &Path) -> Result<(PathBuf, PathBuf), Error> {
    let (dir, name) = target::parted(target)?;
    let dir = fs::canonicalize(dir).map_err(Error::file(target, "writing"))?;
    let whole = dir.join(name);
    Ok((dir, whole))
}

/// Returns an error if the file system reports less space than needed.
fn room(dir: &Path, needed: u64) -> Result<(), Error> {
    let says =
        rustix::fs::statvfs(dir).map_err(|errno| Error::file(dir, "asking")(errno.into()))?;
    if says.f_bavail.saturating_mul(says.f_frsize) < needed {
        return Err(Error::Output { path: dir.to_owned(), why: NoOutput::NoRoom { needed } });
    }
    Ok(())
}
