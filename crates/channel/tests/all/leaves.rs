//! Trees that are announced with their leaves: messages carry no path, and no path is hashed.

use crate::memory::{ABOVE, Ends, Memory, SESSION, message};
use hasten_channel::{Error, Event, Preparer, Refusal, Subscriber, export};
use hasten_hbs::{LeafVerifier, Set, Verifier};
use hasten_kernels::{Counter, Counting, Kernels};

fn ends(above: &str) -> Ends {
    Ends::with(Memory::of(above, 7), SESSION, |preparer| preparer.with_leaves().unwrap())
}

fn set() -> &'static Set {
    Set::named(SESSION).unwrap()
}

/// Returns the announcement of the same tree without its leaves.
fn without_leaves(announced: &[u8]) -> Vec<u8> {
    let mut plain = announced[..announced.len() - 32 * set().n].to_vec();
    plain[3] = if plain[3] == 0x16 { 0x12 } else { 0x13 };
    plain
}

#[test]
fn messages_of_announced_leaves_are_shorter_and_delivered_once() {
    for above in [ABOVE, "XMSS-SHA2_10_192"] {
        let (mut short, mut plain) = (ends(above), Ends::over(Memory::of(above, 7), SESSION));
        for number in 0..70 {
            short.publisher.prepare(12).unwrap();
            let sealed = short.seal(b"x");
            assert_eq!(sealed.len() + 5 * 24, plain.seal(b"x").len());
            short.announce();
            let got = message(&mut short.subscriber, &sealed).unwrap();
            assert_eq!((got.sequence, got.tree), (number, number / 32));
            assert_eq!(short.subscriber.open(&sealed), Err(Refusal::Replay));
        }
    }
}

/// The exported signature is the one that the same key makes without leaves.
#[test]
fn whole_signatures_are_rebuilt_byte_by_byte() {
    for above in [ABOVE, "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M32_H5_W4)", "XMSS-SHA2_10_192"] {
        let mut ends = ends(above);
        let sealed: Vec<_> = (0..32u8).map(|number| ends.seal(&[number])).collect();
        let announced = ends.announcements().remove(0);
        for datagram in &sealed {
            let made = export(&ends.key, &announced, datagram).unwrap();
            let key = made.tree.as_ref().map_or(&ends.key, |tree| &tree.key);
            let plain = Verifier::new(key, Kernels::portable());
            plain.verify(&made.message, &made.signature).unwrap();
            let short = LeafVerifier::short_bytes(set());
            let own = &made.signature[made.signature.len() - set().signature_bytes()..];
            assert_eq!(own[..short], datagram[datagram.len() - short..]);
            assert_eq!(export(&ends.key, &without_leaves(&announced), datagram), None);
        }
    }
}

#[test]
fn every_changed_bit_is_refused() {
    let mut ends = ends(ABOVE);
    let sealed = ends.seal(b"open the valve");
    let announced = ends.announcements().remove(0);
    for known in [false, true] {
        if known {
            ends.announce();
        }
        for at in 0..announced.len() {
            let mut bad = announced.clone();
            bad[at] ^= 1 << (at % 8);
            assert!(ends.subscriber.open(&bad).is_err(), "announcement, byte {at}");
        }
        for length in [0, 15, 16, 900, announced.len() - 24, announced.len() - 1] {
            assert!(ends.subscriber.open(&announced[..length]).is_err(), "{length} bytes");
        }
        assert!(ends.subscriber.open(&[&announced[..], &[0; 24]].concat()).is_err());
    }
    for at in 0..sealed.len() {
        let mut bad = sealed.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(ends.subscriber.open(&bad).is_err(), "message, byte {at}");
        assert!(ends.subscriber.open(&sealed[..at]).is_err(), "{at} bytes");
    }
    assert!(ends.subscriber.open(&[&sealed[..], &[0]].concat()).is_err());
    message(&mut ends.subscriber, &sealed).unwrap();
}

/// Removing the leaves from an announcement delays nobody: they are learned from a later one.
#[test]
fn leaves_are_learned_of_a_tree_that_is_known() {
    let mut ends = ends(ABOVE);
    let sealed = ends.seal(b"x");
    let announced = ends.announcements().remove(0);
    let plain = without_leaves(&announced);
    assert_eq!(ends.subscriber.open(&plain), Ok(Event::NewTree(0)));
    assert_eq!(ends.subscriber.open(&sealed), Err(Refusal::UnknownTree));
    ends.subscriber.allow(1);
    let mut bad = announced.clone();
    *bad.last_mut().unwrap() ^= 1;
    assert_eq!(ends.subscriber.open(&bad), Err(Refusal::BadSignature));
    assert_eq!(ends.subscriber.open(&announced), Err(Refusal::NotNow));
    ends.subscriber.allow(1);
    assert_eq!(ends.subscriber.open(&announced), Ok(Event::NewTree(0)));
    for known in [&announced, &plain] {
        assert_eq!(ends.subscriber.open(known), Ok(Event::Repeated));
    }
    assert_eq!(ends.subscriber.open(&bad), Err(Refusal::BadSignature));
    message(&mut ends.subscriber, &sealed).unwrap();
}

#[test]
fn no_path_is_hashed_and_bogus_work_is_bounded() {
    let mut ends = ends(ABOVE);
    let sealed: Vec<_> = (0..3u8).map(|number| ends.seal(&[number])).collect();
    let announced = ends.announcements().remove(0);
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let mut subscriber = Subscriber::new(&ends.key, counting.kernels()).unwrap();
    subscriber.open(&announced).unwrap();
    let mut cost = |datagram: &[u8], good: bool| {
        counter.reset();
        assert_eq!(subscriber.open(datagram).is_ok(), good);
        counter.total()
    };
    let mut bad = announced.clone();
    *bad.last_mut().unwrap() ^= 1;
    assert_eq!(
        (cost(&announced, true), cost(&bad, false), cost(&sealed[0], true) > 0),
        (0, 0, true)
    );
    assert_eq!(cost(&sealed[0], false), 0, "a replay");
    let mut forged = sealed[1].clone();
    forged[40] ^= 1;
    // Chains, blocks of the message, of the one-time key and of its leaf.
    assert!(cost(&forged, false) <= 51 * 15 + 28);
}

#[test]
fn batches_and_leaves_go_together() {
    let with = |preparer: Preparer<'static>| preparer.for_batches().with_leaves().unwrap();
    let mut ends = Ends::with(Memory::of(ABOVE, 7), SESSION, with);
    let payloads: Vec<_> = (0..6u8).map(|number| vec![number; 9]).collect();
    for count in [6, 1, 2] {
        let mut sealed = Vec::new();
        ends.publisher.seal_batch(&payloads[..count], &mut sealed).unwrap();
        ends.announce();
        let announced = ends.announcements().remove(0);
        for (datagram, payload) in sealed.iter().zip(&payloads) {
            assert_eq!(datagram[3], if count > 1 { 0x19 } else { 0x18 });
            let made = export(&ends.key, &announced, datagram).unwrap();
            let plain = Verifier::new(&ends.key, Kernels::portable());
            plain.verify(&made.message, &made.signature).unwrap();
            assert_eq!(made.batched.is_some(), count > 1);
            for at in 0..datagram.len() {
                let mut bad = datagram.clone();
                bad[at] ^= 1 << (at % 8);
                assert!(ends.subscriber.open(&bad).is_err(), "byte {at}");
            }
            assert_eq!(message(&mut ends.subscriber, datagram).unwrap().payload, payload);
        }
    }
}

#[test]
fn leaves_that_fit_into_no_datagram_are_refused() {
    for (name, fits) in [
        ("LMS_SHA256_M24_H10_W4", true),
        ("LMS_SHA256_M32_H10_W1", true),
        ("LMS_SHA256_M24_H15_W4", false),
        ("LMS_SHA256_M32_H25_W8", false),
    ] {
        let set = Set::named(name).unwrap();
        let preparer = Preparer::new(Memory::of(ABOVE, 7), set, Kernels::best()).unwrap();
        let made = preparer.with_leaves();
        assert_eq!(made.is_ok(), fits, "{name}");
        assert!(fits || matches!(made.err(), Some(Error::LongLeaves { .. })));
    }
}
