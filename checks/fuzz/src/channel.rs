//! Datagrams of a channel, as a subscriber takes them.

use hasten_channel::{Event, Refusal, Subscriber, export};
use hasten_hbs::PublicKey;
use hasten_kernels::Kernels;

/// The identity's public key, and the announcement of a tree that it has signed.
const KEY: &[u8] = include_bytes!("../corpus/channel/key");
const ANNOUNCEMENT: &[u8] = include_bytes!("../corpus/channel/announcement");

fn key() -> PublicKey {
    PublicKey::from_hss_bytes(KEY).expect("the key of the corpus")
}

/// Returns a subscriber that knows the tree of the corpus.
fn subscriber(key: &PublicKey) -> Subscriber<'static> {
    let mut subscriber = Subscriber::new(key, Kernels::best()).expect("a key of a channel");
    assert_eq!(subscriber.open(ANNOUNCEMENT), Ok(Event::NewTree(0)));
    subscriber
}

/// Opens a datagram: by one who knows no tree, by one who knows that of the corpus, and again. A
/// message is delivered once; an announcement that was good is repeated.
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
            assert!(export(&key, ANNOUNCEMENT, data).is_some(), "each message can be exported");
        }
        (Ok(_), again) => assert_eq!(again, Ok(Event::Repeated)),
        (Err(refusal), again) => assert_eq!(again, Err(refusal), "nothing is kept of it"),
    }
    // Any bytes may stand in the place of an announcement too.
    let _ = export(&key, data, data);
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

    /// Otherwise the changes of the seeds would reach little of the code.
    #[test]
    fn the_seeds_are_good() {
        let key = key();
        let mut subscriber = subscriber(&key);
        for (name, length) in [("message", 7), ("empty", 0)] {
            let data = std::fs::read(corpus("channel").join(name)).unwrap();
            let opened = subscriber.open(&data);
            assert!(matches!(opened, Ok(Event::Message(m)) if m.payload.len() == length));
        }
        let next = std::fs::read(corpus("channel").join("next")).unwrap();
        assert_eq!(subscriber.open(&next), Ok(Event::NewTree(1)));
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

    /// Makes the seeds: `cargo test make_the_seeds -- --ignored`. Every run makes other ones.
    #[test]
    #[ignore = "writes the corpus"]
    fn make_the_seeds() -> Result<(), Error> {
        let [above, set] =
            ["LMS_SHA256_M24_H5_W8", "LMS_SHA256_M24_H5_W4"].map(|n| Set::named(n).unwrap());
        let seed: Vec<u8> = (0..above.seed_bytes() as u8).collect();
        let signer = generate(above, &seed, Kernels::best()).unwrap();
        let identity = Memory(signer, Throwaway::new());
        let write = |name: &str, bytes: &[u8]| std::fs::write(corpus(name), bytes).unwrap();
        std::fs::create_dir_all(corpus("channel")).unwrap();
        write("channel/key", identity.public_key().unwrap().as_bytes());
        let mut publisher = Publisher::new(Preparer::new(identity, set, Kernels::best())?, 20);
        let mut out = [0; 4096];
        for (name, payload) in [("channel/message", &b"payload"[..]), ("channel/empty", b"")] {
            let bytes = publisher.seal(payload, &mut out)?;
            write(name, &out[..bytes]);
        }
        publisher.prepare(1000)?;
        for (name, shown) in
            ["channel/announcement", "channel/next"].into_iter().zip(publisher.announcements())
        {
            write(name, shown);
        }
        Ok(())
    }
}
