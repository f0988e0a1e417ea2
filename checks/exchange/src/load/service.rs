//! The server under load, in a process of its own.

use hasten_chore::failure::{Failure, read};
use hasten_chore::program;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time that the server waits for a silent client.
pub const TIMEOUT: Duration = Duration::from_secs(2);

/// `hasten serve` with its own certificate chain. It is stopped when this is dropped.
pub struct Service {
    tool: PathBuf,
    place: PathBuf,
    child: Child,
    port: u16,
    served: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
    said: Arc<Mutex<String>>,
}

fn failed(error: std::io::Error) -> Failure {
    Failure::Tool(error.to_string())
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

impl Service {
    /// Issues certificates of an algorithm and starts the server with the additional arguments
    /// `more`. The server waits for a client as long as `timeout`.
    pub fn start(
        tool: &Path,
        alg: &str,
        timeout: Duration,
        more: &[&str],
    ) -> Result<Self, Failure> {
        let name = format!("hasten-load-{}-{alg}{}", std::process::id(), more.concat());
        let place = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&place).map_err(failed)?;
        let [root, leaf] = ["root", "leaf"].map(|name| text(&place.join(name)));
        program::run(tool, &["cert", "root", "--alg", alg, "--name", "root", "--out", &root])?;
        let names = ["--dns", "localhost", "--ip", "127.0.0.1"];
        let issued = ["cert", "leaf", "--alg", alg, "--ca", &root, "--out", &leaf];
        program::run(tool, &[&issued[..], &names].concat())?;
        let mut child = Command::new(tool)
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--cert",
                &format!("{leaf}.pem"),
                "--key",
                &format!("{leaf}.key"),
            ])
            .args(["--timeout", &format!("{}s", timeout.as_secs())])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let out = child.stdout.take().ok_or_else(|| Failure::Tool("no output".into()))?;
        let mut lines = BufReader::new(out).lines().map_while(Result::ok);
        let first = lines.next().unwrap_or_default();
        let port = first.rsplit(':').next().and_then(|port| port.parse().ok());
        let port = port.ok_or_else(|| Failure::Tool(format!("the server says '{first}'")))?;
        let (served, refused) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let counts = [served.clone(), refused.clone()];
        let said = Arc::new(Mutex::new(String::new()));
        let last = said.clone();
        std::thread::spawn(move || {
            for line in lines {
                let failed = line.contains("  FAILED  ");
                counts[usize::from(failed)].fetch_add(1, Ordering::Relaxed);
                if failed {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
            }
        });
        Ok(Self { tool: tool.to_owned(), place, child, port, served, refused, said })
    }

    /// Runs `hasten connect` against the server. Returns its output, even if the connection failed.
    pub fn client(&self, more: &[&str]) -> Result<String, Failure> {
        let (address, root) =
            (format!("127.0.0.1:{}", self.port), text(&self.place.join("root.pem")));
        let args = [&["connect", &address, "--ca", &root], more].concat();
        let (_, printed, complaint) = program::attempt(&self.tool, &args)?;
        match printed.is_empty() {
            true => Err(Failure::Tool(complaint)),
            false => Ok(String::from_utf8_lossy(&printed).into_owned()),
        }
    }

    /// Starts a client of the same tool that connects to port `at` of this machine.
    pub fn hello(&self, at: u16) -> Result<Child, Failure> {
        let (address, root) = (format!("127.0.0.1:{at}"), text(&self.place.join("root.pem")));
        let mut client = Command::new(&self.tool);
        client.args(["connect", &address, "--ca", &root]).stdout(Stdio::null());
        client.spawn().map_err(failed)
    }

    /// Opens a connection without sending anything.
    pub fn dial(&self) -> Result<TcpStream, Failure> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(failed)?;
        stream.set_read_timeout(Some(Duration::from_secs(60))).map_err(failed)?;
        Ok(stream)
    }

    /// Returns the number of connections completed so far. Waits a moment for the last lines.
    pub fn served(&self) -> usize {
        settled(&self.served)
    }

    /// Returns the number of connections that the server reported as failed.
    pub fn refused(&self) -> usize {
        settled(&self.refused)
    }

    /// Returns the server's last line about a failed connection.
    pub fn said(&self) -> String {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the memory of the server in kilobytes, or an error if the server has ended.
    pub fn resident(&self) -> Result<usize, Failure> {
        let path = PathBuf::from(format!("/proc/{}/status", self.child.id()));
        let status = read(&path)?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.ok_or_else(|| Failure::Form(path, "no memory: the server has ended".into()))
    }
}

/// Returns the count once it has not changed for half a second.
fn settled(count: &AtomicUsize) -> usize {
    let mut last = usize::MAX;
    while last != count.load(Ordering::Relaxed) {
        last = count.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(500));
    }
    last
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.place);
    }
}
