//! The content of a key's record in etcd, and the names of its entries.

use crate::client::Pair;
use hasten_store::{Identity, MacKey};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The shared state of a key: the value of `PREFIX/state`. `next - start` is `used + lost + burned`
/// plus the indices of open attempts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shared {
    /// Id of the key, in hexadecimal.
    pub key_id: String,
    /// SHA-256 of its public key, in hexadecimal; empty if none was bound.
    #[serde(default)]
    pub public: String,
    /// Number of indices of the whole key.
    pub capacity: u64,
    /// First index of the fleet's range.
    pub start: u64,
    /// End of the range.
    pub end: u64,
    /// Next index to be reserved.
    pub next: u64,
    /// Indices recorded as used.
    pub used: u64,
    /// Indices reserved and never recorded.
    pub lost: u64,
    /// Indices given up on purpose.
    pub burned: u64,
    /// Number of reservations so far.
    pub generation: u64,
    /// Exhaustion threshold.
    pub threshold: u64,
    /// True if the exhaustion warning was acknowledged.
    pub acknowledged: bool,
    /// True if the key is retired: nothing can be reserved any more.
    pub retired: bool,
}

/// One reservation: the value of `PREFIX/attempt/SIGNER/TOKEN`, written in the same transaction as
/// the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// First index.
    pub first: u64,
    /// Number of indices.
    pub count: u64,
}

/// Encoding of values: JSON. In a fleet with a MAC key, the MAC of name and JSON comes first (32
/// hexadecimal digits and a blank). Somebody without the MAC key can then only restore an earlier
/// value under the same name.
#[derive(Clone, Debug, Default)]
pub struct Values(pub Option<MacKey>);

impl Values {
    /// Returns the encoded bytes of `value` under `name`.
    pub fn encode<T: Serialize>(&self, name: &str, value: &T) -> Vec<u8> {
        let json = serde_json::to_string(value).unwrap_or_default();
        match &self.0 {
            None => json.into_bytes(),
            Some(key) => {
                let mac = u128::from_be_bytes(key.mac(format!("{name}\n{json}").as_bytes()));
                format!("{mac:032x} {json}").into_bytes()
            }
        }
    }

    /// Decodes the value of a pair. Returns `None` if this fleet did not write it.
    pub fn decode<T: DeserializeOwned>(&self, pair: &Pair) -> Option<T> {
        let text = std::str::from_utf8(&pair.value).ok()?;
        let Some(key) = &self.0 else { return serde_json::from_str(text).ok() };
        let (mac, json) = text.split_once(' ').filter(|(mac, _)| mac.len() == 32)?;
        let mac = u128::from_str_radix(mac, 16).ok()?.to_be_bytes();
        let good = key.fits(format!("{}\n{json}", pair.key).as_bytes(), &mac);
        serde_json::from_str(json).ok().filter(|_| good)
    }

    /// Returns the shared state in an answer, and the revision of its last change.
    pub fn state(&self, pairs: &[Pair]) -> Option<(Shared, u64)> {
        let pair = pairs.first()?;
        Some((self.decode(pair)?, pair.changed))
    }
}

/// The names of a key's entries in etcd.
#[derive(Clone, Debug)]
pub struct Names {
    /// Common prefix of all entries of the key.
    pub prefix: String,
    /// Id of this signer.
    pub signer: String,
}

impl Names {
    /// Returns the name of the shared state.
    pub fn state(&self) -> String {
        format!("{}/state", self.prefix)
    }

    /// Returns the name of the halt mark. A signer that finds the service rolled back writes it. As
    /// long as it exists, nobody reserves.
    pub fn halt(&self) -> String {
        format!("{}/halt", self.prefix)
    }

    /// Returns the prefix of this signer's attempts.
    pub fn own(&self) -> String {
        format!("{}/attempt/{}/", self.prefix, self.signer)
    }

    /// Returns the name of one attempt.
    pub fn attempt(&self, token: &str) -> String {
        format!("{}{token}", self.own())
    }
}

impl Shared {
    /// Returns the identity of the key.
    pub fn identity(&self) -> Identity {
        Identity { key_id: id16(&self.key_id), public: id32(&self.public) }
    }

    /// Returns the state after the reservation of `count` more indices.
    pub fn reserve(&self, count: u64) -> Shared {
        Shared { next: self.next + count, generation: self.generation + 1, ..self.clone() }
    }

    /// Returns the state after an attempt is settled: `used` of its indices were recorded, and the
    /// others are lost.
    pub fn settle(&self, attempt: &Attempt, used: u64) -> Shared {
        Shared { used: self.used + used, lost: self.lost + (attempt.count - used), ..self.clone() }
    }
}

impl Attempt {
    /// Returns the range of its indices.
    pub fn range(&self) -> Range<u64> {
        self.first..self.first + self.count
    }
}

/// Returns the 16 bytes of an identity in hexadecimal.
pub(crate) fn id16(text: &str) -> [u8; 16] {
    u128::from_str_radix(text, 16).unwrap_or_default().to_be_bytes()
}

/// Returns the 32 bytes of a digest in hexadecimal; zero for none.
fn id32(text: &str) -> [u8; 32] {
    let mut out = [0; 32];
    if let Some((left, right)) = text.split_at_checked(32) {
        out[..16].copy_from_slice(&id16(left));
        out[16..].copy_from_slice(&id16(right));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(key: &str, value: Vec<u8>) -> Pair {
        Pair { key: key.into(), value, changed: 1 }
    }

    #[test]
    fn values_survive_their_text_and_belong_to_their_name() {
        let attempt = Attempt { first: 3, count: 4 };
        let keyed = Values(Some(MacKey::new(&[7; 32])));
        for values in [&Values(None), &keyed] {
            let bytes = values.encode("a", &attempt);
            assert_eq!(values.decode(&pair("a", bytes)), Some(attempt));
        }
        let bytes = keyed.encode("a", &attempt);
        assert_eq!(keyed.decode::<Attempt>(&pair("b", bytes.clone())), None, "another name");
        let other = Values(Some(MacKey::new(&[8; 32])));
        assert_eq!(other.decode::<Attempt>(&pair("a", bytes.clone())), None, "another fleet");
        let plain = Values(None).encode("a", &attempt);
        assert_eq!(keyed.decode::<Attempt>(&pair("a", plain)), None, "no MAC");
        for at in 0..bytes.len() {
            let mut forged = bytes.clone();
            forged[at] ^= 1;
            assert_eq!(keyed.decode::<Attempt>(&pair("a", forged)), None, "byte {at}");
        }
    }
}
