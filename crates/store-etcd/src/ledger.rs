//! Tells what a key's record in etcd says, and the names of its keys.

use crate::client::Pair;
use hasten_store::{Identity, MacKey};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The shared state of a key: the value of `PREFIX/state`. `next - start` is `used + lost + burned`
/// and what open attempts hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shared {
    /// Names the key, in hexadecimal.
    pub key_id: String,
    /// SHA-256 of its public key, in hexadecimal; empty where none was bound.
    #[serde(default)]
    pub public: String,
    /// Indices of the whole key.
    pub capacity: u64,
    /// First index of the fleet's range.
    pub start: u64,
    /// End of the range.
    pub end: u64,
    /// Next index.
    pub next: u64,
    /// Recorded as used.
    pub used: u64,
    /// Reserved and never recorded.
    pub lost: u64,
    /// Given up on purpose.
    pub burned: u64,
    /// Reservations so far.
    pub generation: u64,
    /// Exhaustion threshold.
    pub threshold: u64,
    /// The warning was acknowledged.
    pub acknowledged: bool,
    /// Nothing will be reserved any more.
    pub retired: bool,
}

/// One reservation: the value of `PREFIX/attempt/SIGNER/TOKEN`, written in the same transaction as
/// the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// First index.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// How values are written: as JSON, and behind a MAC of key and JSON where the fleet has a MAC key
/// (32 hexadecimal digits and a blank). Who has no MAC key can put back what was there, under the
/// name it had, and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Values(pub Option<MacKey>);

impl Values {
    /// Returns the bytes of `value` under `name`.
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

    /// Returns what a pair says; `None` for what this fleet did not write.
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

/// The names of a key's keys.
#[derive(Clone, Debug)]
pub struct Names {
    /// Everything of the key begins with this.
    pub prefix: String,
    /// This signer.
    pub signer: String,
}

impl Names {
    /// Returns the shared state.
    pub fn state(&self) -> String {
        format!("{}/state", self.prefix)
    }

    /// Marks, written by a signer that found the service rolled back; while it is there nobody
    /// reserves.
    pub fn halt(&self) -> String {
        format!("{}/halt", self.prefix)
    }

    /// Returns this signer's attempts.
    pub fn own(&self) -> String {
        format!("{}/attempt/{}/", self.prefix, self.signer)
    }

    /// Makes one attempt.
    pub fn attempt(&self, token: &str) -> String {
        format!("{}{token}", self.own())
    }
}

impl Shared {
    /// Returns which key this is.
    pub fn identity(&self) -> Identity {
        Identity { key_id: id16(&self.key_id), public: id32(&self.public) }
    }

    /// Returns the state after `count` more are reserved.
    pub fn reserve(&self, count: u64) -> Shared {
        Shared { next: self.next + count, generation: self.generation + 1, ..self.clone() }
    }

    /// Returns the state after an attempt is settled: `used` of its indices were recorded, the rest
    /// is lost.
    pub fn settle(&self, attempt: &Attempt, used: u64) -> Shared {
        Shared { used: self.used + used, lost: self.lost + (attempt.count - used), ..self.clone() }
    }
}

impl Attempt {
    /// Returns its indices.
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
