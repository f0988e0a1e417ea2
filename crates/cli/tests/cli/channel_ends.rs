//! The end of `hasten subscribe` and `hasten publish`: Ctrl-C loses nothing that was recorded, and
//! a full disk gives one error that names the place.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::channel::Place;

/// Sends a line every 10 ms until the publisher ends. Its identity has 1,024 messages.
fn feed(publisher: &mut Child) -> std::thread::JoinHandle<()> {
    let mut input = publisher.stdin.take().expect("piped");
    std::thread::spawn(move || {
        while input.write_all(b"trip\n").is_ok() {
            std::thread::sleep(Duration::from_millis(10));
        }
    })
}

/// Stops a publisher.
fn end(mut publisher: Child, lines: std::thread::JoinHandle<()>) {
    publisher.kill().expect("it runs");
    publisher.wait().expect("it ends");
    lines.join().expect("the lines end");
}

/// Returns a device on which every write fails.
fn full() -> fs::File {
    fs::OpenOptions::new().write(true).open("/dev/full").expect("a device")
}

fn interrupt(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the tool still runs");
}

/// Returns the status and error output of a command that must end by itself.
fn said(mut child: Child) -> (Option<i32>, String) {
    let mut words = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut words).expect("readable");
    (child.wait().expect("it ends").code(), words)
}

/// Checks that the output has one error, and that it contains each of `what`.
fn one_error((status, words): &(Option<i32>, String), what: &[&str]) {
    assert_eq!(*status, Some(2), "{words}");
    let last = words.lines().rfind(|line| !line.starts_with("hint: ")).expect("an error");
    let is_error =
        ["hasten: ", "{\"schema\":\"hasten.error/1\""].iter().any(|b| last.starts_with(b));
    assert!(is_error && what.iter().all(|what| last.contains(what)), "{words}");
    let errors = words.lines().filter(|line| line.contains("os error") || line.contains("space"));
    assert_eq!(errors.count(), 1, "{words}");
}

impl Place {
    /// Waits until a subscriber has printed `messages` messages.
    fn wait_for(&self, out: &str, messages: usize) {
        let latest = Instant::now() + Duration::from_secs(60);
        while self.trees(out).len() < messages {
            assert!(Instant::now() < latest, "{} messages", self.trees(out).len());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns a command whose files may have at most `bytes` bytes, in steps of 512. A write
    /// beyond that fails as on a full disk.
    fn with_room_for(&self, bytes: usize, arguments: &[&str]) -> Command {
        let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"", bytes / 512);
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_hasten")]).args(arguments);
        command.current_dir(self.path()).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::piped());
        command
    }

    /// Returns true if message `number` can be extracted from a recording.
    fn has(&self, record: &str, number: usize) -> bool {
        let (number, out) = (number.to_string(), format!("out-{record}-{number}"));
        let mut extract = self.hasten(&["extract", record, "--message", &number, "--out", &out]);
        extract.stderr(Stdio::null()).status().expect("it runs").success()
    }
}

#[test]
fn ctrl_c_loses_nothing_that_was_recorded() {
    let place = Place::new();
    for (signal, record) in [(Signal::INT, "int.rec"), (Signal::TERM, "term.rec")] {
        let mut publisher = place.publish();
        let lines = feed(&mut publisher);
        let mut subscriber = place.subscribe("out", &["--mark", "mark", "--record", record]);
        place.wait_for("out", 40);
        interrupt(&subscriber, signal);
        assert_eq!(subscriber.wait().expect("it ends").code(), Some(0));
        let printed = place.trees("out");
        assert_eq!(printed.last(), Some(&place.mark()));
        assert!(place.has(record, printed.len() - 1), "{} messages", printed.len());
        assert!(!place.has(record, printed.len()), "no more than was printed");
        interrupt(&publisher, signal);
        assert_eq!(publisher.wait().expect("it ends").code(), Some(0));
        lines.join().expect("the lines end");
    }
}

#[test]
fn a_publisher_says_at_ctrl_c_what_it_has_sent() {
    let place = Place::new();
    for more in [&[][..], &["--batch", "20ms"]] {
        let mut subscriber = place.subscribe("out", &["--timeout", "1s"]);
        let mut command = place.hasten(&["publish", "-k", "bus", "--to", place.url(), "--json"]);
        command.args(["--guard", "guard", "--announce", "20ms"]).args(more);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut publisher = command.spawn().expect("the tool starts");
        let lines = feed(&mut publisher);
        place.wait_for("out", 40);
        interrupt(&publisher, Signal::INT);
        let output = publisher.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        subscriber.wait().expect("it ends");
        lines.join().expect("the lines end");
        // Messages sent before the first announcement was received are not printed.
        let sent = report["rows"][0]["messages"].as_u64().expect("a number") as usize;
        let sequence = fs::read_to_string(place.path().join("out")).expect("printed");
        let last = sequence.lines().last().expect("a line");
        let last = last.split("\"sequence\":").nth(1).expect("a key").split(',').next();
        assert_eq!(last, Some((sent - 1).to_string().as_str()), "the last one sent is printed");
    }
}

#[test]
fn a_full_disk_stops_a_recording_with_one_error() {
    let place = Place::new();
    let mut publisher = place.publish();
    let lines = feed(&mut publisher);
    let line = ["subscribe", "-p", "bus/public.pem", "--from", place.url(), "--record", "full.rec"];
    let ended = said(place.with_room_for(20 * 1024, &line).spawn().expect("the shell starts"));
    one_error(&ended, &["full.rec", "writing"]);
    assert!(place.has("full.rec", 0), "what had room can be read");
    let mut command = place.hasten(&line[..5]);
    command.args(["--record", "kept.rec"]).stdout(full()).stderr(Stdio::piped());
    let ended = said(command.spawn().expect("the tool starts"));
    one_error(&ended, &["writing the result", "No space left"]);
    end(publisher, lines);
}

#[test]
fn a_full_disk_prints_no_message_before_its_mark() {
    let place = Place::new();
    let line = ["subscribe", "-p", "bus/public.pem", "--from", place.url(), "--mark", "mark"];
    let ended = said(place.with_room_for(0, &line).spawn().expect("the shell starts"));
    one_error(&ended, &["mark"]);
    assert!(!place.path().join("mark").exists());
    // An existing mark stays unchanged, and nothing of the newer tree is printed.
    place.session("first.rec");
    assert_eq!(place.mark(), 0);
    let mut command = place.with_room_for(0, &line);
    let mut subscriber = command.stdout(Stdio::piped()).spawn().expect("the shell starts");
    let mut words = BufReader::new(subscriber.stderr.take().expect("piped"));
    let mut heard = String::new();
    while !heard.contains("listening") {
        assert!(words.read_line(&mut heard).expect("readable") > 0, "{heard}");
    }
    let mut publisher = place.publish();
    let lines = feed(&mut publisher);
    words.read_to_string(&mut heard).expect("readable");
    let output = subscriber.wait_with_output().expect("it ends");
    one_error(&(output.status.code(), heard), &["mark"]);
    assert_eq!((place.mark(), output.stdout), (0, Vec::new()));
    end(publisher, lines);
    let left = fs::read_dir(place.path()).expect("readable").flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name().into_string().expect("text")).collect();
    assert!(left.iter().all(|name| !name.contains("tmp") && !name.contains("part")), "{left:?}");
}

#[test]
fn a_publisher_on_a_full_disk_ends_with_one_error() {
    let place = Place::new();
    let line = ["publish", "-k", "bus", "--to", place.url(), "--guard", "guard"];
    let ended = said(place.with_room_for(0, &line).spawn().expect("the shell starts"));
    one_error(&ended, &["os error"]);
    let mut command = place.hasten(&line);
    command.arg("--json").stdin(Stdio::null()).stdout(full()).stderr(Stdio::piped());
    one_error(&said(command.spawn().expect("the tool starts")), &["writing the result"]);
}
