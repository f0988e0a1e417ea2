//! Mounts that end with this program: it runs itself again in its own mount namespace.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const INSIDE: &str = "HASTEN_ATTACKS_INSIDE";

/// What attacks on mounts need in order to run, shown if they are skipped.
pub const NEEDS: &str =
    "run ./test attacks as root, where mounts, FUSE and loop devices are allowed";

/// Ensures that mounts made here are private, by running this program again if necessary. Returns
/// the reason if that is impossible.
pub fn enter() -> Result<(), &'static str> {
    if std::env::var_os(INSIDE).is_some() {
        return Ok(());
    }
    let unshare = |program: &str| {
        let mut command = Command::new("unshare");
        command.args(["-m", "--propagation", "private", program]);
        command
    };
    if !unshare("true").stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return Err("mount namespaces are not allowed here");
    }
    let program = std::env::current_exe().expect("this program");
    let mut again = unshare(program.to_str().expect("a plain path"));
    let status = again.args(std::env::args().skip(1)).env(INSIDE, "1").status();
    std::process::exit(status.ok().and_then(|status| status.code()).unwrap_or(2));
}

/// A process that holds a mount, or a namespace with a mount. Both end with it.
pub struct Held {
    child: Child,
    mounted: Option<std::path::PathBuf>,
}

impl Held {
    /// Mounts `real` at `at` a second time by FUSE, with its own locks, in the current namespace.
    pub fn bindfs(real: &Path, at: &Path) -> Result<Self, String> {
        let mut command = Command::new("bindfs");
        command.args(["-f", "--no-allow-other"]).arg(real).arg(at);
        Self::start(command, at, Some(at.to_owned()))
    }

    /// Mounts `real` at `at` in a namespace of its own. [`Held::inside`] runs a command in it.
    pub fn bindfs_elsewhere(real: &Path, at: &Path) -> Result<Self, String> {
        let mut command = Command::new("unshare");
        command.args(["-m", "--propagation", "private", "bindfs", "-f", "--no-allow-other"]);
        command.arg("-o").arg("nonempty").arg(real).arg(at);
        Self::start(command, at, None)
    }

    fn start(
        mut command: Command,
        at: &Path,
        mounted: Option<std::path::PathBuf>,
    ) -> Result<Self, String> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("no bindfs here: {error}"))?;
        let held = Self { child, mounted };
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            if held.mounts().contains(&format!(" {} fuse", at.display())) {
                return Ok(held);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err("bindfs does not mount here".to_owned())
    }

    fn mounts(&self) -> String {
        std::fs::read_to_string(format!("/proc/{}/mounts", self.child.id())).unwrap_or_default()
    }

    /// Returns a shell line that runs `line` in the namespace of this process, in the directory
    /// `dir` of that namespace.
    pub fn inside(&self, dir: &Path, line: &str) -> String {
        format!("nsenter -t {} -m sh -c 'cd {} && {line}'", self.child.id(), dir.display())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(at) = &self.mounted {
            drop(Command::new("umount").arg("-l").arg(at).status());
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
