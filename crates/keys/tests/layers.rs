//! Keys of several layers over a real store: what is kept of the trees in use and of those that
//! follow.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::{Counter, Kernels, Probe};
use hasten_keys::{
    stateful::{Generation, NewStateful, Sealed, Stateful, read_public_of},
    verify::verify,
};
use hasten_store::Options;
use tempfile::TempDir;

struct Place(TempDir);

impl Place {
    fn store(&self) -> PathBuf {
        self.0.path().join("key")
    }

    fn options(&self) -> Options {
        Options::new().guard(self.0.path().join("key.guard"))
    }

    fn generate(alg: &str, sectors: u32) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let new = NewStateful { set: Set::named(alg).unwrap(), reserve: 1, sectors };
        let generation = Generation::begin(&place.store(), place.options(), new, None).unwrap();
        generation.run(Kernels::best(), 2, &mut |_| ControlFlow::Continue(())).unwrap();
        place
    }

    fn open<'k>(&self, kernels: Kernels<'k>) -> Stateful<'k> {
        let kept = Sealed::of_store(&self.store()).unwrap().open(None).unwrap();
        Stateful::open(&self.store(), self.options(), &kept, kernels).unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.store().join(name)
    }

    /// One signature in a session of its own, verified.
    fn sign(&self, kernels: Kernels<'_>) -> u64 {
        let mut key = self.open(kernels);
        let index = sign(&mut key, &self.store());
        key.close().unwrap();
        index
    }

    fn sign_times(&self, count: u32) {
        for _ in 0..count {
            self.sign(Kernels::best());
        }
    }
}

fn sign(key: &mut Stateful<'_>, store: &Path) -> u64 {
    let permit = key.reserve(1).unwrap().next().unwrap();
    let ready = key.prepare(permit, SignerLevel::EarlyAuth).unwrap();
    let index = ready.index();
    let message = index.to_be_bytes();
    let signature = ready.finish(&message).unwrap();
    key.record(index).unwrap();
    let public = read_public_of(store).unwrap();
    verify(&public, &mut &message[..], &signature, Kernels::best()).unwrap();
    index
}

/// The tree that follows is made over the sessions, a leaf or so in each: at the boundary there is
/// nothing left to make.
#[test]
fn sessions_of_one_signature_cost_alike_across_trees() {
    let place = Place::generate("HSS(L1_H5_W4,L1_H10_W2)", 1);
    let mut skipped = place.open(Kernels::best());
    // The first tree but for its last 40 indices, in one session, which is closed.
    for _ in 0..1_024 - 40 {
        sign(&mut skipped, &place.store());
    }
    skipped.close().unwrap();
    let counter = Counter::new();
    let probe = Probe::new(Kernels::best(), &counter);
    let costs: Vec<u64> = (0..80)
        .map(|_| {
            counter.reset();
            place.sign(probe.kernels());
            counter.total()
        })
        .collect();
    let (most, mean) = (*costs.iter().max().unwrap(), costs.iter().sum::<u64>() / 80);
    assert!(most <= 2 * mean, "{most} at most, {mean} on average: {costs:?}");
}

#[test]
fn trees_put_into_use_are_kept_before_anything_is_given_away() {
    let place = Place::generate("L2_H5_W4", 1);
    let mut key = place.open(Kernels::best());
    for _ in 0..32 {
        sign(&mut key, &place.store());
    }
    let before = fs::read(place.file("cache")).unwrap();
    let permit = key.reserve(1).unwrap().next().unwrap();
    let ready = key.prepare(permit, SignerLevel::None).unwrap();
    assert_ne!(fs::read(place.file("cache")).unwrap(), before, "kept while it waits");
    drop(ready);
    drop(key);
    assert_eq!(place.sign(Kernels::best()), 33, "goes on without having been closed");
}

#[test]
fn growth_that_does_not_fit_is_left_aside() {
    let place = Place::generate("L2_H5_W4", 1);
    place.sign_times(20);
    let good = fs::read(place.file("growth")).unwrap();
    let mut changed = good.clone();
    changed[100] ^= 1;
    let longer = [good.as_slice(), &[0; 64]].concat();
    for bad in [changed.as_slice(), &good[..50], &longer, b"", &good[..39]] {
        fs::write(place.file("growth"), bad).unwrap();
        place.sign(Kernels::best());
        assert_ne!(fs::read(place.file("growth")).unwrap(), bad);
    }
    fs::write(place.file("growth"), &changed).unwrap();
    place.sign_times(10);
    fs::remove_file(place.file("growth")).unwrap();
    place.sign_times(5);
}

/// A sector of a key of HSS with differing levels, given to a second directory: both sign.
#[test]
fn sectors_of_a_key_of_several_levels() {
    use hasten_keys::stateful::{Share, give_shard};
    let place = Place::generate("HSS(LMS_SHA256_M32_H5_W4,LMS_SHAKE_M24_H5_W8)", 2);
    place.sign_times(34);
    let other = Place(tempfile::tempdir().unwrap());
    let mut store = place.options().open(place.store()).unwrap();
    give_shard(&mut store, Share::Sector, &other.store(), other.options()).unwrap();
    store.close().unwrap();
    let first: Vec<u64> = (0..34).map(|_| place.sign(Kernels::best())).collect();
    let second: Vec<u64> = (0..34).map(|_| other.sign(Kernels::best())).collect();
    assert_eq!((first[0], first[33]), (34, 67));
    assert_eq!((second[0], second[33]), (512, 545));
    let public = |place: &Place| read_public_of(&place.store()).unwrap().raw;
    assert_eq!(public(&place), public(&other));
}
