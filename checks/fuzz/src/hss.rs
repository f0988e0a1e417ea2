//! HSS public keys, signatures and announcements.

use hasten_hbs::{PreparedVerifier, PublicKey, Set, Verifier, VerifierLevel};
use hasten_kernels::Kernels;

/// Returns the public key at the beginning of `data`, and the rest.
fn key(data: &[u8]) -> Option<(PublicKey, &[u8])> {
    let set = Set::lms_by_types(data.get(4..)?.first_chunk()?).ok()?;
    let (key, rest) = data.split_at_checked(4 + set.public_key_bytes())?;
    Some((PublicKey::from_hss_bytes(key).ok()?, rest))
}

/// Reads a public key, and the rest as a signature of "fuzz" and as an announcement.
pub fn hss(data: &[u8]) {
    let Some((key, rest)) = key(data) else {
        return assert!(PublicKey::from_hss_bytes(data).is_err());
    };
    let verifier = Verifier::new(&key, Kernels::best());
    let mut watch = PreparedVerifier::new(verifier.clone(), VerifierLevel::OtsKey, 0);
    let announced = watch.announce(rest).is_ok();
    assert_eq!(watch.pending() == 1, announced);
    let plain = verifier.verify(b"fuzz", rest);
    assert_eq!(plain, watch.verify(b"fuzz", rest), "every level says the same");
    assert!(verifier.verify(b"another", rest).is_err());
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasten_hbs::{SignerLevel, generate, hazmat::Throwaway};
    use std::path::{Path, PathBuf};

    /// Good seeds are needed for their mutations to reach much of the code.
    #[test]
    fn the_seeds_are_good() {
        for (path, announcement) in seeds() {
            let data = std::fs::read(&path).unwrap();
            let (key, rest) = key(&data).unwrap();
            let verifier = Verifier::new(&key, Kernels::best());
            if announcement {
                PreparedVerifier::new(verifier, VerifierLevel::OtsKey, 0).announce(rest).unwrap();
            } else {
                verifier.verify(b"fuzz", rest).unwrap();
            }
        }
    }

    fn seeds() -> Vec<(PathBuf, bool)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/hss");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries
            .map(|path| (path.clone(), path.to_string_lossy().ends_with("-announcement")))
            .collect()
    }

    /// Generates the seeds: `cargo test make_the_seeds -- --ignored`.
    #[test]
    #[ignore = "writes the corpus"]
    fn make_the_seeds() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/hss");
        std::fs::create_dir_all(&folder).unwrap();
        for levels in [1, 2, 3] {
            let low = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
            let set = Set::hss(&vec![low; levels]).unwrap();
            let seed: Vec<u8> = (0..set.seed_bytes() as u8).collect();
            let mut signer = generate(set, &seed, Kernels::best()).unwrap();
            let key = signer.public_key().as_bytes().to_vec();
            let permit = Throwaway::starting_at(levels as u64).permit();
            let ready = signer.prepare(permit, SignerLevel::ChainTable).unwrap();
            let announcement = [key.as_slice(), &ready.announcement()].concat();
            let signature = ready.finish(b"fuzz").unwrap();
            let signature = [key.as_slice(), signature.as_bytes()].concat();
            std::fs::write(folder.join(format!("{levels}-signature")), signature).unwrap();
            std::fs::write(folder.join(format!("{levels}-announcement")), announcement).unwrap();
        }
    }
}
