//! Lists of file names, for all commands that read many files.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files;

/// Maximum length of a name in a list, in bytes.
const LONGEST: u64 = 1 << 16;

/// Options for a list of names.
#[derive(clap::Args)]
pub struct From {
    /// Reads names from a file, one on each line, behind those of the command line (- is the
    /// standard input).
    #[arg(long, value_name = "LIST")]
    pub from: Option<PathBuf>,
    /// Names in the list end with a NUL byte, as 'find -print0' writes them.
    #[arg(short = '0', long, requires = "from")]
    null: bool,
}

impl From {
    /// Calls `take` with every name in the list, if there is a list.
    pub fn each(&self, take: &mut dyn FnMut(&Path)) -> Result<(), Error> {
        self.from.as_ref().map_or(Ok(()), |list| each(list, self.null, take))
    }
}

fn each(list: &Path, is_null: bool, take: &mut dyn FnMut(&Path)) -> Result<(), Error> {
    let end = if is_null { 0 } else { b'\n' };
    let mut lines = BufReader::new(files::open(list)?);
    let mut name = Vec::new();
    loop {
        name.clear();
        let failed = |cause| Error::File { path: list.to_owned(), doing: "reading", cause };
        let read = (&mut lines).take(LONGEST).read_until(end, &mut name).map_err(failed)?;
        if read == 0 {
            return Ok(());
        }
        if name.pop_if(|last| *last == end).is_none() && read as u64 == LONGEST {
            return Err(failed(ErrorKind::InvalidData.into()));
        }
        if !name.is_empty() {
            take(Path::new(OsStr::from_bytes(&name)));
        }
    }
}
