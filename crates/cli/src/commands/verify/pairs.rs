//! Which signature belongs to which file.

use std::path::{Path, PathBuf};

use super::Args;
use crate::error::Error;
use crate::files;

/// A file and its signature.
pub struct Pair {
    pub file: PathBuf,
    pub signature: PathBuf,
}

impl Pair {
    fn new(file: &Path, signature: &Path) -> Self {
        Self { file: file.to_owned(), signature: signature.to_owned() }
    }

    /// Returns a file whose signature lies beside it; an image for a boot ROM has its own in it.
    fn beside(args: &Args, file: &Path) -> Self {
        let ending = args.format.ending().trim_start_matches(".boot");
        Self::new(file, &files::with_ending(file, ending))
    }
}

/// Returns the pairs that the arguments name: never a guess, for a shell may have made one file of
/// a pattern, or two, or ten.
pub fn of(args: &Args) -> Result<Vec<Pair>, Error> {
    let pairs = match &args.files[..] {
        files if args.each => files.iter().map(|file| Pair::beside(args, file)).collect(),
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

fn taken_in_turn(files: &[PathBuf]) -> Result<Vec<Pair>, Error> {
    let (pairs, rest) = files.as_chunks::<2>();
    match rest {
        [] => Ok(pairs.iter().map(|[file, signature]| Pair::new(file, signature)).collect()),
        _ => Err(Error::WhichPairs),
    }
}
