//! Passphrases, from a file or typed on a terminal.

use std::path::{Path, PathBuf};

use hasten_process::terminal;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::output::note;
use crate::{files, interrupt};

/// A passphrase, erased when dropped.
pub type Passphrase = Zeroizing<Vec<u8>>;

/// Where the passphrase of a key comes from.
#[derive(clap::Args, Clone, Debug)]
pub struct Source {
    /// Reads the passphrase from the first line of FILE instead of asking for it.
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl Source {
    /// Whether a passphrase file was named.
    pub fn is_given(&self) -> bool {
        self.passphrase_file.is_some()
    }

    /// Returns the named passphrase file.
    #[cfg(feature = "aws-lc")]
    pub fn file(&self) -> Option<&Path> {
        self.passphrase_file.as_deref()
    }

    /// Returns the passphrase of an encrypted key.
    pub fn existing(&self) -> Result<Passphrase, Error> {
        self.of_file().unwrap_or_else(|| ask("Passphrase: "))
    }

    /// Returns the passphrase of a new key. It is typed twice unless it comes from a file.
    pub fn new_one(&self) -> Result<Passphrase, Error> {
        let new = match self.of_file() {
            Some(read) => read?,
            None => twice()?,
        };
        if new.is_empty() { Err(Error::EmptyPassphrase) } else { Ok(new) }
    }

    /// Returns the passphrase of a new key if the key is to be encrypted: if that is requested, or
    /// if a passphrase file is named.
    pub fn of_new(&self, encrypt: bool) -> Result<Option<Passphrase>, Error> {
        (encrypt || self.is_given()).then(|| self.new_one()).transpose()
    }

    /// Prints a note if a passphrase file was named for a secret that is not encrypted.
    pub fn note_unneeded(&self, key: &Path) {
        if self.is_given() {
            let key = key.display();
            note(&format!("{key} is not encrypted: --passphrase-file was not read"));
        }
    }

    fn of_file(&self) -> Option<Result<Passphrase, Error>> {
        let path = self.passphrase_file.as_ref()?;
        let first_line = |text: Vec<u8>| {
            let text = Zeroizing::new(text);
            let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
            Zeroizing::new(line.strip_suffix(b"\r").unwrap_or(line).to_vec())
        };
        Some(files::read(path).map(first_line).map_err(Error::from))
    }
}

fn twice() -> Result<Passphrase, Error> {
    let (first, second) = (ask("New passphrase: ")?, ask("Once more: ")?);
    if first == second { Ok(first) } else { Err(Error::PassphrasesDiffer) }
}

fn ask(prompt: &str) -> Result<Passphrase, Error> {
    if !terminal::can_ask() {
        return Err(Error::NoPassphrase);
    }
    interrupt::attend()?;
    let typed = terminal::unseen(|| rpassword::prompt_password(prompt));
    let typed = typed.map_err(Error::system("reading the passphrase"))?;
    Ok(Zeroizing::new(typed.into_bytes()))
}
