//! Guarantees of both ends: each message is delivered once, verified, in any order within the
//! window.

use crate::memory::{ABOVE, Ends, Memory, SESSION, message};
use hasten_channel::{
    Background, Error, Event, Identity, Preparer, Publisher, Refusal, Subscriber, WINDOW, export,
};
use hasten_hbs::{PublicKey, Set, Verifier};
use hasten_kernels::Kernels;
use hasten_keys::stateful::SignedTree;

#[test]
fn a_message_is_delivered_once() {
    let mut ends = Ends::new();
    let sealed = ends.seal(b"trip");
    assert_eq!(ends.subscriber.open(&sealed), Err(Refusal::UnknownTree));
    let announced = ends.announcements();
    assert_eq!(announced.len(), 1);
    assert_eq!(ends.subscriber.open(&announced[0]), Ok(Event::NewTree(0)));
    assert_eq!(ends.subscriber.open(&announced[0]), Ok(Event::Repeated));
    let got = message(&mut ends.subscriber, &sealed).unwrap();
    assert_eq!((got.payload, got.session, got.sequence, got.tree), (&b"trip"[..], 0, 0, 0));
    assert_eq!(ends.subscriber.open(&sealed), Err(Refusal::Replay));
}

#[test]
fn order_does_not_matter_and_gaps_are_told() {
    let mut ends = Ends::new();
    let sealed: Vec<_> = (0..10u8).map(|n| ends.seal(&[n])).collect();
    ends.announce();
    let missed = [(3, 0), (1, 0), (7, 3), (2, 0), (9, 1)].map(|(number, missed)| {
        let got = message(&mut ends.subscriber, &sealed[number]).unwrap();
        assert_eq!((got.payload, got.sequence), (&[number as u8][..], number as u64));
        (got.missed, missed)
    });
    assert!(missed.iter().all(|(got, expected)| got == expected), "{missed:?}");
    assert_eq!(ends.subscriber.lost(), 0, "all of them may still come");
}

#[test]
fn lost_messages_are_counted_and_old_ones_refused() {
    let mut ends = Ends::over(Memory::of("LMS_SHA256_M24_H10_W4", 7), SESSION);
    let mut first = Vec::new();
    for number in 0..2 * WINDOW {
        let sealed = ends.seal(&number.to_be_bytes());
        ends.announce();
        match number {
            5 => first = sealed,
            6 | 700 => {}
            _ => assert!(message(&mut ends.subscriber, &sealed).is_ok()),
        }
    }
    assert_eq!(ends.subscriber.lost(), 3);
    assert_eq!(ends.subscriber.open(&first), Err(Refusal::TooOld));
}

#[test]
fn trees_follow_each_other_until_the_identity_is_used_up() {
    let mut ends = Ends::new();
    let all = 32 * 32u64;
    assert_eq!(ends.publisher.remaining(), all);
    for number in 0..all {
        ends.publisher.prepare(12).unwrap();
        let sealed = ends.seal(b"x");
        ends.announce();
        let got = message(&mut ends.subscriber, &sealed).unwrap();
        assert_eq!((got.sequence, got.tree, got.missed), (number, number / 32, 0));
    }
    assert_eq!((ends.publisher.remaining(), ends.publisher.late()), (0, 0));
    let past = ends.publisher.seal(b"x", &mut [0; 4096]);
    assert_eq!(past, Err(Error::UsedUp));
}

/// Even if a flood has used up the allowance, the next tree is accepted: a verified message has
/// named it.
#[test]
fn a_tree_that_a_message_has_named_needs_no_allowance() {
    let mut ends = Ends::new();
    ends.seal(b"first");
    ends.announce();
    ends.subscriber.allow(0);
    for number in 1..120 {
        ends.publisher.prepare(12).unwrap();
        let sealed = ends.seal(b"x");
        let got = message(&mut ends.subscriber, &sealed).map(|got| got.tree);
        assert_eq!(got, Ok(number / 32), "message {number}");
        ends.announce();
    }
    let key = ends.key.clone();
    let mut late = Subscriber::new(&key, Kernels::best()).unwrap();
    late.allow(1);
    let announced = ends.announcements();
    assert!(matches!(late.open(&announced[0]), Ok(Event::NewTree(_))));
    assert_eq!(late.open(&announced[1]), Err(Refusal::NotNow));
}

#[test]
fn a_new_run_ends_the_one_before() {
    let mut first = Ends::new();
    let old = [first.seal(b"0"), first.seal(b"1"), first.seal(b"2")];
    first.announce();
    message(&mut first.subscriber, &old[0]).unwrap();
    let mut second = Ends::over(Memory::used(ABOVE, 7, 1), SESSION);
    let new = second.seal(b"new");
    let announced = second.announcements();
    let subscriber = &mut first.subscriber;
    assert_eq!(subscriber.open(&announced[0]), Ok(Event::NewTree(1)));
    message(subscriber, &old[1]).unwrap();
    let got = message(subscriber, &new).unwrap();
    assert_eq!((got.session, got.sequence), (1, 0));
    assert_eq!(subscriber.open(&old[2]), Err(Refusal::Stale));
    assert_eq!(
        subscriber.open(first.publisher.announcements().next().unwrap()),
        Err(Refusal::Stale)
    );
}

/// A subscriber that was away does not accept what was sent before.
#[test]
fn the_mark_of_the_newest_tree_holds_off_old_ones() {
    let mut ends = Ends::new();
    let old = ends.seal(b"old");
    let announced = ends.announcements();
    let mut again = Subscriber::new(&ends.key, Kernels::best()).unwrap().not_before(1);
    assert_eq!(again.open(&announced[0]), Err(Refusal::Stale));
    assert_eq!(again.open(&old), Err(Refusal::Stale));
    assert_eq!(again.newest_tree(), None);
}

#[test]
fn every_message_is_a_signature_of_hss() {
    for above in [ABOVE, "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M32_H5_W4)"] {
        let mut ends = Ends::over(Memory::of(above, 9), SESSION);
        for number in 0..70u8 {
            let sealed = ends.seal(&[number; 9]);
            ends.announce();
            message(&mut ends.subscriber, &sealed).unwrap();
            let announced = ends.announcements();
            let made = announced.iter().find_map(|a| export(&ends.key, a, &sealed)).unwrap();
            assert!(made.message.ends_with(&[number; 9]));
            let plain = Verifier::new(&ends.key, Kernels::portable());
            plain.verify(&made.message, &made.signature).unwrap();
            let other = [&made.message[..], b"!"].concat();
            assert!(plain.verify(&other, &made.signature).is_err());
        }
    }
}

#[test]
fn a_thread_prepares_as_well() {
    let preparer = |seed| {
        let identity = Memory::of(ABOVE, seed);
        Preparer::new(identity, Set::named(SESSION).unwrap(), Kernels::best()).unwrap()
    };
    let key = preparer(3).public_key().clone();
    let mut subscriber = Subscriber::new(&key, Kernels::best()).unwrap();
    let mut sealer = Background::start(preparer(3), 16);
    let mut out = [0; 4096];
    for number in 0..1024u64 {
        for announcement in sealer.announcements().unwrap() {
            let _ = subscriber.open(announcement);
        }
        assert!(matches!(sealer.seal(b"", &mut [0; 9]), Err(Error::ShortBuffer { .. })));
        let bytes = sealer.seal(&number.to_be_bytes(), &mut out).unwrap();
        assert_eq!(message(&mut subscriber, &out[..bytes]).unwrap().sequence, number);
    }
    assert_eq!(sealer.seal(b"", &mut out), Err(Error::UsedUp));
    assert_eq!(sealer.seal(b"", &mut out), Err(Error::Ended));
    drop(Background::start(preparer(4), 4));
}

/// An identity that signs this many trees, and whose status can be written or not.
struct Failing {
    identity: Memory,
    signs: usize,
    closes: bool,
}

impl Identity for Failing {
    fn public_key(&self) -> Result<PublicKey, hasten_keys::Error> {
        self.identity.public_key()
    }

    fn remaining(&self) -> u64 {
        self.identity.remaining()
    }

    fn sign_tree(&mut self, tree: &PublicKey) -> Result<SignedTree, hasten_keys::Error> {
        self.signs = self.signs.checked_sub(1).ok_or(hasten_keys::Error::Damaged)?;
        self.identity.sign_tree(tree)
    }

    fn close(self: Box<Self>) -> Result<(), hasten_keys::Error> {
        if self.closes { Ok(()) } else { Err(hasten_keys::Error::NoSecret) }
    }
}

/// `close` returns errors that no message has returned. A used-up identity is not an error.
#[test]
fn the_end_tells_what_no_message_has_met() {
    let set = Set::named(SESSION).unwrap();
    let closed = |signs, used, closes| {
        let identity = Failing { identity: Memory::used(ABOVE, 5, used), signs, closes };
        let preparer = Preparer::new(identity, set, Kernels::best()).unwrap();
        let mut sealer = Background::start(preparer, 64);
        sealer.seal(b"x", &mut [0; 4096]).unwrap();
        // By now more than a tree is prepared, or the thread has failed.
        std::thread::sleep(std::time::Duration::from_millis(300));
        sealer.close()
    };
    assert_eq!(closed(9, 0, true), Ok(()));
    assert_eq!(closed(9, 31, true), Ok(()), "used up");
    assert_eq!(closed(1, 0, true), Err(Error::Identity(hasten_keys::Error::Damaged)));
    assert_eq!(closed(9, 0, false), Err(Error::Identity(hasten_keys::Error::NoSecret)));
    let identity = Failing { identity: Memory::of(ABOVE, 5), signs: 9, closes: false };
    let preparer = Preparer::new(identity, set, Kernels::best()).unwrap();
    let closed = Publisher::new(preparer, 4).close();
    assert_eq!(closed, Err(Error::Identity(hasten_keys::Error::NoSecret)));
}

/// A caller that seals faster than the thread checks wakes it in time, with pools of every size.
#[test]
fn the_thread_never_rests_on_an_empty_pool() {
    for pool in [0, 1, 2, 3, 7, 64] {
        let set = Set::named(SESSION).unwrap();
        let preparer = Preparer::new(Memory::of(ABOVE, 5), set, Kernels::best()).unwrap();
        let (mut sealer, mut out) = (Background::start(preparer, pool), [0; 4096]);
        for number in 0..300u64 {
            if number % 100 == 0 {
                // This is longer than the thread rests, so the pool is then full.
                std::thread::sleep(std::time::Duration::from_millis(30));
            }
            sealer.seal(&number.to_be_bytes(), &mut out).unwrap();
        }
    }
}

#[test]
fn what_cannot_be_sealed_uses_no_key_up() {
    let mut ends = Ends::new();
    ends.seal(b"");
    let before = ends.publisher.remaining();
    let mut out = vec![0; 70_000];
    let long = ends.publisher.seal(&vec![0; 65_507], &mut out);
    assert!(matches!(long, Err(Error::LongPayload { .. })), "{long:?}");
    let short = ends.publisher.seal(b"", &mut out[..100]);
    assert!(matches!(short, Err(Error::ShortBuffer { .. })), "{short:?}");
    assert_eq!(ends.publisher.remaining(), before);
    let Err(Error::LongPayload { most }) = long else { return };
    assert_eq!(ends.publisher.seal(&vec![0; most], &mut out), Ok(65_507));
}

#[test]
fn keys_and_sets_without_sessions_are_refused() {
    let xmss = Set::named("XMSS-SHA2_10_256").unwrap();
    let refused = Preparer::new(Memory::of(ABOVE, 1), xmss, Kernels::best());
    assert_eq!(refused.err(), Some(Error::NoSessions));
    let whole = Ends::new().key;
    let one = PublicKey::from_hss_bytes(&[&[0, 0, 0, 1], &whole.as_bytes()[4..]].concat()).unwrap();
    assert!(Subscriber::new(&one, Kernels::best()).is_none());
    let bare = PublicKey::from_lms_bytes(&whole.as_bytes()[4..]).unwrap();
    assert!(Subscriber::new(&bare, Kernels::best()).is_none());
}
