//! The folder in which an attack works: the tool at hand, its commands, and what they answered.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Holds what the arguments of this program say.
pub struct Setup {
    /// The `hasten` that is attacked, absolute.
    pub tool: PathBuf,
    /// Where the attacks work.
    pub place: PathBuf,
    /// Where chance begins.
    pub seed: u64,
    /// True for the form that `./test` runs.
    pub short: bool,
}

/// A folder with a home of its own, so that the tool keeps its guards inside.
pub struct Yard {
    tool: PathBuf,
    dir: PathBuf,
}

/// How a command ended.
pub struct Answer {
    /// Its status, or 128 and the signal.
    pub status: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

impl Answer {
    /// Returns true for status 0.
    pub fn good(&self) -> bool {
        self.status == 0
    }

    /// Returns true if the tool ended by itself, as it promises: done, bad signature, or refused.
    pub fn orderly(&self) -> bool {
        (0..=2).contains(&self.status) && !self.err.contains("panicked at")
    }
}

impl Yard {
    /// Makes the folder `name` in the place.
    pub fn new(setup: &Setup, name: &str) -> Self {
        let dir = setup.place.join(name);
        std::fs::create_dir_all(&dir).expect("a folder in the place");
        Self { tool: setup.tool.clone(), dir }
    }

    /// Returns the folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the path of `name` in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Returns the tool.
    pub fn tool(&self) -> &Path {
        &self.tool
    }

    /// Writes the message `name`: its own name, so that no two messages are alike.
    pub fn message(&self, name: &str) {
        std::fs::write(self.path(name), format!("message {name}\n")).expect("written");
    }

    /// Returns a command that runs `program` in the folder, with nothing to read.
    pub fn start(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.dir).env("HOME", &self.dir).env("HASTEN", &self.tool);
        for variable in ["XDG_STATE_HOME", "HASTEN_BACKEND"] {
            command.env_remove(variable);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the tool.
    pub fn hasten(&self, arguments: &[&str]) -> Answer {
        answer(self.start(&self.tool).args(arguments).output())
    }

    /// Runs a line of the shell, in which `$HASTEN` is the tool.
    pub fn shell(&self, line: &str) -> Answer {
        answer(self.start(Path::new("/bin/sh")).arg("-c").arg(line).output())
    }

    /// Runs a line of the shell that must succeed.
    pub fn must_shell(&self, line: &str) -> Answer {
        let answer = self.shell(line);
        assert!(answer.good(), "{line}: {} {}", answer.status, answer.err);
        answer
    }

    /// Writes the message `name` and signs it: `name.sig`.
    pub fn sign(&self, key: &str, name: &str) -> Answer {
        self.message(name);
        self.hasten(&["sign", "-k", key, name])
    }

    /// Returns the row of `hasten status --json`, if there is one.
    pub fn status(&self, key: &str) -> Option<Value> {
        let report: Value =
            serde_json::from_str(&self.hasten(&["status", "-k", key, "--json"]).out).ok()?;
        report["rows"].get(0).cloned()
    }

    /// Returns true if the tool has the command.
    pub fn knows(&self, command: &str) -> bool {
        self.hasten(&[command, "--help"]).good()
    }
}

/// Returns true if no index of the account is missing: each is used, lost, burned, given, reserved
/// or left.
pub fn adds_up(status: &Value) -> bool {
    let number = |name: &str| status[name].as_u64().unwrap_or(0);
    let gone = ["used", "lost", "burned", "given", "reserved", "remaining"];
    gone.iter().map(|name| number(name)).sum::<u64>() == number("top") - number("start")
}

/// Takes up what a process left.
pub fn answer(output: std::io::Result<Output>) -> Answer {
    use std::os::unix::process::ExitStatusExt as _;
    let output = output.expect("the program starts");
    let status = output.status.code().or(output.status.signal().map(|s| 128 + s)).unwrap_or(-1);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Answer { status, out: text(&output.stdout), err: text(&output.stderr) }
}
