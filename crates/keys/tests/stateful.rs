//! Stateful keys over a real store on a real file system.

use std::{
    collections::HashSet,
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::{
    Error,
    stateful::{
        Generation, HandOver, Kept, NewStateful, Sealed, Share, Stateful, fleet_of, give_shard,
        read_public_of,
    },
    verify::verify,
};
use hasten_store::{Options, Policy, Reason, StoreError};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const ALG: &str = "XMSS-SHA2_10_256";

struct Place {
    dir: TempDir,
    sectors: u32,
}

impl Place {
    fn new() -> Self {
        Self::of_sectors(1)
    }

    fn of_sectors(sectors: u32) -> Self {
        Self { dir: tempfile::tempdir().unwrap(), sectors }
    }

    fn store(&self) -> PathBuf {
        self.dir.path().join("key")
    }

    fn options(&self) -> Options {
        Options::new().guard(self.dir.path().join("key.guard"))
    }

    fn begin(&self, passphrase: Option<&[u8]>) -> Result<Generation<'_>, Error> {
        let new = NewStateful { set: Set::named(ALG).unwrap(), reserve: 1, sectors: self.sectors };
        Generation::begin(&self.store(), self.options(), new, passphrase)
    }

    /// A finished key: a copy of one that is made once, guard and all.
    fn generate(&self) {
        static ONCE: OnceLock<Place> = OnceLock::new();
        let made = ONCE.get_or_init(|| {
            let place = Self::new();
            place.generate_anew();
            place
        });
        made.copy_to(self);
    }

    fn copy_to(&self, other: &Self) {
        copy_dir(&self.store(), &other.store());
        fs::copy(self.dir.path().join("key.guard"), other.dir.path().join("key.guard")).unwrap();
    }

    fn generate_anew(&self) {
        let whole = &mut |_| ControlFlow::Continue(());
        self.begin(None).unwrap().run(Kernels::best(), 2, whole).unwrap();
    }

    fn open(&self) -> Result<Stateful<'static>, Error> {
        let kept = Sealed::of_store(&self.store())?.open(None)?;
        Stateful::open(&self.store(), self.options(), &kept, Kernels::best())
    }
}

/// Signs `message` with the next index; gives the index and the signature.
fn sign(key: &mut Stateful<'_>, message: &[u8]) -> (u64, Vec<u8>) {
    let permit = key.reserve(1).unwrap().next().unwrap();
    let mut ready = key.prepare(permit, SignerLevel::ChainTable).unwrap();
    let (front, back) = message.split_at(message.len() / 2);
    let index = ready.index();
    ready.update(front);
    let signature = ready.finish(back).unwrap();
    key.record(index).unwrap();
    (index, signature)
}

#[test]
fn indices_go_on_where_the_last_session_stopped() {
    let place = Place::new();
    place.generate();
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
    let place = Place::new();
    let set = Set::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4").unwrap();
    let new = NewStateful { set, reserve: 1, sectors: 1 };
    let generation = Generation::begin(&place.store(), place.options(), new, None).unwrap();
    generation.run(Kernels::best(), 1, &mut |_| ControlFlow::Continue(())).unwrap();
    let public = read_public_of(&place.store()).unwrap();
    assert_eq!((public.row.name.as_str(), public.raw.len()), ("HSS", 60));
    let (index, signature) = sign(&mut place.open().unwrap(), b"message");
    assert_eq!((index, signature.len()), (0, 4 + set.signature_bytes()));
    let check = |message: &[u8], signature: &[u8]| {
        verify(&public, &mut &message[..], signature, Kernels::portable())
    };
    assert_eq!(check(b"message", &signature), Ok(()));
    assert_eq!(check(b"message", &signature[4..]), Ok(()), "a bare LMS signature is read too");
    assert_eq!(check(b"massage", &signature), Err(Error::BadSignature));
    assert_eq!(
        check(b"message", &[&[0, 0, 0, 1], &signature[4..]].concat()),
        Err(Error::BadSignature)
    );
}

#[test]
fn a_key_of_hss_keeps_its_levels_in_the_store() {
    let place = Place::new();
    let set = Set::named("HSS(LMS_SHAKE_M24_H5_W4,LMS_SHA256_M32_H5_W2)").unwrap();
    let new = NewStateful { set, reserve: 1, sectors: 1 };
    let generation = Generation::begin(&place.store(), place.options(), new, None).unwrap();
    generation.run(Kernels::best(), 1, &mut |_| ControlFlow::Continue(())).unwrap();
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
fn a_finished_key_is_not_overwritten() {
    let place = Place::new();
    place.generate();
    let before = fs::read(place.store().join("secret")).unwrap();
    assert_eq!(place.begin(None).err(), Some(Error::State(StoreError::Exists)));
    assert_eq!(fs::read(place.store().join("secret")).unwrap(), before);
}

#[test]
fn generation_goes_on_after_it_was_broken_off() {
    let place = Place::new();
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
    let seed = fs::read(place.store().join("secret")).unwrap();

    let mut after = Vec::new();
    let mut watch = |progress: hasten_hbs::Progress| {
        after.push(progress.done);
        ControlFlow::Continue(())
    };
    place.begin(None).unwrap().run(Kernels::best(), 1, &mut watch).unwrap();
    assert!(after[0] > *done.last().unwrap(), "what was done is not done again");
    assert_eq!(fs::read(place.store().join("secret")).unwrap(), seed);
    assert!(!place.store().join("progress").exists());
    sign(&mut place.open().unwrap(), b"works");
}

/// A changed subtree, under a digest that anyone can make, would be part of the public key, or be
/// signed by the tree above.
#[test]
fn progress_that_somebody_changed_is_made_again() {
    let (place, other) = (Place::new(), Place::new());
    let stop = &mut |progress: hasten_hbs::Progress| match progress.done {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    place.begin(None).unwrap().run(Kernels::best(), 1, stop).unwrap_err();
    place.copy_to(&other);
    fs::remove_file(other.store().join("progress")).unwrap();
    forge(&place.store().join("progress"));

    place.generate_anew();
    other.generate_anew();
    let public = |place: &Place| fs::read(place.store().join("public.pem")).unwrap();
    assert_eq!(public(&place), public(&other));
}

/// Changes the last byte, and puts the digest in front that needs no secret.
fn forge(progress: &Path) {
    let mut file = fs::read(progress).unwrap();
    *file.last_mut().unwrap() ^= 1;
    let sum = Sha256::digest([&file[..8], ALG.as_bytes(), &file[40..]].concat());
    file[8..40].copy_from_slice(&sum);
    fs::write(progress, file).unwrap();
}

#[test]
fn an_older_copy_is_refused() {
    let place = Place::new();
    place.generate();
    let copy = place.dir.path().join("copy");
    copy_dir(&place.store(), &copy);
    let mut key = place.open().unwrap();
    sign(&mut key, b"one");
    key.close().unwrap();

    fs::rename(place.store(), place.dir.path().join("newer")).unwrap();
    fs::rename(copy, place.store()).unwrap();
    let Err(Error::State(StoreError::Refused(refusal))) = place.open() else { panic!("opened") };
    assert_eq!(refusal.reason, Reason::OldCopy);
    assert!(refusal.found < refusal.expected);
}

fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_passphrase_is_needed_and_hides_the_seed() {
    let place = Place::new();
    let kept = Kept::of_one_seed(ALG, 3, vec![0xA5; 96].into());
    let file = Sealed::seal(&kept, Some(b"correct horse")).unwrap();
    assert!(!file.windows(8).any(|bytes| bytes == [0xA5; 8]));
    let open = |passphrase| Sealed::read(&file).unwrap().open(passphrase);
    assert_eq!(open(None).err(), Some(Error::Passphrase));
    assert_eq!(open(Some(b"wrong")).err(), Some(Error::Passphrase));
    let opened = open(Some(b"correct horse")).unwrap();
    assert_eq!((&opened.seeds, opened.reserve), (&kept.seeds, 3));
    assert!(!format!("{opened:?}").contains("165"), "Debug shows no seed");

    let whole = &mut |_| ControlFlow::Continue(());
    place.begin(Some(b"p")).unwrap().run(Kernels::best(), 2, whole).unwrap();
    assert!(Sealed::of_store(&place.store()).unwrap().is_encrypted());
    assert_eq!(place.open().err(), Some(Error::Passphrase));
}

#[test]
fn damaged_key_files_are_noticed() {
    let kept = Kept::of_one_seed(ALG, 1, vec![7; 96].into());
    for file in [Sealed::seal(&kept, None).unwrap(), Sealed::seal(&kept, Some(b"p")).unwrap()] {
        for at in 0..file.len() {
            assert!(Sealed::read(&file[..at]).is_err());
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert!(Sealed::read(&changed).is_err());
        }
    }
}

#[test]
fn a_damaged_cache_is_refused() {
    let place = Place::new();
    place.generate();
    let path = place.store().join("cache");
    let mut cache = fs::read(&path).unwrap();
    *cache.last_mut().unwrap() ^= 1;
    fs::write(&path, cache).unwrap();
    assert_eq!(place.open().err(), Some(Error::Damaged));
}

#[test]
fn a_shard_signs_for_the_same_public_key() {
    let (place, other) = (Place::new(), Place::new());
    place.generate();
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
    let (place, other) = (Place::new(), Place::new());
    place.generate();
    other.generate_anew();
    let (mut key, mut stranger) = (place.open().unwrap(), other.open().unwrap());
    let permit = stranger.reserve(1).unwrap().next().unwrap();
    let lost = Error::Scheme(hasten_hbs::Error::PermitLost);
    assert_eq!(key.prepare(permit, SignerLevel::None).err(), Some(lost));
}

#[test]
fn a_closed_session_signs_nothing_more() {
    let place = Place::new();
    place.generate();
    let mut key = place.open().unwrap();
    let permit = key.reserve(1).unwrap().next().unwrap();
    let ready = key.prepare(permit, SignerLevel::Secrets).unwrap();
    key.close().unwrap();
    assert_eq!(ready.finish(b"late").err(), Some(Error::State(StoreError::Closed)));
}

#[test]
fn indices_reserved_ahead_are_signed_with_in_order() {
    let place = Place::new();
    place.generate();
    let public = read_public_of(&place.store()).unwrap();
    let mut key = place.open().unwrap();
    key.reserve_ahead(Policy { interval: 3, burst: 1, total: 8, ..Policy::default() }).unwrap();
    assert_eq!(key.reserve(1).err(), Some(Error::State(StoreError::Closed)), "the thread does it");
    for expected in 0..8 {
        let permit = key.permit(Duration::from_secs(10)).unwrap();
        let ready = key.prepare(permit, SignerLevel::Secrets).unwrap();
        let index = ready.index();
        let signature = ready.finish(b"m").unwrap();
        key.record(index).unwrap();
        assert_eq!(index, expected);
        assert_eq!(verify(&public, &mut &b"m"[..], &signature, Kernels::best()), Ok(()));
    }
    let end = key.permit(Duration::from_secs(10)).err();
    assert_eq!(end, Some(Error::State(StoreError::Empty)), "as many as were asked for");
    let status = key.close().unwrap();
    assert_eq!((status.used, status.lost, status.next), (8, 0, 8));
}

#[test]
fn a_key_of_a_fleet_is_handed_over_when_it_is_whole_and_not_signed_with_alone() {
    let place = Place::new();
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

/// A key of a set that takes long to load, and the leaves that are kept of it.
const TALL: &str = "LMS_SHA256_M32_H10_W8";

#[test]
fn leaves_are_kept_where_loading_takes_long_and_may_be_damaged_or_old() {
    let place = Place::new();
    let new = NewStateful { set: Set::named(TALL).unwrap(), reserve: 1, sectors: 1 };
    let begun = Generation::begin(&place.store(), place.options(), new, None).unwrap();
    begun.run(Kernels::best(), 2, &mut |_| ControlFlow::Continue(())).unwrap();
    let public = read_public_of(&place.store()).unwrap();
    let (path, mut seen) = (place.store().join("leaves"), Vec::new());
    let first = fs::read(&path).unwrap();
    for session in 0..8_u64 {
        let mut key = place.open().unwrap();
        for _ in 0..3 {
            let (index, signature) = sign(&mut key, b"message");
            assert_eq!(verify(&public, &mut &b"message"[..], &signature, Kernels::best()), Ok(()));
            seen.push(index);
        }
        key.close().unwrap();
        match session {
            1 => fs::write(&path, &first).unwrap(),
            3 => fs::remove_file(&path).unwrap(),
            5 => fs::write(&path, vec![7; first.len()]).unwrap(),
            _ => assert_ne!(fs::read(&path).unwrap(), first, "it goes with the index"),
        }
    }
    assert_eq!(seen, (0..24).collect::<Vec<u64>>());
}
