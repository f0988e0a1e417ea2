//! Identities of XMSS and XMSS^MT: the same guarantees, and two signatures where HSS has one.

use crate::memory::{ABOVE, Ends, Memory, SESSION, message};
use hasten_channel::{Event, Refusal, Subscriber, export};
use hasten_hbs::{PublicKey, Set, Verifier, generate};
use hasten_kernels::Kernels;
use hasten_keys::stateful::TREE_PREFIX;

const XMSS: &str = "XMSS-SHA2_10_192";
const XMSS_MT: &str = "XMSSMT-SHA2_20/4_192";

fn ends() -> Ends {
    Ends::over(Memory::of(XMSS, 7), SESSION)
}

#[test]
fn trees_follow_each_other() {
    for (above, first) in [(XMSS, 5), (XMSS_MT, (1 << 5) - 1)] {
        let mut ends = Ends::over(Memory::used(above, 7, first), SESSION);
        for number in 0..70 {
            ends.publisher.prepare(12).unwrap();
            let sealed = ends.seal(b"x");
            ends.announce();
            let got = message(&mut ends.subscriber, &sealed).unwrap();
            assert_eq!((got.sequence, got.tree, got.missed), (number, first + number / 32, 0));
            assert_eq!(ends.subscriber.open(&sealed), Err(Refusal::Replay));
        }
    }
}

#[test]
fn every_changed_bit_is_refused() {
    let mut ends = ends();
    let sealed = ends.seal(b"open the valve");
    let announced = ends.announcements().remove(0);
    for at in 0..announced.len() {
        let mut bad = announced.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(ends.subscriber.open(&bad).is_err(), "announcement, byte {at}");
        assert!(ends.subscriber.open(&announced[..at]).is_err(), "{at} bytes");
    }
    assert!(ends.subscriber.open(&[&announced[..], &[0]].concat()).is_err());
    assert_eq!(ends.subscriber.open(&announced), Ok(Event::NewTree(0)));
    message(&mut ends.subscriber, &sealed).unwrap();
}

/// The identity signs a prefix and the tree's key: neither the key alone nor a message is accepted
/// as a tree.
#[test]
fn only_the_framed_key_of_a_tree_is_believed() {
    let mut ends = ends();
    ends.seal(b"x");
    let announced = ends.announcements().remove(0);
    let tree = &announced[16..][..Set::named(SESSION).unwrap().public_key_bytes()];
    let signer = generate(
        Set::named(XMSS).unwrap(),
        &vec![7; Set::named(XMSS).unwrap().seed_bytes()],
        Kernels::best(),
    );
    let mut signer = signer.unwrap();
    let mut permits = hasten_hbs::hazmat::Throwaway::new();
    let mut announce = |statement: &[u8]| {
        let ready = signer.prepare(permits.permit(), hasten_hbs::SignerLevel::None).unwrap();
        let number = ready.index().to_be_bytes();
        let signature = ready.finish(statement).unwrap();
        [b"hch\x13\0\0\0\0", &number[..], tree, signature.as_bytes()].concat()
    };
    for other in [tree.to_vec(), [&TREE_PREFIX[..19], tree].concat(), TREE_PREFIX.to_vec()] {
        assert_eq!(ends.subscriber.open(&announce(&other)), Err(Refusal::BadSignature));
    }
    let framed = announce(&[&TREE_PREFIX[..], tree].concat());
    assert_eq!(ends.subscriber.open(&framed), Ok(Event::NewTree(3)));
}

#[test]
fn the_announcements_of_one_scheme_are_nothing_to_the_other() {
    let mut both = [ends(), Ends::over(Memory::of(ABOVE, 7), SESSION)];
    for (from, to) in [(0, 1), (1, 0)] {
        both[from].seal(b"x");
        let announced = both[from].announcements().remove(0);
        let mut other = announced.clone();
        other[3] ^= 1;
        for datagram in [announced, other] {
            assert_eq!(both[to].subscriber.open(&datagram), Err(Refusal::Malformed));
        }
    }
}

#[test]
fn a_message_is_exported_with_two_signatures() {
    for above in [XMSS, XMSS_MT] {
        let mut ends = Ends::over(Memory::of(above, 9), SESSION);
        let sealed = ends.seal(b"trip");
        let announced = ends.announcements().remove(0);
        let made = export(&ends.key, &announced, &sealed).unwrap();
        let tree = made.tree.unwrap();
        let verify = |key: &PublicKey, message: &[u8], signature: &[u8]| {
            Verifier::new(key, Kernels::portable()).verify(message, signature)
        };
        verify(&ends.key, &tree.statement, &tree.signature).unwrap();
        verify(&tree.key, &made.message, &made.signature).unwrap();
        assert!(made.message.ends_with(b"trip") && tree.statement.starts_with(TREE_PREFIX));
        assert!(tree.statement.ends_with(&tree.key.as_bytes()[4..]));
        assert!(verify(&ends.key, &made.message, &made.signature).is_err());
        let other = Memory::of(ABOVE, 9);
        let other = hasten_channel::Identity::public_key(&other).unwrap();
        assert_eq!(export(&other, &announced, &sealed), None);
        assert!(Subscriber::new(&ends.key, Kernels::best()).is_some());
    }
}
