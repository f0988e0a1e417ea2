//! A mark of a process, by which another process can tell later that it has ended.
//!
//! A process id alone is not enough: it is reused, and it names another process in another
//! namespace or after a restart of the machine. The mark is `BOOT:NAMESPACE:PID:START`. A part that
//! cannot be read is `?`.

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

const UNKNOWN: &str = "?";

/// Returns the mark of the calling process, whose id is `pid`.
pub fn mark(pid: u32) -> String {
    format!(
        "{}:{}:{pid}:{}",
        boot(),
        namespace(),
        stat(&pid.to_string()).map_or_else(unknown, |(_, start)| start)
    )
}

/// Returns true if the process with this mark has certainly ended. That requires that the machine
/// was not restarted since then (otherwise nothing is known), that the process-id namespace is that
/// of this process, and that the id is unused or belongs to another process.
pub fn has_ended(mark: &str) -> bool {
    let parts: Vec<&str> = mark.split(':').collect();
    let &[boot_then, namespace_then, pid, start_then] = &parts[..] else { return false };
    let known = ![boot_then, namespace_then, start_then].contains(&UNKNOWN);
    if !known || boot_then != boot() || namespace_then != namespace() {
        return false;
    }
    let Some(id) = pid.parse().ok().and_then(Pid::from_raw) else { return false };
    let now = stat(pid);
    match test_kill_process(id) {
        Err(Errno::SRCH) => true,
        _ => now.is_some_and(|(dead, start)| dead || start != start_then),
    }
}

/// Returns the start time of the calling process in the kernel's ticks; 0 if it cannot be read.
pub fn started() -> u64 {
    stat("self").and_then(|(_, start)| start.parse().ok()).unwrap_or(0)
}

fn unknown() -> String {
    UNKNOWN.to_owned()
}

fn boot() -> String {
    let read = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    read.map_or_else(|_| unknown(), |id| id.trim().to_owned())
}

/// Returns the digits in the namespace link, such as `4026531836` for `pid:[4026531836]`.
fn namespace() -> String {
    let link = std::fs::read_link("/proc/self/ns/pid");
    let plain = |c: &char| c.is_ascii_digit();
    link.map_or_else(|_| unknown(), |to| to.to_string_lossy().chars().filter(plain).collect())
}

/// Returns whether a process is dead and only waits to be reaped by its parent, and its start time
/// in the kernel's ticks. These are words 3 and 22 of `stat`, the first and the 20th after the
/// name.
fn stat(pid: &str) -> Option<(bool, String)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let dead = matches!(words.next()?, "Z" | "X");
    Some((dead, words.nth(18)?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_when_it_was_started() {
        let own = mark(std::process::id());
        let (_, start) = own.rsplit_once(':').expect("four parts");
        assert_eq!(start.parse(), Ok(started()));
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("a child");
        let later = stat(&child.id().to_string()).expect("it runs").1;
        assert!(later.parse::<u64>().is_ok_and(|later| later >= started()));
        child.kill().expect("killed");
        child.wait().expect("ended");
    }

    #[test]
    fn only_a_process_that_is_known_to_be_gone_has_ended() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("a child");
        let theirs = mark(child.id());
        assert!(!has_ended(&mark(std::process::id())) && !has_ended(&theirs));
        child.kill().expect("killed");
        while !has_ended(&theirs) {
            std::thread::yield_now();
        }
        child.wait().expect("ended");
        assert!(has_ended(&theirs));
        let (rest, start) = theirs.rsplit_once(':').expect("four parts");
        let other_boot = theirs.replacen(&boot(), "another", 1);
        let other_place = theirs.replacen(&format!(":{}:", namespace()), ":1:", 1);
        for in_doubt in [&other_boot, &other_place, &format!("{rest}:?"), "", start] {
            assert!(!has_ended(in_doubt), "{in_doubt}");
        }
        let id_used_again =
            format!("{}:1", mark(std::process::id()).rsplit_once(':').expect("four").0);
        assert!(has_ended(&id_used_again));
    }
}
