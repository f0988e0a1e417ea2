//! Pairs of a file and its signature.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use hasten_keys::boot::header::MAGIC;
use hasten_keys::encoding::PublicKey;

use super::Args;
use crate::error::Error;
use crate::files::{self, open_regular};
use crate::found::ENDINGS;
use crate::unfit::Asked;

/// A file and its signature.
pub struct Pair {
    pub file: PathBuf,
    pub signature: PathBuf,
    /// Content of the file, if it was already read.
    pub content: Option<Vec<u8>>,
}

impl Pair {
    fn new(file: &Path, signature: &Path) -> Self {
        Self { file: file.to_owned(), signature: signature.to_owned(), content: None }
    }

    /// Opens the file.
    pub fn open(&self) -> Result<Box<dyn Read + '_>, Error> {
        match &self.content {
            Some(content) => Ok(Box::new(&content[..])),
            None => Ok(files::open(&self.file)?),
        }
    }

    /// Returns the pair of a file and the signature next to it. An image for a boot ROM contains
    /// its signature.
    fn beside(args: &Args, file: &Path) -> Self {
        let ending = match args.format {
            Some(format) => format.ending().trim_start_matches(".boot"),
            None => ending_beside(file),
        };
        Self::new(file, &files::with_ending(file, ending))
    }

    /// Returns the error for a signature that could not be read. If it does not exist, the error
    /// names the expected place.
    pub fn unread(&self, error: Error) -> Error {
        match error {
            Error::File { path, cause, .. }
                if cause.kind() == ErrorKind::NotFound && path == self.signature =>
            {
                Error::AbsentSignature { path, file: self.file.clone(), cause }
            }
            error => error,
        }
    }

    /// Returns the signature with the key to verify it with and the names of both files.
    pub fn asked<'a>(&'a self, key: &'a PublicKey) -> Asked<'a> {
        let file = (self.file != self.signature).then_some(&*self.file);
        Asked { key, file, signature: &self.signature }
    }
}

/// Returns the ending of the signature next to a file, in the order that Hasten prefers. It is
/// empty for an image for a boot ROM, which contains its signature.
fn ending_beside(file: &Path) -> &'static str {
    let lies_there = |ending: &&str| files::with_ending(file, ending).exists();
    let is_image = || {
        let mut front = [0; 4];
        let read = open_regular(file).is_ok_and(|mut file| file.read_exact(&mut front).is_ok());
        read && front == MAGIC.to_le_bytes()
    };
    let found = ENDINGS.into_iter().find(lies_there);
    found.unwrap_or_else(|| if is_image() { "" } else { ".sig" })
}

/// Returns the pairs that the arguments name. Nothing is guessed, because a shell may have expanded
/// a pattern to one file, to two or to ten.
pub fn of(args: &Args) -> Result<Vec<Pair>, Error> {
    if let Some(list) = &args.manifest {
        return Ok(vec![of_list(list, &args.files)?]);
    }
    let mut files = args.files.to_vec();
    args.list.each(&mut |name| files.push(name.to_owned()))?;
    match &args.list.from {
        Some(list) if files.is_empty() => return Err(Error::EmptyList(list.clone())),
        Some(_) if files.iter().any(|file| files::is_stream(file)) => {
            return Err(Error::SeveralStreams);
        }
        Some(_) => {}
        None => args.files.must_be_named(&args.public[0], "hasten verify KEY FILE [SIG]")?,
    }
    let pairs = match &files[..] {
        files if args.each || (args.list.from.is_some() && !args.pairs) => {
            files.iter().map(|file| Pair::beside(args, file)).collect()
        }
        files if args.pairs => taken_in_turn(files)?,
        [file] => vec![Pair::beside(args, file)],
        [file, signature] => vec![Pair::new(file, signature)],
        _ => return Err(Error::WhichPairs),
    };
    let streams = |pair: &&Pair| files::is_stream(&pair.file) || files::is_stream(&pair.signature);
    match pairs.iter().filter(streams).count() {
        0 => Ok(pairs),
        1 if pairs.len() == 1 && pairs[0].file != pairs[0].signature => Ok(pairs),
        _ => Err(Error::SeveralStreams),
    }
}

/// Returns a list of digests and its signature. The list is read only once.
fn of_list(list: &Path, signature: &[PathBuf]) -> Result<Pair, Error> {
    let pair = match signature {
        [] => Pair::new(list, &files::with_ending(list, ending_beside(list))),
        [signature] => Pair::new(list, signature),
        _ => return Err(Error::WhichPairs),
    };
    if files::is_stream(list) && files::is_stream(&pair.signature) {
        return Err(Error::SeveralStreams);
    }
    let content = Some(files::read(list)?);
    Ok(Pair { content, ..pair })
}

fn taken_in_turn(files: &[PathBuf]) -> Result<Vec<Pair>, Error> {
    let (pairs, rest) = files.as_chunks::<2>();
    match rest {
        [] => Ok(pairs.iter().map(|[file, signature]| Pair::new(file, signature)).collect()),
        _ => Err(Error::WhichPairs),
    }
}
