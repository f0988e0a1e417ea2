//! Files by name, with `-` for the standard streams; outputs appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use hasten_keys::encoding::{PrivateKey, decode_pkcs8, pem_blocks};
use zeroize::Zeroizing;

use crate::error::Error;

/// Keys and signatures are no longer than this, in bytes.
const MOST: u64 = 64 << 20;

fn error(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |cause| Error::File { path, doing, cause }
}

/// Whether the name stands for a standard stream.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a message.
pub fn open(path: &Path) -> Result<Box<dyn Read>, Error> {
    if is_stream(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(error(path, "reading"))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(error(path, "reading")(io::ErrorKind::IsADirectory.into()));
    }
    Ok(Box::new(file))
}

/// Reads a key or a signature whole.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = open(path)?.take(MOST + 1).read_to_end(&mut bytes);
    read.map_err(error(path, "reading"))?;
    if bytes.len() as u64 > MOST {
        return Err(error(path, "reading")(io::ErrorKind::FileTooLarge.into()));
    }
    Ok(bytes)
}

/// Reads a private key: PKCS#8, as PEM or DER.
pub fn private_key(path: &Path) -> Result<PrivateKey, Error> {
    let file = Zeroizing::new(read(path)?);
    let blocks = pem_blocks(&file);
    let found = blocks.iter().find(|block| block.label == "PRIVATE KEY");
    decode_pkcs8(found.map_or(&file, |block| &block.der)).map_err(Error::key(path))
}

/// A file that gets its name only when it is whole.
pub enum Output {
    /// Standard output.
    Stream,
    /// A file under a name of its own until then.
    File { path: PathBuf, partial: PathBuf, file: File },
}

impl Output {
    /// Begins the file `path` with this mode; what stands under that name stays until the end.
    pub fn begin(path: &Path, mode: u32) -> Result<Self, Error> {
        if is_stream(path) {
            return Ok(Self::Stream);
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let partial = path.with_file_name(name);
        let mut options = OpenOptions::new();
        let opened = options.write(true).create(true).truncate(true).mode(mode).open(&partial);
        let file = opened.map_err(error(path, "writing"))?;
        Ok(Self::File { path: path.to_owned(), partial, file })
    }

    /// Writes all of it, durably, and gives it its name.
    pub fn finish(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Self::Stream => {
                let mut out = io::stdout().lock();
                let written = out.write_all(bytes).and_then(|()| out.flush());
                written.map_err(Error::system("writing the result"))
            }
            Self::File { path, partial, file } => {
                let written = file.write_all(bytes).and_then(|()| file.sync_all());
                let named = written.and_then(|()| fs::rename(partial, &*path));
                named.map_err(error(path, "writing"))
            }
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Self::File { partial, .. } = self {
            // Gone already when the file got its name.
            let _ = fs::remove_file(partial);
        }
    }
}

/// Writes a file that must not exist yet.
pub fn write_new(path: &Path, mode: u32, bytes: &[u8]) -> Result<(), Error> {
    let mut options = OpenOptions::new();
    let opened = options.write(true).create_new(true).mode(mode).open(path);
    let written = opened.and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    written.map_err(error(path, "writing"))
}

/// Refuses a name that is taken, before anything is computed for it.
pub fn must_be_new(path: &Path) -> Result<(), Error> {
    match path.exists() {
        true => Err(error(path, "writing")(io::ErrorKind::AlreadyExists.into())),
        false => Ok(()),
    }
}

/// The same path with `ending` appended to its last part.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
