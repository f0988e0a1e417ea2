//! `--witness`: the outside witness of a stateful key.

use std::ffi::OsString;
use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hasten_keys::stateful::service_key;
use hasten_store::{Cell, CellWitness, ExecCell, FileCell, MacKey, Options, StoreError};

use crate::error::Error;
#[cfg(feature = "etcd")]
use crate::etcd::EtcdName;
use crate::fleet::Member;
use crate::help;
use crate::output::note;
use crate::units;

/// Warning about a key without a witness.
pub const WITHOUT: &str = "warning: if a snapshot of the machine or an image of its disk puts back this key and its guard together, Hasten cannot tell, and signs with used indices again; \
     a key that is made with --witness exec:COMMAND or file:PATH is refused then";

/// The outside witness of a key, if there is one.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Watch {
    /// Outside witness that detects a clone of the whole machine: exec:COMMAND, a program that
    /// keeps one word (tools/witness has ready ones for git, S3, TPM and ssh); file:PATH, a file on
    /// another file system; in a tool built with etcd also etcd:NAME@URL[,URL...]. A key made with
    /// one is never opened without.
    #[arg(long, value_name = "KIND:WHERE", value_parser = Named::read, help_heading = help::STATE)]
    witness: Option<Named>,
    /// How long one answer of the witness may take.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = units::time, help_heading = help::STATE)]
    witness_timeout: Duration,
}

impl Watch {
    /// Returns true if a witness was named.
    pub fn is_given(&self) -> bool {
        self.witness.is_some()
    }

    /// Returns the options for the key in `dir` with the witness, which is asked before every use.
    pub fn over(&self, options: Options, dir: &Path, member: &Member) -> Result<Options, Error> {
        match &self.witness {
            None => Ok(options),
            Some(named) => named.watching(options, dir, (member, self.witness_timeout)),
        }
    }

    /// Returns the cell of the witness for a key whose state it carries, or `None` if no witness
    /// was named.
    pub fn cell(&self, member: &Member) -> Result<Option<Box<dyn Cell>>, Error> {
        let cell = |named: &Named| named.cell((member, self.witness_timeout));
        match &self.witness {
            Some(Named::File(_)) => Err(Error::CarriedInFile),
            witness => witness.as_ref().map(cell).transpose(),
        }
    }

    /// Prints a note if the witness is on the file system of the key or of its guard.
    pub fn note_if_near(&self, key: &Path, guard: &Path) {
        let Some(Named::File(path)) = &self.witness else { return };
        let disk = |path: &Path| std::fs::metadata(path).ok().map(|file| file.dev());
        let place = disk(path.parent().unwrap_or(path));
        if place.is_some() && (place == disk(key) || place == disk(guard)) {
            note(
                "the witness lies on the file system of the key or of its guard: what takes back that file system is not detected",
            );
        }
    }
}

/// The outside witness of a new shard.
#[derive(clap::Args, Clone, Debug)]
pub struct OutWatch {
    /// Outside witness of the new shard [default: that of the key with -FIRST behind its name,
    /// FIRST being the shard's first index; none if the key has none].
    #[arg(long, value_name = "KIND:WHERE", value_parser = Named::read, help_heading = help::STATE)]
    out_witness: Option<Named>,
}

impl OutWatch {
    /// Returns the options of the shard in `dir` that begins at index `first`, and its witness in
    /// the form that `--witness` takes. `watch` and `fleet` are those of its parent. A witness
    /// watches one store, so the shard cannot share that of its parent.
    pub fn over(
        &self,
        options: Options,
        dir: &Path,
        (watch, fleet): (&Watch, &Member),
        first: u64,
    ) -> Result<(Options, Option<String>), Error> {
        let derived = || watch.witness.as_ref().map(|witness| witness.of_shard(first));
        let Some(named) = self.out_witness.clone().or_else(derived) else {
            return Ok((options, None));
        };
        let options = named.watching(options, dir, (fleet, watch.witness_timeout))?;
        Ok((options, Some(named.to_string())))
    }
}

/// A witness as it is named on the command line.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    /// A program and its arguments, the last of which names the word.
    Exec(Vec<String>),
    /// A file.
    File(PathBuf),
    /// A name in etcd.
    #[cfg(feature = "etcd")]
    Etcd(EtcdName),
}

impl Named {
    /// Parses `exec:COMMAND`, `file:PATH` or `etcd:NAME@URL[,URL...]`. Without a kind, it is etcd.
    fn read(text: &str) -> Result<Named, String> {
        match text.split_once(':') {
            Some(("exec", command)) => match shlex::split(command) {
                Some(words) if !words.is_empty() => Ok(Named::Exec(words)),
                _ => Err("exec: needs a program, and every quote closed".into()),
            },
            Some(("file", "")) => Err("file: needs a path".into()),
            Some(("file", path)) if path.ends_with(".lock") || path.ends_with(".new") => Err(
                "file: a witness keeps files of its own under PATH.lock and PATH.new: give it another name"
                    .into(),
            ),
            Some(("file", path)) => match std::path::absolute(path) {
                Ok(path) => Ok(Named::File(path)),
                Err(error) => Err(error.to_string()),
            },
            Some(("etcd", name)) => etcd(name),
            _ if text.contains('@') => etcd(text),
            _ => Err("expected exec:COMMAND, file:PATH or etcd:NAME@URL[,URL...]".into()),
        }
    }

    fn watching(
        &self,
        options: Options,
        dir: &Path,
        reach: (&Member, Duration),
    ) -> Result<Options, Error> {
        Ok(options.witness(keyed(self.cell(reach)?, dir)))
    }

    #[cfg_attr(not(feature = "etcd"), allow(unused_variables))]
    fn cell(&self, (member, timeout): (&Member, Duration)) -> Result<Box<dyn Cell>, Error> {
        Ok(match self {
            Self::Exec(words) => {
                let cell = ExecCell::new(words.iter().map(OsString::from), timeout);
                Box::new(cell.hear(|trouble| note(&trouble.to_string())))
            }
            Self::File(path) => Box::new(FileCell::new(path, timeout)),
            #[cfg(feature = "etcd")]
            Self::Etcd(name) => Box::new(member.access.cell(name, timeout)?),
        })
    }

    /// Returns the witness of the shard that begins at index `first`. It appends `-FIRST` to the
    /// last word of the command, to the path or to the name in etcd.
    fn of_shard(&self, first: u64) -> Self {
        match self {
            Self::Exec(words) => {
                let mut words = words.clone();
                words.iter_mut().last().into_iter().for_each(|name| *name += &format!("-{first}"));
                Self::Exec(words)
            }
            Self::File(path) => Self::File(crate::files::with_ending(path, &format!("-{first}"))),
            #[cfg(feature = "etcd")]
            Self::Etcd(name) => Self::Etcd(name.of_shard(first)),
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exec(words) => {
                let joined = shlex::try_join(words.iter().map(String::as_str));
                write!(f, "exec:{}", joined.unwrap_or_default())
            }
            Self::File(path) => write!(f, "file:{}", path.display()),
            #[cfg(feature = "etcd")]
            Self::Etcd(name) => name.fmt(f),
        }
    }
}

/// Returns a witness whose words carry a MAC under the service key of the key in `dir`.
fn keyed<C: Cell>(cell: C, dir: &Path) -> CellWitness<C> {
    let dir = dir.to_owned();
    CellWitness::new(cell).key(move || match service_key(&dir) {
        Ok(key) => Ok(key.map(|key| MacKey::new(&key))),
        Err(hasten_keys::Error::State(error)) => Err(error),
        Err(error) => {
            note(&format!("{}: {error}", dir.join("service").display()));
            Err(StoreError::WitnessUnreachable)
        }
    })
}

#[cfg(feature = "etcd")]
fn etcd(text: &str) -> Result<Named, String> {
    crate::etcd::name(text).map(Named::Etcd)
}

#[cfg(not(feature = "etcd"))]
fn etcd(_text: &str) -> Result<Named, String> {
    Err("this build has no etcd (--features etcd); it has exec:COMMAND and file:PATH".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn witnesses_survive_their_text() {
        for text in ["exec:tools/witness/git 'git@host:a b.git' fw", "file:/mnt/witness/fw"] {
            assert_eq!(Named::read(text).map(|named| named.to_string()), Ok(text.to_owned()));
        }
        let quoted = Named::read(r#"exec:a "b c" d\ e"#);
        assert_eq!(quoted, Ok(Named::Exec(["a", "b c", "d e"].map(str::to_owned).into())));
        for wrong in ["exec:", "exec: ", "exec:a 'b", "file:", "fw", "http:fw", ""] {
            assert!(Named::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_shard_has_a_name_of_its_own() {
        let of_shard = |text| Named::read(text).map(|named| named.of_shard(768).to_string());
        assert_eq!(of_shard("exec:ssh host cell fw"), Ok("exec:ssh host cell fw-768".into()));
        assert_eq!(of_shard("file:/mnt/fw"), Ok("file:/mnt/fw-768".into()));
    }

    #[test]
    #[cfg(not(feature = "etcd"))]
    fn a_build_without_etcd_names_what_it_has() {
        for text in ["etcd:fw@http://127.0.0.1:2379", "fw@http://127.0.0.1:2379"] {
            assert!(Named::read(text).is_err_and(|said| said.contains("exec:COMMAND")));
        }
    }
}
