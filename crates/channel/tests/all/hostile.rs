//! Datagrams that nobody has signed are refused, with limited work and without any effect.

use crate::memory::{ABOVE, Ends, Memory, SESSION, message};
use hasten_channel::{Refusal, Subscriber};
use hasten_kernels::{Counter, Counting, Kernels};

#[test]
fn every_changed_bit_is_refused() {
    let mut ends = Ends::new();
    let sealed = ends.seal(b"open the valve");
    let announced = ends.announcements().remove(0);
    for at in 0..announced.len() {
        let mut bad = announced.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(ends.subscriber.open(&bad).is_err(), "announcement, byte {at}");
    }
    ends.announce();
    for at in 0..announced.len() {
        let mut bad = announced.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(ends.subscriber.open(&bad).is_err(), "known announcement, byte {at}");
    }
    for at in 0..sealed.len() {
        let mut bad = sealed.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(ends.subscriber.open(&bad).is_err(), "message, byte {at}");
    }
    for length in 0..sealed.len() {
        assert!(ends.subscriber.open(&sealed[..length]).is_err(), "{length} bytes");
    }
    assert!(ends.subscriber.open(&[&sealed[..], &[0]].concat()).is_err());
    assert_eq!(message(&mut ends.subscriber, &sealed).unwrap().payload, b"open the valve");
}

#[test]
fn another_identity_is_not_believed() {
    let mut ends = Ends::new();
    let mut other = Ends::over(Memory::of(ABOVE, 8), SESSION);
    let foreign = other.seal(b"x");
    let announced = other.announcements().remove(0);
    assert_eq!(ends.subscriber.open(&announced), Err(Refusal::BadSignature));
    ends.seal(b"x");
    ends.announce();
    assert_eq!(ends.subscriber.open(&foreign), Err(Refusal::BadSignature));
    assert_eq!(ends.subscriber.open(&announced), Err(Refusal::BadSignature));
}

/// Returns the largest number of compressions that one of these datagrams costs.
fn most_work(subscriber: &mut Subscriber<'_>, counter: &Counter, bad: &[Vec<u8>]) -> u64 {
    let cost = |datagram: &Vec<u8>| {
        counter.reset();
        assert!(subscriber.open(datagram).is_err());
        counter.total()
    };
    bad.iter().map(cost).max().unwrap()
}

/// Form, session, tree and window are checked before anything is hashed. A signature costs one
/// verification by one tree.
#[test]
fn the_work_of_a_bogus_datagram_is_bounded() {
    let mut ends = Ends::new();
    let sealed: Vec<_> = (0..3u8).map(|n| ends.seal(&[n])).collect();
    let announced = ends.announcements().remove(0);
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let mut subscriber = Subscriber::new(&ends.key, counting.kernels()).unwrap();
    assert_eq!(most_work(&mut subscriber, &counter, &sealed), 0, "unknown tree");
    subscriber.open(&announced).unwrap();
    message(&mut subscriber, &sealed[0]).unwrap();
    let with = |from: &[u8], at: usize, bit: u8| {
        let mut bad = from.to_vec();
        bad[at] ^= bit;
        bad
    };
    let free = [
        sealed[0].clone(),
        with(&sealed[0], 40, 1),
        with(&sealed[1], 0, 1),
        with(&sealed[1], 7, 1),
        with(&sealed[1], 8, 128),
        sealed[1][..100].to_vec(),
        with(&announced, 100, 1),
        with(&announced, 12, 1),
        announced[..announced.len() - 1].to_vec(),
    ];
    assert_eq!(most_work(&mut subscriber, &counter, &free), 0);
    // 51 chains of at most 15 steps, blocks of the message and of the one-time key, 5 nodes.
    let forged: Vec<_> = (0..200).map(|n| with(&sealed[1], 40 + n, 1)).collect();
    let most = most_work(&mut subscriber, &counter, &forged);
    assert!(most > 0 && most <= 51 * 15 + 40, "{most} compressions");
}

/// No input causes a panic, and no noise is accepted.
#[test]
fn noise_is_refused() {
    let mut ends = Ends::new();
    let good = [ends.seal(b"one"), ends.announcements().remove(0)];
    let mut state = 11u64;
    let mut roll = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for round in 0..20_000 {
        let mut noise = good[round % 2].clone();
        noise.truncate(roll() as usize % (noise.len() + 1));
        for _ in 0..=roll() % 4 {
            if let Some(at) = (roll() as usize).checked_rem(noise.len()) {
                noise[at] = roll() as u8;
            }
        }
        if !good.contains(&noise) {
            assert!(ends.subscriber.open(&noise).is_err());
        }
    }
    ends.announce();
    message(&mut ends.subscriber, &good[0]).unwrap();
}
