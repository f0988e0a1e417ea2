//! OpenSSL's command line, fetched by `checks/interop/aside.sh`: SLH-DSA.

use super::der;
use super::peer::{Peer, bytes, signatures, write};
use hasten_chore::failure::Failure;
use hasten_chore::program::{attempt, run};
use std::path::{Path, PathBuf};

/// OpenSSL's command line.
pub struct OpenSsl {
    program: PathBuf,
}

/// The OID arc of NIST's signature algorithms, and the number in it of each SLH-DSA set.
const ARC: [u8; 8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03];
const SLH_DSA: [(&str, u8); 12] = [
    ("SLH-DSA-SHA2-128s", 20),
    ("SLH-DSA-SHA2-128f", 21),
    ("SLH-DSA-SHA2-192s", 22),
    ("SLH-DSA-SHA2-192f", 23),
    ("SLH-DSA-SHA2-256s", 24),
    ("SLH-DSA-SHA2-256f", 25),
    ("SLH-DSA-SHAKE-128s", 26),
    ("SLH-DSA-SHAKE-128f", 27),
    ("SLH-DSA-SHAKE-192s", 28),
    ("SLH-DSA-SHAKE-192f", 29),
    ("SLH-DSA-SHAKE-256s", 30),
    ("SLH-DSA-SHAKE-256f", 31),
];

impl OpenSsl {
    /// Fetches OpenSSL of Debian 13 unless it is there.
    pub fn prepare(root: &Path) -> Result<Self, Failure> {
        let args = ["trixie", "openssl", "usr/bin/openssl"];
        let printed = run(root.join("checks/interop/aside.sh"), &args)?;
        Ok(Self { program: String::from_utf8_lossy(&printed).trim().into() })
    }

    fn is_good(&self, key: &Path, message: &Path, signature: &Path) -> Result<bool, Failure> {
        let [key, message, signature] = [key, message, signature].map(shown);
        let args = ["pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", &key];
        let files = ["-in", &message, "-sigfile", &signature];
        let (good, printed, _) = attempt(&self.program, &[args.as_slice(), &files].concat())?;
        Ok(good && String::from_utf8_lossy(&printed).contains("Signature Verified Successfully"))
    }
}

impl Peer for OpenSsl {
    fn name(&self) -> &'static str {
        "OpenSSL"
    }

    fn version(&self) -> Result<String, Failure> {
        let printed = String::from_utf8_lossy(&run(&self.program, &["version"])?).into_owned();
        Ok(printed.split_whitespace().nth(1).unwrap_or_default().into())
    }

    fn has(&self, alg: &str) -> bool {
        number(alg).is_some()
    }

    fn count(&self) -> usize {
        2
    }

    fn sign(&self, alg: &str, folder: &Path) -> Result<(), Failure> {
        let (key, message) = (shown(&folder.join("openssl.key")), shown(&folder.join("msg")));
        run(&self.program, &["genpkey", "-algorithm", alg, "-out", &key])?;
        let wrapped = run(&self.program, &["pkey", "-in", &key, "-pubout", "-outform", "DER"])?;
        let raw = wrapped.len().checked_sub(2 * node_bytes(alg));
        let raw = raw.ok_or_else(|| Failure::Tool(format!("{alg}: a short public key")))?;
        write(&folder.join("pub"), &wrapped[raw..])?;
        for number in 0..self.count() {
            let signature = shown(&folder.join(format!("sig{number}")));
            run(
                &self.program,
                &["pkeyutl", "-sign", "-inkey", &key, "-in", &message, "-out", &signature],
            )?;
        }
        Ok(())
    }

    fn verify(&self, alg: &str, folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let missing = || Failure::Tool(format!("{alg}: not in OpenSSL"));
        let oid = [&ARC[..], &[number(alg).ok_or_else(missing)?]].concat();
        let mut good = Vec::new();
        for folder in folders {
            let key = folder.join("pub.spki");
            write(&key, &der::spki(&oid, &bytes(&folder.join("pub"))?))?;
            for signature in signatures(folder)? {
                if self.is_good(&key, &folder.join("msg"), &signature)? {
                    good.push(signature);
                }
            }
        }
        Ok(good)
    }
}

fn number(alg: &str) -> Option<u8> {
    SLH_DSA.iter().find(|(name, _)| *name == alg).map(|(_, number)| *number)
}

/// Returns n in bytes. A set's name has it in bits: 128, 192 or 256.
fn node_bytes(alg: &str) -> usize {
    let bits: String = alg.chars().rev().skip(1).take(3).collect();
    bits.chars().rev().collect::<String>().parse().map_or(0, |bits: usize| bits / 8)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_is_in_the_name() {
        assert_eq!(node_bytes("SLH-DSA-SHA2-128s"), 16);
        assert_eq!(node_bytes("SLH-DSA-SHAKE-256f"), 32);
        assert_eq!(number("SLH-DSA-SHAKE-256f"), Some(31));
    }
}
