//! Stateful keys in a real store on a real file system: sessions, copies, shards, permits.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::collections::HashSet;
use std::fs;
use std::sync::OnceLock;
use std::time::Duration;

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::Error;
use hasten_keys::stateful::{Note, Share, Stateful, give_shard, read_public_of};
use hasten_keys::verify::verify;
use hasten_store::{Policy, Reason, StoreError};

use common::{Place, copy_dir};

const ALG: &str = "XMSS-SHA2_10_256";

/// Returns a finished key, copied with its guard from one that is generated only once.
fn generated() -> Place {
    static ONCE: OnceLock<Place> = OnceLock::new();
    let made = ONCE.get_or_init(|| {
        let place = Place::of(ALG, 1);
        place.generate(None);
        place
    });
    let place = Place::of(ALG, 1);
    made.copy_to(&place);
    place
}

fn sign(key: &mut Stateful<'_>, message: &[u8]) -> (u64, Vec<u8>) {
    common::sign(key, SignerLevel::ChainTable, message)
}

#[test]
fn indices_go_on_where_the_last_session_stopped() {
    let place = generated();
    let public = read_public_of(&place.store()).unwrap();
    let mut seen = HashSet::new();
    for session in 0..3 {
        let mut key = place.open().unwrap();
        for _ in 0..2 {
            let message = format!("message of session {session}");
            let (index, signature) = sign(&mut key, message.as_bytes());
            assert!(seen.insert(index));
            let check =
                |m: &str| verify(&public, &mut m.as_bytes(), &signature, Kernels::portable());
            assert_eq!(check(&message), Ok(()));
            assert_eq!(check("another message"), Err(Error::BadSignature));
        }
        let status = key.close().unwrap();
        assert_eq!((status.used, status.lost), (2 * (session + 1), 0));
    }
    assert_eq!(seen, (0..6).collect());
}

#[test]
fn an_lms_key_is_published_as_hss_of_one_level() {
    let alg = "LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4";
    let (place, set) = (Place::of(alg, 1), Set::named(alg).unwrap());
    place.generate(None);
    let public = read_public_of(&place.store()).unwrap();
    assert_eq!((public.row.name.as_str(), public.raw.len()), ("HSS", 60));
    let (index, signature) = sign(&mut place.open().unwrap(), b"message");
    assert_eq!((index, signature.len()), (0, 4 + set.signature_bytes()));
    let check = |message: &[u8], signature: &[u8]| {
        verify(&public, &mut &message[..], signature, Kernels::portable())
    };
    assert_eq!(check(b"message", &signature), Ok(()));
    assert_eq!(check(b"message", &signature[4..]), Err(Error::BadSignature), "a bare signature");
    assert_eq!(check(b"massage", &signature), Err(Error::BadSignature));
    assert_eq!(
        check(b"message", &[&[0, 0, 0, 1], &signature[4..]].concat()),
        Err(Error::BadSignature)
    );
}

#[test]
fn a_key_of_hss_keeps_its_levels_in_the_store() {
    let alg = "HSS(LMS_SHAKE_M24_H5_W4,LMS_SHA256_M32_H5_W2)";
    let (place, set) = (Place::of(alg, 1), Set::named(alg).unwrap());
    place.generate(None);
    let public = read_public_of(&place.store()).unwrap();
    assert_eq!((public.row.name.as_str(), public.raw.len()), ("HSS", set.public_key_bytes()));
    for expected in [0, 1] {
        let mut key = place.open().unwrap();
        assert_eq!(key.set(), set);
        let (index, signature) = sign(&mut key, b"message");
        assert_eq!((index, signature.len()), (expected, set.signature_bytes()));
        let check =
            |message: &[u8]| verify(&public, &mut &message[..], &signature, Kernels::portable());
        assert_eq!((check(b"message"), check(b"massage")), (Ok(()), Err(Error::BadSignature)));
        key.close().unwrap();
    }
}

#[test]
fn an_older_copy_is_refused() {
    let place = generated();
    let copy = place.path("copy");
    copy_dir(&place.store(), &copy);
    let mut key = place.open().unwrap();
    sign(&mut key, b"one");
    key.close().unwrap();

    fs::rename(place.store(), place.path("newer")).unwrap();
    fs::rename(copy, place.store()).unwrap();
    let Err(Error::State(StoreError::Refused(refusal))) = place.open() else { panic!("opened") };
    assert_eq!(refusal.reason, Reason::OldCopy);
    assert!(refusal.found < refusal.expected);
}

#[test]
fn a_shard_signs_for_the_same_public_key() {
    let (place, other) = (generated(), Place::of(ALG, 1));
    let key = place.open().unwrap();
    key.close().unwrap();
    let mut store = place.options().open(place.store()).unwrap();
    let status =
        give_shard(&mut store, Share::Indices(24), &other.store(), other.options()).unwrap();
    assert_eq!((status.start, status.end, status.remaining), (1000, 1024, 24));
    assert_eq!(store.close().unwrap().remaining, 1000);

    let public = read_public_of(&place.store()).unwrap();
    assert_eq!(read_public_of(&other.store()).unwrap(), public);
    let mut shard = other.open().unwrap();
    let (index, signature) = sign(&mut shard, b"from the shard");
    assert_eq!(index, 1000);
    assert_eq!(verify(&public, &mut &b"from the shard"[..], &signature, Kernels::best()), Ok(()));
}

#[test]
fn a_permit_of_another_key_is_refused() {
    let (place, other) = (generated(), Place::of(ALG, 1));
    other.generate(None);
    let (mut key, mut stranger) = (place.open().unwrap(), other.open().unwrap());
    let permit = stranger.reserve(1).unwrap().next().unwrap();
    let lost = Error::Scheme(hasten_hbs::Error::PermitLost);
    assert_eq!(key.prepare(permit, SignerLevel::None).err(), Some(lost));
}

#[test]
fn a_closed_session_signs_nothing_more() {
    let place = generated();
    let mut key = place.open().unwrap();
    let permit = key.reserve(1).unwrap().next().unwrap();
    let ready = key.prepare(permit, SignerLevel::Secrets).unwrap();
    key.close().unwrap();
    assert_eq!(
        ready.finish(b"late", Note::message()).err(),
        Some(Error::State(StoreError::Closed))
    );
}

#[test]
fn indices_reserved_ahead_are_signed_with_in_order() {
    let place = generated();
    let public = read_public_of(&place.store()).unwrap();
    let mut key = place.open().unwrap();
    key.reserve_ahead(Policy { interval: 3, burst: 1, total: 8, ..Policy::default() }).unwrap();
    assert_eq!(key.reserve(1).err(), Some(Error::State(StoreError::Closed)), "the thread does it");
    for expected in 0..8 {
        let permit = key.permit(Duration::from_secs(10)).unwrap();
        let ready = key.prepare(permit, SignerLevel::Secrets).unwrap();
        let index = ready.index();
        let signature = ready.finish(b"m", Note::message()).unwrap();
        assert_eq!(index, expected);
        assert_eq!(verify(&public, &mut &b"m"[..], &signature, Kernels::best()), Ok(()));
    }
    let end = key.permit(Duration::from_secs(10)).err();
    assert_eq!(end, Some(Error::State(StoreError::Empty)), "as many as were asked for");
    let status = key.close().unwrap();
    assert_eq!((status.used, status.lost, status.next), (8, 0, 8));
}
