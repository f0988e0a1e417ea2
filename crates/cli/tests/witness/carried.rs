//! A key whose state is in the word of its witness: each freshly unpacked copy signs with the next
//! index.

use std::fs;
use std::path::PathBuf;

use super::place::{Place, text, tool};

/// Returns a place whose witness is a helper over a folder of words, and the path of the word's
/// file.
fn place() -> (Place, PathBuf) {
    let place = Place::new();
    let cells = place.path().join("cells");
    fs::create_dir(&cells).expect("a directory");
    let witness = format!("exec:'{}' '{}' fw", tool("cell").display(), cells.display());
    (place.witness(&witness), cells.join("fw"))
}

fn keygen(place: &Place, dir: &str) -> std::process::Output {
    let guard = format!("{dir}.guard");
    let alg = ["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "--store", dir, "--guard", &guard];
    place.with(&[&alg[..], &["--carry"]].concat())
}

/// Signs with a freshly unpacked copy of the key, on a machine without any other state.
fn unpacked(place: &Place, out: &str) -> Result<u32, String> {
    let copy = format!("{out}.key");
    place.unpack("key", &copy);
    place.sign_without_guard(&copy, out)
}

#[test]
fn a_key_unpacked_three_times_signs_with_three_indices() {
    let (place, word) = place();
    assert_eq!(keygen(&place, "key").status.code(), Some(0));
    fs::remove_file(place.path().join("key.guard")).expect("no signer needs it");
    let signed = ["a", "b", "c"].map(|out| unpacked(&place, out));
    assert_eq!(signed, [Ok(0), Ok(1), Ok(2)]);
    for out in ["a", "b", "c"] {
        let good = place.hasten(&["verify", "-p", "key", "message", out]);
        assert_eq!(good.status.code(), Some(0), "{}", text(&good.stderr));
    }
    let status = place.with(&["status", "-k", "key"]);
    let said = text(&status.stdout);
    assert!(said.contains("used       3") && said.contains("in the word of the witness"), "{said}");
    assert!(fs::read_to_string(&word).expect("a word").starts_with("2.3.3.0.0."));

    // Parallel jobs.
    let mut all: Vec<_> = std::thread::scope(|threads| {
        let names = ["d", "e", "f", "g"];
        let place = &place;
        let running = names.map(|out| threads.spawn(move || unpacked(place, out)));
        running.into_iter().map(|job| job.join().expect("no panic")).collect()
    });
    all.sort();
    assert_eq!(all, [Ok(3), Ok(4), Ok(5), Ok(6)]);

    // Without the witness or with another one, nothing is signed.
    let alone = place.hasten(&["sign", "-k", "key", "message", "--out", "x"]);
    assert_eq!(alone.status.code(), Some(2), "{}", text(&alone.stdout));
    let file = format!("file:{}", word.display());
    let by_file = place.hasten(&["sign", "-k", "key", "message", "--out", "x", "--witness", &file]);
    assert_eq!(by_file.status.code(), Some(2), "{}", text(&by_file.stdout));
    for line in [&["recover", "-k", "key", "--yes", "--burn", "1"][..], &["moved", "key", "--yes"]]
    {
        let done = place.with(line);
        assert_eq!(done.status.code(), Some(2), "{line:?}");
        assert!(text(&done.stderr).contains("carries its state"), "{}", text(&done.stderr));
    }
    for line in [
        &["shard", "-k", "key", "--count", "8", "--out", "s", "--out-guard", "s.guard"][..],
        &["audit", "verify", "key", "a"],
    ] {
        let done = place.hasten(line);
        assert_eq!(done.status.code(), Some(2), "{line:?}: {}", text(&done.stdout));
    }

    // The word of another key, an invalid word, and none.
    let kept = fs::read_to_string(&word).expect("a word");
    let refused = |content: &str, why: &str| {
        fs::write(&word, content).expect("written");
        let done = unpacked(&place, "y").expect_err("refused");
        assert!(done.contains(why), "{content}: {done}");
        fs::remove_dir_all(place.path().join("y.key")).expect("removed");
    };
    refused(&kept.replacen("2.7", "2.6", 1), "did not write");
    refused("1.7.30313233343536373839616263646566.0", "did not write");
    fs::remove_file(&word).expect("removed");
    assert!(unpacked(&place, "y").is_err_and(|said| said.contains("the witness holds nothing")));
    fs::remove_dir_all(place.path().join("y.key")).expect("removed");
    fs::write(&word, &kept).expect("written");

    // A second key cannot share the word. A retired key signs nothing.
    let second = keygen(&place, "second");
    assert_eq!(second.status.code(), Some(2), "{}", text(&second.stdout));
    assert!(!place.path().join("second").exists(), "nothing was made");
    let retired = place.with(&["retire", "-k", "key", "--yes"]);
    assert_eq!(retired.status.code(), Some(0), "{}", text(&retired.stderr));
    assert!(unpacked(&place, "z").is_err_and(|said| said.contains("retired")));
}
