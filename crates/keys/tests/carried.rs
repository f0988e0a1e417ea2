//! Shards in files: usable on one side only, wherever the transfer stops, and imported only once.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use hasten_keys::Error;
use hasten_keys::stateful::{Kept, Sealed, SealedShard, Share, export_shard, import_shard};
use hasten_store::{Env, File, NewKey, Options, Status, StoreError};
use hasten_store_sim::{Fault, Loss, Machine, Mutation, Outcome};
use sha2::{Digest, Sha256};

use common::{Place, sign_next as sign};

const ALG: &str = "XMSS-SHA2_10_192";
const SIZE: u64 = 256;

fn four(passphrase: Option<&[u8]>) -> Place {
    let place = Place::of(ALG, 4);
    place.generate(passphrase);
    place
}

fn export(place: &Place, share: Share, word: Option<&[u8]>, to: &str) -> Result<(u64, u64), Error> {
    let kept = place.kept("key", word)?;
    let mut store = place.options().open(place.store())?;
    let range = export_shard(&mut store, share, &kept, word, &place.path(to))?;
    Ok((range.start, range.end))
}

fn import(place: &Place, file: &str, word: Option<&[u8]>, to: &str) -> Result<Status, Error> {
    let shard = SealedShard::read(&fs::read(place.path(file)).unwrap())?.open(word)?;
    import_shard(&shard, &place.path(to), place.options_of(to), &place.path("register"))
}

/// Returns the error for a shard that was already imported into this directory.
fn came(place: &Place, dir: &str) -> Option<Error> {
    let dir = place.path(dir).canonicalize().unwrap_or_else(|_| place.path(dir));
    Some(Error::State(StoreError::Imported { dir }))
}

#[test]
fn a_sector_leaves_in_a_file_with_its_seed_and_signs_elsewhere() {
    let place = four(Some(b"words"));
    let seeds = place.kept("key", Some(b"words")).unwrap();
    let seeds: Vec<_> = seeds.sector_seeds().iter().map(|(_, s)| s[..24].to_vec()).collect();
    assert_eq!(sign(&place, "key", Some(b"words")), 0);
    let given = export(&place, Share::Sector, Some(b"words"), "shard").unwrap();
    assert_eq!(given, (3 * SIZE, 4 * SIZE));
    let file = fs::read(place.path("shard")).unwrap();
    assert_eq!(fs::metadata(place.path("shard")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!seeds.iter().any(|seed| file.windows(24).any(|window| window == seed)), "encrypted");
    let sealed = SealedShard::read(&file).unwrap();
    assert!(sealed.is_encrypted() && sealed.open(Some(b"other")).err() == Some(Error::Passphrase));
    assert_eq!(SealedShard::read(&file).unwrap().open(None).err(), Some(Error::Passphrase));
    let status = import(&place, "shard", Some(b"words"), "site2").unwrap();
    assert_eq!((status.start, status.end), given);
    let here = |name: &str| place.kept(name, Some(b"words")).unwrap().sector_seeds().len();
    assert_eq!((here("key"), here("site2")), (3, 1), "the seed has moved");
    assert_eq!(sign(&place, "site2", Some(b"words")), 3 * SIZE);
    assert_eq!(sign(&place, "key", Some(b"words")), 1);
}

#[test]
fn indices_leave_in_a_file_of_a_key_in_the_clear() {
    let place = four(None);
    assert_eq!(export(&place, Share::Indices(10), None, "shard").unwrap(), (1014, 1024));
    assert!(!SealedShard::read(&fs::read(place.path("shard")).unwrap()).unwrap().is_encrypted());
    import(&place, "shard", None, "site2").unwrap();
    assert_eq!(sign(&place, "site2", None), 1014);
    let all = export(&place, Share::Indices(1014), None, "rest").unwrap();
    assert_eq!(all, (0, 1014));
    assert_eq!(Sealed::of_store(&place.store()).err(), Some(Error::NoSecret), "all is given");
    import(&place, "rest", None, "site3").unwrap();
    assert_eq!(sign(&place, "site3", None), 0);
}

#[test]
fn a_second_import_is_refused_wherever_the_first_one_went() {
    let place = four(None);
    export(&place, Share::Sector, None, "shard").unwrap();
    import(&place, "shard", None, "site2").unwrap();
    assert_eq!(import(&place, "shard", None, "site2").err(), came(&place, "site2"), "unused yet");
    assert_eq!(sign(&place, "site2", None), 3 * SIZE);
    assert_eq!(import(&place, "shard", None, "site2").err(), came(&place, "site2"), "used");
    assert_eq!(import(&place, "shard", None, "site3").err(), came(&place, "site2"));
    assert!(!place.path("site3").exists() && !place.path("site3.guard").exists());
    // The register remembers the shard even if the directory was moved or removed.
    fs::rename(place.path("site2"), place.path("moved")).unwrap();
    fs::rename(place.path("site2.guard"), place.path("moved.guard")).unwrap();
    place.options_of("moved").accept_moved(true).open(place.path("moved")).unwrap();
    assert_eq!(import(&place, "shard", None, "site2").err(), came(&place, "site2"));
    assert_eq!(sign(&place, "moved", None), 3 * SIZE + 1);
}

#[test]
fn what_is_there_is_not_overwritten() {
    let place = four(None);
    fs::write(place.path("taken"), b"mine").unwrap();
    let refused = export(&place, Share::Sector, None, "taken");
    assert_eq!(refused.err(), Some(Error::ShardPlace(StoreError::Exists)));
    assert_eq!(fs::read(place.path("taken")).unwrap(), b"mine");
    let missing = export(&place, Share::Sector, None, "no/such/folder");
    assert!(matches!(missing, Err(Error::ShardPlace(_))), "{missing:?}");
    let given = export(&place, Share::Sector, None, "shard").unwrap();
    assert_eq!(given, (3 * SIZE, 4 * SIZE), "a file that cannot be made costs nothing");
    assert!(import(&place, "shard", None, "key").is_err());
    assert_eq!(sign(&place, "key", None), 0);
    import(&place, "shard", None, "site2").unwrap();
}

#[test]
fn a_file_that_is_cut_off_or_changed_is_refused() {
    let (machine, kept) = simulated(Mutation::Honest);
    for word in [None, Some(&b"words"[..])] {
        let world = machine.fork_world(0);
        export_on(&world, &kept, word).unwrap();
        let file = bytes(&world, "/out").unwrap();
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 1;
            for wrong in [&file[..at], &changed] {
                let error = SealedShard::read(wrong).err();
                assert!(matches!(error, Some(Error::NotAShard | Error::BrokenShard)), "{error:?}");
            }
        }
        assert!(SealedShard::read(&[&file[..], b"x"].concat()).is_err());
    }
}

/// An attacker who knows the format but not the passphrase changes the range to other indices.
#[test]
fn nobody_without_the_passphrase_can_change_the_range() {
    let (machine, kept) = simulated(Mutation::Honest);
    export_on(&machine, &kept, Some(b"words")).unwrap();
    let mut file = bytes(&machine, "/out").unwrap();
    file[72..80].copy_from_slice(&(2 * SIZE).to_le_bytes());
    let digest = Sha256::new().chain_update(&file[..120]).chain_update(&file[152..]).finalize();
    file[120..152].copy_from_slice(&digest);
    let shard = SealedShard::read(&file).expect("the digest is not keyed");
    assert_eq!(shard.open(Some(b"words")).err(), Some(Error::Passphrase));
}

/// Returns a key of four sectors on a simulated disk. Giving a sector away needs no tree.
fn simulated(mutation: Mutation) -> (Machine, Kept) {
    let machine = Machine::new(1, mutation);
    let seeds = (0..4).map(|sector| (sector, vec![0xe0 + sector as u8; 72].into())).collect();
    let new = NewKey { sectors: 4, log_records: 8, ..NewKey::new(4 * SIZE) };
    let store = on(&machine, "key").create(Path::new("/key"), &new).unwrap();
    let kept = Kept::new(store.identity().key_id, ALG, 1, 4, seeds);
    store.put_blob("secret", &Sealed::seal(&kept, None).unwrap()).unwrap();
    store.put_blob("cache", b"nodes").unwrap();
    store.put_blob("service", b"word").unwrap();
    store.put_blob("public.pem", b"key").unwrap();
    drop(store);
    (machine, kept)
}

fn on(machine: &Machine, name: &str) -> Options {
    Options::new().env(machine.process()).guard(format!("/{name}.guard"))
}

fn export_on(machine: &Machine, kept: &Kept, word: Option<&[u8]>) -> Result<u64, Error> {
    let mut store = on(machine, "key").open(Path::new("/key"))?;
    Ok(export_shard(&mut store, Share::Sector, kept, word, Path::new("/out"))?.start)
}

fn import_on(machine: &Machine, file: &[u8], to: &str) -> Result<Status, Error> {
    let shard = SealedShard::read(file)?.open(None)?;
    let dir = format!("/{to}");
    import_shard(&shard, Path::new(&dir), on(machine, to), Path::new("/register"))
}

/// Returns the contents of a file on the simulated disk.
fn bytes(machine: &Machine, path: &str) -> Option<Vec<u8>> {
    let file: Box<dyn File> = machine.process().open_read(Path::new(path)).ok()?;
    let mut bytes = vec![0; file.size().unwrap() as usize];
    file.read_at(&mut bytes, 0).unwrap();
    Some(bytes)
}

/// Returns the range of a store that can sign, which means that it has a secret and a public key.
fn usable(machine: &Machine, name: &str) -> Option<(u64, u64)> {
    let store = on(machine, name).open(Path::new(&format!("/{name}"))).ok()?;
    let whole = ["secret", "public.pem"].iter().all(|file| store.blob(file).unwrap().is_some());
    whole.then(|| (store.state().next, store.state().end))
}

const OUTCOMES: [Outcome; 5] = [
    Outcome::CrashBefore,
    Outcome::CrashAfter,
    Outcome::KillBefore,
    Outcome::KillAfter,
    Outcome::Fails,
];

/// Runs `act` with a fault at each of its calls, and then `check` on the resulting machine.
fn at_every_call(
    machine: &Machine,
    act: impl Fn(&Machine),
    mut check: impl FnMut(&Machine, &str),
) -> u64 {
    let whole = machine.fork_world(0);
    let before = whole.calls();
    act(&whole);
    let calls = whole.calls() - before;
    for at in 0..calls {
        for outcome in OUTCOMES {
            for loss in [Loss::All, Loss::Random] {
                let world = machine.fork_world(at + 1);
                world.arm(Some(Fault { at, outcome }));
                act(&world);
                if outcome.kills() {
                    world.restart()
                } else {
                    world.power_cut(loss)
                }
                world.arm(None);
                check(&world, &format!("call {at}, {outcome:?}, {loss:?}"));
            }
        }
    }
    calls
}

#[test]
fn a_crash_at_any_call_of_an_export_leaves_no_index_on_both_sides() {
    export_with_crashes(Mutation::Honest);
}

fn export_with_crashes(mutation: Mutation) {
    let (machine, kept) = simulated(mutation);
    let (mut whole, mut again, mut second) = (0, 0, 0);
    let calls = at_every_call(
        &machine,
        |world| drop(export_on(world, &kept, None)),
        |world, at| {
            let (_, end) = usable(world, "key").expect("the key opens");
            let first = bytes(world, "/out");
            whole += u64::from(first.is_some());
            if let Some(file) = &first {
                assert_eq!(end, 3 * SIZE, "{at}: a file of what was not given");
                assert!(SealedShard::read(file).is_ok(), "{at}: a file with its name is whole");
            }
            // The same command again: on the same machine, and on one where the file was removed in
            // between.
            let taken = world.fork_world(77);
            match export_on(world, &kept, None) {
                Ok(start) => assert_eq!(start, 3 * SIZE, "{at}: the same range"),
                // The command was complete and is repeated.
                Err(Error::ShardPlace(StoreError::Exists)) => assert!(first.is_some(), "{at}"),
                Err(error) => panic!("{at}: {error:?}"),
            }
            let file = bytes(world, "/out").expect("whole now");
            assert!(first.is_none_or(|first| first == file), "{at}: written twice");
            let status = import_on(world, &file, "site").unwrap();
            assert_eq!((status.start, status.end), (3 * SIZE, 4 * SIZE), "{at}");
            again += 1;
            if taken.process().remove(Path::new("/out")).is_ok() {
                taken.process().sync_dir(Path::new("/")).unwrap();
                let start = export_on(&taken, &kept, None).unwrap();
                assert_eq!(start, 2 * SIZE, "{at}: the first file is out, and stays the only one");
                second += 1;
            }
        },
    );
    assert!(calls > 60 && whole > 0 && second == whole && again > whole, "{calls} {whole} {again}");
}

#[test]
fn a_crash_at_any_call_of_an_import_makes_one_shard_at_most() {
    import_with_crashes(Mutation::Honest);
}

/// Both crash tests must fail on disks that reorder writes: with syncs that do nothing or act late.
#[test]
fn crashes_on_disks_that_break_the_order_of_writes_are_found() {
    let broken = [Mutation::NoSync, Mutation::LateSync, Mutation::NoDirSync];
    for mutation in broken {
        for (name, test) in [
            ("export", export_with_crashes as fn(Mutation)),
            ("import", import_with_crashes as fn(Mutation)),
        ] {
            let found = std::panic::catch_unwind(|| test(mutation)).is_err();
            assert!(found, "{mutation:?} was not found by the crashes of an {name}");
        }
    }
}

fn import_with_crashes(mutation: Mutation) {
    let (source, kept) = simulated(Mutation::Honest);
    export_on(&source, &kept, None).unwrap();
    let file = bytes(&source, "/out").unwrap();
    let machine = Machine::new(2, mutation);
    let mut elsewhere = 0;
    let calls = at_every_call(
        &machine,
        |world| drop(import_on(world, &file, "site")),
        |world, at| {
            let usable_at_once = usable(world, "site").is_some();
            let other = world.fork_world(78);
            // An import into another directory is possible only before the register has recorded
            // the shard.
            if import_on(&other, &file, "other").is_ok() {
                assert!(!usable_at_once && usable(&other, "site").is_none(), "{at}: two shards");
                elsewhere += 1;
                let back = import_on(&other, &file, "site");
                assert!(matches!(back, Err(Error::State(StoreError::Imported { .. }))), "{at}");
            }
            let again = import_on(world, &file, "site");
            match again {
                Ok(_) => {}
                Err(Error::State(StoreError::Imported { .. })) => assert!(usable_at_once, "{at}"),
                Err(error) => panic!("{at}: {error:?}"),
            }
            assert_eq!(usable(world, "site"), Some((3 * SIZE, 4 * SIZE)), "{at}");
            let third = import_on(world, &file, "site");
            assert!(matches!(third, Err(Error::State(StoreError::Imported { .. }))), "{at}");
        },
    );
    assert!(calls > 60 && elsewhere > calls && elsewhere < 10 * calls, "{calls} {elsewhere}");
}

#[test]
fn a_file_whose_content_is_erased_is_known_to_have_been_imported() {
    let place = four(None);
    export(&place, Share::Sector, None, "shard").unwrap();
    let mut file = fs::read(place.path("shard")).unwrap();
    import(&place, "shard", None, "site2").unwrap();
    assert_eq!(Options::new().erase_carried(&place.path("shard")), Ok(true));
    assert!(!place.path("shard").exists());
    assert_eq!(Options::new().erase_carried(&place.path("shard")), Ok(false));
    file[120..].fill(0);
    let read =
        |register: &str| SealedShard::read_on(&file, &Options::new(), &place.path(register)).err();
    assert_eq!(
        (read("register"), read("other")),
        (came(&place, "site2"), Some(Error::BrokenShard))
    );
}
