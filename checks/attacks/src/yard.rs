//! The directory in which an attack works, with commands that run the tool in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Options of this program.
pub struct Setup {
    /// The absolute path of the `hasten` under attack.
    pub tool: PathBuf,
    /// Directory for the yards.
    pub place: PathBuf,
    /// Seed of the random choices.
    pub seed: u64,
    /// Whether this is the short form, which `./test` runs.
    pub short: bool,
}

/// A directory with its own home, so that the tool keeps its guards inside.
pub struct Yard {
    tool: PathBuf,
    dir: PathBuf,
}

/// Status and output of a command.
pub struct Answer {
    /// Its exit status, or 128 plus the signal.
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

    /// Returns true if the tool ended by itself with a documented status: done, bad signature, or
    /// refused.
    pub fn orderly(&self) -> bool {
        (0..=2).contains(&self.status) && !self.err.contains("panicked at")
    }
}

impl Yard {
    /// Creates the directory `name`.
    pub fn new(setup: &Setup, name: &str) -> Self {
        let dir = setup.place.join(name);
        std::fs::create_dir_all(&dir).expect("a folder in the place");
        Self { tool: setup.tool.clone(), dir }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the path of `name` in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Returns the tool.
    pub fn tool(&self) -> &Path {
        &self.tool
    }

    /// Writes the message `name`. It has its own name as content, so that all messages differ.
    pub fn message(&self, name: &str) {
        std::fs::write(self.path(name), format!("message {name}\n")).expect("written");
    }

    /// Returns a command that runs `program` in the directory, with empty input.
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

    /// Runs a shell line, in which `$HASTEN` is the tool.
    pub fn shell(&self, line: &str) -> Answer {
        answer(self.start(Path::new("/bin/sh")).arg("-c").arg(line).output())
    }

    /// Runs a shell line that must succeed.
    pub fn must_shell(&self, line: &str) -> Answer {
        let answer = self.shell(line);
        assert!(answer.good(), "{line}: {} {}", answer.status, answer.err);
        answer
    }

    /// Writes the message `name` and signs it as `name.sig`.
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

    /// Returns true if the tool has this command.
    pub fn knows(&self, command: &str) -> bool {
        self.hasten(&[command, "--help"]).good()
    }
}

/// Returns true if no index of the account is missing: each is used, lost, burned, given, reserved
/// or remaining.
pub fn adds_up(status: &Value) -> bool {
    let number = |name: &str| status[name].as_u64().unwrap_or(0);
    let gone = ["used", "lost", "burned", "given", "reserved", "remaining"];
    gone.iter().map(|name| number(name)).sum::<u64>() == number("top") - number("start")
}

/// Converts the output of a process.
pub fn answer(output: std::io::Result<Output>) -> Answer {
    use std::os::unix::process::ExitStatusExt as _;
    let output = output.expect("the program starts");
    let status = output.status.code().or(output.status.signal().map(|s| 128 + s)).unwrap_or(-1);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Answer { status, out: text(&output.stdout), err: text(&output.stderr) }
}
