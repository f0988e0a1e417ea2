//! Batches: one signature for many messages, each delivered by itself.

use crate::memory::{ABOVE, Ends, Memory, SESSION, message};
use hasten_channel::{Background, Error, MOST_BATCH, Preparer, Refusal, Subscriber, export};
use hasten_hbs::{Set, Verifier};
use hasten_kernels::{Counter, Counting, Kernels};

fn seal(ends: &mut Ends, payloads: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    ends.publisher.seal_batch(payloads, &mut out).unwrap();
    out
}

fn payloads(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|number| format!("message {number}").into_bytes()).collect()
}

#[test]
fn each_message_of_a_batch_is_delivered_once_in_any_order() {
    for set in ["LMS_SHA256_M24_H5_W4", "LMS_SHA256_M32_H5_W8"] {
        let mut ends = Ends::batching(Memory::of(ABOVE, 7), set);
        let mut sequence = 0;
        for count in [1, 2, 3, 7, 100, MOST_BATCH, MOST_BATCH + 1, 1] {
            let (payloads, before) = (payloads(count), ends.publisher.remaining());
            let sealed = seal(&mut ends, &payloads);
            let keys = before - ends.publisher.remaining();
            assert_eq!(keys, count.div_ceil(MOST_BATCH) as u64, "keys for {count} messages");
            ends.announce();
            for (number, datagram) in sealed.iter().enumerate().rev() {
                let got = message(&mut ends.subscriber, datagram).unwrap();
                assert_eq!(got.payload, payloads[number]);
                assert_eq!(got.sequence, sequence + number as u64);
            }
            for datagram in &sealed {
                assert_eq!(ends.subscriber.open(datagram), Err(Refusal::Replay));
            }
            sequence += count as u64;
        }
        assert_eq!(ends.subscriber.lost(), 0);
    }
}

#[test]
fn one_message_alone_is_as_without_batches() {
    let (mut plain, mut batching) = (Ends::new(), Ends::batching(Memory::of(ABOVE, 7), SESSION));
    let alone = seal(&mut batching, &[b"trip".to_vec()]).remove(0);
    let without = plain.seal(b"trip");
    assert_eq!((alone.len(), &alone[..36]), (without.len(), &without[..36]));
    let several = seal(&mut plain, &payloads(3));
    assert!(several.iter().all(|datagram| datagram[3] == 0x11), "each has a key of its own");
}

#[test]
fn every_changed_bit_of_a_batched_message_is_refused() {
    for known in [false, true] {
        let mut ends = Ends::batching(Memory::of(ABOVE, 7), SESSION);
        let sealed = seal(&mut ends, &payloads(5));
        ends.announce();
        if known {
            message(&mut ends.subscriber, &sealed[4]).unwrap();
        }
        for datagram in &sealed[..2] {
            for at in 0..datagram.len() {
                let mut bad = datagram.clone();
                bad[at] ^= 1 << (at % 8);
                assert!(ends.subscriber.open(&bad).is_err(), "byte {at}");
                assert!(ends.subscriber.open(&datagram[..at]).is_err(), "{at} bytes");
            }
            assert!(ends.subscriber.open(&[&datagram[..], &[0]].concat()).is_err());
            message(&mut ends.subscriber, datagram).unwrap();
        }
    }
}

/// A message is valid only at its own position in its own batch.
#[test]
fn parts_of_batches_are_not_mixed() {
    let mut ends = Ends::batching(Memory::of(ABOVE, 7), SESSION);
    let (first, second) = (seal(&mut ends, &payloads(4)), seal(&mut ends, &payloads(4)));
    ends.announce();
    let path = 2 * 24;
    let signature = Set::named(SESSION).unwrap().signature_bytes();
    for at in 1..4 {
        let mut moved = first[0].clone();
        moved[16..24].copy_from_slice(&first[at][16..24]);
        moved[32..34].copy_from_slice(&first[at][32..34]);
        assert_eq!(ends.subscriber.open(&moved), Err(Refusal::BadSignature));
        let end = moved.len() - signature;
        moved[end - path..end].copy_from_slice(&first[at][end - path..end]);
        assert_eq!(ends.subscriber.open(&moved), Err(Refusal::BadSignature));
        let mixed = [
            &first[at][..first[at].len() - signature],
            &second[at][second[at].len() - signature..],
        ]
        .concat();
        assert_eq!(ends.subscriber.open(&mixed), Err(Refusal::BadSignature));
    }
    for datagram in first.iter().chain(&second) {
        message(&mut ends.subscriber, datagram).unwrap();
    }
}

/// A batch is verified only once, in any order of its messages. A forged message costs one more
/// verification.
#[test]
fn the_work_for_batched_messages_is_bounded() {
    let mut ends = Ends::batching(Memory::of(ABOVE, 7), SESSION);
    let sealed = seal(&mut ends, &payloads(64));
    let counter = Counter::new();
    let counting = Counting::new(Kernels::best(), &counter);
    let mut subscriber = Subscriber::new(&ends.key, counting.kernels()).unwrap();
    subscriber.open(&ends.announcements()[0]).unwrap();
    message(&mut subscriber, &sealed[9]).unwrap();
    counter.reset();
    for (number, datagram) in sealed.iter().enumerate().filter(|(number, _)| *number != 9) {
        assert_eq!(message(&mut subscriber, datagram).unwrap().sequence, number as u64);
    }
    assert_eq!(counter.total(), 0, "its signature was verified");
    let mut bad = seal(&mut ends, &payloads(2)).remove(0);
    bad[60] ^= 1;
    counter.reset();
    assert_eq!(subscriber.open(&bad), Err(Refusal::BadSignature));
    assert!(counter.total() <= 51 * 15 + 40, "{} compressions", counter.total());
}

#[test]
fn a_batched_message_is_exported_with_its_path() {
    for above in [ABOVE, "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M32_H5_W4)", "XMSS-SHA2_10_192"] {
        let mut ends = Ends::batching(Memory::of(above, 9), SESSION);
        let payloads = payloads(7);
        let sealed = seal(&mut ends, &payloads);
        let announced = ends.announcements().remove(0);
        for (number, datagram) in sealed.iter().enumerate() {
            let made = export(&ends.key, &announced, datagram).unwrap();
            let key = made.tree.as_ref().map_or(&ends.key, |tree| &tree.key);
            let plain = Verifier::new(key, Kernels::portable());
            plain.verify(&made.message, &made.signature).unwrap();
            assert_eq!(made.message[..4], *b"hch\x15");
            let batched = made.batched.unwrap();
            assert!(batched.message.ends_with(&payloads[number]));
            assert_eq!((batched.place, batched.messages), (number as u16, 7));
            let mut other = datagram.clone();
            other[52] ^= 1;
            let other = export(&ends.key, &announced, &other).unwrap();
            assert!(plain.verify(&other.message, &other.signature).is_err());
        }
    }
}

#[test]
fn a_thread_prepares_for_batches() {
    let set = Set::named(SESSION).unwrap();
    let preparer = Preparer::new(Memory::of(ABOVE, 3), set, Kernels::best()).unwrap();
    let mut subscriber = Subscriber::new(preparer.public_key(), Kernels::best()).unwrap();
    let mut sealer = Background::start(preparer.for_batches(), 16);
    let (mut out, mut sequence) = (Vec::new(), 0);
    for round in 0..200 {
        for announcement in sealer.announcements().unwrap() {
            let _ = subscriber.open(announcement);
        }
        let mut datagram = [0; 4096];
        let bytes = sealer.seal(b"alone", &mut datagram).unwrap();
        assert_eq!(message(&mut subscriber, &datagram[..bytes]).unwrap().sequence, sequence);
        let long = sealer.seal_batch(&[vec![0; 65_000], vec![0; 65_000]], &mut out);
        assert!(matches!(long, Err(Error::LongPayload { .. })), "{long:?}");
        sealer.seal_batch(&payloads(round % 9), &mut out).unwrap();
        for datagram in out.drain(..) {
            sequence += 1;
            assert_eq!(message(&mut subscriber, &datagram).unwrap().sequence, sequence);
        }
        sequence += 1;
    }
}

#[test]
fn the_longest_payload_of_a_batch_fills_a_datagram() {
    let mut ends = Ends::batching(Memory::of(ABOVE, 7), SESSION);
    let mut out = Vec::new();
    let long = ends.publisher.seal_batch(&[vec![0; 65_507], vec![]], &mut out);
    let Err(Error::LongPayload { most }) = long else { panic!("{long:?}") };
    ends.publisher.seal_batch(&[vec![0; most], vec![1; most]], &mut out).unwrap();
    assert!(out.iter().all(|datagram| datagram.len() == 65_507));
    ends.announce();
    for datagram in &out {
        assert_eq!(message(&mut ends.subscriber, datagram).unwrap().payload.len(), most);
    }
}

/// A network that drops, repeats and reorders datagrams. Every message of a batch that arrives is
/// delivered once.
#[test]
fn a_bad_network_loses_nothing_of_a_batch_that_arrives() {
    let leaves = |preparer: Preparer<'static>| preparer.for_batches().with_leaves().unwrap();
    for how in [Preparer::for_batches, leaves] {
        let mut ends = Ends::with(Memory::of(ABOVE, 7), SESSION, how);
        let (mut state, mut flying, mut sent, mut arrived) = (5u64, Vec::new(), 0u64, 0);
        let mut roll = move |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % n
        };
        let mut seen = std::collections::HashSet::new();
        for round in 0..120u64 {
            let count = 1 + roll(40);
            let payloads: Vec<_> = (sent..sent + count).map(u64::to_be_bytes).collect();
            let mut sealed = Vec::new();
            ends.publisher.prepare(30).unwrap();
            ends.publisher.seal_batch(&payloads, &mut sealed).unwrap();
            sent += count;
            ends.announce();
            for datagram in sealed {
                for _ in 0..[1, 1, 1, 2, 0][roll(5) as usize] {
                    flying.push((round + roll(4), datagram.clone()));
                }
            }
            let now = if round == 119 { u64::MAX } else { round };
            let (due, later) = flying.into_iter().partition(|(at, _)| *at <= now);
            flying = later;
            let mut due: Vec<(u64, Vec<u8>)> = due;
            due.sort_by_cached_key(|_| roll(1 << 20));
            for (_, datagram) in due {
                let number = u64::from_be_bytes(*datagram[16..].first_chunk().unwrap());
                match message(&mut ends.subscriber, &datagram) {
                    Ok(got) => {
                        assert_eq!(
                            (got.sequence, got.payload),
                            (number, &number.to_be_bytes()[..])
                        );
                        assert!(seen.insert(number));
                        arrived += 1;
                    }
                    Err(refusal) => assert!(refusal == Refusal::Replay && seen.contains(&number)),
                }
            }
        }
        assert!(sent > 2000 && arrived > sent / 2, "{sent} sent, {arrived} arrived");
    }
}
