//! `hasten subscribe --mark`: an earlier session is refused after a restart. A message is printed
//! only once the mark of its tree is durable, even if the subscriber is killed at any moment.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const ALG: &str = "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H5_W4)";

/// A directory with an identity, and a port on this machine.
pub struct Place {
    dir: tempfile::TempDir,
    url: String,
}

impl Place {
    pub fn new() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let url = format!("udp://{}", socket.local_addr().unwrap());
        let place = Self { dir: tempfile::tempdir().unwrap(), url };
        let what = ["keygen", "--alg", ALG, "--sessions", "--store", "bus", "--guard", "guard"];
        let mut keygen = place.hasten(&what);
        assert!(keygen.stderr(Stdio::null()).status().unwrap().success());
        place
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn hasten(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hasten"));
        command.args(arguments).current_dir(self.dir.path()).stdout(Stdio::null());
        command
    }

    /// Starts a subscriber that prints JSON to the file `out`. It is listening when this returns.
    pub fn subscribe(&self, out: &str, more: &[&str]) -> Child {
        let mut command = self.hasten(&["subscribe", "-p", "bus/public.pem", "--json", "--from"]);
        let out = fs::File::create(self.dir.path().join(out)).unwrap();
        command.arg(&self.url).args(more).stdout(out).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(said.any(|line| line.unwrap().contains("listening")));
        std::thread::spawn(move || said.for_each(drop));
        child
    }

    pub fn publish(&self) -> Child {
        let mut command = self.hasten(&["publish", "-k", "bus", "--to", &self.url]);
        command.args(["--guard", "guard", "--announce", "20ms"]);
        command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Publishes one message. A subscriber that keeps the mark receives and records it.
    pub fn session(&self, record: &str) {
        let more = ["--mark", "mark", "--count", "1", "--timeout", "60s", "--record", record];
        let mut subscriber = self.subscribe("out", &more);
        let mut publisher = self.publish();
        publisher.stdin.take().unwrap().write_all(b"trip\n").unwrap();
        assert!(publisher.wait().unwrap().success());
        assert!(subscriber.wait().unwrap().success());
    }

    /// Replays a recording. Returns the number of messages that a subscriber prints.
    fn played(&self, record: &str, more: &[&str]) -> usize {
        let mut subscriber = self.subscribe("played", &[more, &["--timeout", "1s"]].concat());
        let bytes = fs::read(self.dir.path().join(record)).unwrap();
        let to = UdpSocket::bind("127.0.0.1:0").unwrap();
        let key = 10 + usize::from(u16::from_be_bytes([bytes[8], bytes[9]]));
        let mut rest = &bytes[key..];
        while let Some((length, behind)) = rest.split_first_chunk() {
            let (datagram, behind) = behind.split_at(u32::from_be_bytes(*length) as usize);
            to.send_to(datagram, self.url.strip_prefix("udp://").unwrap()).unwrap();
            rest = behind;
        }
        subscriber.wait().unwrap();
        fs::read_to_string(self.dir.path().join("played")).unwrap().lines().count()
    }

    /// Returns the number of the tree in the mark.
    pub fn mark(&self) -> u64 {
        let text = fs::read_to_string(self.dir.path().join("mark")).unwrap();
        text.split(' ').nth(2).unwrap().parse().unwrap()
    }

    /// Returns the tree numbers of the messages with complete lines.
    pub fn trees(&self, out: &str) -> Vec<u64> {
        let text = fs::read_to_string(self.dir.path().join(out)).unwrap();
        let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        whole.map(|line| line.split("\"tree\":").nth(1).unwrap()).map(number).collect()
    }
}

fn number(text: &str) -> u64 {
    text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

#[test]
fn a_publisher_waits_as_it_is_told() {
    let place = Place::new();
    let line = ["publish", "-k", "bus", "--to", &place.url, "--guard", "guard", "--wait"];
    for (word, ends_well) in [("spin", true), ("block", true), ("9s", true), ("soon", false)] {
        let mut command = place.hasten(&line);
        let ended = command.arg(word).stdin(Stdio::null()).output().unwrap();
        assert_eq!(ended.status.success(), ends_well, "{word}");
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(said.contains("'soon' is neither a time nor a way to wait"), !ends_well);
    }
}

#[test]
fn an_earlier_session_is_refused_after_a_restart() {
    let place = Place::new();
    place.session("first.rec");
    assert_eq!(place.played("first.rec", &[]), 1, "whoever keeps no mark believes it");
    place.session("second.rec");
    assert_eq!((place.trees("out"), place.mark()), (vec![1], 1));
    assert_eq!(place.played("first.rec", &["--mark", "mark"]), 0);
    assert_eq!(place.played("second.rec", &["--mark", "mark"]), 1, "the newest tree is shown");
}

#[test]
fn killed_at_any_moment_the_mark_is_not_behind() {
    let place = Place::new();
    let mut publisher = place.publish();
    let mut input = publisher.stdin.take().unwrap();
    let lines = std::thread::spawn(move || {
        while input.write_all(b"x\n").is_ok() {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let (mut least, mut printed) = (0, 0);
    for round in 0..8 {
        let mut subscriber = place.subscribe("out", &["--mark", "mark"]);
        std::thread::sleep(Duration::from_millis(40 + round * 13 % 50));
        subscriber.kill().unwrap();
        subscriber.wait().unwrap();
        let trees = place.trees("out");
        assert!(trees.iter().all(|tree| (least..=place.mark()).contains(tree)), "{trees:?}");
        (least, printed) = (place.mark(), printed + trees.len());
    }
    publisher.kill().unwrap();
    publisher.wait().unwrap();
    lines.join().unwrap();
    assert!(printed > 20 && least > 0, "{printed} messages, mark {least}");
}
