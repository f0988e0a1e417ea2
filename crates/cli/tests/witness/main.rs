//! `--witness` with the real command: of a key and a copy with its guard, only one can continue.

mod carried;
#[cfg(feature = "etcd")]
mod etcd;
mod helpers;
mod place;
#[path = "../../../store-etcd/tests/etcd/ports.rs"]
mod ports;

use place::{Place, one_goes_on, text, tool};
use std::fs::{Permissions, rename, set_permissions};
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_file_on_another_file_system() {
    let place = Place::new();
    let far = place.path().join("far");
    std::fs::create_dir(&far).expect("a directory");
    let place = place.witness(&format!("file:{}/fw", far.display()));
    let away = far.with_extension("away");
    one_goes_on(
        &place,
        || rename(&far, &away).expect("unmounted"),
        || rename(&away, &far).expect("mounted"),
    );
    let copied = std::fs::read_to_string(far.join("fw")).expect("the word");
    assert!(copied.starts_with("1."), "{copied}");
}

#[test]
fn a_helper_of_ones_own() {
    let place = Place::new();
    let cells = place.path().join("cells");
    std::fs::create_dir(&cells).expect("a directory");
    let helper = place.path().join("a helper");
    std::fs::copy(tool("cell"), &helper).expect("copied");
    std::fs::copy(tool("protocol.sh"), place.path().join("protocol.sh")).expect("copied");
    let place = place.witness(&format!("exec:'{}' '{}' fw", helper.display(), cells.display()));
    let mode = |mode| set_permissions(&helper, Permissions::from_mode(mode)).expect("set");
    one_goes_on(&place, || mode(0o600), || mode(0o700));
}

/// The copy has its own guard, so that only the witness knows of the newer signature.
#[test]
fn the_status_of_a_copy_is_compared_with_the_witness() {
    let place = Place::new();
    let far = place.path().display().to_string();
    let place = place.witness(&format!("file:{far}/fw"));
    assert_eq!(place.keygen().status.code(), Some(0));
    place.copy("key", "old");
    assert_eq!(place.sign("key", "0.sig"), Ok(0));
    let status = |key: &str| {
        let guard = format!("{key}.guard");
        let alone = place.hasten(&["status", "-k", key, "--guard", &guard]);
        let with = place.with(&["status", "-k", key, "--guard", &guard]);
        assert_eq!(alone.status.code(), Some(0), "{}", text(&alone.stderr));
        (with.status.code(), text(&with.stderr))
    };
    let (code, said) = status("key");
    assert!(code == Some(0) && said.contains("the witness knows this state"), "{said}");
    let (code, said) = status("old");
    assert!(code == Some(2) && said.contains("REFUSED: the witness knows a newer"), "{said}");
    std::fs::remove_file(place.path().join("fw")).expect("removed");
    let (code, said) = status("key");
    assert!(code == Some(2) && said.contains("the witness holds nothing"), "{said}");
}

/// A signature that is named as the newest but is not: the witness has counted later ones.
#[test]
fn no_old_signature_leads_to_a_used_index() {
    let place = Place::new();
    let far = place.path().display().to_string();
    let place = place.witness(&format!("file:{far}/fw"));
    assert_eq!(place.keygen().status.code(), Some(0));
    place.copy("key", "old");
    for index in 0..5 {
        assert_eq!(place.sign("key", &format!("{index}.sig")), Ok(index));
    }
    let recover = |more: &[&str]| {
        let named = ["recover", "-k", "old", "--guard", "old.guard", "--message", "message"];
        let done = place.with(&[&named[..], &["--newest", "1.sig"], more].concat());
        (done.status.code(), format!("{}{}", text(&done.stdout), text(&done.stderr)))
    };
    for few in ["1", "2"] {
        let (code, said) = recover(&["--yes", "--burn", few]);
        assert!(code == Some(2) && said.contains("burns at least"), "{said}");
    }
    let (code, said) = recover(&[]);
    assert!(code == Some(2) && said.contains("later signatures may exist"), "{said}");
    let proposed = said.split("proposed   --burn ").nth(1).expect(&said);
    let proposed = proposed.lines().next().expect("a number");
    let (code, said) = recover(&["--yes", "--burn", proposed]);
    assert_eq!(code, Some(0), "{said}");
    assert!(place.sign("old", "next.sig").is_ok_and(|index| index >= 5));
}

#[test]
fn a_shard_is_watched_as_its_parent_is() {
    let place = Place::new();
    let far = place.path().display().to_string();
    let place = place.witness(&format!("file:{far}/fw"));
    assert_eq!(place.keygen().status.code(), Some(0));
    let shard =
        ["shard", "-k", "key", "--count", "8", "--out", "shard", "--out-guard", "shard.guard"];
    let given = place.with(&shard);
    assert!(text(&given.stdout).contains(&format!("witness    file:{far}/fw-24")), "{given:?}");
    let with_parents = place.sign("shard", "1.sig");
    assert!(with_parents.is_err(), "with its parent's witness: {with_parents:?}");
    let place = place.witness(&format!("file:{far}/fw-24"));
    assert_eq!(place.sign("shard", "2.sig"), Ok(24));
}

#[test]
fn what_is_no_witness_is_refused_by_keygen_with_its_reason() {
    for (wrong, said) in [
        ("fw", "exec:COMMAND, file:PATH"),
        ("exec:", "needs a program"),
        ("exec:a 'b", "every quote closed"),
        ("exec:/no/such/helper fw", "could not be started"),
        ("exec:true fw", "ended without an answer"),
        ("file:/no/such/place/fw", "the witness did not answer"),
    ] {
        let place = Place::new().witness(wrong);
        let refused = place.keygen();
        let stderr = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{wrong}: {stderr}");
        assert!(stderr.contains(said), "{wrong}: {stderr}");
    }
}

#[test]
fn a_witness_that_was_emptied_or_written_by_a_stranger_is_said() {
    let place = Place::new();
    let far = place.path().join("fw");
    let place = place.witness(&format!("file:{}", far.display()));
    assert_eq!(place.keygen().status.code(), Some(0));
    for out in ["0.sig", "1.sig", "2.sig"] {
        place.sign("key", out).expect("signed");
    }
    let word = std::fs::read_to_string(&far).expect("the word");
    std::fs::remove_file(&far).expect("removed");
    let emptied = place.sign("key", "3.sig").expect_err("refused");
    assert!(emptied.contains("REFUSED") && emptied.contains("holds nothing"), "{emptied}");
    let (body, mac) = word.trim().rsplit_once('.').expect("a MAC");
    let stranger = body.replacen("1.", "1.9", 1);
    for forged in [body.to_owned(), format!("{stranger}.{mac}"), "hello".into()] {
        std::fs::write(&far, format!("{forged}\n")).expect("written");
        let said = place.sign("key", "3.sig").expect_err("refused");
        assert!(said.contains("did not write"), "{forged}: {said}");
    }
    std::fs::write(&far, word).expect("written");
    assert_eq!(place.sign("key", "3.sig"), Ok(3));
}
