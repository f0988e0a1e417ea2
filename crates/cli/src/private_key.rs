//! Private keys in files: PKCS#8 as PEM or DER, encrypted or not.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use hasten_keys::encoding::{
    ENCRYPTED, PrivateKey, decode_encrypted_pkcs8, decode_pkcs8, encode_encrypted_pkcs8,
    encode_pkcs8, is_encrypted_pkcs8, pem_blocks, to_pem,
};
use zeroize::Zeroizing;

use crate::error::Error;
use crate::files::{self, Output, Wanted};
use crate::passphrase::Source;

/// Reads a private key: PKCS#8 as PEM or DER. If it is encrypted, the passphrase is read too.
pub fn read(path: &Path, passphrase: &Source) -> Result<PrivateKey, Error> {
    let file = Zeroizing::new(files::read(path)?);
    let der = der_of(&file);
    if is_encrypted_pkcs8(&der) {
        return decode_encrypted_pkcs8(&der, &passphrase.existing()?).map_err(Error::key(path));
    }
    let key = decode_pkcs8(&der).map_err(|error| Error::private_key(path, &file, error))?;
    must_be_hidden(path)?;
    passphrase.note_unneeded(path);
    Ok(key)
}

/// Whether the private key in a file is encrypted. If it is not, it must be valid, and not every
/// user may read it.
pub fn is_encrypted(path: &Path) -> Result<bool, Error> {
    let file = Zeroizing::new(files::read(path)?);
    let der = der_of(&file);
    if is_encrypted_pkcs8(&der) {
        return Ok(true);
    }
    decode_pkcs8(&der).map_err(|error| Error::private_key(path, &file, error))?;
    must_be_hidden(path)?;
    Ok(false)
}

/// Returns the DER encoding of a private key from its file.
fn der_of(file: &[u8]) -> Zeroizing<Vec<u8>> {
    let labels = ["PRIVATE KEY", ENCRYPTED];
    let blocks = pem_blocks(file);
    let found = blocks.iter().find(|block| labels.contains(&block.label.as_str()));
    Zeroizing::new(found.map_or(file, |block| &block.der[..]).to_vec())
}

/// Returns an error if every user of the machine can read an unencrypted key.
fn must_be_hidden(path: &Path) -> Result<(), Error> {
    let open = std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.mode() & 0o007 != 0);
    if open { Err(Error::Exposed(path.to_owned())) } else { Ok(()) }
}

/// Writes a private key to a new PEM file, encrypted if there is a passphrase.
pub fn write(path: &Path, key: &PrivateKey, passphrase: Option<&[u8]>) -> Result<(), Error> {
    Ok(begin(path)?.finish(pem(path, key, passphrase)?.as_bytes())?)
}

/// Begins a new file that only its owner can read.
pub fn begin(path: &Path) -> Result<Output, Error> {
    files::make_folders_above(path)?;
    Ok(Output::begin(path, Wanted { secret: true, ..Wanted::default() })?)
}

/// Returns a private key as PEM, encrypted if there is a passphrase.
pub fn pem(
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
