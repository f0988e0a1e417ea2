//! Which signature belongs to which file.

use std::path::{Path, PathBuf};

use super::Args;
use crate::error::Error;
use crate::files;
use crate::form::Format;

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
        let signature = files::with_ending(file, args.format.ending());
        Self::new(file, if is_image(args) { file } else { &signature })
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
        1 if pairs.len() == 1 && (is_image(args) || pairs[0].file != pairs[0].signature) => {
            Ok(pairs)
        }
        _ => Err(Error::SeveralStreams),
    }
}

/// Returns whether the file has its signature in it.
const fn is_image(args: &Args) -> bool {
    matches!(args.format, Format::Boot | Format::BootHss)
}

fn taken_in_turn(files: &[PathBuf]) -> Result<Vec<Pair>, Error> {
    let (pairs, rest) = files.as_chunks::<2>();
    match rest {
        [] => Ok(pairs.iter().map(|[file, signature]| Pair::new(file, signature)).collect()),
        _ => Err(Error::WhichPairs),
    }
}
