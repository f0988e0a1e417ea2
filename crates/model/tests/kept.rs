//! Stored recordings are equal to new ones, for every length of the message.

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::profile::{Digits, Kept, Profiles, SHORTEST, keep, prepare_work};
use hasten_model::{Case, Delivery, Link, Operation, Units};

const SETS: [&str; 3] = ["XMSS-SHA2_10_192", "XMSS-SHAKE256_10_256", "LMS_SHA256_M24_H10_W4"];

/// Lengths of messages at block boundaries, for SHA-256 and SHAKE256.
const MESSAGES: [usize; 5] = [SHORTEST, 43, 44, 64, 1500];

#[test]
fn kept_recordings_are_those_made_anew() {
    let sets = SETS.map(|name| Set::named(name).expect("a set"));
    let (kept, made) = (Profiles::of(Kept::read(&keep(&sets).expect("kept"))), Profiles::default());
    for set in sets {
        for message in MESSAGES {
            for operation in [
                Operation::Sign(SignerLevel::EarlyAuth),
                Operation::Sign(SignerLevel::ChainTable),
                Operation::Verify(VerifierLevel::None),
                Operation::Verify(VerifierLevel::OtsKey),
            ] {
                same(set, operation, message, (&kept, &made));
            }
            let work = |profiles| prepare_work(profiles, set, SignerLevel::Masks, message);
            assert_eq!(work(&kept), work(&made), "{} {message}", set.name);
        }
    }
}

fn same(set: &'static Set, operation: Operation, message: usize, of: (&Profiles, &Profiles)) {
    let side = |profiles: &Profiles| {
        let side = profiles.side(set, operation, Digits::LongVerify, message).expect("a side");
        let steps = [1, 4, 64, 4096].map(|units| side.steps(units));
        let elements = [1, 8].map(|units| side.elements(units));
        (side.work(), side.critical_path(), side.hash_blocks(), steps, elements)
    };
    assert_eq!(side(of.0), side(of.1), "{} {operation:?}, {message} bytes", set.name);
}

/// Times are equal to the last bit, including those of streamed signatures, whose schedules wait
/// for arrivals.
#[test]
fn times_of_kept_recordings_are_those_of_new_ones() {
    let sets = SETS.map(|name| Set::named(name).expect("a set"));
    let (kept, made) = (Profiles::of(Kept::read(&keep(&sets).expect("kept"))), Profiles::default());
    for (set, message) in sets.into_iter().flat_map(|set| MESSAGES.map(|bytes| (set, bytes))) {
        for (signer, verifier, delivery) in [
            (SignerLevel::EarlyAuth, VerifierLevel::None, Delivery::Streaming),
            (SignerLevel::Masks, VerifierLevel::Masks, Delivery::PreSend),
            (SignerLevel::ChainTable, VerifierLevel::OtsKey, Delivery::OtsKey),
        ] {
            for (digits, count) in Digits::ALL.into_iter().zip([3, 8, 64]) {
                let units = Units { count, each_us: 0.1 };
                let link = Link { framed: true, ..Link::bare(1e9) };
                let case = Case {
                    set,
                    message,
                    signer,
                    verifier,
                    delivery,
                    link,
                    digits,
                    signing: units,
                    verifying: units,
                    commit_us: 0.0,
                };
                let time = |profiles| case.latency(profiles).expect("a time");
                assert_eq!(time(&kept), time(&made), "{case:?}");
            }
        }
    }
}
