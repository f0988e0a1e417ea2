//! Keys made without the module, and checks of the store and of signatures.

use std::collections::BTreeSet;
use std::path::Path;

use hasten_pq::StatefulKey;
use hasten_pq::keys::encoding::hash_based::signature_readings;
use hasten_pq::store::{Options, Status};

use super::Place;

/// Generates a key without a passphrase in the slot's place.
pub fn made(place: &Place, set: &str) {
    StatefulKey::generate(set, &place.store(), &place.guard()).unwrap().close().unwrap();
}

/// Writes key files as `hasten keygen --out` does, without a passphrase. The private key gets this
/// mode.
pub fn filed(place: &Place, alg: &str, mode: u32) -> hasten_pq::Key {
    let (key, pem) = hasten_pq::Key::generate(alg).unwrap();
    let private = place.path().join("plain.key");
    std::fs::write(&private, pem.as_bytes()).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(private, mode).unwrap();
    let spki = hasten_pq::keys::encoding::encode_spki(key.public_key()).unwrap();
    let pem = hasten_pq::keys::encoding::to_pem("PUBLIC KEY", &spki).unwrap();
    std::fs::write(place.path().join("plain.pub"), pem.as_bytes()).unwrap();
    key
}

/// Returns the status of the slot's key.
pub fn status(place: &Place) -> Status {
    Options::new().peek(place.store()).unwrap()
}

/// Returns the index of a signature.
pub fn index(signature: &[u8]) -> u64 {
    signature_readings(signature)[0].index.unwrap()
}

/// Checks that no index was used twice, and that the store counts each as used or lost.
pub fn must_be_once(place: &Place, signatures: &[Vec<u8>]) {
    let indices: Vec<u64> = signatures.iter().map(|signature| index(signature)).collect();
    let once: BTreeSet<u64> = indices.iter().copied().collect();
    assert_eq!(once.len(), indices.len(), "an index was used twice: {indices:?}");
    let status = status(place);
    assert!(once.iter().all(|index| *index < status.next), "{indices:?} {status:?}");
    let parts = [status.used, status.lost, status.burned, status.given, status.reserved];
    assert_eq!(parts.iter().sum::<u64>() + status.remaining, status.capacity, "{status:?}");
    assert!(status.used + status.lost >= once.len() as u64, "{status:?}");
    Options::new().peek_audit(place.store()).unwrap();
}

/// Prints a signature, so that the parent can read it even if this process is then killed.
pub fn say(signature: &[u8]) {
    let hex: String = signature.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("signature {hex}");
}

/// Returns the signatures that a process printed.
pub fn said(output: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(output);
    // The last line may be truncated, and libtest writes text before the first one.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let lines = whole.lines().filter_map(|line| line.split_once("signature "));
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    lines.map(|(_, hex)| hex.as_bytes().chunks(2).map(byte).collect()).collect()
}

/// Copies a folder of files.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(to, mode).unwrap();
    for file in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}
