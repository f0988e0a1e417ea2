//! A key and its guard in a separate folder; further directories of the same key may be in the same
//! folder.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::Error;
use hasten_keys::stateful::{
    Generation, Kept, NewStateful, Note, Sealed, Stateful, read_public_of,
};
use hasten_keys::verify::verify;
use hasten_store::Options;
use tempfile::TempDir;

pub struct Place {
    dir: TempDir,
    alg: &'static str,
    sectors: u32,
}

impl Place {
    /// Returns a folder for a key that does not exist yet.
    pub fn of(alg: &'static str, sectors: u32) -> Self {
        Self { dir: tempfile::tempdir().unwrap(), alg, sectors }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn store(&self) -> PathBuf {
        self.path("key")
    }

    /// Returns the path of a file of the key.
    pub fn file(&self, name: &str) -> PathBuf {
        self.store().join(name)
    }

    pub fn options(&self) -> Options {
        self.options_of("key")
    }

    pub fn options_of(&self, name: &str) -> Options {
        Options::new().guard(self.path(&format!("{name}.guard")))
    }

    pub fn begin(&self, passphrase: Option<&[u8]>) -> Result<Generation<'_>, Error> {
        let set = Set::named(self.alg).unwrap();
        let new = NewStateful { set, reserve: 1, sectors: self.sectors };
        Generation::begin(&self.store(), self.options(), new, passphrase)
    }

    pub fn generate(&self, passphrase: Option<&[u8]>) {
        let whole = &mut |_| ControlFlow::Continue(());
        self.begin(passphrase).unwrap().run(Kernels::best(), 2, whole).unwrap();
    }

    /// Copies the key and its guard into another folder, as if both had been moved.
    pub fn copy_to(&self, other: &Self) {
        copy_dir(&self.store(), &other.store());
        fs::copy(self.path("key.guard"), other.path("key.guard")).unwrap();
        drop(other.options().accept_moved(true).open(other.store()).unwrap());
    }

    pub fn kept(&self, name: &str, passphrase: Option<&[u8]>) -> Result<Kept, Error> {
        Sealed::of_store(&self.path(name))?.open(passphrase)
    }

    pub fn open(&self) -> Result<Stateful<'static>, Error> {
        self.open_on(Kernels::best())
    }

    pub fn open_on<'k>(&self, kernels: Kernels<'k>) -> Result<Stateful<'k>, Error> {
        Stateful::open(&self.store(), self.options(), &self.kept("key", None)?, kernels)
    }
}

/// Copies a key's directory. Secrets are made readable only for the owner, whatever their mode was.
pub fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let copy = to.join(entry.file_name());
        fs::copy(entry.path(), &copy).unwrap();
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o600)).unwrap();
    }
}

/// Signs `message` in two parts with the next index. Returns the index and the signature.
pub fn sign(key: &mut Stateful<'_>, level: SignerLevel, message: &[u8]) -> (u64, Vec<u8>) {
    let mut ready = key.prepare_next(level).unwrap();
    let (front, back) = message.split_at(message.len() / 2);
    let index = ready.index();
    ready.update(front);
    let signature = ready.finish(back, Note::message()).unwrap();
    (index, signature)
}

/// Signs with the next index in the directory `name`, and verifies with the public key of the
/// place. Returns the index.
pub fn sign_next(place: &Place, name: &str, passphrase: Option<&[u8]>) -> u64 {
    let kept = place.kept(name, passphrase).unwrap();
    let opened = Stateful::open(&place.path(name), place.options_of(name), &kept, Kernels::best());
    let (index, signature) = sign(&mut opened.unwrap(), SignerLevel::ChainTable, b"message");
    let public = read_public_of(&place.store()).unwrap();
    assert_eq!(verify(&public, &mut &b"message"[..], &signature, Kernels::best()), Ok(()));
    index
}
