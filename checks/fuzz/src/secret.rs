//! The secret file of a key in a store.

use hasten_keys::Error;
use hasten_keys::stateful::{Identity, Sealed};
use sha2::{Digest, Sha256};

const MAGIC: &[u8] = b"hstnkey2";
const OLD: &[u8] = b"hstnkey1";
/// A key that is not yet bound to its public key, so that files of both forms can be read.
const KEY: Identity = Identity { key_id: [7; 16], public: [0; 32] };

/// Reads the bytes as a whole file, and as the content of a file with magic word and matching
/// digest, in both forms. A file that can be read without a passphrase is written and read again.
/// Derives nothing from a passphrase.
pub fn secret(data: &[u8]) {
    let _ = Sealed::read(data, &KEY);
    let read = |file: &[u8]| Sealed::read(file, &KEY);
    assert_eq!(read(&wrapped(data)).is_ok(), read(&framed(OLD, &[], data)).is_ok());
    let Ok(sealed) = read(&wrapped(data)) else { return };
    let (sectors, here) = (sealed.sectors(), sealed.here());
    assert!(!here.is_empty() && here.iter().all(|sector| *sector < sectors));
    assert!(here.is_sorted() && here.windows(2).all(|two| two[0] != two[1]));
    if sealed.is_encrypted() {
        return assert_eq!(sealed.open(None).err(), Some(Error::Passphrase));
    }
    let kept = sealed.open(None).expect("no passphrase is needed");
    assert!(kept.sectors().is_ok());
    let again = Sealed::seal(&kept, None).expect("what was read can be written");
    assert_eq!(*again, wrapped(data), "there is one encoding");
}

fn wrapped(body: &[u8]) -> Vec<u8> {
    framed(MAGIC, &KEY.key_id, body)
}

fn framed(magic: &[u8], key_id: &[u8], body: &[u8]) -> Vec<u8> {
    let digest = Sha256::new().chain_update(magic).chain_update(key_id).chain_update(body);
    [magic, &digest.finalize(), key_id, body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Good seeds are needed for their mutations to reach much of the code.
    #[test]
    fn the_seeds_are_good() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/secret");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let sealed =
            files.map(|path| Sealed::read(&wrapped(&std::fs::read(path).unwrap()), &KEY).unwrap());
        let forms: std::collections::BTreeSet<_> =
            sealed.map(|sealed| (sealed.is_encrypted(), sealed.sectors() > 1)).collect();
        assert_eq!(forms.len(), 4);
    }
}
