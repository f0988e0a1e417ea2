//! The file of `hasten subscribe --record`: the identity's public key, then the datagrams that were
//! accepted, in the order in which they came.
//!
//! "hchrec1\n", two bytes of length and the public key of HSS; then for each datagram four bytes of
//! length, and the datagram. Lengths are big-endian. Nothing in it is believed when it is read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use hasten_channel::{Exported, announced_tree, export, message_tree};
use hasten_hbs::{PublicKey, Verifier};
use hasten_kernels::Kernels;

use crate::error::{Channel, Error};
use crate::files;

const MAGIC: &[u8; 8] = b"hchrec1\n";

/// A recording that is written.
pub struct Recorder {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Recorder {
    /// Makes the file, which must be new.
    pub fn begin(path: &Path, key: &PublicKey) -> Result<Self, Error> {
        files::must_be_new(path)?;
        let file = File::create_new(path).map_err(failed(path))?;
        let mut recorder = Self { path: path.to_owned(), file: BufWriter::new(file) };
        let bytes = key.as_bytes();
        recorder.write(&[&MAGIC[..], &(bytes.len() as u16).to_be_bytes(), bytes].concat())?;
        Ok(recorder)
    }

    /// Adds a datagram.
    pub fn add(&mut self, datagram: &[u8]) -> Result<(), Error> {
        self.write(&(datagram.len() as u32).to_be_bytes())?;
        self.write(datagram)
    }

    /// Ends the recording.
    pub fn finish(mut self) -> Result<(), Error> {
        let done = self.file.flush();
        done.map_err(failed(&self.path))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let done = self.file.write_all(bytes);
        done.map_err(failed(&self.path))
    }
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_owned();
    move |cause| Error::File { path, doing: "writing", cause }
}

/// A recording that was read.
pub struct Recording {
    path: PathBuf,
    key: PublicKey,
    datagrams: Vec<Vec<u8>>,
}

impl Recording {
    /// Reads a recording.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = files::read(path)?;
        let not = || Error::Channel(Channel::NotARecording(path.to_owned()));
        let (key, datagrams) = parts(&bytes).ok_or_else(not)?;
        Ok(Self { path: path.to_owned(), key, datagrams })
    }

    /// Returns the identity's public key.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// Returns message `number` as others verify it, once it was verified here.
    pub fn message(&self, number: usize) -> Result<Exported, Error> {
        let path = || self.path.clone();
        let mut messages = self.datagrams.iter().filter_map(|d| Some((message_tree(d)?, d)));
        let Some((tree, datagram)) = messages.nth(number) else {
            let has = self.datagrams.iter().filter(|d| message_tree(d).is_some()).count();
            return Err(Error::Channel(Channel::NoMessage { path: path(), number, has }));
        };
        let announced = self.datagrams.iter().filter(|d| announced_tree(d) == Some(tree));
        let good = |made: &Exported| {
            let verifier = Verifier::new(&self.key, Kernels::best());
            verifier.verify(&made.message, &made.signature).is_ok()
        };
        let made = announced.filter_map(|a| export(&self.key, a, datagram)).find(good);
        made.ok_or_else(|| Error::Channel(Channel::Forged { path: path(), number }))
    }
}

/// Returns the public key and the datagrams; a datagram that was cut off at the end is left out.
fn parts(bytes: &[u8]) -> Option<(PublicKey, Vec<Vec<u8>>)> {
    let (length, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
    let (key, mut rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    let key = PublicKey::from_hss_bytes(key).ok()?;
    let mut datagrams = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk() {
        let Some((datagram, behind)) =
            behind.split_at_checked(u32::from_be_bytes(*length) as usize)
        else {
            break;
        };
        datagrams.push(datagram.to_vec());
        rest = behind;
    }
    Some((key, datagrams))
}
