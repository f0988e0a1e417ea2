//! Keys and signed images, made by the `hasten` command, and the fuses of a machine that accepts
//! them.

use super::folder;
use super::machine::program_file;
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_chore::program;
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Life cycle value of a machine that has its key (`rtl/soc/rom`).
const READY: u32 = 0x5aa5_0ff0;

/// Offset of the key length in the header, and length of the header.
const KEY_BYTES_AT: usize = 32;
const HEADER_BYTES: usize = 64;

/// File of a signed image, and file of the fuses of the machine that it is for.
#[derive(Clone)]
pub struct Signed {
    pub flash: PathBuf,
    pub fuses: PathBuf,
}

/// Creates signed images.
pub struct Images {
    folder: PathBuf,
    hasten: PathBuf,
}

impl Images {
    /// Deletes the keys of an earlier run. The command is the one that `HASTEN` names, or the
    /// `hasten` of the checkout.
    pub fn new() -> Result<Self, Failure> {
        let folder = folder()?.join("images");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| Failure::Io(folder.clone(), error))?;
        }
        std::fs::create_dir_all(&folder).map_err(|error| Failure::Io(folder.clone(), error))?;
        let hasten = std::env::var_os("HASTEN").map(PathBuf::from);
        let beside = checkout::root()?.join("hasten");
        Ok(Self { folder, hasten: hasten.unwrap_or(beside) })
    }

    /// Returns an image of `bytes` bytes, signed with a key of the parameter set, and fuses that
    /// accept it.
    pub fn signed(
        &self,
        (alg, format): (&str, &str),
        bytes: usize,
        version: u32,
    ) -> Result<Signed, Failure> {
        let key = self.key(alg)?;
        let flash = self.sign(&key, format, bytes, version)?;
        let image = read(&flash)?;
        let key_bytes = word(&image, KEY_BYTES_AT)? as usize;
        let key = image.get(HEADER_BYTES..HEADER_BYTES + key_bytes);
        let key = key.ok_or_else(|| Failure::Form(flash.clone(), "it has no key".into()))?;
        let fuses = flash.with_extension("fuses");
        write(&fuses, &fuses_of(key, version))?;
        Ok(Signed { flash, fuses })
    }

    /// Returns a changed copy of an image with the same fuses.
    pub fn changed(
        &self,
        signed: &Signed,
        name: &str,
        change: impl FnOnce(&mut Vec<u8>),
    ) -> Result<Signed, Failure> {
        let mut image = read(&signed.flash)?;
        change(&mut image);
        let flash = self.folder.join(name);
        write(&flash, &image)?;
        Ok(Signed { flash, fuses: signed.fuses.clone() })
    }

    /// Returns the path of the key of a parameter set, and creates the key if it does not exist.
    pub fn key(&self, alg: &str) -> Result<PathBuf, Failure> {
        self.named_key(alg, alg)
    }

    /// Like [`Self::key`], but with another name for the key.
    pub fn named_key(&self, alg: &str, name: &str) -> Result<PathBuf, Failure> {
        let place = self.folder.join(name);
        if !place.exists() {
            let guard = place.with_extension("guard");
            let [store, guard] = [&place, &guard].map(|path| path.display().to_string());
            self.hasten(&["keygen", "--alg", alg, "--store", &store, "--guard", &guard])?;
        }
        Ok(place)
    }

    /// Pads the program to `bytes` bytes, signs it, and returns the path of the signed image.
    pub fn sign(
        &self,
        key: &Path,
        format: &str,
        bytes: usize,
        version: u32,
    ) -> Result<PathBuf, Failure> {
        let mut program = read(&program_file()?)?;
        program.extend((program.len()..bytes).map(|i| (i % 251) as u8));
        let name = key.file_name().unwrap_or_default().to_string_lossy();
        let file = self.folder.join(format!("{name}-{format}-{bytes}-{version}.bin"));
        write(&file, &program)?;
        let out = file.with_extension("flash");
        let [key, file, to] = [key, &file, &out].map(|path| path.display().to_string());
        let version = version.to_string();
        let what = ["--format", format, "--image-version", &version, "--force"];
        self.hasten(&[&["sign", "-k", &key, &file, "--out", &to], &what[..]].concat())?;
        Ok(out)
    }

    fn hasten<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<(), Failure> {
        program::run(&self.hasten, args).map(drop)
    }
}

/// Returns the fuses of a machine whose first key is `key`: the hashes of two keys, the lowest
/// accepted version, and the life cycle.
fn fuses_of(key: &[u8], version: u32) -> Vec<u8> {
    let mut fuses = Sha256::digest(key).to_vec();
    fuses.resize(64, 0);
    fuses.extend(version.to_le_bytes());
    fuses.extend(READY.to_le_bytes());
    fuses
}

fn word(bytes: &[u8], at: usize) -> Result<u32, Failure> {
    let four = bytes.get(at..).and_then(|rest| rest.first_chunk());
    let four = four.ok_or_else(|| Failure::Tool("an image has no header".into()))?;
    Ok(u32::from_le_bytes(*four))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| Failure::Io(path.into(), error))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|error| Failure::Io(path.into(), error))
}
