//! The record of signatures made through this crate: each signature is recorded and confirmed, and
//! passes an audit.

#![cfg(unix)]

mod recorded;

use std::path::Path;

use hasten_pq::kernels::Kernels;
use hasten_pq::keys::audit::{Record, Verdict};
use hasten_pq::keys::found::Found;
use hasten_pq::store;
use hasten_pq::{Error, Note, Purpose, SignerLevel, StatefulKey};
use recorded::{FIRMWARE, must_tell};

const ALG: &str = "LMS_SHA256_M24_H5_W8";

fn made(dir: &Path, name: &str) -> StatefulKey {
    let guard = dir.join(format!("{name}.guard"));
    StatefulKey::generate(ALG, &dir.join(name), &guard).unwrap()
}

fn judged(dir: &Path, message: &[u8], signature: Vec<u8>) -> Verdict {
    let record = Record::of(dir).unwrap();
    let found = Found::of(&record.public, signature);
    let ask = || found.answer(&record.public, Some(&mut &message[..]), Kernels::best());
    record.compare(Path::new("m.sig"), &found, ask).unwrap().verdict
}

#[test]
fn every_way_to_sign_is_recorded_and_confirmed() {
    let place = tempfile::tempdir().unwrap();
    let (mut key, dir) = (made(place.path(), "key"), place.path().join("key"));
    let plain = key.sign(b"plain").unwrap();
    let note = Note::of(Purpose::Boot).named("fw.bin");
    key.sign_noted(b"noted", note).unwrap();
    let prepared = key.prepare(SignerLevel::ChainTable).unwrap();
    let late = key.finish(prepared, b"firmware").unwrap();
    key.close().unwrap();
    must_tell(&dir, &["message", "boot", "message"], Some(FIRMWARE));
    assert_eq!(judged(&dir, b"plain", plain.clone()), Verdict::Good);
    assert_eq!(judged(&dir, b"firmware", late), Verdict::Good);
    assert_eq!(judged(&dir, b"plaim", plain), Verdict::Bad);
}

/// A program may end without closing its key; the record must be written all the same.
#[test]
fn a_key_that_is_dropped_keeps_its_record() {
    let place = tempfile::tempdir().unwrap();
    let (mut key, dir) = (made(place.path(), "key"), place.path().join("key"));
    let signature = key.sign(b"dropped").unwrap();
    drop(key);
    must_tell(&dir, &["message"], None);
    assert_eq!(judged(&dir, b"dropped", signature), Verdict::Good);
}

#[test]
fn a_key_finishes_no_signature_that_another_one_prepared() {
    let place = tempfile::tempdir().unwrap();
    let (mut one, mut two) = (made(place.path(), "one"), made(place.path(), "two"));
    let prepared = two.prepare(SignerLevel::None).unwrap();
    assert_eq!(one.finish(prepared, b"message"), Err(Error::NotPreparedHere));
    let signature = one.sign(b"own").unwrap();
    assert_eq!((one.close().unwrap().used, two.close().unwrap().used), (1, 0));
    must_tell(&place.path().join("one"), &["message"], None);
    assert_eq!(judged(&place.path().join("one"), b"own", signature), Verdict::Good);
}
