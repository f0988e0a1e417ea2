//! Signatures inside structures: CMS, COSE, and images for boot ROMs.

use hasten_kernels::Kernels;
use hasten_keys::boot::Signed;
use hasten_keys::cms::{By, SignedData};
use hasten_keys::cose::Sign1;
use hasten_keys::encoding::{PublicKey, read_public};
use hasten_keys::scan::{Ledger, Scanner, Verdict};
use std::io::Read;

/// The key that signed the seeds, and the content it signed.
const KEY: &[u8] = include_bytes!("../corpus/cms/key");
const CONTENT: &[u8] = b"the firmware";

/// The key that signed the seeds that are images.
const BOOT_KEY: &[u8] = include_bytes!("../corpus/boot/key");

fn boot_key() -> PublicKey {
    read_public(BOOT_KEY, None).expect("the key of the corpus")
}

/// Reads a signed image, and verifies it with the key of the corpus.
pub fn boot(data: &[u8]) {
    let Ok(signed) = Signed::read(data) else { return };
    let key = boot_key();
    let _ = signed.verify(&key, Some(&mut &CONTENT[..]), Kernels::best());
    if signed.verify(&key, None, Kernels::best()).is_ok() {
        let signed = (signed.header().version, signed.image());
        assert_eq!(signed, (7, CONTENT), "the key has signed nothing else");
    }
}

fn key() -> PublicKey {
    read_public(KEY, None).expect("the key of the corpus")
}

/// Reads a SignedData, and verifies it with the key of the corpus and with its own certificates.
pub fn cms(data: &[u8]) {
    let Ok(signed) = SignedData::read(data) else { return };
    let (key, certificates) = (key(), signed.certificates());
    let by_certificates = certificates.iter().map(|der| By::Certificate(der));
    for by in [By::Key(&key)].into_iter().chain(by_certificates) {
        let _ = signed.verify(by, None, Kernels::best());
        let given = signed.verify(by, Some(&mut &CONTENT[..]), Kernels::best());
        assert!(given.is_err() || signed.content().is_none_or(|content| content == CONTENT));
    }
    if signed.verify(By::Key(&key), None, Kernels::best()).is_ok() {
        assert_eq!(signed.content(), Some(CONTENT), "the key has signed nothing else");
    }
}

/// Reads a COSE_Sign1, and verifies it with the key of the corpus.
pub fn cose(data: &[u8]) {
    let Ok(signed) = Sign1::read(data) else { return };
    let key = key();
    let _ = signed.verify(&key, Some(&mut &CONTENT[..]), Kernels::best());
    if signed.verify(&key, None, Kernels::best()).is_ok() {
        assert_eq!(signed.payload(), Some(CONTENT), "the key has signed nothing else");
    }
}

/// Looks for signatures of the keys of the corpus in a file of any form.
pub fn scan(data: &[u8]) {
    for key in [key(), boot_key()] {
        let scanner = Scanner::new(&key, Kernels::best()).expect("a key with a state");
        let mut ledger = Ledger::new(scanner.capacity());
        let mut beside = || Ok(Some(Box::new(CONTENT) as Box<dyn Read>));
        let looks = [scanner.look(data, &mut || Ok(None)), scanner.look(data, &mut beside)];
        for (file, look) in (0..).zip(&looks) {
            look.signatures.iter().for_each(|signature| ledger.add(file, signature));
        }
        let account = ledger.finish();
        assert!(account.indices().all(|index| index.verdict != Verdict::Reused));
        assert!(account.gaps().all(|gap| gap.start() <= gap.end()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(name: &str) -> Vec<u8> {
        std::fs::read(format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    /// Good seeds are needed for their mutations to reach much of the code.
    #[test]
    fn the_seeds_are_good() {
        let (key, content) = (key(), &mut &CONTENT[..]);
        let signed = SignedData::read(&seed("cms/attached")).unwrap();
        assert!(signed.verify(By::Key(&key), None, Kernels::best()).is_ok());
        let detached = SignedData::read(&seed("cms/detached")).unwrap();
        assert!(detached.verify(By::Key(&key), Some(content), Kernels::best()).is_ok());
        assert_eq!(detached.certificates().len(), 1);
        let content = &mut &CONTENT[..];
        let detached = Sign1::read(&seed("cose/detached")).unwrap();
        assert!(detached.verify(&key, Some(content), Kernels::best()).is_ok());
        for name in ["boot/lms", "boot/hss"] {
            let image = seed(name);
            let content = Some(&mut &CONTENT[..] as _);
            let signed = Signed::read(&image).unwrap();
            assert!(signed.verify(&boot_key(), content, Kernels::best()).is_ok(), "{name}");
        }
        let attached = Sign1::read(&seed("cose/attached")).unwrap();
        assert!(attached.verify(&key, None, Kernels::best()).is_ok());
    }
}
