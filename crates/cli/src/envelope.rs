//! Signatures in a CMS or COSE structure, with the options for its content.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hasten_keys::cms::{Content, Named, Place, Signer, Unsigned};
use hasten_keys::cose;
use hasten_keys::enclosed::Enclosure;
use hasten_keys::encoding::PublicKey;
use sha2::{Digest as _, Sha256};

use crate::certificates;
use crate::error::Error;
use crate::files::Message;
use crate::form::{self, Digest, Format};
use crate::help;
use crate::image::Image;
use crate::units;

/// How the signer is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// The issuer and the serial number of its certificate.
    Issuer,
    /// The identifier of its key.
    Key,
}

/// Options for what stands beside a signature of --format cms or cose.
#[derive(clap::Args, Clone, Debug)]
pub struct Beside {
    /// The signer's certificate, PEM or DER, with authorities above it behind it; all are put in.
    #[arg(long, value_name = "FILE", help_heading = help::ENCLOSED)]
    cert: Option<PathBuf>,
    /// Puts the content into the file of its signature.
    #[arg(long, help_heading = help::ENCLOSED)]
    attached: bool,
    /// Writes PEM and not DER.
    #[arg(long, help_heading = help::ENCLOSED)]
    pem: bool,
    /// Name of the signer [default: issuer with --cert, else key].
    #[arg(long, value_name = "WHAT", help_heading = help::ENCLOSED)]
    signer_by: Option<By>,
    /// Leaves the certificates out.
    #[arg(long, help_heading = help::ENCLOSED)]
    without_certificates: bool,
    /// Leaves out when it was signed, by the clock of this machine.
    #[arg(long, help_heading = help::ENCLOSED)]
    without_time: bool,
    #[command(flatten)]
    image: Image,
}

impl Beside {
    /// Returns the first given option that only CMS has.
    fn of_cms(&self) -> Option<&'static str> {
        let given = [
            (self.cert.is_some(), "--cert"),
            (self.pem, "--pem"),
            (self.signer_by.is_some(), "--signer-by"),
            (self.without_certificates, "--without-certificates"),
            (self.without_time, "--without-time"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    /// Returns an error for options that belong to another format, before a key is opened.
    pub fn check(&self, format: Format, digest: bool) -> Result<(), Error> {
        let wrong = |option, format: Format| Error::OtherForm { option, format: format.name() };
        self.image.check(format)?;
        match format {
            format if format.is_enclosing() && digest => Err(wrong("--digest", format)),
            Format::Cms if self.signer_by == Some(By::Issuer) && self.cert.is_none() => {
                Err(Error::NoIssuer)
            }
            Format::Cms => Ok(()),
            Format::Cose => self.of_cms().map_or(Ok(()), |option| Err(wrong(option, format))),
            _ if self.attached => Err(wrong("--attached", format)),
            _ => self.of_cms().map_or(Ok(()), |option| Err(wrong(option, format))),
        }
    }

    /// Returns the ending of a file name for a signature of this format.
    pub fn ending(&self, format: Format) -> &'static str {
        match format {
            Format::Cms if self.attached => ".p7m",
            format => format.ending(),
        }
    }

    /// Reads a message and builds the structure that `key` signs in its place.
    pub fn open(&self, format: Format, path: &Path, key: &PublicKey) -> Result<Opened, Error> {
        let mut message = Message::open(path)?;
        let mut whole = Sha256::new();
        let seen = &mut Seen { inner: &mut message, hash: &mut whole };
        let envelope = match format {
            Format::Cose => {
                let payload = cose::payload(seen).map_err(Error::key(path))?;
                let unsigned = cose::Unsigned::new(key, payload, self.attached);
                Enclosure::Cose(Box::new(unsigned.map_err(Error::key(path))?))
            }
            Format::Boot | Format::BootHss => {
                let unsigned = self.image.unsigned(format, path, key, seen)?;
                Enclosure::Boot(Box::new(unsigned))
            }
            _ => self.cms(path, key, seen)?,
        };
        let bytes = envelope.message().to_vec();
        let message = message.digested(&bytes, whole.finalize().into(), path)?;
        Ok(Opened { message, envelope: Some(envelope) })
    }

    fn cms(&self, path: &Path, key: &PublicKey, seen: &mut dyn Read) -> Result<Enclosure, Error> {
        let certificates = certificates::of_all(self.cert.as_slice())?;
        let place = if self.attached { Place::Attached } else { Place::Detached };
        let content = Content::read(key, seen, place).map_err(Error::key(path))?;
        let signer = Signer {
            certificates: &certificates,
            named: if self.signer_by == Some(By::Key) { Named::Key } else { Named::Issuer },
            without_certificates: self.without_certificates,
            time: (!self.without_time).then(units::now),
        };
        let of = Error::key(self.cert.as_deref().unwrap_or(path));
        let unsigned = Unsigned::new(key, content, &signer).map_err(of)?;
        Ok(Enclosure::Cms { unsigned: Box::new(unsigned), pem: self.pem })
    }
}

/// A message to sign, and the structure for its signature.
pub struct Opened {
    pub message: Message,
    /// `None` if the file is the signature alone.
    pub envelope: Option<Enclosure>,
}

impl Opened {
    /// Opens a message, or the digest that is signed in its place.
    pub fn bare(path: &Path, digest: Option<Digest>) -> Result<Self, Error> {
        Ok(Self { message: form::message(path, digest)?, envelope: None })
    }

    /// Returns the maximum size of the file for a signature of `signature` bytes.
    pub fn room(&self, signature: usize) -> usize {
        self.envelope.as_ref().map_or(signature, |envelope| envelope.room(signature))
    }
}

/// Reader that hashes all bytes read through it.
struct Seen<'s> {
    inner: &'s mut dyn Read,
    hash: &'s mut Sha256,
}

impl Read for Seen<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(bytes)?;
        self.hash.update(&bytes[..n]);
        Ok(n)
    }
}
