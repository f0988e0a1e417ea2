//! Files that follow from the seeds are rebuilt if they are absent or damaged, for every kind of
//! key. The key then continues with its next index.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;
use std::ops::ControlFlow;

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::stateful::{
    Generation, NewStateful, Rebuilding, Rebuilt, Sessions, Share, Stateful, give_shard,
    read_public_of,
};
use hasten_keys::{Error, KeyFile};

use common::{Place, sign_next};

const KINDS: [(&str, u32, Option<&[u8]>); 7] = [
    ("LMS_SHA256_M24_H5_W8", 1, None),
    ("HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)", 1, None),
    ("XMSS-SHA2_10_192", 1, None),
    ("XMSS-SHA2_10_192", 4, None),
    ("XMSSMT-SHA2_20/4_192", 1, None),
    ("LMS_SHA256_M24_H5_W8", 1, Some(b"passphrase")),
    ("TOY-SHA2-128-2", 1, None),
];

/// Ways to damage a file.
const HARMS: [&str; 6] = ["absent", "empty", "first bit", "bit in the middle", "last bit", "half"];

fn harm(place: &Place, name: &str, how: &str) {
    let path = place.file(name);
    let mut bytes = fs::read(&path).unwrap();
    let flipped = match how {
        "first bit" => Some(0),
        "bit in the middle" => Some(bytes.len() / 2),
        _ => Some(bytes.len() - 2).filter(|_| how == "last bit"),
    };
    match flipped {
        Some(at) => bytes[at] ^= 1,
        None if how == "absent" => return fs::remove_file(path).unwrap(),
        None => bytes.truncate(if how == "half" { bytes.len() / 2 } else { 0 }),
    }
    fs::write(path, bytes).unwrap();
}

fn open(place: &Place, passphrase: Option<&[u8]>) -> Result<Stateful<'static>, Error> {
    let kept = place.kept("key", passphrase)?;
    Stateful::open(&place.store(), place.options(), &kept, Kernels::best())
}

#[test]
fn cache_and_public_key_of_every_kind_are_made_anew() {
    for (alg, sectors, passphrase) in KINDS {
        let place = Place::of(alg, sectors);
        place.generate(passphrase);
        let public = fs::read(place.file("public.pem")).unwrap();
        let harms = if alg.contains("H5") { &HARMS[..] } else { &HARMS[..1] };
        let mut next = 0;
        for (file, name) in [(KeyFile::Cache, "cache"), (KeyFile::Public, "public.pem")] {
            for how in harms {
                harm(&place, name, how);
                let mut key =
                    open(&place, passphrase).unwrap_or_else(|e| panic!("{alg} {name} {how}: {e}"));
                let [Rebuilt { file: made, damaged, .. }] = key.rebuilt() else {
                    panic!("{alg}: {name}, {how}: not noticed")
                };
                assert_eq!((*made, *damaged), (file, *how != "absent"), "{alg}: {how}");
                if key.status().near_exhaustion {
                    key.acknowledge().unwrap();
                }
                key.close().unwrap();
                assert_eq!(sign_next(&place, "key", passphrase), next, "{alg}: {name}, {how}");
                next += 1;
                assert_eq!(fs::read(place.file("public.pem")).unwrap(), public, "{alg}");
                assert!(!place.file("progress").exists(), "{alg}");
                assert_eq!(open(&place, passphrase).unwrap().rebuilt(), [], "{alg}: once");
            }
        }
    }
}

/// The upper signature of a tree in use is unchanged after a rebuild, so no upper one-time key has
/// signed twice.
#[test]
fn upper_signatures_are_the_same_after_a_rebuild() {
    let place = Place::of("HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)", 1);
    place.generate(None);
    let upper = |key: &mut Stateful<'_>| {
        let (index, signature) = common::sign(key, SignerLevel::None, b"message");
        // Nspk and the signed public key; RFC 8554, section 6.2 (Signature Generation).
        let one = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
        (index, signature[..4 + one.signature_bytes() + one.public_key_bytes()].to_vec())
    };
    let mut key = place.open().unwrap();
    let before: Vec<_> = (0..40).map(|_| upper(&mut key)).collect();
    key.close().unwrap();
    for harmed in [&["cache"][..], &["growth"], &["cache", "growth"], &["cache", "public.pem"]] {
        harmed.iter().for_each(|name| fs::remove_file(place.file(name)).unwrap());
        let mut key = place.open().unwrap();
        let (index, found) = upper(&mut key);
        assert!((40..64).contains(&index));
        assert_eq!(found, before[39].1, "{harmed:?}");
        key.close().unwrap();
    }
    let mut key = place.open().unwrap();
    while upper(&mut key).0 < 63 {}
    key.close().unwrap();
    fs::remove_file(place.file("cache")).unwrap();
    let (index, found) = upper(&mut place.open().unwrap());
    assert!(index >= 64 && found != before[39].1, "the next tree");
}

#[test]
fn a_rebuild_that_is_stopped_goes_on() {
    let place = Place::of("XMSS-SHA2_10_256", 1);
    place.generate(None);
    fs::remove_file(place.file("cache")).unwrap();
    let kept = place.kept("key", None).unwrap();
    let mut first = None;
    let mut watch = |progress: hasten_hbs::Progress| {
        first.get_or_insert(progress.done);
        ControlFlow::Break(())
    };
    let how = Rebuilding { threads: 1, watch: &mut watch };
    let stopped =
        Stateful::open_watched(&place.store(), place.options(), &kept, Kernels::best(), how);
    assert_eq!(stopped.err(), Some(Error::Scheme(hasten_hbs::Error::Stopped)));
    assert!(place.file("progress").exists() && !place.file("cache").exists());
    let mut begun = None;
    let mut watch = |progress: hasten_hbs::Progress| {
        begun.get_or_insert(progress.done);
        ControlFlow::Continue(())
    };
    let how = Rebuilding { threads: 1, watch: &mut watch };
    let opened =
        Stateful::open_watched(&place.store(), place.options(), &kept, Kernels::best(), how);
    assert_eq!(opened.unwrap().rebuilt().len(), 1);
    assert!(begun >= first, "{begun:?} after {first:?}");
    assert_eq!(sign_next(&place, "key", None), 0);
}

#[test]
fn a_key_without_all_seeds_takes_any_copy() {
    let place = Place::of("XMSS-SHA2_10_192", 4);
    place.generate(None);
    let old = fs::read(place.file("cache")).unwrap();
    assert_eq!(sign_next(&place, "key", None), 0);
    let mut store = place.options().open(place.store()).unwrap();
    give_shard(&mut store, Share::Sector, &place.path("shard"), place.options_of("shard")).unwrap();
    drop(store);
    let copies = [old, fs::read(place.path("shard/cache")).unwrap()];
    for (at, copy) in (1..).zip(copies) {
        for how in ["absent", "bit in the middle"] {
            harm(&place, "cache", how);
            let refused = place.open().err();
            assert_eq!(refused, Some(Error::NotRebuilt(KeyFile::Cache)), "{how}");
            fs::write(place.file("cache"), &copy).unwrap();
        }
        assert_eq!(sign_next(&place, "key", None), at);
    }
    harm(&place, "public.pem", "absent");
    assert_eq!(place.open().err(), Some(Error::NotRebuilt(KeyFile::Public)));
    fs::copy(place.path("shard/public.pem"), place.file("public.pem")).unwrap();
    assert_eq!(sign_next(&place, "key", None), 3);
    assert_eq!(sign_next(&place, "shard", None), 768, "the shard");
}

#[test]
fn a_shard_of_indices_is_made_anew() {
    let place = Place::of("LMS_SHA256_M24_H5_W8", 1);
    place.generate(None);
    let mut store = place.options().open(place.store()).unwrap();
    let share = Share::Indices(8);
    give_shard(&mut store, share, &place.path("shard"), place.options_of("shard")).unwrap();
    drop(store);
    for (at, name) in (0..).zip(["cache", "public.pem"]) {
        fs::remove_file(place.path("shard").join(name)).unwrap();
        let kept = place.kept("shard", None).unwrap();
        let options = place.options_of("shard");
        let key = Stateful::open(&place.path("shard"), options, &kept, Kernels::best()).unwrap();
        assert_eq!(key.rebuilt().len(), 1, "{name}");
        key.close().unwrap();
        assert_eq!(sign_next(&place, "shard", None), 24 + at);
    }
}

#[test]
fn an_identity_of_a_channel_is_made_anew() {
    let place = Place::of("LMS_SHA256_M24_H5_W8", 1);
    let session = Set::named("LMS_SHA256_M24_H5_W8").unwrap();
    let new = NewStateful { set: session, reserve: 1, sectors: 1 };
    let whole = &mut |_| ControlFlow::Continue(());
    let begun = Generation::begin_for_sessions(&place.store(), place.options(), new, session, None);
    begun.unwrap().run(Kernels::best(), 1, whole).unwrap();
    let public = read_public_of(&place.store()).unwrap();
    let tree = hasten_hbs::generate(session, &[7; 40], Kernels::best()).unwrap();
    for (number, name) in (0..).zip(["cache", "public.pem"]) {
        fs::remove_file(place.file(name)).unwrap();
        let kept = place.kept("key", None).unwrap();
        let mut identity =
            Sessions::open(&place.store(), place.options(), &kept, Kernels::best()).unwrap();
        assert_eq!(identity.rebuilt().len(), 1, "{name}");
        assert_eq!(identity.public_key().unwrap(), public);
        assert_eq!(identity.sign_tree(tree.public_key()).unwrap().number, number);
        identity.close().unwrap();
        assert_eq!(read_public_of(&place.store()).unwrap(), public);
    }
}

/// Files that follow from the seeds are replaced by the correct ones; seeds of another key are
/// refused.
#[test]
fn files_of_another_key_are_replaced_and_its_secret_is_refused() {
    let pair = ["LMS_SHA256_M24_H5_W8"; 2].map(|alg| Place::of(alg, 1));
    pair.iter().for_each(|place| place.generate(None));
    let [place, other] = pair;
    for (index, name) in (0..).zip(["cache", "public.pem"]) {
        let ours = fs::read(place.file(name)).unwrap();
        fs::copy(other.file(name), place.file(name)).unwrap();
        assert_eq!(place.open().unwrap().rebuilt().len(), 1, "{name}");
        assert_eq!(fs::read(place.file(name)).unwrap(), ours, "{name}");
        assert_eq!(sign_next(&place, "key", None), index);
    }
    for name in ["cache", "public.pem", "secret"] {
        fs::copy(other.file(name), place.file(name)).unwrap();
    }
    let refused = place.open().err();
    assert!(matches!(refused, Some(Error::ForeignFile(_))), "{refused:?}");
}
