//! A stateless key in files, as written by `hasten keygen --out PREFIX`: `PREFIX.key` is the
//! private key in PKCS#8, `PREFIX.pub` the public key. `PREFIX.pkcs11` contains label and
//! identifier.
//!
//! The private key is written first, as a whole and without overwriting another one, then the other
//! files. A pair exists if its public key does. An interrupted generation is continued.

use std::fs::{File, Permissions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use cryptoki_sys::*;
use hasten_pq::kernels::Kernels;
use hasten_pq::keys::encoding::{
    ENCRYPTED, PublicKey, decode_encrypted_pkcs8, decode_pkcs8, encode_encrypted_pkcs8,
    encode_spki, is_encrypted_pkcs8, pem_blocks, to_pem,
};
use hasten_pq::keys::registry::Row;
use hasten_pq::keys::stateless::{Signer, generate};
use hasten_pq::store::Os;
use zeroize::Zeroizing;

use crate::fault::Fault;
use crate::token::slot::Tags;

/// Maximum size of a file in bytes. The largest private key has less than a tenth of it.
const MOST: u64 = 1 << 16;

/// The place of a key.
#[derive(Clone, Copy)]
pub struct KeyFiles<'p>(pub &'p Path);

/// The private key in its file, possibly encrypted.
pub struct SealedFile {
    der: Zeroizing<Vec<u8>>,
    name: PathBuf,
}

impl KeyFiles<'_> {
    fn name(&self, ending: &str) -> PathBuf {
        let mut name = self.0.as_os_str().to_owned();
        name.push(ending);
        name.into()
    }

    /// Returns the private key; `None` if there is none.
    pub fn sealed(&self) -> Result<Option<SealedFile>, Fault> {
        let name = self.name(".key");
        let Some(file) = read(&name)? else { return Ok(None) };
        let blocks = pem_blocks(&file);
        let labels = [ENCRYPTED, "PRIVATE KEY"];
        let found = blocks.iter().find(|block| labels.contains(&block.label.as_str()));
        let der = found.map_or(&file[..], |block| &block.der[..]);
        Ok(Some(SealedFile { der: Zeroizing::new(der.to_vec()), name }))
    }

    /// Returns the public key; `None` if there is none, or if the generation was interrupted.
    pub fn public(&self) -> Result<Option<PublicKey>, Fault> {
        let file = read(&self.name(".pub"))?;
        Ok(file.map(|file| hasten_pq::read_public(&file)).transpose()?)
    }

    /// Returns the label and the identifier; both are absent if the file is damaged.
    pub fn tags(&self) -> Tags {
        let file = read(&self.name(".pkcs11")).ok().flatten();
        let text = file.and_then(|file| String::from_utf8(file.to_vec()).ok());
        text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
    }

    /// Generates a pair, or continues an interrupted generation. Returns the signer.
    pub fn make(
        &self,
        row: &'static Row,
        pin: &[u8],
        tags: &Tags,
    ) -> Result<Signer<'static>, Fault> {
        if self.public()?.is_some() {
            return Err(Fault::Rv(CKR_DEVICE_MEMORY));
        }
        let signer = match self.sealed()? {
            Some(begun) => begun.open(Some(pin))?,
            None => self.begin(row, pin)?,
        };
        if signer.row() != row {
            return Err(Fault::Rv(CKR_DEVICE_MEMORY));
        }
        let text = toml::to_string(tags).map_err(|_| Fault::Rv(CKR_GENERAL_ERROR))?;
        write(&self.name(".pkcs11"), text.as_bytes(), Content::Public)?;
        let public = to_pem("PUBLIC KEY", &encode_spki(signer.public_key())?)?;
        write(&self.name(".pub"), public.as_bytes(), Content::Public)?;
        Ok(signer)
    }

    /// Generates a private key and writes it encrypted with the PIN.
    fn begin(&self, row: &'static Row, pin: &[u8]) -> Result<Signer<'static>, Fault> {
        let key = generate(row, Kernels::best())?;
        let pem = to_pem(ENCRYPTED, &encode_encrypted_pkcs8(&key, pin)?)?;
        write(&self.name(".key"), pem.as_bytes(), Content::Secret)?;
        Ok(Signer::new(&key, Kernels::best())?)
    }

    /// Returns the signer. The public key file must match the private key.
    pub fn signer(&self, pin: Option<&[u8]>) -> Result<Signer<'static>, Fault> {
        let sealed = self.sealed()?.ok_or(Fault::Rv(CKR_KEY_HANDLE_INVALID))?;
        let signer = sealed.open(pin)?;
        match self.public()? {
            Some(public) if public != *signer.public_key() => Err(told(
                &self.name(".pub"),
                "this is not the public half of the private key beside it",
            )),
            _ => Ok(signer),
        }
    }
}

impl SealedFile {
    /// Returns true if a PIN is needed.
    pub fn is_encrypted(&self) -> bool {
        is_encrypted_pkcs8(&self.der)
    }

    fn open(&self, pin: Option<&[u8]>) -> Result<Signer<'static>, Fault> {
        let key = match pin {
            Some(pin) if self.is_encrypted() => decode_encrypted_pkcs8(&self.der, pin)?,
            None if self.is_encrypted() => return Err(Fault::Rv(CKR_USER_NOT_LOGGED_IN)),
            _ => {
                self.must_be_hidden()?;
                decode_pkcs8(&self.der)?
            }
        };
        Ok(Signer::new(&key, Kernels::best())?)
    }

    /// Rejects an unencrypted key that every user of the machine can read.
    fn must_be_hidden(&self) -> Result<(), Fault> {
        let mode = std::fs::metadata(&self.name).map_or(0, |data| data.mode());
        match mode & 0o007 {
            0 => Ok(()),
            _ => Err(told(&self.name, "every user can read this private key: chmod 600")),
        }
    }
}

/// The kind of a new file's content.
#[derive(Clone, Copy)]
enum Content {
    /// Not readable by others; never replaces an existing file.
    Secret,
    /// Readable by everybody.
    Public,
}

/// Writes a file atomically and durably.
fn write(name: &Path, bytes: &[u8], content: Content) -> Result<(), Fault> {
    let dir = name.parent().unwrap_or(Path::new("/"));
    let failed = |why: std::io::Error| match why.kind() {
        ErrorKind::AlreadyExists => Fault::Rv(CKR_DEVICE_MEMORY),
        kind => told(name, &kind.to_string()),
    };
    let mode = match content {
        Content::Secret => 0o600,
        Content::Public => 0o644,
    };
    if Os::may_reach(bytes.len() as u64).is_err() {
        return Err(failed(ErrorKind::FileTooLarge.into()));
    }
    let mut new = tempfile::Builder::new();
    let mut file =
        new.permissions(Permissions::from_mode(mode)).tempfile_in(dir).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    let kept = match content {
        Content::Secret => file.persist_noclobber(name),
        Content::Public => file.persist(name),
    };
    kept.map_err(|error| failed(error.error))?;
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(failed)
}

/// Reads a file; `None` if it does not exist.
fn read(name: &Path) -> Result<Option<Zeroizing<Vec<u8>>>, Fault> {
    let file = match File::open(name) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|why| told(name, &why.kind().to_string()))?,
    };
    let mut bytes = Zeroizing::new(Vec::with_capacity(MOST as usize + 1));
    file.take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(|why| told(name, &why.kind().to_string()))?;
    if bytes.len() as u64 > MOST {
        return Err(told(name, "this is longer than a key"));
    }
    Ok(Some(bytes))
}

fn told(name: &Path, why: &str) -> Fault {
    Fault::Told(CKR_DEVICE_ERROR, format!("{}: {why}", name.display()))
}
