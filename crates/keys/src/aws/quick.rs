//! ML-KEM-768 by graviola. Its arithmetic is that of s2n-bignum, formally verified. It computes
//! Keccak over four or eight states at once, and Keccak is where aws-lc-rs spends its time. Every
//! function returns `None` for another set, and on a processor that graviola does not support.

use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey, EncapKey};
use zeroize::Zeroizing;

use crate::{
    Error,
    decoded::{Decoded, DecodedPair},
    encapsulated::Encapsulated,
    encoding::{PrivateKey, PublicKey},
    registry::Row,
};

/// Returns true if the set is ML-KEM-768 and graviola supports the processor. False under valgrind.
fn usable(row: &Row) -> bool {
    row.name == "ML-KEM-768" && graviola::util::is_cpu_supported()
}

fn pair(row: &'static Row) -> Result<(DecapKey, PublicKey), Error> {
    let key = DecapKey::generate().map_err(|_| Error::Randomness)?;
    let public = PublicKey::new(row, &key.encapsulation_key().as_bytes())?;
    Ok((key, public))
}

pub(super) fn generate(row: &'static Row) -> Option<Result<(PrivateKey, PublicKey), Error>> {
    usable(row).then(|| {
        let (key, public) = pair(row)?;
        let bytes = Zeroizing::new(key.as_bytes());
        let expanded = Some(Zeroizing::new(bytes.to_vec()));
        Ok((PrivateKey { row, seed: None, expanded }, public))
    })
}

pub(super) fn decoded_pair(row: &'static Row) -> Option<Result<DecodedPair, Error>> {
    usable(row).then(|| {
        let (key, public) = pair(row)?;
        Ok((Box::new(key) as Box<dyn Decoded>, public))
    })
}

/// Derives a key from its seed (FIPS 203, Algorithm 16 (ML-KEM.KeyGen_internal)).
pub(super) fn decode(row: &'static Row, seed: &[u8]) -> Option<Result<Box<dyn Decoded>, Error>> {
    usable(row).then(|| {
        let seed = seed.try_into().map_err(|_| Error::KeySize)?;
        Ok(Box::new(DecapKey::keygen_internal(seed)) as Box<dyn Decoded>)
    })
}

pub(super) fn encapsulate(key: &PublicKey) -> Option<Result<Encapsulated, Error>> {
    usable(key.row).then(|| {
        let raw = key.raw.as_slice().try_into().map_err(|_| Error::KeySize)?;
        let key = EncapKey::from_bytes(raw).map_err(|_| Error::NotAKey)?;
        let (shared, ciphertext) = key.encaps().map_err(|_| Error::Randomness)?;
        Ok(Encapsulated {
            ciphertext: ciphertext.as_ref().to_vec(),
            shared: Zeroizing::new(shared.as_ref().to_vec()),
        })
    })
}

impl Decoded for DecapKey {
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let bytes: [u8; 1088] = ciphertext.try_into().map_err(|_| Error::CiphertextSize)?;
        let shared = self.decaps_internal(&Ciphertext::from(bytes));
        Ok(Zeroizing::new(shared.as_ref().to_vec()))
    }
}
