//! Keys with several layers in a real store: the saved parts of the trees in use and of the trees
//! that will be used next.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;

use hasten_hbs::SignerLevel;
use hasten_kernels::{Counter, Counting, Kernels};
use hasten_keys::stateful::{Share, Stateful, give_shard, read_public_of};
use hasten_keys::verify::verify;

use common::Place;

const MESSAGE: &[u8] = b"message";

fn generate(alg: &'static str, sectors: u32) -> Place {
    let place = Place::of(alg, sectors);
    place.generate(None);
    place
}

/// Makes and verifies one signature. Returns its index.
fn sign(key: &mut Stateful<'_>, place: &Place) -> u64 {
    let (index, signature) = common::sign(key, SignerLevel::EarlyAuth, MESSAGE);
    let public = read_public_of(&place.store()).unwrap();
    verify(&public, &mut &MESSAGE[..], &signature, Kernels::best()).unwrap();
    index
}

/// Makes and verifies one signature in a separate session. Returns its index.
fn sign_once(place: &Place, kernels: Kernels<'_>) -> u64 {
    let mut key = place.open_on(kernels).unwrap();
    let index = sign(&mut key, place);
    key.close().unwrap();
    index
}

fn sign_times(place: &Place, count: u32) {
    for _ in 0..count {
        sign_once(place, Kernels::best());
    }
}

/// The next tree is computed in small parts, about a leaf in each session. At the boundary nothing
/// is left to compute.
#[test]
fn sessions_of_one_signature_cost_alike_across_trees() {
    let place = generate("HSS(L1_H5_W4,L1_H10_W2)", 1);
    let mut skipped = place.open().unwrap();
    // Uses the first tree except for its last 40 indices, in one session, which is then closed.
    for _ in 0..1_024 - 40 {
        sign(&mut skipped, &place);
    }
    skipped.close().unwrap();
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let costs: Vec<u64> = (0..80)
        .map(|_| {
            counter.reset();
            sign_once(&place, counting.kernels());
            counter.total()
        })
        .collect();
    let (most, mean) = (*costs.iter().max().unwrap(), costs.iter().sum::<u64>() / 80);
    assert!(most <= 2 * mean, "{most} at most, {mean} on average: {costs:?}");
}

#[test]
fn trees_put_into_use_are_kept_before_anything_is_given_away() {
    let place = generate("L2_H5_W4", 1);
    let mut key = place.open().unwrap();
    for _ in 0..32 {
        sign(&mut key, &place);
    }
    let before = fs::read(place.file("cache")).unwrap();
    let permit = key.reserve(1).unwrap().next().unwrap();
    let ready = key.prepare(permit, SignerLevel::None).unwrap();
    assert_ne!(fs::read(place.file("cache")).unwrap(), before, "kept while it waits");
    drop(ready);
    drop(key);
    assert_eq!(sign_once(&place, Kernels::best()), 33, "goes on without having been closed");
}

#[test]
fn growth_that_does_not_fit_is_left_aside() {
    let place = generate("L2_H5_W4", 1);
    sign_times(&place, 20);
    let good = fs::read(place.file("growth")).unwrap();
    let mut changed = good.clone();
    changed[100] ^= 1;
    let longer = [good.as_slice(), &[0; 64]].concat();
    for bad in [changed.as_slice(), &good[..50], &longer, b"", &good[..39]] {
        fs::write(place.file("growth"), bad).unwrap();
        sign_once(&place, Kernels::best());
        assert_ne!(fs::read(place.file("growth")).unwrap(), bad);
    }
    fs::write(place.file("growth"), &changed).unwrap();
    sign_times(&place, 10);
    fs::remove_file(place.file("growth")).unwrap();
    sign_times(&place, 5);
}

/// A sector of an HSS key with different levels is given to a second directory; both can sign.
#[test]
fn sectors_of_a_key_of_several_levels() {
    let place = generate("HSS(LMS_SHA256_M32_H5_W4,LMS_SHAKE_M24_H5_W8)", 2);
    sign_times(&place, 34);
    let other = Place::of("", 2);
    let mut store = place.options().open(place.store()).unwrap();
    give_shard(&mut store, Share::Sector, &other.store(), other.options()).unwrap();
    store.close().unwrap();
    let first: Vec<u64> = (0..34).map(|_| sign_once(&place, Kernels::best())).collect();
    let second: Vec<u64> = (0..34).map(|_| sign_once(&other, Kernels::best())).collect();
    assert_eq!((first[0], first[33]), (34, 67));
    assert_eq!((second[0], second[33]), (512, 545));
    let public = |place: &Place| read_public_of(&place.store()).unwrap().raw;
    assert_eq!(public(&place), public(&other));
}
