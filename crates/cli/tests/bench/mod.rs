//! A fresh directory for shell commands, with this build of `hasten` first in PATH.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub struct Bench {
    dir: tempfile::TempDir,
}

#[allow(dead_code)]
impl Bench {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Returns a shell command that has not been run yet. `HASTEN_BIN_DIR` puts another build
    /// first.
    pub fn shell(&self, script: &str) -> Command {
        let built = Path::new(env!("CARGO_BIN_EXE_hasten")).parent().unwrap().to_owned();
        let tool = std::env::var_os("HASTEN_BIN_DIR").map_or(built, PathBuf::from);
        let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).current_dir(self.dir.path()).env("PATH", path);
        shell.env("XDG_STATE_HOME", self.path("state")).env_remove("HASTEN_BACKEND");
        shell
    }

    pub fn run(&self, script: &str) -> Output {
        self.shell(script).output().unwrap()
    }

    /// Runs a command that must succeed. Returns both output streams.
    pub fn ok(&self, script: &str) -> String {
        let done = self.run(script);
        assert!(done.status.success(), "{script}\n{}", both(&done));
        both(&done)
    }

    /// Runs a command that must end with status 2. Returns both output streams.
    pub fn fails(&self, script: &str) -> String {
        let done = self.run(script);
        assert_eq!(done.status.code(), Some(2), "{script}\n{}", both(&done));
        both(&done)
    }
}

pub fn both(done: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
}
