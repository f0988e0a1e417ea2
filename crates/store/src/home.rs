//! Folders of the user: the default folder of guards, the register of imports, and the folder of
//! the configuration.
//!
//! All of them follow the XDG base directory specification: the path in the variable if it is
//! absolute, otherwise a folder below HOME. A relative path is ignored, because it would name
//! another folder in every working directory. There is no fallback: if the folder cannot be
//! created, or belongs to another user, the caller gets an error and must name a folder. Safety
//! depends on these folders, so their place must not depend on which error came first.

use crate::config::Config;
use crate::env::{Env, absolute, parent};
use crate::error::{Call, Errno, StoreError};
use crate::options::Options;
use crate::place;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A base directory of the XDG specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFolder {
    /// `XDG_CONFIG_HOME`, or `.config`.
    Config,
    /// `XDG_STATE_HOME`, or `.local/state`.
    State,
}

impl UserFolder {
    /// Returns its path. `variable` reads the environment. Returns `None` if neither the XDG
    /// variable nor HOME is an absolute path.
    pub fn path(self, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let (name, below) = match self {
            Self::Config => ("XDG_CONFIG_HOME", ".config"),
            Self::State => ("XDG_STATE_HOME", ".local/state"),
        };
        let below_home = || home(variable).map(|home| home.join(below));
        named(name, variable).or_else(below_home)
    }
}

fn home(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    named("HOME", variable)
}

fn named(name: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    variable(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

impl Options {
    /// Returns the folder `name` in the user's state directory (`hasten/NAME`) and creates it if
    /// necessary. `variable` reads the environment.
    ///
    /// # Errors
    /// [`StoreError::NoHome`]; [`StoreError::FolderNotOurs`]; every failed call. A missing home
    /// directory is not created.
    pub fn state_folder(
        &self,
        name: &str,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<PathBuf, StoreError> {
        let env = &*self.env;
        let base = UserFolder::State.path(variable).ok_or(StoreError::NoHome)?;
        if let Some(home) = home(variable).filter(|home| base.starts_with(home)) {
            env.resolve(&home).map_err(|e| StoreError::io(Call::Open)(e).at(&home))?;
        }
        make_all(env, &base)?;
        let ours = base.join("hasten");
        make(env, &ours)?;
        must_be_ours(env, &ours)?;
        let folder = ours.join(name);
        make(env, &folder)?;
        must_be_ours(env, &folder)
    }

    /// Returns the absolute path of a register that the user named, and creates the folder if
    /// necessary. Its parent folder must exist.
    ///
    /// # Errors
    /// As [`Options::check_register`].
    pub fn make_register(&self, path: &Path) -> Result<PathBuf, StoreError> {
        let whole = absolute(&*self.env, path)?;
        make(&*self.env, &whole)?;
        self.check_register(&whole)
    }

    /// Checks that the folder at `register` may hold the register of imports, and returns its
    /// absolute path. The folder must belong to this user, must not be writable for others, must
    /// not be the directory of a key, and must not be on a shared or layered file system unless
    /// that is accepted. A witness is no substitute for that acceptance, because two imports may
    /// name two witnesses. If the folder does not exist yet, its parent folder's file system is
    /// checked.
    ///
    /// # Errors
    /// [`StoreError::FolderNotOurs`], [`StoreError::RegisterIsKey`], [`StoreError::WrongPlace`],
    /// and every failed call.
    pub fn check_register(&self, register: &Path) -> Result<PathBuf, StoreError> {
        check_register(&*self.env, register, self.shared)
    }
}

/// Implements [`Options::check_register`]. With `shared`, a shared or layered file system is
/// accepted.
pub(crate) fn check_register(
    env: &dyn Env,
    register: &Path,
    shared: bool,
) -> Result<PathBuf, StoreError> {
    let whole = absolute(env, register)?;
    let config = Config { guard: whole.clone(), witness: false, shared };
    place::check(env, &whole, &config)?;
    match env.stat(&whole) {
        Err(Errno::NOT_FOUND) => return Ok(whole),
        Err(e) => return Err(StoreError::io(Call::Stat)(e).at(&whole)),
        Ok(_) => {}
    }
    let whole = must_be_ours(env, &whole)?;
    place::check(env, &whole, &config)?;
    match env.stat(&whole.join(crate::config::NAME)) {
        Err(Errno::NOT_FOUND) => Ok(whole),
        Err(e) => Err(StoreError::io(Call::Stat)(e).at(&whole)),
        Ok(_) => Err(StoreError::RegisterIsKey { path: whole }),
    }
}

/// Creates a folder and its missing parents.
fn make_all(env: &dyn Env, folder: &Path) -> Result<(), StoreError> {
    let above: Vec<&Path> = folder.ancestors().collect();
    above.into_iter().rev().try_for_each(|folder| make(env, folder))
}

/// Creates a folder durably, unless it exists.
fn make(env: &dyn Env, folder: &Path) -> Result<(), StoreError> {
    match env.stat(folder) {
        Ok(_) => return Ok(()),
        Err(Errno::NOT_FOUND) => {}
        Err(e) => return Err(StoreError::io(Call::Stat)(e).at(folder)),
    }
    match env.make_dir(folder) {
        // Another process may have created it in the meantime.
        Ok(()) | Err(Errno::EXISTS) => {}
        Err(e) => return Err(StoreError::io(Call::MakeDir)(e).at(folder)),
    }
    env.sync_dir(parent(folder)).map_err(|e| StoreError::io(Call::SyncDir)(e).at(folder))
}

/// Returns the folder's path without symbolic links, if it belongs to this user and no other user
/// may write to it.
fn must_be_ours(env: &dyn Env, folder: &Path) -> Result<PathBuf, StoreError> {
    let whole = env.resolve(folder).map_err(|e| StoreError::io(Call::Open)(e).at(folder))?;
    let stat = env.stat(&whole).map_err(|e| StoreError::io(Call::Stat)(e).at(&whole))?;
    if stat.is_dir && stat.ours && stat.mode & 0o022 == 0 {
        return Ok(whole);
    }
    Err(StoreError::FolderNotOurs { path: whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_variable_is_ignored() {
        type Case = (&'static [(&'static str, &'static str)], Option<&'static str>);
        let cases: [Case; 6] = [
            (&[("XDG_STATE_HOME", "/s"), ("HOME", "/h")], Some("/s")),
            (&[("XDG_STATE_HOME", "s"), ("HOME", "/h")], Some("/h/.local/state")),
            (&[("XDG_STATE_HOME", ""), ("HOME", "/h")], Some("/h/.local/state")),
            (&[("XDG_STATE_HOME", "s"), ("HOME", "h")], None),
            (&[("HOME", "")], None),
            (&[], None),
        ];
        for (variables, wanted) in cases {
            let get = |name: &str| {
                variables.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value))
            };
            let found = UserFolder::State.path(&get);
            assert_eq!(found, wanted.map(PathBuf::from), "{variables:?}");
        }
    }
}
