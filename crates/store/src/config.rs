//! The configuration of a store: the path of its guard, whether it has a witness, and whether a
//! shared file system was accepted. The file has version 2 and consists of lines of text:
//!
//! ```text
//! hasten-config 2
//! guard /var/lib/guards/fw
//! alone                        (or: witness)
//! shared-filesystem-accepted   (only if it was)
//! digest SHA-256 of the lines above, key id and store id behind them, in hexadecimal
//! ```
//!
//! The digest detects damage and a file that belongs to another store. The first version of the
//! file had two lines: the guard's path, and `witness` or `alone`. It is still read, and is
//! replaced when the store is opened.

use crate::env::{Env, absolute, read_up_to, sync, write_all};
use crate::error::{Call, StoreError};
use crate::files::{not_opened, replace};
use crate::state::State;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

pub const NAME: &str = "config";
const LIMIT: usize = 8192;
const FORM: &[u8] = b"hasten-config ";
const SHARED: &[u8] = b"shared-filesystem-accepted";

/// Configuration of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Path of the guard file.
    pub guard: PathBuf,
    /// True if the store was created with a witness. It is then never opened without one.
    pub witness: bool,
    /// True if a file system with unreliable locks, or that of a container image, was accepted.
    pub shared: bool,
}

/// A configuration file that was read and whose digest is not checked yet.
pub struct Read {
    config: Config,
    /// The text that the digest covers, and the digest; `None` for a file of the first version.
    sealed: Option<(Vec<u8>, Vec<u8>)>,
    file: PathBuf,
}

impl Read {
    /// Checks the digest against this state and returns the configuration. The flag is true for a
    /// file of the first version, which has no digest.
    pub fn of(self, state: &State) -> Result<(Config, bool), StoreError> {
        match self.sealed {
            None => Ok((self.config, true)),
            Some((text, digest)) if seal(&text, state).as_bytes() == digest => {
                Ok((self.config, false))
            }
            Some(_) => Err(StoreError::Damaged { file: self.file }),
        }
    }

    /// Returns the configuration without checking the digest.
    pub fn choices(&self) -> &Config {
        &self.config
    }
}

impl Config {
    /// Writes and syncs the file. The directory is not synced.
    pub fn save(&self, env: &dyn Env, dir: &Path, state: &State) -> Result<(), StoreError> {
        let path = dir.join(NAME);
        let file =
            env.open(&path).or_else(|_| env.create(&path)).map_err(StoreError::io(Call::Open))?;
        let text = self.encode(state)?;
        write_all(&*file, &text, 0)?;
        file.set_size(text.len() as u64).map_err(StoreError::io(Call::Write))?;
        sync(&*file)
    }

    /// Replaces the file after the guard was moved or a file system was accepted.
    pub fn replace(&self, env: &dyn Env, dir: &Path, state: &State) -> Result<(), StoreError> {
        replace(env, dir, NAME, &self.encode(state)?)
    }

    /// Returns the path of the guard: `named` if it is given, otherwise the configured path. The
    /// result is absolute, so that a copy of the store finds the guard of the original, and not a
    /// copy of the guard next to itself.
    pub fn guard(&self, env: &dyn Env, named: Option<&Path>) -> Result<PathBuf, StoreError> {
        match named {
            Some(path) => absolute(env, path),
            None if self.guard.is_absolute() => Ok(self.guard.clone()),
            None => Err(StoreError::RelativeGuard),
        }
    }

    fn encode(&self, state: &State) -> Result<Vec<u8>, StoreError> {
        let guard = bytes(&self.guard).ok_or(StoreError::GuardPath)?;
        if guard.contains(&b'\n') || guard.len() > LIMIT / 2 {
            return Err(StoreError::GuardPath);
        }
        let mut text = [FORM, b"2\nguard ", guard, b"\n"].concat();
        text.extend_from_slice(if self.witness { b"witness\n" } else { b"alone\n" });
        if self.shared {
            text.extend_from_slice(SHARED);
            text.push(b'\n');
        }
        let digest = seal(&text, state);
        text.extend_from_slice(format!("digest {digest}\n").as_bytes());
        Ok(text)
    }

    /// Reads the file.
    pub fn load(env: &dyn Env, dir: &Path) -> Result<Read, StoreError> {
        let path = dir.join(NAME);
        let file = env.open_read(&path).map_err(|errno| not_opened(env, &path, errno))?;
        let mut text = vec![0; LIMIT];
        let n = read_up_to(&*file, &mut text, 0)?;
        text.truncate(n);
        let newer = text.starts_with(FORM) && !text[FORM.len()..].starts_with(b"2\n");
        if newer {
            return Err(StoreError::Version);
        }
        let parsed = if text.starts_with(FORM) { parse(&text) } else { parse_first(&text) };
        let (config, sealed) = parsed.ok_or(StoreError::Damaged { file: path.clone() })?;
        Ok(Read { config, sealed, file: path })
    }
}

type Parsed = (Config, Option<(Vec<u8>, Vec<u8>)>);

/// Returns a path as bytes. On systems other than Unix only Unicode paths are supported.
pub(crate) fn bytes(path: &Path) -> Option<&[u8]> {
    #[cfg(unix)]
    return Some(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    #[cfg(not(unix))]
    path.to_str().map(str::as_bytes)
}

/// Converts bytes to a path.
#[cfg(unix)]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// Converts bytes to a path. Bytes that are not UTF-8 become U+FFFD.
#[cfg(not(unix))]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(&*String::from_utf8_lossy(bytes))
}

fn watched(line: &[u8]) -> Option<bool> {
    match line {
        b"witness" => Some(true),
        b"alone" => Some(false),
        _ => None,
    }
}

fn parse(text: &[u8]) -> Option<Parsed> {
    let mut lines = text.strip_suffix(b"\n")?.split(|b| *b == b'\n').skip(1);
    let guard = path(lines.next()?.strip_prefix(b"guard ")?);
    let witness = watched(lines.next()?)?;
    let mut last = lines.next()?;
    let shared = last == SHARED;
    if shared {
        last = lines.next()?;
    }
    let digest = last.strip_prefix(b"digest ")?;
    let covered = text.len() - last.len() - 1;
    let whole = lines.next().is_none();
    let sealed = Some((text[..covered].to_vec(), digest.to_vec()));
    whole.then_some((Config { guard, witness, shared }, sealed))
}

fn parse_first(text: &[u8]) -> Option<Parsed> {
    let mut lines = text.split(|b| *b == b'\n');
    let guard = path(lines.next().filter(|line| !line.is_empty())?);
    let witness = watched(lines.next()?)?;
    Some((Config { guard, witness, shared: false }, None))
}

fn seal(text: &[u8], state: &State) -> String {
    let digest = Sha256::new()
        .chain_update(text)
        .chain_update(state.key_id)
        .chain_update(state.store_id)
        .finalize();
    digest.iter().map(|b| format!("{b:02x}")).collect()
}
