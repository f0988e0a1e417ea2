//! A publisher that is killed at any moment, again and again: no key is used twice, of the identity
//! or of a session tree, over all that it ever sent.

use crate::store::{Place, open};
use hasten_channel::{Preparer, Publisher, announced_tree, message_tree};
use hasten_kernels::Kernels;
use hasten_store::Options;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Names the key's directory to the child.
const KEY: &str = "HASTEN_CHANNEL_TEST_KEY";
const GUARD: &str = "HASTEN_CHANNEL_TEST_GUARD";

/// Kills in the test. `HASTEN_CHANNEL_KILLS` asks for another number.
fn kills() -> u64 {
    std::env::var("HASTEN_CHANNEL_KILLS").map_or(20, |count| count.parse().unwrap())
}

/// The publisher that is killed: it writes datagrams, each behind its length.
#[test]
#[ignore = "the child of the test below"]
fn child() {
    let Ok(key) = std::env::var(KEY) else { return };
    let options = Options::new().guard(std::env::var(GUARD).unwrap());
    let identity = open(key.as_ref(), options).unwrap();
    let set = identity.session_set();
    let preparer = Preparer::new(identity, set, Kernels::best()).unwrap();
    let mut publisher = Publisher::new(preparer, 4);
    let (mut out, mut shown) = ([0; 4096], None);
    let mut to = std::io::stderr().lock();
    let mut send = |datagram: &[u8]| {
        to.write_all(&[&(datagram.len() as u32).to_be_bytes(), datagram].concat()).unwrap();
    };
    for number in 0u64.. {
        let bytes = publisher.seal(&number.to_be_bytes(), &mut out).unwrap();
        for announcement in publisher.announcements() {
            if shown < announced_tree(announcement) {
                shown = announced_tree(announcement);
                send(announcement);
            }
        }
        send(&out[..bytes]);
    }
}

/// Returns what a child sent before it was killed, `after` so long.
fn killed(place: &Place, after: Duration) -> Vec<u8> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "kills::child", "--nocapture", "--quiet"]);
    command.env(KEY, place.key()).env(GUARD, place.key().with_file_name("guard"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut from = child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut all = Vec::new();
        from.read_to_end(&mut all).map(|_| all).unwrap()
    });
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap()
}

/// Returns the whole datagrams; the last may have been cut.
fn datagrams(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut all = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let length = u32::from_be_bytes(*length) as usize;
        let Some((datagram, rest)) = rest.split_at_checked(length) else { break };
        all.push(datagram);
        bytes = rest;
    }
    all
}

#[test]
fn killed_at_any_moment_no_key_is_used_twice() {
    let place = Place::new(None);
    let set = open(&place.key(), place.options()).unwrap().session_set();
    let mut trees: HashMap<u64, Vec<u8>> = HashMap::new();
    let mut keys: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
    let mut messages = 0;
    for round in 0..kills() {
        let sent = killed(&place, Duration::from_millis(30 + round * 37 % 90));
        for datagram in datagrams(&sent) {
            if let Some(tree) = announced_tree(datagram) {
                let before = trees.insert(tree, datagram.to_vec());
                assert_eq!(before, None, "index {tree} of the identity signed two trees");
                continue;
            }
            let tree = message_tree(datagram).expect("a datagram of the channel");
            let announced = &trees[&tree];
            let id = &announced[announced.len() - 16 - set.n..][..16];
            let at = datagram.len() - set.signature_bytes();
            let key = [id, &datagram[at..at + 4]].concat();
            let before = keys.insert(key, datagram.to_vec());
            assert_eq!(before, None, "a key of tree {tree} signed two messages");
            messages += 1;
        }
    }
    assert!(messages > 10 * kills(), "{messages} messages of {} trees", trees.len());
    println!("{} kills, {} trees, {messages} messages, no key twice", kills(), trees.len());
}
