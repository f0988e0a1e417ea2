//! Keys that sign certificates. An existing key is opened; a key for a new certificate is made.

use std::path::{Path, PathBuf};

use hasten_hbs::Set;
use hasten_keys::encoding::PublicKey;
use hasten_keys::registry::{Family, Kind, Row as Algorithm};
use hasten_keys::stateful::{Generation, NewStateful};
use hasten_keys::x509::{self, CertificateSigner};
use hasten_keys::{Error as KeyError, stateless};
use hasten_store::Options;

use super::super::keygen::grow;
use super::issued::new_name;
use crate::backend::Backend;
use crate::error::Error;
use crate::named::Key;
use crate::passphrase::{Passphrase, Source};
use crate::store_args::{self, Opening, Place};
use crate::{files, given, guard, private_key};

/// How keys in stores are opened, and what computes.
#[derive(clap::Args)]
pub struct Means {
    #[command(flatten)]
    pub opening: Opening,
    /// Encrypts a new key under a passphrase; so does --passphrase-file, whose passphrase also
    /// opens the authority's key.
    #[arg(long)]
    pub encrypt: bool,
    #[command(flatten)]
    pub passphrase: Source,
    #[command(flatten)]
    pub backend: Backend,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

impl Means {
    /// Returns the passphrase of a new key, if the key is to be encrypted.
    fn new_passphrase(&self) -> Result<Option<Passphrase>, Error> {
        self.passphrase.of_new(self.encrypt)
    }

    /// Returns an error for options on the state of a key if no store is named.
    pub fn check(&self, alg: &str, store: Option<&PathBuf>) -> Result<(), Error> {
        if store.is_some() { Ok(()) } else { given::no_state(alg) }
    }
}

/// A signing key and its path.
pub struct Authority {
    /// The key.
    pub key: x509::Authority<'static>,
    /// The file or the directory of the key.
    pub path: PathBuf,
}

impl Authority {
    /// Returns the key in a PKCS#8 file.
    pub fn in_file(path: &Path, means: &Means) -> Result<Self, Error> {
        let key = private_key::read(path, &means.passphrase)?;
        let key = stateless::Signer::new(&key, means.backend.kernels()?.1);
        let key = key.map_err(Error::key(path))?;
        Ok(Self { key: x509::Authority::Stateless(key), path: path.to_owned() })
    }

    /// Returns the key in a store.
    pub fn in_store(dir: &Path, means: &Means) -> Result<Self, Error> {
        let kept = store_args::unseal(dir, &means.passphrase)?;
        let kernels = means.backend.kernels()?.1;
        let place = Place { store: Key::at(dir), opening: means.opening.clone() };
        let key = x509::Authority::Stateful(Box::new(place.open(&kept, kernels)?));
        Ok(Self { key, path: dir.to_owned() })
    }

    /// Returns a key of `alg` for a new certificate. A stateful key is in `store` and is made there
    /// unless it exists. A stateless key is made in the new file PREFIX.key.
    pub fn made(
        alg: &'static Algorithm,
        prefix: &Path,
        store: Option<&Path>,
        means: &Means,
    ) -> Result<Self, Error> {
        match (alg.kind, store) {
            (Kind::StatefulSignature, _) if alg.family == Family::SlhDsa => {
                Err(Error::NoIdentifier(&alg.name))
            }
            (Kind::StatefulSignature, Some(dir)) => {
                if !dir.join("public.pem").exists() {
                    generate(alg, dir, means)?;
                }
                let own = Self::in_store(dir, means)?;
                match own.key.is_of(alg) {
                    true => Ok(own),
                    false => Err(Error::key(dir)(KeyError::WrongAlgorithm)),
                }
            }
            (Kind::StatefulSignature, None) => {
                Err(Error::Needs { option: "--store DIR", alg: &alg.name })
            }
            (Kind::Signature, _) => in_new_file(alg, &files::with_ending(prefix, ".key"), means),
            (kind, _) => Err(Error::key(prefix)(KeyError::OtherPurpose(kind))),
        }
    }

    /// Returns the public key in its published form.
    pub fn public(&self) -> Result<PublicKey, Error> {
        self.key.public_key().map_err(Error::key(&self.path))
    }

    /// Closes the key. Returns the number of indices left if the key is in a store.
    pub fn close(self) -> Result<Option<u64>, Error> {
        self.key.close().map_err(Error::key(&self.path))
    }
}

fn in_new_file(alg: &'static Algorithm, path: &Path, means: &Means) -> Result<Authority, Error> {
    let of = Error::key(path);
    let kernels = means.backend.kernels()?.1;
    new_name(path)?;
    let passphrase = means.new_passphrase()?;
    let key = stateless::generate(alg, kernels).map_err(&of)?;
    private_key::write(path, &key, passphrase.as_deref().map(Vec::as_slice))?;
    let key = stateless::Signer::new(&key, kernels).map_err(of)?;
    Ok(Authority { key: x509::Authority::Stateless(key), path: path.to_owned() })
}

/// Makes a stateful key, as `hasten keygen` does.
fn generate(alg: &'static Algorithm, dir: &Path, means: &Means) -> Result<(), Error> {
    let set = Set::named(&alg.name).map_err(|_| Error::NotBuiltIn(&alg.name))?;
    files::make_folders_above(dir)?;
    let guard = guard::of_new(means.opening.guard.as_deref(), dir)?;
    let passphrase = means.new_passphrase()?;
    let opening = &means.opening;
    let options = opening.watch.over(Options::new().guard(&guard), dir, &opening.fleet)?;
    let passphrase = passphrase.as_deref().map(Vec::as_slice);
    let new = NewStateful { set, reserve: 1, sectors: 1 };
    let generation = Generation::begin(dir, options, new, passphrase).map_err(Error::key(dir))?;
    grow(dir, generation, means.backend.kernels()?.1, hasten_report::cores())
}
