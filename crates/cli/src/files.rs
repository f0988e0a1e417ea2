//! Files by name, with `-` for the standard streams; outputs appear whole or not at all.

mod message;
mod output;
mod target;

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use hasten_keys::encoding::{
    ENCRYPTED, PrivateKey, decode_encrypted_pkcs8, decode_pkcs8, encode_encrypted_pkcs8,
    encode_pkcs8, is_encrypted_pkcs8, pem_blocks, to_pem,
};
use zeroize::Zeroizing;

pub use self::message::Message;
pub use self::output::{Output, Wanted};
pub use self::target::{Identity, Old, check, parted};
use crate::error::Error;
use crate::passphrase::Source;

/// Keys and signatures are no longer than this, in bytes.
const MOST: u64 = 64 << 20;

fn error(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |cause| Error::File { path, doing, cause }
}

/// Returns whether the name stands for a standard stream.
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

/// Reads a private key: PKCS#8, as PEM or DER; where it is encrypted, its passphrase too.
pub fn private_key(path: &Path, passphrase: &Source) -> Result<PrivateKey, Error> {
    let of = Error::key(path);
    let file = Zeroizing::new(read(path)?);
    let blocks = pem_blocks(&file);
    let labels = ["PRIVATE KEY", ENCRYPTED];
    let found = blocks.iter().find(|block| labels.contains(&block.label.as_str()));
    let der = found.map_or(&file, |block| &block.der);
    if is_encrypted_pkcs8(der) {
        return decode_encrypted_pkcs8(der, &passphrase.existing()?).map_err(of);
    }
    let key = decode_pkcs8(der).map_err(of)?;
    must_be_hidden(path)?;
    passphrase.note_unneeded(path);
    Ok(key)
}

/// Refuses a key in the clear that every user of the machine can read.
fn must_be_hidden(path: &Path) -> Result<(), Error> {
    let open = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.mode() & 0o007 != 0);
    if open { Err(Error::Exposed(path.to_owned())) } else { Ok(()) }
}

/// Writes a private key into a new file as PEM, under a passphrase if there is one.
pub fn write_private_key(
    path: &Path,
    key: &PrivateKey,
    passphrase: Option<&[u8]>,
) -> Result<(), Error> {
    begin_secret(path)?.finish(private_pem(path, key, passphrase)?.as_bytes())
}

/// Begins a new file that nobody else may read.
pub fn begin_secret(path: &Path) -> Result<Output, Error> {
    Output::begin(path, Wanted { secret: true, ..Wanted::default() })
}

/// Returns a private key as PEM, under a passphrase if there is one.
pub fn private_pem(
    path: &Path,
    key: &PrivateKey,
    passphrase: Option<&[u8]>,
) -> Result<Zeroizing<String>, Error> {
    let pem = match passphrase {
        Some(words) => encode_encrypted_pkcs8(key, words).and_then(|der| to_pem(ENCRYPTED, &der)),
        None => encode_pkcs8(key).and_then(|der| to_pem("PRIVATE KEY", &der)),
    };
    pem.map_err(Error::key(path))
}

/// Writes a file whole.
pub fn write(path: &Path, wanted: Wanted<'_>, bytes: &[u8]) -> Result<(), Error> {
    Output::begin(path, Wanted { bytes: bytes.len(), ..wanted })?.finish(bytes)
}

/// Refuses a name that is taken, before anything is computed for it.
pub fn must_be_new(path: &Path) -> Result<(), Error> {
    target::check(path, Old::Stays, &[])
}

/// Returns the same path with `ending` appended to its last part.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
