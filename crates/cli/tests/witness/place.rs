//! A key with a witness, a copy of it with its guard, and the operations of both.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A process that is killed when this is dropped.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

pub struct Place {
    dir: tempfile::TempDir,
    witness: String,
    environment: Vec<(String, String)>,
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Place {
    pub fn new() -> Place {
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::write(dir.path().join("message"), "firmware").expect("written");
        Place { dir, witness: String::new(), environment: Vec::new() }
    }

    pub fn witness(mut self, witness: &str) -> Place {
        witness.clone_into(&mut self.witness);
        self
    }

    /// Sets a variable in the environment of the tool and its helper.
    pub fn set(mut self, name: &str, value: &str) -> Place {
        self.environment.push((name.into(), value.into()));
        self
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut run = Command::new(env!("CARGO_BIN_EXE_hasten"));
        run.current_dir(self.path()).args(arguments).stdin(Stdio::null());
        run.env("XDG_STATE_HOME", self.path().join("state")).envs(self.environment.clone());
        run
    }

    pub fn hasten(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("hasten runs")
    }

    fn watched<'a>(&'a self, arguments: &[&'a str]) -> Vec<&'a str> {
        [arguments, &["--witness", &self.witness, "--witness-timeout", "8s"]].concat()
    }

    /// Runs a command with the witness.
    pub fn with(&self, arguments: &[&str]) -> Output {
        self.hasten(&self.watched(arguments))
    }

    pub fn keygen(&self) -> Output {
        self.with(&[
            "keygen",
            "--alg",
            "LMS_SHA256_M24_H5_W8",
            "--store",
            "key",
            "--guard",
            "key.guard",
        ])
    }

    /// Returns the command that signs with the key or a copy of it, with the guard next to it.
    fn signing<'a>(&'a self, key: &'a str, guard: &'a str, out: &'a str) -> Vec<&'a str> {
        self.watched(&["sign", "-k", key, "--guard", guard, "message", "--out", out])
    }

    pub fn sign(&self, key: &str, out: &str) -> Result<u32, String> {
        let guard = format!("{key}.guard");
        let done = self.hasten(&self.signing(key, &guard, out));
        self.signed(&done, out)
    }

    /// Signs with a key without its guard, like a machine on which nothing was signed before.
    pub fn sign_without_guard(&self, key: &str, out: &str) -> Result<u32, String> {
        let mut run = self.command(&self.watched(&["sign", "-k", key, "message", "--out", out]));
        let state = self.path().join(format!("{out}.state"));
        self.signed(&run.env("XDG_STATE_HOME", state).output().expect("hasten runs"), out)
    }

    fn signed(&self, done: &Output, out: &str) -> Result<u32, String> {
        let made = self.path().join(out);
        match done.status.code() {
            Some(0) => Ok(index(&made)),
            Some(2) if !made.exists() => Err(text(&done.stderr)),
            other => panic!("status {other:?}: {}", text(&done.stderr)),
        }
    }

    /// Copies only the key.
    pub fn unpack(&self, from: &str, to: &str) {
        let copied = Command::new("cp").args(["-r", from, to]).current_dir(self.path()).status();
        assert!(copied.expect("cp runs").success());
    }

    /// Copies key and guard, as a backup or a snapshot of the whole machine does.
    pub fn copy(&self, from: &str, to: &str) {
        for ending in ["", ".guard"] {
            let names = [format!("{from}{ending}"), format!("{to}{ending}")];
            let copied = Command::new("cp").arg("-a").args(names).current_dir(self.path()).status();
            assert!(copied.expect("cp runs").success());
        }
    }

    /// Lets two copies of the same state sign at once. Returns both results.
    fn race(&self, keys: [&str; 2]) -> Vec<Result<u32, String>> {
        let names = keys.map(|key| (format!("{key}.guard"), format!("{key}-raced.sig")));
        let start = |key: &str, (guard, out): &(String, String)| {
            let mut run = self.command(&self.signing(key, guard, out));
            run.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("hasten runs")
        };
        let racing: Vec<_> = keys.iter().zip(&names).map(|(key, name)| start(key, name)).collect();
        let ended = racing.into_iter().zip(&names).map(|(process, (_, out))| {
            self.signed(&process.wait_with_output().expect("it ends"), out)
        });
        ended.collect()
    }
}

fn index(signature: &Path) -> u32 {
    let bytes = std::fs::read(signature).expect("a signature");
    u32::from_be_bytes(bytes[4..8].try_into().expect("an index"))
}

/// Checks that a copy of key and guard is refused, that of two racing copies one wins, and that
/// nothing is signed while the witness is silent.
pub fn one_goes_on(place: &Place, silence: impl FnOnce(), speak: impl FnOnce()) {
    let made = place.keygen();
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    assert_eq!(place.sign("key", "0.sig"), Ok(0));
    place.copy("key", "old");
    assert_eq!(place.sign("key", "1.sig"), Ok(1));
    let refused = place.sign("old", "refused.sig").expect_err("the copy is refused");
    assert!(refused.contains("REFUSED") && refused.contains("witness"), "{refused}");
    place.copy("key", "twin");
    let raced = place.race(["key", "twin"]);
    assert_eq!(raced.iter().filter(|made| **made == Ok(2)).count(), 1, "{raced:?}");
    assert_eq!(raced.iter().filter(|made| made.is_err()).count(), 1, "{raced:?}");
    let winner = if raced[0].is_ok() { "key" } else { "twin" };
    let guard = format!("{winner}.guard");
    let alone = ["sign", "-k", winner, "--guard", &guard, "message", "--out", "alone.sig"];
    let alone = place.hasten(&alone);
    assert_eq!(alone.status.code(), Some(2), "a key with a witness is not used without");
    silence();
    let silent = place.sign(winner, "silent.sig").expect_err("nothing is handed out");
    assert!(silent.contains("witness"), "{silent}");
    speak();
    let next = place.sign(winner, "next.sig").expect("the witness speaks again");
    assert!(next >= 3, "{next} was used before");
}

/// Returns the path of a helper program of the repository.
pub fn tool(name: &str) -> PathBuf {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/witness");
    tools.canonicalize().expect("the helpers").join(name)
}
