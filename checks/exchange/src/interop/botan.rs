//! Botan's command line, fetched by `checks/interop/aside.sh`.
//!
//! Botan's files are not raw. Signatures are base64. A public key is wrapped in an X.509
//! SubjectPublicKeyInfo, for XMSS under an object identifier of Botan's own and with one OCTET
//! STRING more than X.509 requires. The raw key is the tail of the wrapped key.

use super::der;
use super::peer::{Peer, bytes, signatures, write};
use hasten_chore::failure::Failure;
use hasten_chore::program::{attempt, run};
use std::path::{Path, PathBuf};

/// Botan's command line.
pub struct Botan {
    program: PathBuf,
}

/// Object identifiers: Botan's own for XMSS, and id-alg-hss-lms-hashsig.
const XMSS_OID: [u8; 9] = [0x04, 0x00, 0x7f, 0x00, 0x0f, 0x01, 0x01, 0x0d, 0x00];
const HSS_OID: [u8; 11] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x03, 0x11];

impl Botan {
    /// Fetches Botan of Debian 13 unless it is there.
    pub fn prepare(root: &Path) -> Result<Self, Failure> {
        let args = ["trixie", "botan", "usr/bin/botan"];
        let printed = run(root.join("checks/interop/aside.sh"), &args)?;
        Ok(Self { program: String::from_utf8_lossy(&printed).trim().into() })
    }

    /// Generates a key of this set. Writes the private key to `key` and returns the wrapped public
    /// key.
    fn keygen(&self, alg: &str, key: &Path) -> Result<Vec<u8>, Failure> {
        let (algo, params) = names(alg);
        write(
            key,
            &self.run(&["keygen", &format!("--algo={algo}"), &format!("--params={params}")])?,
        )?;
        self.run(&["pkcs8", "--pub-out", "--der-out", &shown(key)])
    }

    fn run(&self, args: &[&str]) -> Result<Vec<u8>, Failure> {
        run(&self.program, args)
    }

    /// Writes the folder's raw public key in Botan's wrapping. Returns the path of that file.
    fn wrap(&self, alg: &str, folder: &Path) -> Result<PathBuf, Failure> {
        let path = folder.join("pub.spki");
        write(&path, &spki(alg, &bytes(&folder.join("pub"))?)).map(|()| path)
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

    /// Returns 1. Botan's command line does not write the key back, so a second signature would use
    /// the first index again.
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

/// Returns the public key in Botan's wrapping.
fn spki(alg: &str, raw: &[u8]) -> Vec<u8> {
    match alg.starts_with("HSS(") {
        true => der::spki(&HSS_OID, raw),
        false => der::spki(&XMSS_OID, &der::tlv(0x04, raw)),
    }
}

/// Returns the length of a raw public key. For XMSS: the set's number, root and seed. For HSS:
/// level count, two type codes, I and T1.
fn raw_key_length(alg: &str) -> usize {
    if alg.starts_with("HSS(") {
        return if alg.contains("_M24_") { 52 } else { 60 };
    }
    let bits = alg.rsplit('_').next().and_then(|bits| bits.parse().ok()).unwrap_or(256);
    4 + 2 * bits / 8
}

/// Returns Botan's names of a parameter set: its algorithm and its parameters.
fn names(alg: &str) -> (&'static str, String) {
    match alg.strip_prefix("HSS(") {
        Some(levels) => ("HSS-LMS", hss_params(levels.trim_end_matches(')'))),
        None => ("XMSS", alg.to_string()),
    }
}

/// Converts `LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W4,...` to `SHA-256,HW(10,4),...`
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
    fn a_wrapped_key_has_the_lengths_of_the_one_botan_writes() {
        let wrapped = spki("XMSS-SHA2_10_256", &[1; 68]);
        let head =
            [0x30, 0x56, 0x30, 0x0b, 0x06, 0x09, 0x04, 0x00, 0x7f, 0x00, 0x0f, 0x01, 0x01, 0x0d];
        assert_eq!((wrapped.len(), &wrapped[..14]), (88, &head[..]));
        assert_eq!(wrapped[15..20], [0x03, 0x47, 0x00, 0x04, 0x44]);
    }

    #[test]
    fn raw_keys_have_the_lengths_of_the_standards() {
        assert_eq!(raw_key_length("XMSS-SHA2_10_256"), 68);
        assert_eq!(raw_key_length("XMSS-SHAKE_10_512"), 132);
        assert_eq!(raw_key_length("HSS(LMS_SHA256_M24_H5/LMOTS_SHA256_N24_W8)"), 52);
    }
}
