//! Every file of a key's directory, damaged in every way. `status` names it before `sign` does.
//! `sign` repairs it or refuses with its name, and following the hint leads to a signature. No
//! index is used twice.

mod bench;

use bench::{Bench, both};
use std::collections::BTreeSet;
use std::fs;

const HARMS: [&str; 10] = [
    "record bit",
    "absent",
    "empty",
    "first bit",
    "early bit",
    "middle bit",
    "late bit",
    "half",
    "older",
    "directory",
];

/// Options for keys that are generated in a moment.
const SMALL: &str = "--alg LMS_SHA256_M24_H5_W8";
const OTHERS: [&str; 4] = [
    "--alg 'HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W8)'",
    "--alg XMSS-SHA2_10_192",
    "--alg XMSSMT-SHA2_20/4_192",
    "--alg LMS_SHA256_M24_H5_W8 --passphrase-file word",
];

/// Files with nodes and keys, which depend on the scheme.
const OF_THE_KEY: [&str; 6] = ["secret", "cache", "leaves", "growth", "public.pem", "service"];

/// Number of signatures made by the newest copy of a key, and thus its next index.
const USED: u64 = 6;

/// A key that has signed, with an earlier copy (`older`) and the newest one (`newest`).
struct Sweep {
    bench: Bench,
    passphrase: &'static str,
}

impl Sweep {
    fn of(made: &str) -> Sweep {
        let passphrase = if made.contains("passphrase") { "--passphrase-file word" } else { "" };
        let sweep = Sweep { bench: Bench::new(), passphrase };
        sweep.bench.ok("echo 'correct horse battery' > word; echo message > m");
        sweep.bench.ok(&format!("hasten keygen {made} -k fw --guard g"));
        for copy in ["older", "newest"] {
            for _ in 0..3 {
                sweep.signed().expect("a whole key signs");
            }
            sweep.bench.ok(&format!("cp -a fw {copy}; cp g {copy}.g"));
        }
        sweep
    }

    /// Signs and verifies. Returns the index, which must be unused, or all the output.
    fn signed(&self) -> Result<u64, String> {
        let sign = format!(
            "hasten sign -k fw m --out s --force --ack-exhaustion --json {}",
            self.passphrase
        );
        let done = self.bench.run(&sign);
        let said = both(&done);
        assert!(!said.contains("panicked"), "{said}");
        if done.status.code() != Some(0) {
            assert_eq!(done.status.code(), Some(2), "{said}");
            return Err(said);
        }
        self.bench.ok(
            "hasten verify -p newest/public.pem m s 2>&1 || hasten verify -p fw/public.pem m s",
        );
        let json: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        let index = json["rows"][0]["index"].as_u64().expect("an index");
        Ok(index)
    }

    /// Restores the newest key with its guard and damages one of its files. Returns false if this
    /// changes nothing.
    fn harm(&self, name: &str, how: &str) -> bool {
        let back = "rm -rf fw; cp -a newest fw; cp newest.g g; hasten moved -k fw --yes";
        self.bench.ok(back);
        let path = self.bench.path("fw").join(name);
        let whole = fs::read(&path).expect("read");
        let at = match how {
            "record bit" if name.starts_with("log.") => Some(512 + 5 * 128 + 20),
            "record bit" => Some(whole.len()),
            "first bit" => Some(0),
            "early bit" => Some(whole.len() / 5),
            "middle bit" => Some(whole.len() / 2),
            "late bit" => whole.len().checked_sub(2),
            _ => None,
        };
        match (how, at) {
            (_, Some(at)) if at < whole.len() => {
                let mut bytes = whole.clone();
                bytes[at] ^= 1;
                fs::write(&path, bytes).expect("written");
            }
            (_, Some(_)) => {}
            ("absent", _) => fs::remove_file(&path).expect("removed"),
            ("directory", _) => {
                fs::remove_file(&path).expect("removed");
                fs::create_dir(&path).expect("made");
            }
            ("empty", _) => fs::write(&path, b"").expect("written"),
            ("half", _) => fs::write(&path, &whole[..whole.len() / 2]).expect("written"),
            _ => _ = self.bench.run(&format!("cp older/{name} fw/{name}")),
        }
        fs::read(&path).ok().as_ref() != Some(&whole)
    }

    /// Damages one file and follows the hints.
    fn try_one(&self, name: &str, how: &str) {
        if !self.harm(name, how) {
            return;
        }
        let what = format!("{name}, {how}");
        let status = self.bench.run("hasten status -k fw");
        let looked = both(&status);
        assert!(!looked.contains("panicked"), "{what}: {looked}");
        let used = match self.signed() {
            Ok(index) => index,
            Err(said) => {
                assert_eq!(
                    status.status.code(),
                    Some(2),
                    "{what}: status was silent\n{looked}\n{said}"
                );
                let named =
                    said.contains(name) || (name.starts_with("log.") && said.contains("log"));
                let named = named
                    || said.contains("old copy")
                    || (name == "signed" && said.contains("audit log"));
                let named = named || (name == "audit" && said.contains("audit log"));
                assert!(named, "{what}: not named\n{said}");
                assert!(said.contains("\"hint\""), "{what}: no way on\n{said}");
                let index = self.led_on(&what, name, said);
                self.bench.ok("hasten status -k fw");
                index
            }
        };
        // The key and its guard are restored before every damage.
        assert!(used >= USED, "{what}: index {used} was used before");
        let again = self.signed().unwrap_or_else(|said| panic!("{what}: once more\n{said}"));
        assert!(again > used, "{what}");
    }

    /// Follows the hint, and a second one if a restored log is not the file that the guard knows.
    /// Returns the index of the resulting signature.
    fn led_on(&self, what: &str, name: &str, mut said: String) -> u64 {
        for _ in 0..2 {
            self.follow(what, name, &said);
            match self.signed() {
                Ok(index) => return index,
                Err(again) => said = again,
            }
        }
        panic!("{what}: the way on\n{said}")
    }

    /// Follows the hint.
    fn follow(&self, what: &str, name: &str, said: &str) {
        let json = said.lines().find_map(|line| {
            let at = line.find("\"hint\"")?;
            Some(line[at..].to_owned())
        });
        let hint = json.unwrap_or_default();
        let recover = "hasten recover -k fw --guard g --burn 4 --yes";
        let directory = self.bench.path("fw").join(name).is_dir();
        if directory {
            self.bench.ok(&format!("rmdir fw/{name}; cp newest/{name} fw/{name}"));
        } else if hint.contains("audit mend") {
            let mended = self.bench.ok("hasten audit mend fw");
            let shown = self.bench.ok("hasten audit show fw");
            let aside = mended.contains("damaged-1") && shown.contains("mend ");
            assert!(aside || mended.contains("holds together"), "{what}: {mended}{shown}");
        } else if hint.contains("the newest copy of the log files back: ") {
            self.bench.ok(&format!("cp older/{name} fw/{name}"));
            self.bench.ok(recover);
        } else if hint.contains("recover") {
            self.bench.ok(recover);
        } else if hint.contains("put ") {
            self.bench.ok(&format!("cp older/{name} fw/{name}"));
        } else {
            panic!("{what}: {hint}\n{said}");
        }
    }
}

#[test]
fn every_file_of_a_key_mends_or_is_refused_by_name() {
    let sweep = Sweep::of(SMALL);
    let entries = fs::read_dir(sweep.bench.path("newest")).expect("a key");
    let names: BTreeSet<String> = entries
        .map(|entry| entry.expect("a file").file_name().into_string().expect("text"))
        .collect();
    assert!(
        ["cache", "secret", "audit", "signed", "config", "lock", "log.0", "log.1", "service"]
            .iter()
            .all(|name| names.contains(*name)),
        "{names:?}"
    );
    for name in &names {
        for how in HARMS {
            sweep.try_one(name, how);
        }
    }
}

#[test]
fn files_of_every_kind_of_key_mend_or_are_refused_by_name() {
    for made in OTHERS {
        let sweep = Sweep::of(made);
        for name in OF_THE_KEY {
            if !sweep.bench.path("newest").join(name).exists() {
                continue;
            }
            for how in ["absent", "middle bit", "half", "older"] {
                sweep.try_one(name, how);
            }
        }
    }
}
