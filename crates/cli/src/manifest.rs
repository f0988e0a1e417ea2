//! A list of digests that is signed in place of many files, and the files in it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hasten_process::files::{Listed, UnfitList, folder_of, line_of};
use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::files::{self, Identity, MOST, NotRead, Walk, Wanted, open_regular};
use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Size of the read buffer in bytes.
const PART: usize = 1 << 16;

/// Reason why a list is unsuitable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The list has a wrong form.
    #[error("{0}")]
    List(UnfitList),
    /// A file to be listed is not in the folder of the list or below it.
    #[error("{} does not lie in the folder of the list, or below it", .0.display())]
    NotBelow(PathBuf),
    /// A list with this name exists, with other content.
    #[error("it is there already, and lists other files or other digests")]
    Other,
    /// The list would be too long to be read again.
    #[error("it would have more than 64 MiB")]
    TooLong,
}

impl Unfit {
    /// Returns the hint, if there is one.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::List(UnfitList::Line(_)) => Some(
                "each line has 64 hexadecimal digits, two spaces and a name; \
                 'hasten sign KEY --manifest LIST FILE...' writes such a list and signs it",
            ),
            Self::List(UnfitList::Outside(_)) | Self::NotBelow(_) => Some(
                "names are relative to the folder of the list: put it into a folder above all files",
            ),
            Self::Other => Some("--force writes it again"),
            _ => None,
        }
    }

    /// Returns the error of the list at `path`.
    pub fn of(self, path: &Path) -> Error {
        Error::Manifest { path: path.to_owned(), why: self }
    }
}

/// Returns the SHA-256 digest of a file. The bar advances with each part that is read.
pub fn digest(path: &Path, progress: &Progress) -> Result<[u8; 32], NotRead> {
    let mut file = open_regular(path)?;
    let (mut hash, mut part) = (Sha256::new(), vec![0; PART]);
    loop {
        match file.read(&mut part) {
            Ok(0) => return Ok(hash.finalize().into()),
            Ok(count) => {
                hash.update(&part[..count]);
                progress.add(count as u64);
            }
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause.into()),
        }
    }
}

/// Returns a progress bar for the bytes of all these files.
pub fn progress<'p>(paths: impl Iterator<Item = &'p Path>) -> Progress {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
    Progress::of_bytes("hashing".to_owned(), Some(paths.map(length).sum()))
}

/// Writes the list of the named files and of all files below the named folders, except for the list
/// itself and its signature. An existing list with the same content is left as it is.
pub fn make(list: &Path, named: &[PathBuf], signature: &Path, force: bool) -> Result<(), Error> {
    let interrupt = Interrupt::listen()?;
    let mut walk = Walk::default();
    named.iter().for_each(|path| walk.add(path));
    if let Some(missed) = walk.passed.into_iter().find(|passed| passed.is_missed) {
        return Err(Error::unread(&missed.path)(missed.why));
    }
    let own = [list, signature].map(Identity::at);
    let is_own = |path: &&Path| Identity::at(path).is_some_and(|one| own.contains(&Some(one)));
    let all = &walk.files;
    let paths: Vec<_> =
        (0..all.len()).map(|at| all.name(at)).filter(|path| !is_own(path)).collect();
    let progress = progress(paths.iter().copied());
    let mut entries = Vec::new();
    let top = folder_of(list).canonicalize().map_err(Error::reading(folder_of(list)))?;
    for path in paths {
        let name = below(&top, path)?.ok_or_else(|| Unfit::NotBelow(path.to_owned()).of(list))?;
        let digest = digest(path, &progress).map_err(Error::unread(path))?;
        interrupt.check()?;
        entries.push(Listed { name, digest });
    }
    drop(progress);
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries.dedup();
    let bytes: Vec<u8> = entries.iter().flat_map(line_of).collect();
    match bytes.len() as u64 {
        0 => return Err(Unfit::List(UnfitList::Empty).of(list)),
        length if length > MOST => return Err(Unfit::TooLong.of(list)),
        _ => {}
    }
    if !force && list.exists() {
        let same = files::read(list)? == bytes;
        return if same { Ok(()) } else { Err(Unfit::Other.of(list)) };
    }
    Ok(files::write(list, Wanted::forced(force), &bytes)?)
}

/// Returns the name of a file relative to the folder `top`, or `None` if the file is not below it.
/// A link keeps its own name.
fn below(top: &Path, path: &Path) -> Result<Option<PathBuf>, Error> {
    let whole = folder_of(path).canonicalize().map_err(Error::reading(path))?;
    let name = path.file_name().map(|name| whole.join(name));
    Ok(name.and_then(|name| name.strip_prefix(top).ok().map(Path::to_owned)))
}
