//! Choices made with the store: where its guard is, whether it has a witness, and whether
//! a shared file system was accepted. Version 2, lines of text:
//!
//! ```text
//! hasten-config 2
//! guard /var/lib/guards/fw
//! alone                        (or: witness)
//! shared-filesystem-accepted   (only if it was)
//! digest SHA-256 of the lines above, key id and store id behind them, in hexadecimal
//! ```
//!
//! The digest finds damage, and a file that belongs to another store. The first form was the
//! guard's path and `witness` or `alone` alone; it is read, and replaced when the store is opened.

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

/// Choices made at creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The guard file.
    pub guard: PathBuf,
    /// The store was made with a witness and is never opened without one.
    pub witness: bool,
    /// A file system with weak locks, or of a container's image, was accepted.
    pub shared: bool,
}

/// A file as it was read, whose digest was not compared yet.
pub struct Read {
    config: Config,
    /// The text that the digest covers, and the digest; `None` in the first form.
    sealed: Option<(Vec<u8>, Vec<u8>)>,
    file: PathBuf,
}

impl Read {
    /// Returns the choices, if the file is of the store with this state. `true`: in the first form.
    pub fn of(self, state: &State) -> Result<(Config, bool), StoreError> {
        match self.sealed {
            None => Ok((self.config, true)),
            Some((text, digest)) if seal(&text, state).as_bytes() == digest => {
                Ok((self.config, false))
            }
            Some(_) => Err(StoreError::Damaged { file: self.file }),
        }
    }

    /// Returns the choices, whoever's they are.
    pub fn choices(&self) -> &Config {
        &self.config
    }
}

impl Config {
    /// Writes the file durably (but for the directory's entry).
    pub fn save(&self, env: &dyn Env, dir: &Path, state: &State) -> Result<(), StoreError> {
        let path = dir.join(NAME);
        let file =
            env.open(&path).or_else(|_| env.create(&path)).map_err(StoreError::io(Call::Open))?;
        let text = self.encode(state)?;
        write_all(&*file, &text, 0)?;
        file.set_size(text.len() as u64).map_err(StoreError::io(Call::Write))?;
        sync(&*file)
    }

    /// Replaces the file: the guard has moved, or something was accepted.
    pub fn replace(&self, env: &dyn Env, dir: &Path, state: &State) -> Result<(), StoreError> {
        replace(env, dir, NAME, &self.encode(state)?)
    }

    /// Returns the guard's path: the one `named` now, or the one that was kept. Either is absolute,
    /// so that a copy of the store looks for the guard of the original and not for a copy beside
    /// itself.
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

/// Returns a path as bytes; elsewhere than on a Unix, one of Unicode alone.
pub(crate) fn bytes(path: &Path) -> Option<&[u8]> {
    #[cfg(unix)]
    return Some(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    #[cfg(not(unix))]
    path.to_str().map(str::as_bytes)
}

/// Returns the path of these bytes.
#[cfg(unix)]
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// Reads a path of Unicode.
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
