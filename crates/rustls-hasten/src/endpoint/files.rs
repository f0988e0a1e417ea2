//! The files of a directory that a server may serve, and those that it never serves.
//!
//! A file is served if everybody on this machine may read it and it is neither a private key nor
//! part of a stateful key. Links are followed, but not out of the directory.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use hasten_keys::inspect::{What, inspect};
use hasten_keys::stateful::is_store;

/// Number of bytes of a file that are searched for a private key. No key or bundle of keys is
/// longer.
const SEARCHED: u64 = 1 << 20;

/// Permission bit for reading by all other users.
const READABLE_BY_ALL: u32 = 0o004;

/// A directory whose files are served.
#[derive(Clone, Debug)]
pub struct Files {
    root: PathBuf,
}

/// Reason why a directory cannot be served.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unfit {
    /// This secret file of the server is in the directory.
    Secret(PathBuf),
    /// This stateful key is in the directory, or the directory is in it.
    Store(PathBuf),
    /// The directory, or this part of it, cannot be read.
    Unreadable(PathBuf, io::Error),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Secret(path) => write!(f, "{} lies in it, and is secret", path.display()),
            Self::Store(path) => write!(f, "{} is a stateful key", path.display()),
            Self::Unreadable(path, cause) => write!(f, "reading {}: {cause}", path.display()),
        }
    }
}

impl std::error::Error for Unfit {}

/// Reason why a file is not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// There is no such regular file in the directory.
    Absent,
    /// Not every user on this machine may read it.
    Protected,
    /// It contains a private key, or has exactly the length of a raw private key.
    PrivateKey,
    /// It is part of a stateful key.
    Store,
}

impl Refused {
    /// Returns the reason in words, for the server's log.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Absent => "no such file",
            Self::Protected => "not readable by everybody on this machine (chmod o+r)",
            Self::PrivateKey => "it holds a private key, or is as long as a raw one",
            Self::Store => "it is a part of a stateful key",
        }
    }
}

impl Files {
    /// Returns the directory, if no file of `secrets` and no stateful key is below it. Every folder
    /// below it is checked.
    ///
    /// # Errors
    /// The path that must not be there, or that cannot be checked.
    pub fn of(root: &Path, secrets: &[&Path]) -> Result<Self, Unfit> {
        let root = whole(root)?;
        for secret in secrets {
            if whole(secret)?.starts_with(&root) {
                return Err(Unfit::Secret((*secret).to_owned()));
            }
        }
        for folder in root.ancestors() {
            must_be_no_store(folder)?;
        }
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            must_be_no_store(&folder)?;
            let unreadable = |cause| Unfit::Unreadable(folder.clone(), cause);
            for entry in fs::read_dir(&folder).map_err(unreadable)? {
                let entry = entry.map_err(unreadable)?;
                if entry.file_type().map_err(unreadable)?.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        Ok(Self { root })
    }

    /// Opens the file that the path of a request names, if it may be served. For a directory this
    /// is its `index.html`.
    ///
    /// # Errors
    /// The reason why the file is not served.
    pub fn open(&self, inside: &str) -> Result<(File, PathBuf), Refused> {
        let absent = |_| Refused::Absent;
        if inside.starts_with('/') {
            return Err(Refused::Absent);
        }
        let named = self.root.join(inside).canonicalize().map_err(absent)?;
        let path = match named.is_dir() {
            true => named.join("index.html").canonicalize().map_err(absent)?,
            false => named,
        };
        if !path.starts_with(&self.root) || !path.is_file() {
            return Err(Refused::Absent);
        }
        let mut folders = path.ancestors().skip(1).take_while(|at| at.starts_with(&self.root));
        // A folder that cannot be checked may be a key.
        if folders.any(|folder| is_store(folder).unwrap_or(true)) {
            return Err(Refused::Store);
        }
        let mut file = File::open(&path).map_err(|_| Refused::Protected)?;
        let data = file.metadata().map_err(absent)?;
        self.readable_by_all(&path, &data)?;
        if holds_private_key(&mut file).map_err(|_| Refused::Protected)? {
            return Err(Refused::PrivateKey);
        }
        Ok((file, path))
    }

    /// Checks that everybody may read the file, and that it is still a regular file.
    fn readable_by_all(&self, path: &Path, data: &Metadata) -> Result<(), Refused> {
        match data.is_file() && data.mode() & READABLE_BY_ALL != 0 {
            true => self.folders_open(path),
            false => Err(Refused::Protected),
        }
    }

    /// Checks that everybody may enter each folder between the directory and the file.
    fn folders_open(&self, path: &Path) -> Result<(), Refused> {
        const ENTERED_BY_ALL: u32 = 0o001;
        let folders = path.ancestors().skip(1).take_while(|at| *at != self.root);
        for folder in folders {
            let data = fs::metadata(folder).map_err(|_| Refused::Absent)?;
            if data.mode() & ENTERED_BY_ALL == 0 {
                return Err(Refused::Protected);
            }
        }
        Ok(())
    }
}

fn must_be_no_store(folder: &Path) -> Result<(), Unfit> {
    match is_store(folder) {
        Ok(false) => Ok(()),
        Ok(true) => Err(Unfit::Store(folder.to_owned())),
        Err(cause) => Err(Unfit::Unreadable(folder.to_owned(), cause)),
    }
}

fn whole(path: &Path) -> Result<PathBuf, Unfit> {
    path.canonicalize().map_err(|cause| Unfit::Unreadable(path.to_owned(), cause))
}

/// Returns true if the file begins with a private key or contains one as text. The file is then at
/// its beginning again.
fn holds_private_key(file: &mut File) -> io::Result<bool> {
    let mut bytes = zeroize::Zeroizing::new(Vec::new());
    file.take(SEARCHED).read_to_end(&mut bytes)?;
    file.rewind()?;
    Ok(is_private(&bytes))
}

/// Returns true if these bytes contain a private key: in an encoding that is known here, in
/// PKCS#12, or with the words with which other programs begin their private keys.
fn is_private(bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 4] = [
        b"PuTTY-User-Key-File",
        b"minisign encrypted secret key",
        b"AGE-SECRET-KEY-",
        b"AGE-PLUGIN-",
    ];
    let has = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|at| at == word);
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let private = |what| matches!(what, What::PrivateKey | What::EncryptedPrivateKey | What::Shard);
    WORDS.into_iter().any(|word| has(bytes, word))
        || lines.any(|line| has(line, b"-----BEGIN ") && has(line, b"PRIVATE KEY"))
        || inspect(bytes).iter().any(|finding| private(finding.what))
        || is_pkcs12(bytes)
        || is_private_jwk(bytes)
}

/// Returns true if these bytes begin like a PFX of PKCS #12: a sequence whose first element is the
/// version, 3, and whose second is another sequence.
fn is_pkcs12(bytes: &[u8]) -> bool {
    let length = match bytes {
        [0x30, 0..=0x80, ..] => 0,
        [0x30, long, ..] => usize::from(long & 0x7f),
        _ => return false,
    };
    bytes.get(2 + length..).is_some_and(|inside| inside.starts_with(&[2, 1, 3, 0x30]))
}

/// Returns true if these bytes are JSON Web Keys with a private member: `d` of elliptic curves and
/// RSA, `priv` of AKP, `k` of symmetric keys.
fn is_private_jwk(bytes: &[u8]) -> bool {
    let has = |name: &str| bytes.windows(name.len()).any(|at| at == name.as_bytes());
    has("\"kty\"") && ["\"d\"", "\"priv\"", "\"k\""].into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn mode(path: &Path, bits: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(bits)).unwrap();
    }

    #[test]
    fn only_what_everybody_may_read() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        fs::create_dir_all(root.join("sub/closed")).unwrap();
        for name in ["open", "shut", "sub/open", "sub/closed/open"] {
            fs::write(root.join(name), "text").unwrap();
            mode(&root.join(name), 0o644);
        }
        mode(&root.join("sub"), 0o755);
        mode(&root.join("shut"), 0o640);
        mode(&root.join("sub/closed"), 0o700);
        let files = Files::of(&root, &[]).unwrap();
        let answer = |path| files.open(path).map(|_| ());
        assert_eq!(answer("open"), Ok(()));
        assert_eq!(answer("sub/open"), Ok(()));
        assert_eq!(answer("shut"), Err(Refused::Protected));
        assert_eq!(answer("sub/closed/open"), Err(Refused::Protected));
        assert_eq!(answer("sub"), Err(Refused::Absent));
        assert_eq!(answer("/open"), Err(Refused::Absent));
    }

    #[test]
    fn private_keys_in_many_forms() {
        let rsa = b"junk\n-----BEGIN RSA PRIVATE KEY-----\nMIIB\n";
        let pkcs8 = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20\
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let jwk = br#"{"kty":"OKP","crv":"Ed25519","d":"AAAA","x":"AAAA"}"#;
        for private in [
            &rsa[..],
            pkcs8,
            jwk,
            b"\x30\x82\x01\x00\x02\x01\x03\x30\x82",
            b"AGE-SECRET-KEY-1",
            &[7; 32],
        ] {
            assert!(is_private(private), "{}", String::from_utf8_lossy(private));
        }
        let public = br#"{"kty":"OKP","crv":"Ed25519","x":"AAAA"}"#;
        for other in
            [&public[..], b"", b"text", b"\x30\x03\x02\x01\x03", b"a page about a PRIVATE KEY"]
        {
            assert!(!is_private(other), "{}", String::from_utf8_lossy(other));
        }
    }

    #[test]
    fn secrets_and_stores_are_not_below() {
        let place = tempfile::tempdir().unwrap();
        let (root, key) = (place.path().join("root"), place.path().join("root/a/key"));
        fs::create_dir_all(key.parent().unwrap()).unwrap();
        fs::write(&key, "x").unwrap();
        assert!(matches!(Files::of(&root, &[&key]), Err(Unfit::Secret(path)) if path == key));
        let link = place.path().join("link");
        std::os::unix::fs::symlink(&key, &link).unwrap();
        assert!(matches!(Files::of(&root, &[&link]), Err(Unfit::Secret(_))));
        let files = Files::of(&root, &[]).unwrap();
        let store = root.join("a/store");
        fs::create_dir(&store).unwrap();
        for name in ["config", "log.0", "secret"] {
            fs::write(store.join(name), "x").unwrap();
            mode(&store.join(name), 0o644);
        }
        assert_eq!(files.open("a/store/secret").map(|_| ()), Err(Refused::Store));
        assert!(matches!(Files::of(&root, &[]), Err(Unfit::Store(_))));
        assert!(matches!(Files::of(&store.join("."), &[]), Err(Unfit::Store(_))));
        assert!(matches!(Files::of(&root.join("none"), &[]), Err(Unfit::Unreadable(..))));
    }
}
