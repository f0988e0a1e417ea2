//! Sectors of a key: each directory has only its own seeds, wherever a transfer is interrupted.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use hasten_kernels::Kernels;
use hasten_keys::Error;
use hasten_keys::stateful::{Kept, Sealed, Share, Stateful, give_shard};
use hasten_store::{Identity, NewKey, Options, Status, Store, StoreError};
use hasten_store_sim::{Fault, Loss, Machine, Mutation, Outcome};

use common::{Place, sign_next as sign};

const ALG: &str = "XMSS-SHA2_10_192";
const SIZE: u64 = 256;
const KEY: Identity = Identity { key_id: [5; 16], public: [6; 32] };

/// Returns a key of four sectors.
fn four(passphrase: Option<&[u8]>) -> Place {
    let place = Place::of(ALG, 4);
    place.generate(passphrase);
    place
}

fn give(place: &Place, share: Share, to: &str) -> Result<Status, Error> {
    let mut store = place.options().open(place.store()).unwrap();
    give_shard(&mut store, share, &place.path(to), place.options_of(to))
}

/// Returns true if any file of a directory contains these bytes.
fn holds(place: &Place, name: &str, bytes: &[u8]) -> bool {
    let files = fs::read_dir(place.path(name)).unwrap().flatten();
    let mut contents = files.map(|file| fs::read(file.path()).unwrap());
    contents.any(|content| content.windows(bytes.len()).any(|window| window == bytes))
}

/// Returns SK_SEED and SK_PRF of every sector.
fn secrets(kept: &Kept) -> Vec<Vec<u8>> {
    kept.sector_seeds().iter().map(|(_, seed)| seed[..48].to_vec()).collect()
}

#[test]
fn seeds_are_independent_and_share_what_is_public() {
    let place = four(None);
    let kept = place.kept("key", None).unwrap();
    assert_eq!((kept.sectors, kept.sector_seeds().len()), (4, 4));
    let parts: Vec<&[u8]> =
        kept.sector_seeds().iter().flat_map(|(_, s)| s[..48].chunks(24)).collect();
    let distinct: std::collections::HashSet<_> = parts.iter().collect();
    assert_eq!(distinct.len(), 8);
    assert!(
        kept.sector_seeds().iter().all(|(_, seed)| seed[48..] == kept.sector_seeds()[0].1[48..])
    );
}

#[test]
fn a_sector_takes_its_own_seed_with_it_and_no_other() {
    let place = four(None);
    let secrets = secrets(&place.kept("key", None).unwrap());
    assert_eq!(sign(&place, "key", None), 0);
    let status = give(&place, Share::Sector, "site2").unwrap();
    assert_eq!((status.start, status.end), (3 * SIZE, 4 * SIZE));
    for (sector, secret) in secrets.iter().enumerate() {
        for part in secret.chunks(24) {
            assert_eq!(holds(&place, "site2", part), sector == 3, "site2, sector {sector}");
            assert_eq!(holds(&place, "key", part), sector != 3, "key, sector {sector}");
        }
    }
    assert_eq!((sign(&place, "site2", None), sign(&place, "key", None)), (3 * SIZE, 1));
    assert_eq!(place.kept("site2", None).unwrap().sector_seeds().len(), 1);
    let next = give(&place, Share::Sector, "site3").unwrap();
    assert_eq!((next.start, sign(&place, "site3", None)), (2 * SIZE, 2 * SIZE));
}

#[test]
fn a_sector_is_used_up_and_signs_nothing_more() {
    let place = four(None);
    give(&place, Share::Sector, "site2").unwrap();
    let mut store = place.options_of("site2").open(place.path("site2")).unwrap();
    store.acknowledge().unwrap();
    drop(store.reserve(SIZE - 1).unwrap());
    drop(store);
    assert_eq!(sign(&place, "site2", None), 4 * SIZE - 1);
    let kept = place.kept("site2", None).unwrap();
    let opened = Stateful::open(&place.path("site2"), Options::new(), &kept, Kernels::best());
    let exhausted = Error::State(StoreError::Exhausted { remaining: 0 });
    assert_eq!(opened.unwrap().reserve(1).err(), Some(exhausted));
}

#[test]
fn a_sector_goes_without_the_passphrase_and_keeps_it() {
    let place = four(Some(b"words"));
    let secrets = secrets(&place.kept("key", Some(b"words")).unwrap());
    give(&place, Share::Sector, "site2").unwrap();
    for name in ["key", "site2"] {
        assert!(!secrets.iter().any(|secret| holds(&place, name, &secret[..24])));
        let sealed = Sealed::of_store(&place.path(name)).unwrap();
        assert_eq!(sealed.open(Some(b"other")).err(), Some(Error::Passphrase));
        sign(&place, name, Some(b"words"));
    }
}

#[test]
fn indices_that_are_no_whole_sector_share_its_seed() {
    let place = four(None);
    give(&place, Share::Indices(SIZE + 10), "site2").unwrap();
    let here = |name: &str| Sealed::of_store(&place.path(name)).unwrap().here();
    assert_eq!((here("key"), here("site2")), (vec![0, 1, 2], vec![2, 3]));
    assert_eq!(sign(&place, "site2", None), 3 * SIZE - 10);
    let torn = give(&place, Share::Sector, "site3");
    assert_eq!(torn.err(), Some(Error::State(StoreError::NoSector)), "no whole sector is on top");
    give(&place, Share::Indices(3 * SIZE - 10), "site3").unwrap();
    assert_eq!(Sealed::of_store(&place.path("key")).err(), Some(Error::NoSecret), "all is given");
}

#[test]
fn a_broken_off_generation_goes_on_with_as_many_sectors() {
    let place = Place::of(ALG, 4);
    let stop = &mut |_| ControlFlow::Break(());
    let stopped = place.begin(None).unwrap().run(Kernels::best(), 1, stop);
    assert!(stopped.is_err());
    let other = Place::of(ALG, 2);
    place.copy_to(&other);
    assert_eq!(other.begin(None).err(), Some(Error::OtherSectors));
    place.generate(None);
    assert_eq!(sign(&place, "key", None), 0);
    for sectors in [3, 128] {
        let refused = Place::of(ALG, sectors).begin(None).err();
        assert_eq!(refused, Some(Error::Scheme(hasten_hbs::Error::BadSeed)));
    }
}

#[test]
fn damaged_files_of_sectors_are_noticed() {
    let seeds = (0..4).map(|sector| (sector, vec![sector as u8; 72].into())).collect();
    let kept = Kept::new(KEY.key_id, ALG, 1, 4, seeds);
    let file = Sealed::seal(&kept, None).unwrap();
    assert_eq!(
        Sealed::read(&file, &KEY).unwrap().open(None).unwrap().sector_seeds(),
        kept.sector_seeds()
    );
    for at in 0..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert!(Sealed::read(&file[..at], &KEY).is_err() && Sealed::read(&changed, &KEY).is_err());
    }
}

/// Returns a key of four sectors on a simulated disk. Giving a sector away needs no tree.
fn simulated() -> Machine {
    let machine = Machine::new(1, Mutation::Honest);
    let seeds = (0..4).map(|sector| (sector, vec![0xe0 + sector as u8; 72].into())).collect();
    let new = NewKey { sectors: 4, log_records: 8, ..NewKey::new(4 * SIZE) };
    let store = on(&machine, "key").create(Path::new("/key"), &new).unwrap();
    let kept = Kept::new(store.identity().key_id, ALG, 1, 4, seeds);
    store.put_blob("secret", &Sealed::seal(&kept, None).unwrap()).unwrap();
    store.put_blob("cache", b"nodes").unwrap();
    store.put_blob("public.pem", b"key").unwrap();
    drop(store);
    machine
}

fn on(machine: &Machine, name: &str) -> Options {
    Options::new().env(machine.process()).guard(format!("/{name}.guard"))
}

fn give_on(machine: &Machine) -> Result<Status, Error> {
    let mut store = on(machine, "key").open(Path::new("/key"))?;
    give_shard(&mut store, Share::Sector, Path::new("/shard"), on(machine, "shard"))
}

fn here(store: &Store) -> Option<Vec<u32>> {
    let file = store.blob("secret").unwrap()?;
    Some(Sealed::read(&file, &store.identity()).expect("whole or not there").here())
}

/// Checks the state after a crash: no directory other than the key's and the shard's has the
/// sector's seed, and at most one of them has its indices.
fn check(machine: &Machine, at: &str) -> bool {
    let key = on(machine, "key").open(Path::new("/key")).unwrap();
    let given = key.state().end == 3 * SIZE;
    let shard = on(machine, "shard").open(Path::new("/shard"));
    let seeds = here(&key).expect("the key keeps its other seeds");
    assert!(seeds == [0, 1, 2, 3] || given && seeds == [0, 1, 2], "{at}: {seeds:?}");
    let Ok(shard) = shard else { return given };
    assert!(given, "{at}: a shard of what was not given");
    assert_eq!(shard.state().start..shard.state().end, 3 * SIZE..4 * SIZE, "{at}");
    assert!(here(&shard).is_none_or(|seeds| seeds == [3]), "{at}: another sector's seed");
    given
}

#[test]
fn a_crash_at_any_call_of_the_giving_away_leaks_and_repeats_nothing() {
    let machine = simulated();
    let whole = machine.fork_world(0);
    let before = whole.calls();
    give_on(&whole).unwrap();
    let calls = whole.calls() - before;
    assert!(calls > 60 && check(&whole, "undisturbed"));
    let mut given = 0;
    for at in 0..calls {
        for outcome in
            [Outcome::CrashBefore, Outcome::CrashAfter, Outcome::KillBefore, Outcome::Fails]
        {
            let world = machine.fork_world(at + 1);
            world.arm(Some(Fault { at, outcome }));
            drop(give_on(&world));
            if outcome.kills() {
                world.restart()
            } else {
                world.power_cut(Loss::Random)
            }
            given += u64::from(check(&world, &format!("call {at}, {outcome:?}")));
        }
    }
    assert!(given > calls && given < 4 * calls, "before and after: {given} of {}", 4 * calls);
}
