//! Files that bring a key or two signatures from elsewhere: a shard, a private key of another
//! program, or a dual signature.

use hasten_keys::Error;
use hasten_keys::dual::{Dual, HEAD};
use hasten_keys::encoding::read_public;
use hasten_keys::stateful::{Foreign, SealedShard};
use sha2::{Digest, Sha256};

/// Number of bytes before the digest in a shard's file.
const FRONT: usize = 120;
/// Length of a private key of hash-sigs.
const PRIVATE: usize = 64;
/// Public keys that belong to private keys of any length, and their algorithms.
const PUBLIC: [(&[u8], Option<&str>); 2] = [
    (include_bytes!("../../../vectors/imported/bc-two.pub"), None),
    (include_bytes!("../../../vectors/imported/wolf-xmss.pub"), Some("XMSS-SHA2_10_256")),
];

/// Reads the bytes as each kind of file, and as a shard also with a matching digest. Derives
/// nothing from a passphrase.
pub fn carried(data: &[u8]) {
    for file in [data, &digested(data)] {
        let Ok(sealed) = SealedShard::read(file) else { continue };
        let range = sealed.range();
        assert!(range.start < range.end && range.end <= sealed.capacity());
        let encrypted = sealed.is_encrypted();
        match sealed.open(None) {
            Ok(shard) => assert!(!encrypted && shard.range() == range),
            Err(error) => assert_eq!(encrypted, error == Error::Passphrase, "{error:?}"),
        }
    }
    let (private, public) = data.split_at(PRIVATE.min(data.len()));
    if let Ok(key) = Foreign::read(private, public) {
        goes_on(&key);
    }
    for (public, alg) in PUBLIC {
        let public = read_public(public, alg).expect("a public key");
        if let Ok(key) = Foreign::of(data, &public) {
            goes_on(&key);
        }
    }
    if let Ok(dual) = Dual::read(data) {
        let halves: usize = dual.halves.iter().map(|half| 4 + half.len()).sum();
        assert_eq!(HEAD + halves, data.len());
    }
}

/// Checks that the key, if it can be continued, continues after the last used index.
fn goes_on(key: &Foreign) {
    let capacity = key.set().capacity();
    for through in [None, Some(0), Some(capacity - 1), Some(u64::MAX)] {
        let next = key.first_usable(through, 1);
        let behind = |next: u64| next < capacity && through.is_none_or(|used| next > used + 1);
        assert!(next.is_err() || next.is_ok_and(behind));
    }
}

/// Returns a shard's file with the digest that matches the rest.
fn digested(data: &[u8]) -> Vec<u8> {
    let (front, rest) = data.split_at(FRONT.min(data.len()));
    let rest = rest.get(32..).unwrap_or_default();
    let digest = Sha256::new().chain_update(front).chain_update(rest).finalize();
    [front, &digest[..], rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Good seeds are needed for their mutations to reach much of the code.
    #[test]
    fn the_seeds_are_good() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/carried");
        let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
        assert!(SealedShard::read(&read("clear")).unwrap().open(None).is_ok());
        assert!(SealedShard::read(&read("locked")).unwrap().is_encrypted());
        let pair = read("hash-sigs");
        assert!(Foreign::read(&pair[..PRIVATE], &pair[PRIVATE..]).is_ok());
        for (name, (public, alg)) in ["bouncycastle", "wolfssl"].iter().zip(PUBLIC) {
            let public = read_public(public, alg).unwrap();
            assert!(Foreign::of(&read(name), &public).is_ok(), "{name}");
        }
        assert!(Dual::read(&read("dual")).is_ok());
    }
}
