//! Key generation on a real file system: interrupted, continued, handed over to a fleet.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use hasten_hbs::SignerLevel;
use hasten_kernels::Kernels;
use hasten_keys::Error;
use hasten_keys::stateful::{HandOver, Share, fleet_of, give_shard};
use hasten_store::{Options, StoreError};
use sha2::{Digest, Sha256};

use common::Place;

const ALG: &str = "XMSS-SHA2_10_256";

#[test]
fn a_finished_key_is_not_overwritten() {
    let place = Place::of(ALG, 1);
    place.generate(None);
    let before = fs::read(place.file("secret")).unwrap();
    assert_eq!(place.begin(None).err(), Some(Error::State(StoreError::Exists)));
    assert_eq!(fs::read(place.file("secret")).unwrap(), before);
}

#[test]
fn generation_goes_on_after_it_was_broken_off() {
    let place = Place::of(ALG, 1);
    let mut done = Vec::new();
    let mut stop_at_half = |progress: hasten_hbs::Progress| {
        done.push(progress.done);
        if progress.done >= progress.total / 2 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let stopped = place.begin(None).unwrap().run(Kernels::best(), 1, &mut stop_at_half);
    assert_eq!(stopped.err(), Some(Error::Scheme(hasten_hbs::Error::Stopped)));
    assert_eq!(place.open().err(), Some(Error::Unfinished));
    let seed = fs::read(place.file("secret")).unwrap();

    let mut after = Vec::new();
    let mut watch = |progress: hasten_hbs::Progress| {
        after.push(progress.done);
        ControlFlow::Continue(())
    };
    place.begin(None).unwrap().run(Kernels::best(), 1, &mut watch).unwrap();
    assert!(after[0] > *done.last().unwrap(), "what was done is not done again");
    assert_eq!(fs::read(place.file("secret")).unwrap(), seed);
    assert!(!place.file("progress").exists());
    common::sign(&mut place.open().unwrap(), SignerLevel::None, b"works");
}

/// A modified subtree with a valid unkeyed digest would become part of the public key, or would be
/// signed by the tree above.
#[test]
fn progress_that_somebody_changed_is_made_again() {
    let (place, other) = (Place::of(ALG, 1), Place::of(ALG, 1));
    let stop = &mut |progress: hasten_hbs::Progress| match progress.done {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    place.begin(None).unwrap().run(Kernels::best(), 1, stop).unwrap_err();
    place.copy_to(&other);
    fs::remove_file(other.file("progress")).unwrap();
    forge(&place.file("progress"));

    place.generate(None);
    other.generate(None);
    let public = |place: &Place| fs::read(place.file("public.pem")).unwrap();
    assert_eq!(public(&place), public(&other));
}

/// Changes the last byte and writes the digest that can be computed without the secret.
fn forge(progress: &Path) {
    let mut file = fs::read(progress).unwrap();
    *file.last_mut().unwrap() ^= 1;
    let sum = Sha256::digest([&file[..8], ALG.as_bytes(), &file[40..]].concat());
    file[8..40].copy_from_slice(&sum);
    fs::write(progress, file).unwrap();
}

#[test]
fn a_key_of_a_fleet_is_handed_over_when_it_is_whole_and_not_signed_with_alone() {
    let place = Place::of(ALG, 1);
    let whole = &mut |_: hasten_hbs::Progress| ControlFlow::Continue(());
    let hand_over: HandOver<'_> = Box::new(|store| store.give(1024).map(drop));
    let begun = place.begin(None).unwrap().for_fleet("fw@somewhere", hand_over).unwrap();
    let half = &mut |_: hasten_hbs::Progress| ControlFlow::Break(());
    let stopped = begun.run(Kernels::best(), 1, half);
    assert_eq!(stopped.err(), Some(Error::Scheme(hasten_hbs::Error::Stopped)));
    let other: HandOver<'_> = Box::new(|_| Ok(()));
    let other = place.begin(None).unwrap().for_fleet("fw@elsewhere", other);
    assert_eq!(other.err(), Some(Error::OtherFleet));
    let alone = place.begin(None).unwrap().run(Kernels::best(), 2, whole);
    assert_eq!(alone.err(), Some(Error::OtherFleet));
    let hand_over: HandOver<'_> = Box::new(|store| store.give(1024).map(drop));
    let begun = place.begin(None).unwrap().for_fleet("fw@somewhere", hand_over).unwrap();
    begun.run(Kernels::best(), 2, whole).unwrap();
    assert_eq!(fleet_of(&place.store()), Ok(Some("fw@somewhere".to_owned())));
    assert_eq!(place.open().err(), Some(Error::OfFleet));
    let mut store = place.options().open(place.store()).unwrap();
    assert_eq!(store.status().remaining, 0);
    let shard = give_shard(&mut store, Share::Indices(1), Path::new("x"), Options::new());
    assert_eq!(shard.err(), Some(Error::OfFleet));
}
