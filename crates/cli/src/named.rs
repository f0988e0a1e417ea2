//! The arguments that name a key. They are the same in every command, for private and public keys.
//!
//! `KEY` is the first argument. Alternatively `-k`, or its alias `-p`, names the key; the arguments
//! then begin with the files.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;

/// Help text for a key of which the public part is enough.
pub const PUBLIC: &str = "The key: its directory, or PEM, DER or raw bytes, or a certificate";

/// Help text for a private key, stateful or stateless.
pub const PRIVATE: &str = "The key: its directory, or PREFIX of PREFIX.key and PREFIX.pub";

/// The key of a command: a directory or a file.
#[derive(Clone, Debug)]
pub struct Key {
    path: PathBuf,
    /// True if the key was named by `-k`.
    is_option: bool,
}

impl Key {
    /// Returns the key at `path`, as if it was named by `-k`.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned(), is_option: true }
    }

    /// Returns a function that converts an error in reading the key. If the first argument is not a
    /// key, the new error says that a key is expected there.
    pub fn unread(&self) -> impl FnOnce(Error) -> Error {
        let first = (!self.is_option).then(|| self.path.clone());
        move |error| match (error, first) {
            (Error::Key { cause: hasten_keys::Error::NotAKey, .. }, Some(first)) => {
                Error::FirstIsNoKey(first)
            }
            (error, _) => error,
        }
    }
}

impl Deref for Key {
    type Target = PathBuf;

    fn deref(&self) -> &PathBuf {
        &self.path
    }
}

impl AsRef<Path> for Key {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

/// The keys of a command that takes several, each named by its own `-k`.
#[derive(Clone, Debug)]
pub struct Keys(Vec<Key>);

impl Deref for Keys {
    type Target = [Key];

    fn deref(&self) -> &[Key] {
        &self.0
    }
}

/// The files after the key.
#[derive(Clone, Debug)]
pub struct Behind(Vec<PathBuf>);

impl Deref for Behind {
    type Target = [PathBuf];

    fn deref(&self) -> &[PathBuf] {
        &self.0
    }
}

impl Behind {
    /// Returns an error if there are no files. `usage` is the usage of the command.
    pub fn must_be_named(&self, key: &Key, usage: &'static str) -> Result<(), Error> {
        match self.is_empty() {
            true if key.is_option || key.is_dir() => Err(Error::WhichFile(usage)),
            true => Err(Error::WhichKey { alone: key.to_path_buf(), usage }),
            false => Ok(()),
        }
    }
}

/// The single file after the key.
#[derive(Clone, Debug)]
pub struct One(PathBuf);

impl Deref for One {
    type Target = PathBuf;

    fn deref(&self) -> &PathBuf {
        &self.0
    }
}

/// The arguments that name a key.
#[derive(Args)]
struct Names {
    /// The key: its directory.
    #[arg(value_name = "KEY", required_unless_present = "store", conflicts_with = "store")]
    key: Option<PathBuf>,
    /// The key, where it is not the first argument.
    #[arg(short = 'k', long, value_name = "KEY")]
    #[arg(visible_short_alias = 'p', visible_alias = "pub")]
    store: Option<PathBuf>,
}

/// The arguments behind a key.
#[derive(Args)]
struct Files {
    /// Files.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Args for Key {
    fn augment_args(command: Command) -> Command {
        Names::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Names::augment_args_for_update(command)
    }
}

impl FromArgMatches for Key {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let [key, store] = ["key", "store"].map(|id| matches.get_one::<PathBuf>(id));
        let absent = || clap::Error::raw(ErrorKind::MissingRequiredArgument, "a key is missing");
        let path = store.or(key).ok_or_else(absent)?.clone();
        Ok(Self { path, is_option: store.is_some() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Keys {
    fn augment_args(command: Command) -> Command {
        Names::augment_args(command).mut_arg("store", |store| store.action(ArgAction::Append))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Keys {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let behind = matches.get_many::<PathBuf>("store").into_iter().flatten();
        let keys: Vec<_> = behind.map(|path| Key::at(path)).collect();
        match keys.is_empty() {
            true => Ok(Self(vec![Key::from_arg_matches(matches)?])),
            false => Ok(Self(keys)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Behind {
    fn augment_args(command: Command) -> Command {
        // With -k, the first argument is a file.
        let command = command.mut_arg("key", |key| key.conflicts_with(Resettable::Reset));
        Files::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Behind {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let has_option = matches.get_one::<PathBuf>("store").is_some();
        let first = matches.get_one::<PathBuf>("key").filter(|_| has_option);
        let others = matches.get_many("files").into_iter().flatten();
        Ok(Self(first.into_iter().chain(others).cloned().collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for One {
    fn augment_args(command: Command) -> Command {
        Behind::augment_args(command).mut_arg("files", |files| files.num_args(0..=1))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for One {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Behind(files) = Behind::from_arg_matches(matches)?;
        match <[PathBuf; 1]>::try_from(files) {
            Ok([file]) => Ok(Self(file)),
            Err(files) if files.is_empty() => Err(clap::Error::raw(
                ErrorKind::MissingRequiredArgument,
                "KEY and FILE are needed, and only one of them is named",
            )),
            Err(_) => Err(clap::Error::raw(
                ErrorKind::TooManyValues,
                "FILE is one file, and several are named",
            )),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
