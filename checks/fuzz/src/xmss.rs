//! XMSS public keys, signatures and announcements, and names of parameter sets.

use hasten_hbs::params::SETS;
use hasten_hbs::{MOST_PENDING, PreparedVerifier, PublicKey, Set, Verifier, VerifierLevel};
use hasten_kernels::Kernels;

/// Reads a public key, and the rest as a signature of "fuzz" and as an announcement.
pub fn xmss(data: &[u8]) {
    let Some(set) =
        data.first_chunk().and_then(|oid| Set::xmss_by_oid(u32::from_be_bytes(*oid)).ok())
    else {
        return assert!(PublicKey::from_xmss_bytes(data).is_err());
    };
    let Some((key, rest)) = data.split_at_checked(set.public_key_bytes()) else {
        return assert!(PublicKey::from_xmss_bytes(data).is_err());
    };
    let key = PublicKey::from_xmss_bytes(key).expect("the number and the length are right");
    let verifier = Verifier::new(&key, Kernels::best());
    let mut watch = PreparedVerifier::new(verifier.clone(), VerifierLevel::OtsKey, 0);
    let announced = watch.announce(rest).is_ok();
    assert!(watch.pending() <= MOST_PENDING && (watch.pending() == 1) == announced);
    let plain = verifier.verify(b"fuzz", rest);
    assert_eq!(plain, watch.verify(b"fuzz", rest), "every level says the same");
    assert!(verifier.verify(b"another", rest).is_err());
}

/// Looks a name up as a parameter set and in the registry, and searches the nearest names.
pub fn names(data: &[u8]) {
    let Ok(name) = std::str::from_utf8(data) else { return };
    match Set::named(name) {
        Ok(set) => assert!(Set::named(set.name).is_ok()),
        Err(_) => drop(hasten_keys::nearest(name, SETS.iter().map(|set| set.name))),
    }
    let _ = hasten_keys::registry::find(name);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Good seeds are needed for their mutations to reach much of the code.
    #[test]
    fn the_seeds_are_good() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/xmss");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let data = std::fs::read(&path).unwrap();
            let oid = u32::from_be_bytes(*data.first_chunk().unwrap());
            let (key, rest) = data.split_at(Set::xmss_by_oid(oid).unwrap().public_key_bytes());
            let key = PublicKey::from_xmss_bytes(key).unwrap();
            let verifier = Verifier::new(&key, Kernels::best());
            if path.to_str().unwrap().ends_with("-signature") {
                verifier.verify(b"fuzz", rest).unwrap();
            } else {
                PreparedVerifier::new(verifier, VerifierLevel::OtsKey, 0).announce(rest).unwrap();
            }
        }
    }
}
