//! A recording: a file with the identity's public key, and then the accepted datagrams in the order
//! in which they arrived.
//!
//! The file begins with "hchrec1\n", two bytes of length and the public key of HSS. Each datagram
//! follows with four bytes of length before it. With an identity of XMSS the file begins with
//! "hchrec2\n", with XMSS^MT it begins with "hchrec3\n". Lengths are big-endian. Nothing in the
//! file is trusted when it is read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use hasten_channel::{Exported, ExportedTree, announced_tree, export, message_tree};
use hasten_hbs::params::Scheme;
use hasten_hbs::{self as hbs, PublicKey, Verifier};
use hasten_kernels::Kernels;
use hasten_keys::encoding;
use hasten_keys::registry::{self, Family};
use hasten_process::files;

use crate::Error;

/// Function that parses a public key.
type Read = fn(&[u8]) -> Result<PublicKey, hbs::Error>;

/// First bytes of a recording, each with the family of the identity and the parser of its key.
const KINDS: [(&[u8; 8], Family, Read); 3] = [
    (b"hchrec1\n", Family::Hss, PublicKey::from_hss_bytes),
    (b"hchrec2\n", Family::Xmss, PublicKey::from_xmss_bytes),
    (b"hchrec3\n", Family::XmssMt, PublicKey::from_xmssmt_bytes),
];

/// Returns the public key of an identity; `None` for a key that cannot be an identity.
pub fn identity(key: &encoding::PublicKey) -> Option<PublicKey> {
    let (_, _, read) = KINDS.iter().find(|(_, family, _)| *family == key.row.family)?;
    read(&key.raw).ok()
}

/// Returns the family of an identity.
const fn family(key: &PublicKey) -> Family {
    match key.set().scheme {
        Scheme::Xmss => Family::Xmss,
        Scheme::XmssMt => Family::XmssMt,
        _ => Family::Hss,
    }
}

/// Returns the public key of an identity or of a session tree, in the form in which it is
/// published.
///
/// # Errors
/// As [`encoding::PublicKey::new`].
pub fn published(key: &PublicKey) -> Result<encoding::PublicKey, hasten_keys::Error> {
    let name = if family(key) == Family::Hss { "HSS" } else { key.set().name };
    encoding::PublicKey::new(registry::find(name)?, key.as_bytes())
}

/// Returns the names and contents of the files with which others verify a message under the
/// identity's `key`.
///
/// # Errors
/// As [`published`].
pub fn files_of(
    key: &PublicKey,
    made: &Exported,
) -> Result<Vec<(&'static str, Vec<u8>)>, hasten_keys::Error> {
    let pem = |key: &PublicKey| {
        encoding::public_to_pem(&published(key)?).map(|pem| pem.as_bytes().to_vec())
    };
    let mut files = vec![
        ("message", made.message.clone()),
        ("signature", made.signature.clone()),
        ("public.pem", pem(key)?),
        ("public.raw", key.as_bytes().to_vec()),
    ];
    if let Some(batched) = &made.batched {
        files.push(("batched", batched.message.clone()));
        files.push(("path", batched.path.clone()));
    }
    if let Some(ExportedTree { key, statement, signature }) = &made.tree {
        files.push(("tree", statement.clone()));
        files.push(("tree.signature", signature.clone()));
        files.push(("tree.pem", pem(key)?));
        files.push(("tree.raw", key.as_bytes().to_vec()));
    }
    Ok(files)
}

/// A recording that is being written.
pub struct Recorder {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Recorder {
    /// Creates the file, which must not exist.
    ///
    /// # Errors
    /// Errors of files.
    pub fn begin(path: &Path, key: &PublicKey) -> Result<Self, Error> {
        files::must_be_new(path)?;
        let file = File::create_new(path).map_err(failed(path))?;
        let mut recorder = Self { path: path.to_owned(), file: BufWriter::new(file) };
        let bytes = key.as_bytes();
        let kind = KINDS.iter().find(|(_, of, _)| *of == family(key));
        let magic = kind.expect("every family of an identity has a row").0;
        recorder.write(&[&magic[..], &(bytes.len() as u16).to_be_bytes(), bytes].concat())?;
        Ok(recorder)
    }

    /// Adds a datagram.
    ///
    /// # Errors
    /// Errors of files.
    pub fn add(&mut self, datagram: &[u8]) -> Result<(), Error> {
        self.write(&(datagram.len() as u32).to_be_bytes())?;
        self.write(datagram)
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// Errors of files.
    pub fn finish(mut self) -> Result<(), Error> {
        let done = self.file.flush();
        done.map_err(failed(&self.path))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let done = self.file.write_all(bytes);
        done.map_err(failed(&self.path))
    }
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> Error + use<> {
    let of = hasten_process::Error::file(path, "writing");
    move |cause| Error::Process(of(cause))
}

/// A recording that was read.
pub struct Recording {
    path: PathBuf,
    key: PublicKey,
    datagrams: Vec<Vec<u8>>,
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    /// An error for a file that is not a recording, and errors of files.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = files::read(path)?;
        let not = || Error::NotARecording(path.to_owned());
        let (key, datagrams) = parts(&bytes).ok_or_else(not)?;
        Ok(Self { path: path.to_owned(), key, datagrams })
    }

    /// Returns the identity's public key.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// Verifies message `number` and returns it for other verifiers.
    ///
    /// # Errors
    /// An error if there is no message with this number, or if it does not verify.
    pub fn message(&self, number: usize) -> Result<Exported, Error> {
        let path = || self.path.clone();
        let mut messages = self.datagrams.iter().filter_map(|d| Some((message_tree(d)?, d)));
        let Some((tree, datagram)) = messages.nth(number) else {
            let has = self.datagrams.iter().filter(|d| message_tree(d).is_some()).count();
            return Err(Error::NoMessage { path: path(), number, has });
        };
        let announced = self.datagrams.iter().filter(|d| announced_tree(d) == Some(tree));
        let mut made = announced.filter_map(|a| export(&self.key, a, datagram));
        let made = made.find(|made| self.is_good(made));
        made.ok_or_else(|| Error::Forged { path: path(), number })
    }

    /// Verifies the exported signatures: either one, or that of the session tree and that by the
    /// session tree.
    fn is_good(&self, made: &Exported) -> bool {
        let good = |key: &PublicKey, message: &[u8], signature: &[u8]| {
            Verifier::new(key, Kernels::best()).verify(message, signature).is_ok()
        };
        let Some(tree) = &made.tree else {
            return good(&self.key, &made.message, &made.signature);
        };
        good(&self.key, &tree.statement, &tree.signature)
            && good(&tree.key, &made.message, &made.signature)
    }
}

/// Returns the public key and the datagrams. A truncated datagram at the end is left out.
fn parts(bytes: &[u8]) -> Option<(PublicKey, Vec<Vec<u8>>)> {
    let (magic, rest) = bytes.split_first_chunk()?;
    let (_, _, read) = KINDS.iter().find(|(kind, _, _)| *kind == magic)?;
    let (length, rest) = rest.split_first_chunk()?;
    let (key, mut rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    let key = read(key).ok()?;
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
