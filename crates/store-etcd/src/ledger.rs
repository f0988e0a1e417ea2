//! What a key's record in etcd says, and the names of its keys.

use crate::client::Pair;
use hasten_store::Identity;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The shared state of a key: the value of `PREFIX/state`. `next - start` is `used + lost + burned` and what open attempts hold.
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

/// One reservation: the value of `PREFIX/attempt/SIGNER/TOKEN`, written in the same transaction as the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// First index.
    pub first: u64,
    /// How many.
    pub count: u64,
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
    /// The shared state.
    pub fn state(&self) -> String {
        format!("{}/state", self.prefix)
    }

    /// Written by a signer that found the service rolled back; while it is there nobody reserves.
    pub fn halt(&self) -> String {
        format!("{}/halt", self.prefix)
    }

    /// This signer's attempts.
    pub fn own(&self) -> String {
        format!("{}/attempt/{}/", self.prefix, self.signer)
    }

    /// One attempt.
    pub fn attempt(&self, token: &str) -> String {
        format!("{}{token}", self.own())
    }
}

impl Shared {
    /// Which key this is.
    pub fn identity(&self) -> Identity {
        Identity { key_id: id16(&self.key_id), public: id32(&self.public) }
    }

    /// From the answer to a read of the state's key.
    pub fn decode(pairs: &[Pair]) -> Option<(Shared, u64)> {
        let pair = pairs.first()?;
        Some((serde_json::from_slice(&pair.value).ok()?, pair.changed))
    }

    /// The state after `count` more are reserved.
    pub fn reserve(&self, count: u64) -> Shared {
        Shared { next: self.next + count, generation: self.generation + 1, ..self.clone() }
    }

    /// The state after an attempt is settled: `used` of its indices were recorded, the rest is lost.
    pub fn settle(&self, attempt: &Attempt, used: u64) -> Shared {
        Shared { used: self.used + used, lost: self.lost + (attempt.count - used), ..self.clone() }
    }

    /// The bytes of the value.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Attempt {
    /// Its indices.
    pub fn range(&self) -> Range<u64> {
        self.first..self.first + self.count
    }

    /// From its key's value.
    pub fn decode(pair: &Pair) -> Option<Attempt> {
        serde_json::from_slice(&pair.value).ok()
    }

    /// The bytes of the value.
    pub fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// The 16 bytes of an identity in hexadecimal.
pub(crate) fn id16(text: &str) -> [u8; 16] {
    u128::from_str_radix(text, 16).unwrap_or_default().to_be_bytes()
}

/// The 32 bytes of a digest in hexadecimal; zero for none.
fn id32(text: &str) -> [u8; 32] {
    let mut out = [0; 32];
    if let Some((left, right)) = text.split_at_checked(32) {
        out[..16].copy_from_slice(&id16(left));
        out[16..].copy_from_slice(&id16(right));
    }
    out
}
