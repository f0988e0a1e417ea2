//! SLH-DSA for a limited number of signatures, with parallel-sphincsplus, branch `dwarf`.
//!
//! No script fetches or builds it: `HASTEN_DWARF` names a program that uses it, whose source is
//! `checks/interop/dwarf/peer.cpp`. The keys and signatures of our side are those of
//! `vectors/conformance`, because generating them takes minutes.

use super::peer::{Peer, bytes, good_ones, write};
use hasten_chore::failure::Failure;
use hasten_chore::program::run;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Environment variable with the path of the program.
pub const PROGRAM: &str = "HASTEN_DWARF";
/// The version used for the exchange. The library states none.
const VERSION: &str = "branch dwarf, 101df83";
/// Path of our signatures in the repository.
const VECTORS: &str = "vectors/conformance/slh-dsa-limited.json";

/// Returns true if a set is one of the draft.
pub fn is_limited(alg: &str) -> bool {
    alg.starts_with("SLH-DSA-") && alg.ends_with("-24")
}

/// The other implementation.
pub struct Dwarf {
    program: PathBuf,
}

impl Dwarf {
    /// Finds the program.
    pub fn prepare() -> Result<Self, Failure> {
        let missing = || Failure::Usage(format!("{PROGRAM} names no program"));
        let program = std::env::var_os(PROGRAM).ok_or_else(missing)?.into();
        Ok(Self { program })
    }
}

impl Peer for Dwarf {
    fn name(&self) -> &'static str {
        "parallel-sphincsplus"
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(VERSION.into())
    }

    fn has(&self, alg: &str) -> bool {
        is_limited(alg)
    }

    fn count(&self) -> usize {
        1
    }

    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure> {
        let (folder, count) = (folder.display().to_string(), self.count().to_string());
        run(&self.program, &["sign", alg, &folder, &count]).map(drop)
    }

    fn verify(&self, alg: &str, folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let mut args = vec!["verify".to_string(), alg.to_string()];
        args.extend(folders.iter().map(|folder| folder.display().to_string()));
        Ok(good_ones(&run(&self.program, &args)?))
    }
}

/// Our keys and signatures, made before.
pub struct Made {
    groups: Vec<Value>,
    path: PathBuf,
}

impl Made {
    /// Reads the cases.
    pub fn read(root: &Path) -> Result<Self, Failure> {
        let path = root.join(VECTORS);
        let form = |text: String| Failure::Form(path.clone(), text);
        let file: Value =
            serde_json::from_slice(&bytes(&path)?).map_err(|error| form(error.to_string()))?;
        let groups = file["groups"].as_array().cloned();
        Ok(Self { groups: groups.ok_or_else(|| form("no groups".into()))?, path })
    }

    fn field(&self, value: &Value) -> Result<Vec<u8>, Failure> {
        let digits = value.as_str().unwrap_or("-").as_bytes().chunks(2);
        let byte = |two: &[u8]| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok();
        let read = digits.map(byte).collect::<Option<Vec<u8>>>();
        read.ok_or_else(|| Failure::Form(self.path.clone(), "no hexadecimal digits".into()))
    }
}

impl Peer for Made {
    fn name(&self) -> &'static str {
        "Hasten"
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(env!("CARGO_PKG_VERSION").into())
    }

    fn has(&self, alg: &str) -> bool {
        self.groups.iter().any(|group| group["alg"] == alg)
    }

    fn count(&self) -> usize {
        1
    }

    /// Overwrites the folder's message with that of the case.
    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure> {
        let missing = || Failure::Form(self.path.clone(), format!("no key of {alg}"));
        let group = self.groups.iter().find(|group| group["alg"] == alg).ok_or_else(missing)?;
        let case = &group["cases"][0];
        write(&folder.join("pub"), &self.field(&group["publicKey"])?)?;
        write(&folder.join("msg"), &self.field(&case["message"])?)?;
        write(&folder.join("sig0"), &self.field(&case["signature"])?)
    }

    fn verify(&self, _alg: &str, _folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        Err(Failure::Usage("cases verify nothing".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasten_chore::checkout;

    #[test]
    fn signatures_have_the_sizes_of_the_draft() {
        let made = Made::read(&checkout::root().unwrap()).unwrap();
        for hash in ["SHA2", "SHAKE"] {
            for (bits, length) in [(128, 3_856), (192, 7_752), (256, 14_944)] {
                let alg = format!("SLH-DSA-{hash}-{bits}-24");
                assert!(is_limited(&alg), "{alg}");
                assert_eq!(sizes(&made, &alg), (bits / 4, length), "{alg}");
            }
        }
        assert!(!is_limited("SLH-DSA-SHA2-128s") && !made.has("SLH-DSA-SHA2-128s"));
    }

    /// Returns the lengths of a public key and of a signature in bytes.
    fn sizes(made: &Made, alg: &str) -> (usize, usize) {
        let folder = std::env::temp_dir().join(format!("made-{}-{alg}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        made.sign(alg, &folder).unwrap();
        let [public, signature] = ["pub", "sig0"].map(|name| bytes(&folder.join(name)).unwrap());
        std::fs::remove_dir_all(folder).unwrap();
        (public.len(), signature.len())
    }
}
