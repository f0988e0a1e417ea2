//! A token in a folder of its own, with one key, and the processes that sign with it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The modules that are known.
#[derive(Clone, Copy)]
pub enum Kind {
    /// This one.
    Hasten,
    /// softhsmv3, with its store of files.
    SoftHsm,
}

/// The lines of a process: the indices it signed with, and the answer that ended it.
#[derive(Default)]
pub struct Said {
    pub indices: Vec<u32>,
    pub answer: Option<String>,
}

/// A token with a key.
pub struct Token {
    kind: Kind,
    module: PathBuf,
    place: tempfile::TempDir,
}

impl Token {
    /// Makes a token and its key.
    pub fn new(kind: Kind, module: &Path) -> Self {
        let place = tempfile::tempdir().expect("a folder");
        let token = Self { kind, module: module.to_owned(), place };
        std::fs::write(token.conf(), token.settings()).expect("a configuration");
        let how = match kind {
            Kind::Hasten => "hasten",
            Kind::SoftHsm => {
                std::fs::create_dir(token.state()).expect("a folder");
                "softhsm"
            }
        };
        let made = token.command("make", how).output().expect("this program");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
        token
    }

    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Hasten => "hasten",
            Kind::SoftHsm => "softhsmv3",
        }
    }

    fn conf(&self) -> PathBuf {
        self.place.path().join("conf")
    }

    /// Returns the folder of the token's state, which a backup has.
    pub fn state(&self) -> PathBuf {
        self.place.path().join("state")
    }

    fn settings(&self) -> String {
        let (state, guard) = (self.state(), self.place.path().join("guard"));
        match self.kind {
            Kind::Hasten => format!(
                "log = \"none\"\nwait = 600\n[[slot]]\nlabel = \"t\"\nstore = {state:?}\nguard = {guard:?}\n"
            ),
            Kind::SoftHsm => format!(
                "directories.tokendir = {}\nobjectstore.backend = file\nlog.level = ERROR\n",
                state.display()
            ),
        }
    }

    /// Returns the command that runs this program again, with the token.
    fn command(&self, task: &str, argument: &str) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg(task).arg(&self.module).arg(argument).stdout(Stdio::piped());
        command.env("HASTEN_PKCS11_CONF", self.conf()).env("SOFTHSM2_CONF", self.conf());
        command
    }

    /// Begins a process that signs `count` times.
    pub fn begin(&self, count: usize) -> Child {
        self.command("sign", &count.to_string()).spawn().expect("this program")
    }

    /// Signs `count` times in a process of its own.
    pub fn sign(&self, count: usize) -> Said {
        ended(self.begin(count))
    }

    /// Signs `count` times, where no file takes any byte more from the login on.
    pub fn sign_on_a_full_disk(&self, count: usize) -> Said {
        let inner = self.command("sign-full", &count.to_string());
        let mut outer = Command::new("sh");
        outer.args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"]);
        outer.arg(inner.get_program()).args(inner.get_args()).stdout(Stdio::piped());
        outer.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        ended(outer.spawn().expect("a shell"))
    }

    /// Copies the state to or from its backup.
    pub fn copy(&self, restore: bool) {
        let (state, backup) = (self.state(), self.place.path().join("backup"));
        let (from, to) = if restore { (backup, state) } else { (state, backup) };
        let line = "rm -rf \"$2\" && cp -a \"$1\" \"$2\"";
        let done = Command::new("sh").args(["-c", line, "sh"]).args([from, to]).status();
        assert!(done.is_ok_and(|status| status.success()));
    }
}

/// Waits for a process, and returns what it said.
pub fn ended(child: Child) -> Said {
    said(&String::from_utf8_lossy(&child.wait_with_output().expect("it ends").stdout))
}

/// Kills a process this long after its first signature, and returns what it said.
pub fn killed(mut child: Child, after: Duration) -> Said {
    let mut from = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut text = String::new();
    from.read_line(&mut text).expect("a line");
    std::thread::sleep(after);
    // A process that ended before is not killed.
    let _ = child.kill();
    from.read_to_string(&mut text).expect("lines");
    child.wait().expect("it ends");
    said(&text)
}

fn said(text: &str) -> Said {
    let mut said = Said::default();
    // A line that a kill cut off is no index.
    for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
        match line.split_once(' ') {
            Some(("index", index)) => said.indices.extend(index.parse::<u32>()),
            Some(("answer", answer)) => said.answer = Some(answer.to_owned()),
            _ => {}
        }
    }
    said
}
