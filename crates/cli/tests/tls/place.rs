//! A folder with certificates, and a server in it.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

const TOOL: &str = env!("CARGO_BIN_EXE_hasten");

/// A folder in which the tool runs.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn tool(&self, line: &str) -> Command {
        let mut tool = Command::new(TOOL);
        tool.args(line.split(' ')).current_dir(self.path()).env("XDG_STATE_HOME", self.path());
        tool
    }

    /// Returns the output of a command, both streams, and its status.
    pub fn run(&self, line: &str) -> (String, i32) {
        let done = self.tool(line).output().unwrap();
        let printed = [done.stdout, done.stderr].concat();
        (String::from_utf8_lossy(&printed).into_owned(), done.status.code().unwrap())
    }

    pub fn good(&self, line: &str) -> String {
        let (printed, status) = self.run(line);
        assert_eq!(status, 0, "{line}\n{printed}");
        printed
    }

    /// Issues a root and a leaf certificate for `localhost` and 127.0.0.1, as `NAME-root` and
    /// `NAME`.
    pub fn chain(&self, name: &str, root: &str, leaf: &str) {
        self.good(&format!("cert root --alg {root} --name {name} --out {name}-root"));
        self.good(&format!(
            "cert leaf --alg {leaf} --dns localhost --ip 127.0.0.1 --ca {name}-root --out {name}"
        ));
    }

    /// Starts a server with the chain NAME.
    pub fn serve(&self, name: &str, more: &str) -> Server {
        let line = format!("serve --listen 127.0.0.1:0 --cert {name}.pem --key {name}.key{more}");
        let mut child = self.tool(&line).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        let port = first.trim().rsplit(':').next().unwrap().parse().expect("a port");
        Server { child, lines, port }
    }

    pub fn connect(&self, server: &Server, more: &str) -> (String, i32) {
        self.run(&format!("connect 127.0.0.1:{}{more}", server.port))
    }
}

/// A server in its own process. It is killed when this is dropped.
pub struct Server {
    child: Child,
    lines: BufReader<ChildStdout>,
    pub port: u16,
}

impl Server {
    /// Returns the server's line for the next connection.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line
    }

    pub fn dial(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks that `text` contains everything in `parts`.
pub fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
}
