//! A process of this program, and what it has taken so far, read from /proc.

use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ticks of a second in /proc, on every Linux.
const TICKS: f64 = 100.0;

/// A process at work.
pub struct Running {
    child: Child,
    begun: Instant,
    peak_bytes: u64,
}

/// Holds what a process took.
pub struct Ended {
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
}

impl Running {
    /// Returns this program with `what` to do in `dir`.
    pub fn start(what: &str, dir: &Path, alg: &str) -> Self {
        let mut run = Command::new(std::env::current_exe().expect("this program"));
        run.arg(what).arg(dir).args(["--alg", alg]).stdout(Stdio::piped());
        let child = run.spawn().expect("a process");
        Self { child, begun: Instant::now(), peak_bytes: 0 }
    }

    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Waits a moment; whether the process still runs.
    pub fn goes_on(&mut self) -> bool {
        std::thread::sleep(Duration::from_millis(5));
        self.peak_bytes = self.peak_bytes.max(peak(&self.child.id().to_string()));
        self.child.try_wait().expect("a child").is_none()
    }

    /// Returns SIGKILL.
    pub fn kill(mut self) -> Ended {
        let seconds = self.begun.elapsed().as_secs_f64();
        self.child.kill().expect("killed");
        let cpu_seconds = cpu(self.child.id());
        self.child.wait().expect("a child");
        Ended { seconds, cpu_seconds, peak_bytes: self.peak_bytes }
    }

    /// Waits for its end and what it prints, which must be JSON.
    pub fn wait(mut self) -> (Ended, Value) {
        let mut text = String::new();
        let out = self.child.stdout.take();
        out.expect("a pipe").read_to_string(&mut text).expect("text");
        let seconds = self.begun.elapsed().as_secs_f64();
        assert!(self.child.wait().expect("a child").success(), "it failed");
        let done: Value = serde_json::from_str(&text).expect("an account");
        let peak_bytes = done["peak_bytes"].as_u64().expect("a number");
        let cpu_seconds = done["cpu_seconds"].as_f64().expect("a number");
        (Ended { seconds, cpu_seconds, peak_bytes }, done)
    }
}

/// Returns the most memory that process `id` has had, in bytes.
pub fn peak(id: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|k| k.parse().ok()).map_or(0, |k: u64| k << 10)
}

/// Seconds of processor that process `id` has had, also of one that has ended and was not waited
/// for.
pub fn cpu(id: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let times = after_name.split_whitespace().skip(11).take(2);
    times.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}
