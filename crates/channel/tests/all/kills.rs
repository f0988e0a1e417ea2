//! A publisher that is killed again and again, at any moment, never uses a key twice, neither of
//! the identity nor of a session tree. This is checked over all datagrams that were ever sent: for
//! messages that are signed alone, for batches, with announced leaves and under an identity of
//! XMSS^MT.
//!
//! The short form runs with the other tests. The result of the long form is published:
//!
//! ```sh
//! HASTEN_CHANNEL_KILLS=1000 HASTEN_RESULT=results/channel-kills.json \
//!   cargo test -p hasten-channel --test all kills
//! ```

use crate::store::{Place, SESSION, open};
use hasten_channel::{Preparer, Publisher, announced_tree, message_tree};
use hasten_hbs::{LeafVerifier, Set};
use hasten_kernels::Kernels;
use hasten_report::{Machine, Origin, Report, test_command};
use hasten_store::Options;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Environment variable of the child: the directory of the key.
const KEY: &str = "HASTEN_CHANNEL_TEST_KEY";
/// Environment variable of the child: the guard of the key.
const GUARD: &str = "HASTEN_CHANNEL_TEST_GUARD";
/// Environment variable of the child: the form of the channel.
const FORM: &str = "HASTEN_CHANNEL_TEST_FORM";

/// Returns the number of kills of each form. `HASTEN_CHANNEL_KILLS` sets another number.
fn kills() -> u64 {
    std::env::var("HASTEN_CHANNEL_KILLS").map_or(20, |count| count.parse().unwrap())
}

/// The publisher that is killed. It writes datagrams, each after its length.
#[test]
#[ignore = "the child of the tests below"]
fn child() {
    let Ok(key) = std::env::var(KEY) else { return };
    let (options, form) =
        (Options::new().guard(std::env::var(GUARD).unwrap()), std::env::var(FORM).unwrap());
    let identity = open(key.as_ref(), options).unwrap();
    let set = identity.session_set();
    let preparer = Preparer::new(identity, set, Kernels::best()).unwrap();
    let preparer = if form == "batches" { preparer.for_batches() } else { preparer };
    let preparer = if form == "leaves" { preparer.with_leaves().unwrap() } else { preparer };
    let mut publisher = Publisher::new(preparer, 4);
    let (mut sealed, mut shown) = (Vec::new(), None);
    let mut to = std::io::stderr().lock();
    let mut send = |datagram: &[u8]| {
        to.write_all(&[&(datagram.len() as u32).to_be_bytes(), datagram].concat()).unwrap();
    };
    for number in 0u64.. {
        let together = if form == "batches" { 1 + number % 5 } else { 1 };
        let payloads: Vec<_> = (0..together).map(|_| number.to_be_bytes()).collect();
        publisher.seal_batch(&payloads, &mut sealed).unwrap();
        for announcement in publisher.announcements() {
            if shown < announced_tree(announcement) {
                shown = announced_tree(announcement);
                send(announcement);
            }
        }
        sealed.drain(..).for_each(|datagram| send(&datagram));
    }
}

/// Returns the bytes that a child sent until it was killed `after` this time.
fn killed(place: &Place, form: &str, after: Duration) -> Vec<u8> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "kills::child", "--nocapture", "--quiet"]);
    command.env(KEY, place.key()).env(GUARD, place.key().with_file_name("guard")).env(FORM, form);
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

/// Returns the complete datagrams. The last one may be truncated.
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

/// Everything that was ever sent.
#[derive(Default)]
struct Seen {
    /// The identifier of each tree, by the index of the identity.
    trees: HashMap<u64, Vec<u8>>,
    /// The signature that each key has made, by the tree's identifier and the number of the key in
    /// the tree.
    keys: HashMap<Vec<u8>, Vec<u8>>,
    messages: u64,
    /// Number of messages whose signature other messages have too.
    shared: u64,
    /// Indices of the identity and keys of trees that were used twice.
    twice: Vec<String>,
}

impl Seen {
    /// Processes a datagram, and notes an index or a key that was used before.
    fn take(&mut self, datagram: &[u8]) {
        let set = Set::named(SESSION).unwrap();
        if let Some(tree) = announced_tree(datagram) {
            let before = self.trees.insert(tree, identifier(set, datagram).to_vec());
            return self.twice.extend(before.map(|_| format!("index {tree} of the identity")));
        }
        let tree = message_tree(datagram).expect("a datagram of the channel");
        let bytes = match datagram[3] {
            0x18 | 0x19 => LeafVerifier::short_bytes(set),
            _ => set.signature_bytes(),
        };
        let signature = &datagram[datagram.len() - bytes..];
        let key = [&self.trees[&tree], &signature[..4]].concat();
        // A batch has one signature, which each of its messages contains.
        let batched = matches!(datagram[3], 0x14 | 0x19);
        match self.keys.insert(key, signature.to_vec()) {
            Some(before) if batched && before == signature => self.shared += 1,
            Some(_) => self.twice.push(format!("a key of tree {tree}")),
            None => {}
        }
        self.messages += 1;
    }
}

/// Returns the identifier I of an announced tree. The public key consists of typecodes, I and root.
fn identifier<'d>(set: &Set, announcement: &'d [u8]) -> &'d [u8] {
    let end = match announcement[3] {
        0x12 => announcement.len(),
        0x16 => announcement.len() - (set.capacity() as usize) * set.n,
        _ => 16 + set.public_key_bytes(),
    };
    &announcement[end - set.n - 16..][..16]
}

/// Result of one form.
#[derive(Serialize)]
struct Row {
    form: &'static str,
    kills: u64,
    trees: usize,
    messages: u64,
    keys: usize,
    used_twice: usize,
}

fn no_key_twice(form: &'static str, above: &str) -> Row {
    let (place, mut seen) = (Place::of(above, None), Seen::default());
    for round in 0..kills() {
        let sent = killed(&place, form, Duration::from_millis(30 + round * 37 % 90));
        datagrams(&sent).into_iter().for_each(|datagram| seen.take(datagram));
    }
    let Seen { trees, keys, messages, shared, twice } = seen;
    assert_eq!(twice, Vec::<String>::new(), "{form}: what signed twice");
    assert!(messages > 5 * kills(), "{form}: {messages} messages of {} trees", trees.len());
    assert_eq!(shared > 0, form == "batches", "{form}");
    assert_eq!(messages, shared + keys.len() as u64);
    let (trees, keys, used_twice) = (trees.len(), keys.len(), twice.len());
    Row { form, kills: kills(), trees, messages, keys, used_twice }
}

/// Writes the result to the file named in `HASTEN_RESULT`.
fn publish(rows: &[Row]) {
    let Ok(file) = std::env::var("HASTEN_RESULT") else { return };
    let test = "cargo test -p hasten-channel --test all kills";
    let command = test_command(&["HASTEN_CHANNEL_KILLS", "HASTEN_RESULT"], test);
    let (origin, machine) = (Origin::checked_out(), Machine::this());
    let report = Report::new("hasten.channel-kills/1", command, origin, machine, rows);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    hasten_report::write(&root.join(file), &report).unwrap();
}

#[test]
fn killed_at_any_moment_no_key_is_used_twice() {
    // About ten trees are used between two kills.
    let (hss, xmss_mt) =
        ("HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H10_W4)", "XMSSMT-SHA2_20/4_192");
    let forms = [("alone", hss), ("batches", hss), ("leaves", hss), ("under XMSS^MT", xmss_mt)];
    let rows = forms.map(|(form, above)| no_key_twice(form, above));
    for Row { form, kills, trees, messages, .. } in &rows {
        println!("{form}: {kills} kills, {trees} trees, {messages} messages, no key twice");
    }
    publish(&rows);
}
