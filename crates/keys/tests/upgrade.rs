//! Keys in the old format (`tests/old`): checked and upgraded on their first opening, even if that
//! is interrupted at any call.

#[allow(dead_code)] // the other tests of keys use the rest
mod common;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hasten_hbs::{Set, SignerLevel};
use hasten_kernels::Kernels;
use hasten_keys::stateful::{
    Generation, Kept, NewStateful, Note, Sealed, Share, Stateful, give_shard, read_public_of,
};
use hasten_keys::{Error, KeyFile, verify::verify};
use hasten_store::{Break, Env, Options, StoreError};
use hasten_store_sim::{Fault, Loss, Machine, Mutation, Outcome};

const MESSAGE: &[u8] = b"message\n";
const WORDS: &[u8] = b"old words";

fn old() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old")
}

/// A copy of an old key and its guard.
struct Old {
    root: tempfile::TempDir,
    name: &'static str,
}

impl Old {
    fn of(name: &'static str) -> Self {
        let root = tempfile::tempdir().unwrap();
        common::copy_dir(&old().join(name), &root.path().join(name));
        fs::copy(old().join(format!("{name}.guard")), root.path().join("guard")).unwrap();
        Self { root, name }
    }

    fn dir(&self) -> PathBuf {
        self.root.path().join(self.name)
    }

    fn options(&self) -> Options {
        Options::new().guard(self.root.path().join("guard"))
    }

    fn kept(&self) -> Result<Kept, Error> {
        let sealed = Sealed::of_store(&self.dir())?;
        let locked = sealed.is_encrypted();
        sealed.open(locked.then_some(WORDS))
    }

    fn open(&self) -> Result<Stateful<'static>, Error> {
        Stateful::open(&self.dir(), self.options(), &self.kept()?, Kernels::best())
    }
}

fn sign(key: &mut Stateful<'_>) -> (u64, Vec<u8>) {
    common::sign(key, SignerLevel::None, MESSAGE)
}

/// Name and next index of the finished keys.
const WHOLE: [(&str, u64); 6] =
    [("lms", 3), ("shard", 1017), ("xmss", 3), ("hss", 36), ("sectors", 3), ("locked", 3)];

#[test]
fn every_old_key_is_brought_up_once_and_signs_on() {
    for (name, next) in WHOLE {
        let place = Old::of(name);
        let public = read_public_of(&place.dir()).unwrap();
        let mut key = place.open().unwrap();
        assert!(key.upgraded() && key.status().repair.is_some_and(|r| r.upgraded), "{name}");
        key.acknowledge().unwrap();
        let (index, signature) = sign(&mut key);
        assert_eq!(index, next, "{name}");
        key.close().unwrap();
        let before = fs::read(old().join(format!("{name}.sig"))).unwrap();
        for signature in [before, signature] {
            let good = verify(&public, &mut &MESSAGE[..], &signature, Kernels::best());
            assert_eq!(good, Ok(()), "{name}");
        }
        let mut key = place.open().unwrap();
        assert!(!key.upgraded() && key.status().repair.is_none(), "{name}: once");
        assert_eq!(sign(&mut key).0, next + 1, "{name}");
        key.close().unwrap();
        let store = place.options().open(place.dir()).unwrap();
        assert!(store.identity().is_bound(), "{name}");
        assert!(store.audit().unwrap().iter().any(|entry| entry.what == "upgrade"), "{name}");
    }
}

#[test]
fn a_file_of_the_old_form_is_refused_once_the_key_was_brought_up() {
    for name in ["lms", "hss", "locked"] {
        for (file, which) in [("secret", KeyFile::Secret), ("cache", KeyFile::Cache)] {
            let place = Old::of(name);
            place.open().unwrap().close().unwrap();
            // Overwrites the existing file, whose mode is kept.
            let bytes = fs::read(old().join(name).join(file)).unwrap();
            fs::write(place.dir().join(file), bytes).unwrap();
            assert_eq!(place.open().err(), Some(Error::ForeignFile(which)), "{name}");
        }
    }
}

/// Records of the old format are not chained across files; the record of the upgrade contains their
/// digest.
#[test]
fn a_record_of_the_old_form_cannot_be_changed_after_the_upgrade() {
    let place = Old::of("hss");
    place.open().unwrap().close().unwrap();
    let (whole, archive) =
        (fs::read(place.dir().join("audit")).unwrap(), place.dir().join("audit"));
    assert!(Options::new().peek_audit(place.dir()).is_ok());
    for at in [32, 40 * 128 + 60, whole.len() - 100] {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&archive, changed).unwrap();
        let wrong = Options::new().peek_audit(place.dir());
        let last = whole.len() as u64 / 128;
        let expected = StoreError::Audit(Break::Changed { first: 1, last });
        assert_eq!(wrong.err(), Some(expected), "byte {at}");
    }
}

#[test]
fn an_old_key_gives_shards_before_it_was_ever_opened_to_sign() {
    for (name, share) in
        [("lms", Share::Indices(4)), ("sectors", Share::Sector), ("locked", Share::Indices(4))]
    {
        let place = Old::of(name);
        let mut store = place.options().open(place.dir()).unwrap();
        let (to, guard) = (place.root.path().join("new"), place.root.path().join("new.guard"));
        let options = Options::new().guard(&guard);
        let status = give_shard(&mut store, share, &to, options).unwrap();
        drop(store);
        let sealed = Sealed::of_store(&to).unwrap();
        let locked = sealed.is_encrypted();
        let kept = sealed.open(locked.then_some(WORDS)).unwrap();
        let mut shard = Stateful::open(&to, Options::new(), &kept, Kernels::best()).unwrap();
        shard.acknowledge().unwrap();
        assert_eq!(sign(&mut shard).0, status.start, "{name}");
    }
}

#[test]
fn an_old_unfinished_generation_goes_on_with_what_was_done() {
    let place = Old::of("unfinished");
    let set = Set::named("LMS_SHA256_M24_H10_W8").unwrap();
    let new = NewStateful { set, reserve: 1, sectors: 1 };
    let generation = Generation::begin(&place.dir(), place.options(), new, None).unwrap();
    let mut first = None;
    let watch = &mut |progress: hasten_hbs::Progress| {
        first.get_or_insert(progress.done);
        ControlFlow::Continue(())
    };
    generation.run(Kernels::best(), 1, watch).unwrap();
    assert!(first.is_some_and(|done| done > 64), "not begun anew: {first:?}");
    let mut key = place.open().unwrap();
    assert_eq!((key.upgraded(), sign(&mut key).0), (false, 0));
}

/// Returns an old key on a simulated disk.
fn simulated(name: &str) -> Machine {
    let machine = Machine::new(1, Mutation::Honest);
    let process = machine.process();
    let put = |path: &Path, content: &[u8]| {
        let file = process.create(path).unwrap();
        if !content.is_empty() {
            assert_eq!(file.write_at(content, 0), Ok(content.len()));
        }
        file.sync().unwrap();
    };
    process.make_dir(Path::new("/key")).unwrap();
    for file in fs::read_dir(old().join(name)).unwrap().flatten() {
        put(&Path::new("/key").join(file.file_name()), &fs::read(file.path()).unwrap());
    }
    put(Path::new("/key.guard"), &fs::read(old().join(format!("{name}.guard"))).unwrap());
    for dir in ["/key", "/"] {
        process.sync_dir(Path::new(dir)).unwrap();
    }
    machine
}

/// Opens the key on this machine and signs. Returns the index of the signature.
fn session(machine: &Machine) -> Result<u64, Error> {
    let (dir, process) = (Path::new("/key"), machine.process());
    let options = Options::new().env(process).guard("/key.guard");
    let kept = Sealed::of_store_in(dir, &options)?.open(None)?;
    let mut key = Stateful::open(dir, options, &kept, Kernels::best())?;
    let ready = key.prepare_next(SignerLevel::None)?;
    let index = ready.index();
    ready.finish(MESSAGE, Note::message())?;
    drop(key.close());
    Ok(index)
}

#[test]
fn an_upgrade_that_ends_at_any_call_goes_on_and_repeats_no_index() {
    for name in ["lms", "hss"] {
        let machine = simulated(name);
        let whole = machine.fork_world(0);
        let before = whole.calls();
        let next = session(&whole).unwrap();
        let calls = whole.calls() - before;
        assert!(calls > 60, "{name}: {calls} calls");
        for at in 0..calls {
            for outcome in Outcome::ALL {
                broken_off(&machine.fork_world(at), next, Fault { at, outcome });
            }
        }
    }
}

fn broken_off(world: &Machine, next: u64, fault: Fault) {
    world.arm(Some(fault));
    let first = session(world);
    world.arm(None);
    match fault.outcome.kills() {
        true => world.restart(),
        false => world.power_cut(Loss::ALL[fault.at as usize % 3]),
    }
    let second = session(world);
    if fault.outcome.breaks_promise() && second.is_err() {
        return; // the disk broke its promise, so a refusal is correct
    }
    let second = second.unwrap_or_else(|e| panic!("{fault:?}: {e}"));
    assert!(second >= next && first.is_err_or(|first| *first >= next && *first < second));
    let options = Options::new().env(world.process()).guard("/key.guard");
    assert!(options.open("/key").unwrap().identity().is_bound(), "{fault:?}");
}

/// Adds a check that must hold if the result is `Ok`.
trait ErrOr<T> {
    fn is_err_or(&self, holds: impl FnOnce(&T) -> bool) -> bool;
}

impl<T, E> ErrOr<T> for Result<T, E> {
    fn is_err_or(&self, holds: impl FnOnce(&T) -> bool) -> bool {
        self.as_ref().map_or(true, holds)
    }
}
