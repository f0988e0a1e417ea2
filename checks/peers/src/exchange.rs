//! Verifies a peer's signature with Hasten, to make sure that both sides do the same work.

use hasten_hbs::params::Scheme;
use hasten_hbs::slhdsa::{Context, VerifyingKey};
use hasten_hbs::{Error, PublicKey, Set, Verifier};
use hasten_kernels::Kernels;

use crate::MESSAGE;

/// Checks a signature of [`MESSAGE`]. A key of one tree may come as HSS of one level.
///
/// # Errors
/// A message, if Hasten refuses the signature.
pub fn check(set: &'static Set, key: &[u8], signature: &[u8]) -> Result<(), String> {
    // A key of HSS names only the set of its highest tree.
    let named = if let Scheme::Hss { levels } = set.scheme { levels[0] } else { set };
    let of = |parse: fn(&[u8]) -> Result<PublicKey, Error>, [key, signature]: [&[u8]; 2]| {
        let key = parse(key)?;
        match key.set() == named && signature.len() == set.signature_bytes() {
            true => Verifier::new(&key, Kernels::best()).verify(&MESSAGE, signature),
            false => Err(Error::UnknownSet),
        }
    };
    let verdict = match set.scheme {
        Scheme::Xmss => of(PublicKey::from_xmss_bytes, [key, signature]),
        Scheme::XmssMt => of(PublicKey::from_xmssmt_bytes, [key, signature]),
        Scheme::Hss { .. } => of(PublicKey::from_hss_bytes, [key, signature]),
        Scheme::Lms { .. } => of(PublicKey::from_lms_bytes, one_level(key, signature)),
        _ => VerifyingKey::from_bytes(&Kernels::best(), set, key)
            .and_then(|key| key.verify(Context::EMPTY, &MESSAGE, signature)),
    };
    verdict.map_err(|error| format!("ours refuses its {} signature: {error}", set.name))
}

/// Removes the number of levels from a key and signature that are HSS of one level. Such a key
/// begins with 1, the signature with 0. A key of LMS alone begins with its type, which is above 4.
fn one_level<'b>(key: &'b [u8], signature: &'b [u8]) -> [&'b [u8]; 2] {
    match (key.strip_prefix(&[0, 0, 0, 1]), signature.strip_prefix(&[0; 4])) {
        (Some(key), Some(signature)) => [key, signature],
        _ => [key, signature],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasten_hbs::{generate, hazmat::Throwaway};
    use signature::SignerMut;

    #[test]
    fn lms_comes_alone_or_as_one_level() {
        let set = Set::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4").unwrap();
        let seed = crate::ours::seed(set);
        let mut signer =
            generate(set, &seed, Kernels::best()).unwrap().with_permits(Throwaway::new());
        let key = signer.signer().public_key().as_bytes().to_vec();
        let signature = signer.sign(&MESSAGE).as_bytes().to_vec();
        assert_eq!(check(set, &key, &signature), Ok(()));
        let [key, signature] = [([0, 0, 0, 1], key), ([0; 4], signature)]
            .map(|(levels, bytes)| [&levels[..], &bytes].concat());
        assert_eq!(check(set, &key, &signature), Ok(()));
        assert!(check(set, &key, &signature[4..]).unwrap_err().contains("refuses"));
        let other = Set::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W8").unwrap();
        assert!(check(other, &key, &signature).is_err());
    }
}
