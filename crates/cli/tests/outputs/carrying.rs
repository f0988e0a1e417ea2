//! Ctrl-C in the commands that move keys and sign twice, at each system call that writes, syncs,
//! renames or removes. The same command continues, and no index is lost or duplicated.

use std::process::{Command, Output};

use super::Place;

/// System calls that change the disk.
const CALLS: [&str; 8] =
    ["write", "pwrite64", "fsync", "fdatasync", "rename", "linkat", "unlink", "mkdir"];

/// Returns true if strace can run here.
fn can_trace() -> bool {
    let runs = Command::new("strace").args(["-f", "true"]).output();
    let can = runs.is_ok_and(|run| run.status.success());
    if !can {
        let way = "apt-get install strace";
        hasten_report::skipped("Ctrl-C at calls", "no 'strace' may run here", way);
    }
    can
}

/// Runs a command, with Ctrl-C at the `when`-th call of a kind. Returns `None` without such a call.
fn interrupted(place: &Place, arguments: &[&str], (call, when): (&str, u32)) -> Option<Output> {
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o", "trace", "-e", &format!("trace={call}"), "-e"]);
    traced.arg(format!("inject={call}:signal=INT:when={when}"));
    traced.arg(env!("CARGO_BIN_EXE_hasten")).args(arguments);
    traced.current_dir(place.0.path()).env("XDG_STATE_HOME", place.path("state"));
    let done = traced.output().unwrap();
    let came = String::from_utf8_lossy(&place.read("trace")).contains("--- SIGINT");
    std::fs::remove_file(place.path("trace")).unwrap();
    came.then_some(done)
}

/// Runs a command with Ctrl-C at each call, in a fresh place each time. `after` checks the result.
fn at_each_call(
    prepare: impl Fn() -> Place,
    arguments: &[&str],
    after: impl Fn(&Place, &Output, &str),
) {
    if !can_trace() {
        return;
    }
    let (mut came, mut stopped) = (0, 0);
    for call in CALLS {
        for when in 1.. {
            let place = prepare();
            let Some(done) = interrupted(&place, arguments, (call, when)) else { break };
            let said = String::from_utf8_lossy(&done.stderr);
            let at = format!("{call} {when}, {:?}: {said}", done.status);
            after(&place, &done, &at);
            came += 1;
            stopped += u32::from(!done.status.success());
        }
    }
    println!("{} {}: Ctrl-C at {came} calls, {stopped} stopped", arguments[0], arguments[1]);
    assert!(came > 15, "too few calls: {came}");
}

/// Returns numbers of a key's account.
fn account<const N: usize>(place: &Place, key: &str, names: [&str; N]) -> [u64; N] {
    let done = place.run(&["status", "-k", key, "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    names.map(|name| report["rows"][0][name].as_u64().unwrap())
}

const EXPORT: [&str; 7] = ["export-shard", "-k", "fw", "--count", "8", "--out", "s"];
const IMPORT: [&str; 6] = ["import-shard", "s", "--store", "there", "--guard", "g2"];

/// Checks that both sides together have each index once, and that both can sign.
fn must_share(place: &Place, at: &str) {
    let [end, remaining] = account(place, "fw", ["end", "remaining"]);
    let [start, theirs] = account(place, "there", ["start", "remaining"]);
    assert_eq!([end, remaining, start, theirs], [24, 24, 24, 8], "{at}");
    for (key, out) in [("fw", "here.sig"), ("there", "there.sig")] {
        place.good(&["sign", "-k", key, "m", "--out", out]);
        place.good(&["verify", "-p", "fw", "m", out]);
    }
}

#[test]
fn an_interrupted_export_of_a_shard_goes_on() {
    at_each_call(Place::with_key, &EXPORT, |place, done, at| {
        // A file with the final name is complete. The account may still say that the export is
        // unfinished.
        let (whole, again) = (place.path("s").exists(), place.run(&EXPORT));
        let said = String::from_utf8_lossy(&again.stderr);
        assert!(again.status.success() || whole && said.contains("exists already"), "{at}: {said}");
        assert!(whole || !done.status.success(), "{at}");
        place.good(&IMPORT);
        must_share(place, at);
        assert!(place.names().iter().all(|name| !name.ends_with(".partial")), "{at}");
    });
}

#[test]
fn an_interrupted_import_of_a_shard_goes_on() {
    let exported = || {
        let place = Place::with_key();
        place.good(&EXPORT);
        place
    };
    at_each_call(exported, &IMPORT, |place, _, at| {
        if place.path("there/public.pem").exists() {
            let again = place.run(&IMPORT);
            let said = String::from_utf8_lossy(&again.stderr);
            assert!(said.contains("imported before") || !place.path("s").exists(), "{at}: {said}");
        } else {
            place.good(&IMPORT);
        }
        must_share(place, at);
    });
}

#[test]
fn an_interrupted_import_of_another_programs_key_goes_on() {
    let theirs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/lms/hash-sigs/one");
    let (private, public) = (format!("{theirs}.prv"), format!("{theirs}.pub"));
    let import = ["import", &private, "-p", &public, "--burned-through", "2", "--margin", "5"];
    let import = [&import[..], &["--store", "fw", "--guard", "g"]].concat();
    at_each_call(Place::empty, &import, |place, _, at| {
        if !place.path("fw/public.pem").exists() {
            place.good(&import);
        }
        assert_eq!(account(place, "fw", ["next", "burned", "used"]), [8, 8, 0], "{at}");
        place.good(&["sign", "-k", "fw", "m"]);
        place.good(&["verify", "-p", &public, "m", "m.sig"]);
    });
}

#[test]
fn an_interrupted_dual_signature_is_whole_or_is_none() {
    let both = || {
        let place = Place::with_key();
        place.good(&["keygen", "--alg", "Ed25519", "--out", "e"]);
        place
    };
    let sign = ["dual", "sign", "-k", "fw", "--second", "e.key", "m"];
    at_each_call(both, &sign, |place, done, at| {
        let verify = ["dual", "verify", "-p", "fw", "--second", "e.pub", "m"];
        let whole = place.path("m.dual").exists();
        assert!(whole || !done.status.success(), "{at}");
        if whole {
            place.good(&verify);
        } else {
            place.good(&sign);
            place.good(&verify);
        }
        place.good(&["dual", "sign", "-k", "fw", "--second", "e.key", "n"]);
        place.good(&["audit", "verify", "fw", "m.dual", "n.dual"]);
        let [used, lost, next] = account(place, "fw", ["used", "lost", "next"]);
        assert_eq!(used + lost, next, "{at}");
        assert!(lost <= 1, "{at}: {lost} lost");
    });
}

/// A shard without its public key, as left by a process that ends before writing it.
#[test]
fn a_shard_without_its_public_key_makes_it_anew() {
    let place = Place::with_key();
    place.good(&EXPORT);
    place.good(&IMPORT);
    std::fs::remove_file(place.path("there/public.pem")).unwrap();
    let said = place.refused(&["status", "-k", "there"]);
    assert!(said.contains("'public.pem'"), "{said}");
    place.good(&["sign", "-k", "there", "m"]);
    place.good(&["verify", "-p", "there/public.pem", "m", "m.sig"]);
    place.good(&["status", "-k", "there"]);
}
