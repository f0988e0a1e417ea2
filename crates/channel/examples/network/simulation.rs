//! A simulated network that loses, repeats, reorders and corrupts datagrams. One seed determines
//! all of it.

use hasten_channel::{
    Event, Identity, Preparer, Publisher, Subscriber, WINDOW, announced_tree, message_tree,
};
use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::{PublicKey, Set, Signer, SignerLevel, generate};
use hasten_kernels::Kernels;
use hasten_keys::{Error, stateful::SignedTree};
use serde::Serialize;
use std::collections::HashSet;

/// Largest number of messages by which a datagram is delayed.
const REORDER: usize = 64;
/// Number of messages between two rounds of announcements.
const INTERVAL: u64 = 20;

/// Counts of a simulation.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Messages that were sealed.
    pub sealed: u64,
    /// Changes to another session tree.
    pub rollovers: u64,
    /// Datagrams that the network dropped.
    pub dropped: u64,
    /// Datagrams that the network sent twice.
    pub repeated: u64,
    /// Datagrams that the network corrupted.
    pub corrupted: u64,
    /// Messages that arrived intact, in the window and under a known tree.
    pub due: u64,
    /// Messages that were delivered.
    pub delivered: u64,
    /// Messages that were due and not delivered, or delivered and not due.
    pub wrong: u64,
}

/// A generator of pseudo-random numbers, with its state.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }
}

/// An identity that exists only as long as the program runs.
struct Memory(Signer<'static>, Throwaway);

impl Identity for Memory {
    fn public_key(&self) -> Result<PublicKey, Error> {
        Ok(PublicKey::from_hss_bytes(&[&[0, 0, 0, 2], self.0.public_key().as_bytes()].concat())?)
    }

    fn remaining(&self) -> u64 {
        self.0.remaining()
    }

    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, Error> {
        let ready = self.0.prepare(self.1.permit(), SignerLevel::None)?;
        let number = ready.index();
        let signature = ready.finish(tree.as_bytes())?;
        let parts = [&[0, 0, 0, 1], signature.as_bytes(), tree.as_bytes()];
        Ok(SignedTree { number, signed_keys: parts.concat() })
    }
}

/// A datagram in transit.
struct Flight {
    due: u64,
    bytes: Vec<u8>,
    intact: bool,
    /// Sequence number of the message; `None` for an announcement.
    number: Option<u64>,
}

/// The receiving side, with the expected state of the subscriber.
struct Receiver {
    subscriber: Subscriber<'static>,
    known: HashSet<u64>,
    delivered: HashSet<u64>,
    newest: u64,
}

impl Receiver {
    fn take(&mut self, flight: &Flight, out: &mut Outcome) {
        let tree = announced_tree(&flight.bytes).or(message_tree(&flight.bytes));
        let open = self.newest.saturating_sub(flight.number.unwrap_or(0)) < WINDOW;
        let due = flight.intact
            && open
            && tree.is_some_and(|tree| self.known.contains(&tree))
            && flight.number.is_some_and(|number| !self.delivered.contains(&number));
        out.due += u64::from(due);
        let got = match self.subscriber.open(&flight.bytes) {
            Ok(Event::Message(message)) => {
                let right = message.payload == message.sequence.to_be_bytes();
                out.wrong += u64::from(!right || flight.number != Some(message.sequence));
                Some(message.sequence)
            }
            _ => None,
        };
        out.wrong += u64::from(got.is_some() != due);
        if let Some(number) = got {
            out.delivered += 1;
            out.wrong += u64::from(!self.delivered.insert(number));
            self.newest = self.newest.max(number);
        }
        if let (true, None, Some(tree)) = (flight.intact, flight.number, tree) {
            self.known.insert(tree);
        }
    }
}

/// The network, with the datagrams in transit.
struct Network {
    dice: Dice,
    flying: Vec<Flight>,
}

impl Network {
    /// Sends a datagram. At random it is dropped, sent twice, delayed, or one of its bits is
    /// flipped.
    fn send(&mut self, now: u64, bytes: &[u8], number: Option<u64>, out: &mut Outcome) {
        if self.dice.percent(20) {
            out.dropped += 1;
            return;
        }
        let copies = 1 + u64::from(self.dice.percent(10));
        out.repeated += copies - 1;
        for _ in 0..copies {
            let (mut bytes, intact) = (bytes.to_vec(), !self.dice.percent(5));
            if !intact {
                let bit = self.dice.below(8 * bytes.len() as u64);
                bytes[bit as usize / 8] ^= 1 << (bit % 8);
                out.corrupted += 1;
            }
            let due = now + self.dice.below(REORDER as u64);
            self.flying.push(Flight { due, bytes, intact, number });
        }
    }

    fn arrive(&mut self, now: u64, receiver: &mut Receiver, out: &mut Outcome) {
        let mut at = 0;
        while at < self.flying.len() {
            if self.flying[at].due <= now {
                receiver.take(&self.flying.swap_remove(at), out);
            } else {
                at += 1;
            }
        }
    }
}

/// Sends `messages` messages through the network, with session trees of the set `session`.
pub fn simulate(messages: u64, session: &str, seed: u64) -> Outcome {
    let (above, set) = (Set::named("LMS_SHA256_M24_H10_W4").unwrap(), Set::named(session).unwrap());
    let signer = generate(above, &vec![7; above.seed_bytes()], Kernels::best()).unwrap();
    let identity = Memory(signer, Throwaway::new());
    let key = identity.public_key().unwrap();
    let mut publisher = Publisher::new(Preparer::new(identity, set, Kernels::best()).unwrap(), 32);
    let subscriber = Subscriber::new(&key, Kernels::best()).unwrap();
    let (known, delivered) = (HashSet::new(), HashSet::new());
    let mut receiver = Receiver { subscriber, known, delivered, newest: 0 };
    let mut network = Network { dice: Dice(seed), flying: Vec::new() };
    let (mut out, mut datagram) = (Outcome::default(), [0; 4096]);
    for now in 0..messages {
        publisher.prepare(4).unwrap();
        let bytes = publisher.seal(&now.to_be_bytes(), &mut datagram).unwrap();
        if now % INTERVAL == 0 {
            for announcement in publisher.announcements() {
                network.send(now, announcement, None, &mut out);
            }
        }
        network.send(now, &datagram[..bytes], Some(now), &mut out);
        network.arrive(now, &mut receiver, &mut out);
        out.rollovers = message_tree(&datagram).unwrap_or(0);
    }
    network.arrive(u64::MAX, &mut receiver, &mut out);
    out.sealed = messages;
    out
}

#[cfg(test)]
#[test]
fn a_bad_network_loses_nothing_that_arrives() {
    for seed in 0..3 {
        let out = simulate(4_000, "LMS_SHA256_M24_H10_W4", seed);
        assert_eq!((out.wrong, out.delivered), (0, out.due), "{out:?}");
        assert!(out.delivered > 2_500 && out.rollovers == 3, "{out:?}");
    }
}
