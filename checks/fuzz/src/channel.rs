//! Datagrams of a channel, as received by a subscriber.

use hasten_channel::{Event, Refusal, Subscriber, export};
use hasten_hbs::PublicKey;
use hasten_kernels::Kernels;

/// The identity's public key, and announcements of trees signed by it: for single messages, for
/// batches, and with leaves for both.
const KEY: &[u8] = include_bytes!("../corpus/channel/key");
const ANNOUNCEMENTS: [&[u8]; 3] = [
    include_bytes!("../corpus/channel/announcement"),
    include_bytes!("../corpus/channel/batches"),
    include_bytes!("../corpus/channel/leaves"),
];
/// The numbers of these trees.
const TREES: [u64; 3] = [0, 8, 16];

fn key() -> PublicKey {
    PublicKey::from_hss_bytes(KEY).expect("the key of the corpus")
}

/// Returns a subscriber that knows the trees of the corpus.
fn subscriber(key: &PublicKey) -> Subscriber<'static> {
    let mut subscriber = Subscriber::new(key, Kernels::best()).expect("a key of a channel");
    for (announcement, tree) in ANNOUNCEMENTS.into_iter().zip(TREES) {
        assert_eq!(subscriber.open(announcement), Ok(Event::NewTree(tree)));
    }
    subscriber
}

/// Opens a datagram with a subscriber that knows no tree, then twice with one that knows the trees
/// of the corpus. A message must be delivered only once. A good announcement may be repeated.
pub fn channel(data: &[u8]) {
    let key = key();
    let mut fresh = Subscriber::new(&key, Kernels::best()).expect("a key of a channel");
    assert!(!matches!(fresh.open(data), Ok(Event::Message(_))), "its tree is unknown");
    let mut subscriber = subscriber(&key);
    let first = subscriber.open(data);
    match (first, subscriber.open(data)) {
        (Ok(Event::Message(message)), again) => {
            assert_eq!(again, Err(Refusal::Replay));
            assert!(message.payload.len() < data.len());
            let made = ANNOUNCEMENTS.iter().find_map(|announced| export(&key, announced, data));
            assert!(made.is_some(), "each message can be exported");
        }
        (Ok(_), again) => assert_eq!(again, Ok(Event::Repeated)),
        (Err(refusal), again) => assert_eq!(again, Err(refusal), "nothing is kept of it"),
    }
    // Any bytes may take the place of an announcement, or come with any announcement.
    let _ = export(&key, data, data);
    for announcement in ANNOUNCEMENTS {
        let _ = export(&key, announcement, data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hasten_channel::{Error, Identity, Preparer, Publisher};
    use hasten_hbs::{Set, Signer, SignerLevel, generate, hazmat::Throwaway};
    use hasten_keys::{Error as KeyError, stateful::SignedTree};
    use std::path::Path;

    fn corpus(name: &str) -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name)
    }

    /// Good seeds are needed for their mutations to reach much of the code.
    #[test]
    fn the_seeds_are_good() {
        let key = key();
        let mut subscriber = subscriber(&key);
        for (name, length) in
            [("message", 7), ("empty", 0), ("batched", 7), ("short", 5), ("short-batched", 7)]
        {
            let data = std::fs::read(corpus("channel").join(name)).unwrap();
            let opened = subscriber.open(&data);
            assert!(matches!(opened, Ok(Event::Message(m)) if m.payload.len() == length), "{name}");
        }
    }

    /// The tree of the seed `next` is older than the trees of the other seeds, so a fresh
    /// subscriber opens it.
    #[test]
    fn the_tree_that_follows_is_good() {
        let mut fresh = Subscriber::new(&key(), Kernels::best()).unwrap();
        let next = std::fs::read(corpus("channel").join("next")).unwrap();
        assert_eq!(fresh.open(&next), Ok(Event::NewTree(1)));
    }

    struct Memory(Signer<'static>, Throwaway);

    impl Identity for Memory {
        fn public_key(&self) -> Result<PublicKey, KeyError> {
            let above = self.0.public_key().as_bytes();
            Ok(PublicKey::from_hss_bytes(&[&2u32.to_be_bytes(), above].concat())?)
        }

        fn remaining(&self) -> u64 {
            self.0.remaining()
        }

        fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, KeyError> {
            let ready = self.0.prepare(self.1.permit(), SignerLevel::None)?;
            let number = ready.index();
            let signature = ready.finish(tree.as_bytes())?.into_bytes();
            let signed_keys = [&1u32.to_be_bytes(), &signature[..], tree.as_bytes()].concat();
            Ok(SignedTree { number, signed_keys })
        }
    }

    type How = fn(Preparer<'static>) -> Preparer<'static>;

    /// Returns a publisher whose first tree has this number.
    fn publisher(tree: u64, how: How) -> Result<Publisher<'static>, Error> {
        let [above, set] =
            ["LMS_SHA256_M24_H5_W8", "LMS_SHA256_M24_H5_W4"].map(|n| Set::named(n).unwrap());
        let seed: Vec<u8> = (0..above.seed_bytes() as u8).collect();
        let signer = generate(above, &seed, Kernels::best()).unwrap();
        let identity = Memory(signer, Throwaway::starting_at(tree));
        write("key", identity.public_key().unwrap().as_bytes());
        Ok(Publisher::new(how(Preparer::new(identity, set, Kernels::best())?), 20))
    }

    fn write(name: &str, bytes: &[u8]) {
        std::fs::write(corpus("channel").join(name), bytes).unwrap();
    }

    /// Generates the seeds: `cargo test make_the_seeds -- --ignored`. Every run makes different
    /// ones.
    #[test]
    #[ignore = "writes the corpus"]
    fn make_the_seeds() -> Result<(), Error> {
        let plain = &mut publisher(TREES[0], |preparer| preparer)?;
        let mut out = [0; 4096];
        for (name, payload) in [("message", &b"payload"[..]), ("empty", b"")] {
            let bytes = plain.seal(payload, &mut out)?;
            write(name, &out[..bytes]);
        }
        plain.prepare(1000)?;
        for (name, shown) in ["announcement", "next"].into_iter().zip(plain.announcements()) {
            write(name, shown);
        }
        let leaves: How = |preparer| preparer.for_batches().with_leaves().unwrap();
        let batches = &mut publisher(TREES[1], Preparer::for_batches)?;
        let leaves = &mut publisher(TREES[2], leaves)?;
        let bytes = leaves.seal(b"short", &mut out)?;
        write("short", &out[..bytes]);
        for (publisher, name, announcement) in
            [(batches, "batched", "batches"), (leaves, "short-batched", "leaves")]
        {
            let mut sealed = Vec::new();
            publisher.seal_batch(&[b"payload"; 3], &mut sealed)?;
            write(name, &sealed[1]);
            write(announcement, publisher.announcements().next().unwrap());
        }
        Ok(())
    }
}
