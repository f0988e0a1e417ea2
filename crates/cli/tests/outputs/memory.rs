//! A process that has a seed in memory protects its memory from others.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Place;

/// Starts a signature that waits for its message, with the seed in memory.
fn waiting(mut command: Command) -> (Child, PathBuf) {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    let begun = Instant::now();
    // Waits until the process is blocked in a read.
    while !fs::read_to_string(process.join("wchan")).is_ok_and(|at| at.contains("pipe")) {
        if begun.elapsed() > Duration::from_secs(2) {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    (child, process)
}

fn end((mut child, _): (Child, PathBuf)) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn line(process: &Path, file: &str, name: &str) -> String {
    let text = fs::read_to_string(process.join(file)).unwrap();
    text.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned()
}

#[test]
fn nothing_of_it_is_dumped_or_swapped_out() {
    let place = Place::with_key();
    let signature = waiting(place.command(&["sign", "-k", "fw", "-", "--out", "m.sig"]));
    let core = line(&signature.1, "limits", "Max core file size");
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"], "{core}");
    let locked = line(&signature.1, "status", "VmLck:");
    let bytes = locked.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok());
    let limit = line(&signature.1, "limits", "Max locked memory");
    match limit.split_whitespace().nth(3) == Some("unlimited")
        || rustix::process::geteuid().is_root()
    {
        true => assert!(bytes.is_some_and(|kib| kib > 100), "{locked}"),
        false => {
            let why = format!("this user may not lock all memory: {limit}");
            hasten_report::skipped("memory is locked", &why, "ulimit -l unlimited");
        }
    }
    end(signature);
    let report = place.good(&["sign", "-k", "fw", "m", "--json"]);
    assert!(report.contains("\"memory_locked\": "), "{report}");
}

/// If other processes of the user may inspect a process, its files in /proc belong to the user. If
/// not, they belong to root.
#[test]
fn another_process_of_the_user_cannot_look_into_it() {
    let place = Place::with_key();
    if !rustix::process::geteuid().is_root() {
        let signature = waiting(place.command(&["sign", "-k", "fw", "-", "--out", "m.sig"]));
        assert_eq!(fs::metadata(signature.1.join("environ")).unwrap().uid(), 0);
        return end(signature);
    }
    // Runs as another user who can read the program: an unreadable one would be protected anyway.
    let program = place.path("hasten");
    // Copies with another process, as in the tests of `page`.
    let copy = Command::new("cp").arg(env!("CARGO_BIN_EXE_hasten")).arg(&program).status();
    assert!(copy.unwrap().success());
    for (name, mode) in [(".", 0o777), ("hasten", 0o755)] {
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    let as_nobody = |arguments: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).args(arguments);
        command.current_dir(place.0.path()).stderr(Stdio::null());
        command
    };
    let keygen = ["./hasten", "keygen", "--alg", "Ed25519", "--out", "own"];
    if !as_nobody(&keygen).stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        let why = "no process of another user can be started here";
        hasten_report::skipped("another process of the user", why, "run it as root, with setpriv");
        return;
    }
    let plain = waiting(as_nobody(&["cat"]));
    let owner = fs::metadata(plain.1.join("environ")).unwrap().uid();
    assert_eq!(owner, 65534, "a plain process can be looked into");
    end(plain);
    let signature = waiting(as_nobody(&["./hasten", "sign", "-k", "own.key", "-", "--out", "s"]));
    assert_eq!(fs::metadata(signature.1.join("environ")).unwrap().uid(), 0);
    end(signature);
    let sign = ["./hasten", "sign", "-k", "own.key", "hasten", "--out", "s"];
    assert!(as_nobody(&sign).stdout(Stdio::null()).status().unwrap().success(), "it still writes");
}
