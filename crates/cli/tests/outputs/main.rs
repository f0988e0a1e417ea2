//! Tests of what the commands write and refuse to overwrite: no command destroys the files it is
//! given.

mod carrying;
mod encrypted;
mod full;
mod interrupting;
mod memory;
mod newcomer;
mod overwriting;
mod several;
mod verdicts;
mod verifying;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory for one test, with a small stateful key `fw`, its guard `g`, and messages.
struct Place(tempfile::TempDir);

impl Place {
    /// Returns a place with messages.
    fn empty() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        for name in ["m", "n", "o"] {
            fs::write(place.path(name), format!("message {name}")).unwrap();
        }
        place
    }

    /// Returns a place with a key of 32 signatures.
    fn with_key() -> Self {
        let place = Self::empty();
        place.good(&["keygen", "--alg", "LMS_SHA256_M24_H5_W8", "-k", "fw", "--guard", "g"]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hasten"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command.env("XDG_STATE_HOME", self.path("state")).env_remove("HASTEN_BACKEND");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must end with status 0. Returns its output.
    fn good(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments);
        let error = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {error}");
        String::from_utf8(done.stdout).unwrap()
    }

    /// Runs a command that must end with status 2. Returns its error output.
    fn refused(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(done.stderr).unwrap()
    }

    /// Checks that a command is refused with these words and uses no index.
    fn refused_with(&self, arguments: &[&str], words: &str) {
        let before = self.next();
        let said = self.refused(arguments);
        assert!(said.contains(words), "{arguments:?} said: {said}");
        assert_eq!(self.next(), before, "{arguments:?} took an index");
    }

    /// Returns the next index of the key.
    fn next(&self) -> u64 {
        let done = self.run(&["status", "-k", "fw", "--json"]);
        let report: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        report["rows"][0]["next"].as_u64().unwrap()
    }

    /// Returns the names of all files here, sorted.
    fn names(&self) -> Vec<String> {
        names(self.0.path())
    }
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
