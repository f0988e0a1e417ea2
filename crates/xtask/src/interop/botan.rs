//! Botan's command line, fetched aside by `interop/aside.sh`.
//!
//! Botan's files are not raw: signatures are base64, and a public key is wrapped in an X.509 SubjectPublicKeyInfo
//! under an object identifier of its own. The wrapping of a key has a fixed length for each parameter set, so a raw
//! key is the tail of the wrapped one, and ours is put into the wrapping that Botan made for a key of the same set.

use super::peer::{Peer, attempt, bytes, file_name, run, signatures, write};
use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// Botan's command line.
pub struct Botan {
    program: PathBuf,
    wrappings: PathBuf,
}

impl Botan {
    /// Fetches Botan of Debian 13, once.
    pub fn prepare(root: &Path) -> Result<Self, Failure> {
        let args = ["trixie", "botan", "usr/bin/botan"];
        let printed = run(root.join("interop/aside.sh"), &args)?;
        let wrappings = root.join("target/interop/botan/wrappings");
        std::fs::create_dir_all(&wrappings)
            .map_err(|error| Failure::Io(wrappings.clone(), error))?;
        Ok(Self { program: String::from_utf8_lossy(&printed).trim().into(), wrappings })
    }

    /// Makes a key of this set: the private one is left in `key`, the wrapped public one is returned.
    fn keygen(&self, alg: &str, key: &Path) -> Result<Vec<u8>, Failure> {
        let (algo, params) = names(alg);
        write(
            key,
            &self.run(&["keygen", &format!("--algo={algo}"), &format!("--params={params}")])?,
        )?;
        self.run(&["pkcs8", "--pub-out", "--der-out", &shown(key)])
    }

    /// A wrapped public key of this set, made once.
    fn wrapping(&self, alg: &str) -> Result<Vec<u8>, Failure> {
        let kept = self.wrappings.join(file_name(alg));
        if !kept.is_file() {
            let key = kept.with_extension("key");
            write(&kept, &self.keygen(alg, &key)?)?;
        }
        bytes(&kept)
    }

    fn run(&self, args: &[&str]) -> Result<Vec<u8>, Failure> {
        run(&self.program, args)
    }

    /// Our raw public key in Botan's wrapping; the file it was written to.
    fn wrap(&self, alg: &str, folder: &Path) -> Result<PathBuf, Failure> {
        let raw = bytes(&folder.join("pub"))?;
        let mut spki = self.wrapping(alg)?;
        let start = spki.len().checked_sub(raw.len()).ok_or_else(|| odd(alg))?;
        spki[start..].copy_from_slice(&raw);
        let path = folder.join("pub.spki");
        write(&path, &spki).map(|()| path)
    }

    fn is_good(&self, key: &Path, message: &Path, signature: &Path) -> Result<bool, Failure> {
        let armoured = signature.with_extension("base64");
        write(&armoured, &self.run(&["base64_enc", &shown(signature)])?)?;
        let files = [key, message, &armoured].map(shown);
        let (good, printed, _) =
            attempt(&self.program, &["verify", "--hash=", &files[0], &files[1], &files[2]])?;
        std::fs::remove_file(&armoured).map_err(|error| Failure::Io(armoured, error))?;
        Ok(good && String::from_utf8_lossy(&printed).contains("Signature is valid"))
    }
}

impl Peer for Botan {
    fn name(&self) -> &'static str {
        "Botan"
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(String::from_utf8_lossy(&self.run(&["version"])?).trim().into())
    }

    fn has(&self, alg: &str) -> bool {
        alg.starts_with("XMSS-") || alg.starts_with("HSS(")
    }

    /// Botan's command line does not write the key back, so a second signature would use the first index again.
    fn count(&self) -> usize {
        1
    }

    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure> {
        let (key, message) = (folder.join("botan.key"), folder.join("msg"));
        let spki = self.keygen(alg, &key)?;
        let armoured = folder.join("botan.base64");
        write(&armoured, &self.run(&["sign", "--hash=", &shown(&key), &shown(&message)])?)?;
        write(&folder.join("sig0"), &self.run(&["base64_dec", &shown(&armoured)])?)?;
        let raw = spki.len().checked_sub(raw_key_length(alg)).ok_or_else(|| odd(alg))?;
        write(&folder.join("pub"), &spki[raw..])
    }

    fn verify(&self, alg: &str, folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let mut good = Vec::new();
        for folder in folders {
            let key = self.wrap(alg, folder)?;
            for signature in signatures(folder)? {
                if self.is_good(&key, &folder.join("msg"), &signature)? {
                    good.push(signature);
                }
            }
        }
        Ok(good)
    }
}

/// Length of a raw public key. XMSS: the set's number, root and seed. HSS: level count, two type codes, I and T1.
fn raw_key_length(alg: &str) -> usize {
    if alg.starts_with("HSS(") {
        return if alg.contains("_M24_") { 52 } else { 60 };
    }
    let bits = alg.rsplit('_').next().and_then(|bits| bits.parse().ok()).unwrap_or(256);
    4 + 2 * bits / 8
}

/// Botan's words for a parameter set: its algorithm, and its parameters.
fn names(alg: &str) -> (&'static str, String) {
    match alg.strip_prefix("HSS(") {
        Some(levels) => ("HSS-LMS", hss_params(levels.trim_end_matches(')'))),
        None => ("XMSS", alg.to_string()),
    }
}

/// `LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4,...` as `SHA-256,HW(10,4),...`
fn hss_params(levels: &str) -> String {
    let hash = if levels.contains("SHAKE") { "SHAKE-256" } else { "SHA-256" };
    let length = if levels.contains("_M24_") { 192 } else { 256 };
    let hash = match (hash, length) {
        ("SHA-256", 256) => "SHA-256".to_string(),
        ("SHA-256", _) => "Truncated(SHA-256,192)".to_string(),
        _ => format!("SHAKE-256({length})"),
    };
    levels.split(',').fold(hash, |out, level| {
        let number = |mark: &str| level.rsplit_once(mark).map_or("", |(_, rest)| rest);
        let height = number("_H").split('/').next().unwrap_or_default();
        format!("{out},HW({height},{})", number("_W"))
    })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn odd(alg: &str) -> Failure {
    Failure::Tool(format!("{alg}: Botan's public key is shorter than the raw one"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sets_are_botans() {
        let two =
            "HSS(LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8,LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4)";
        assert_eq!(names(two), ("HSS-LMS", "SHA-256,HW(5,8),HW(10,4)".to_string()));
        let short = "HSS(LMS_SHAKE_M24_H5/LMOTS_SHAKE_N24_W1)";
        assert_eq!(names(short).1, "SHAKE-256(192),HW(5,1)");
        assert_eq!(names("XMSS-SHA2_10_192"), ("XMSS", "XMSS-SHA2_10_192".to_string()));
    }

    #[test]
    fn raw_keys_have_the_lengths_of_the_standards() {
        assert_eq!(raw_key_length("XMSS-SHA2_10_256"), 68);
        assert_eq!(raw_key_length("XMSS-SHAKE_10_512"), 132);
        assert_eq!(raw_key_length("HSS(LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8)"), 52);
    }
}
