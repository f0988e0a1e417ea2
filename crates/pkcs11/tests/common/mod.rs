//! A client of the built module. Tests run in separate processes, because a process has one module.

#![allow(dead_code, non_snake_case)]

pub mod client;
pub mod key;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

/// The PIN of the keys that the module generates in these tests.
pub const PIN: &[u8] = b"correct horse";
/// Environment variable with the place that a child receives from its parent.
const PLACE: &str = "HASTEN_TEST_PLACE";
/// Environment variable with the task of a child.
const TASK: &str = "HASTEN_TEST_TASK";

/// Returns the path of the built module: in the directory of the tests, or in its installation.
pub fn module() -> PathBuf {
    let built = || std::env::current_exe().unwrap().with_file_name("libhasten_pkcs11.so");
    std::env::var_os("HASTEN_PKCS11").map_or_else(built, PathBuf::from)
}

/// A folder with a configuration that has one or more slots.
pub struct Place {
    dir: PathBuf,
    _owned: Option<tempfile::TempDir>,
}

impl Place {
    /// Creates a folder with one slot and these additional settings.
    pub fn new(settings: &str) -> Self {
        let owned = tempfile::tempdir().unwrap();
        let place = Self { dir: owned.path().to_owned(), _owned: Some(owned) };
        place.configure("", settings);
        place
    }

    /// Rewrites the configuration. `{dir}` in the settings stands for the folder.
    pub fn configure(&self, general: &str, settings: &str) {
        let settings = settings.replace("{dir}", &self.dir.display().to_string());
        let (store, guard, log) = (self.store(), self.guard(), self.dir.join("log"));
        let text = format!(
            "log = {log:?}\n{general}\n[[slot]]\nlabel = \"firmware\"\nstore = {store:?}\n\
             guard = {guard:?}\n{settings}\n"
        );
        std::fs::write(self.dir.join("conf.toml"), text).unwrap();
    }

    pub fn path(&self) -> &Path {
        &self.dir
    }

    pub fn store(&self) -> PathBuf {
        self.dir.join("key")
    }

    pub fn guard(&self) -> PathBuf {
        self.dir.join("guard")
    }

    /// Returns the log of the module.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.dir.join("log")).unwrap_or_default()
    }

    /// Returns a command that runs the test `test` of this program again, with a task.
    pub fn command(&self, test: &str, task: &str) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([test, "--exact", "--nocapture", "--include-ignored", "--test-threads=1"]);
        command.env(PLACE, &self.dir).env(TASK, task);
        command.env("HASTEN_PKCS11_CONF", self.dir.join("conf.toml"));
        command
    }

    /// Runs the test again with a task, until it ends.
    pub fn run(&self, test: &str, task: &str) -> Output {
        self.command(test, task).output().unwrap()
    }

    /// Runs the test again with a task and checks that it succeeds.
    pub fn must(&self, test: &str, task: &str) {
        let ran = self.run(test, task);
        let told = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{task}: {told}\nlog: {}", self.log());
    }

    /// Starts the test again with a task.
    pub fn begin(&self, test: &str, task: &str) -> Child {
        let mut command = self.command(test, task);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
        command.spawn().unwrap()
    }
}

/// Returns the place and the task of this process; `None` in the first process.
pub fn task() -> Option<(Place, String)> {
    let dir = std::env::var_os(PLACE)?.into();
    Some((Place { dir, _owned: None }, std::env::var(TASK).unwrap()))
}

/// Runs the body of a test in a separate process, with one slot.
pub fn apart(test: &str, settings: &str, body: impl FnOnce(&Place)) {
    match task() {
        Some((place, _)) => body(&place),
        None => Place::new(settings).must(test, "all"),
    }
}
