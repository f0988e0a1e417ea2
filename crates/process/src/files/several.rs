//! Several files are all looked at before the first index is taken for one of them.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Args;
use crate::error::{Error, NoOutput};
use crate::files::{self, Identity, Old};

/// Refuses files that cannot be read, results that cannot be written, two of one name, and disks
/// that have no room for all of them.
pub fn at(args: &Args, files: &[PathBuf], bytes: usize) -> Result<(), Error> {
    let mut keep: Vec<_> = Identity::at(args.key()).into_iter().collect();
    for file in files {
        keep.push(readable(file)?);
    }
    let mut names = HashSet::new();
    let mut counts: HashMap<u64, (PathBuf, u64)> = HashMap::new();
    for file in files {
        let target = args.target(file);
        files::check(&target, Old::forced(args.force), &keep)?;
        let (dir, whole) = place(&target)?;
        if !names.insert(whole) {
            return Err(Error::Output { path: target, why: NoOutput::Twice });
        }
        let device = fs::metadata(&dir).map_err(failed(&target, "writing"))?.dev();
        counts.entry(device).or_insert((dir, 0)).1 += 1;
    }
    counts.into_values().try_for_each(|(dir, count)| room(&dir, count * bytes as u64))
}

fn failed(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |cause| Error::File { path, doing, cause }
}

/// Returns which file it is; refuses what cannot be read or is no regular file.
fn readable(file: &Path) -> Result<Identity, Error> {
    let data = fs::metadata(file).map_err(failed(file, "reading"))?;
    if !data.is_file() {
        return Err(Error::NotRegular(file.to_owned()));
    }
    File::open(file).map_err(failed(file, "reading"))?;
    Ok(Identity::of(&data))
}

/// Returns the directory of a name, and the name in it without detours.
fn place(target: &Path) -> Result<(PathBuf, PathBuf), Error> {
    let (dir, name) = files::parted(target)?;
    let dir = fs::canonicalize(dir).map_err(failed(target, "writing"))?;
    let whole = dir.join(name);
    Ok((dir, whole))
}

/// Refuses a file system that says itself that it has less room than that.
fn room(dir: &Path, needed: u64) -> Result<(), Error> {
    let says = rustix::fs::statvfs(dir).map_err(|errno| failed(dir, "asking")(errno.into()))?;
    if says.f_bavail.saturating_mul(says.f_frsize) < needed {
        return Err(Error::Output { path: dir.to_owned(), why: NoOutput::NoRoom { needed } });
    }
    Ok(())
}
