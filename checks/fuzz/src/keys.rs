//! Key files, certificates and everything else that `hasten inspect` reads.

use hasten_keys::encoding::{decode_pkcs8, encode_pkcs8, read_public};
use hasten_keys::inspect;

/// Reads the bytes in every form. A private key that can be read must be written and read again.
pub fn inspect(data: &[u8]) {
    assert!(!inspect::inspect(data).is_empty(), "any bytes have a reading");
    let _ = read_public(data, None);
    if let Ok(key) = decode_pkcs8(data) {
        let again = encode_pkcs8(&key).expect("what was read can be written");
        assert!(decode_pkcs8(&again).is_ok(), "what was written can be read");
    }
}
