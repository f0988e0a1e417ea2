//! Recordings that were kept are those that are made anew, whatever the message.

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::Operation;
use hasten_model::profile::{Digits, Kept, Profiles, SHORTEST, keep, prepare_work};

const SETS: [&str; 3] = ["XMSS-SHA2_10_192", "XMSS-SHAKE256_10_256", "LMS_SHA256_M24_H10_W4"];

/// Messages at the edges of blocks, for SHA-256 and SHAKE256.
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
        // Blocks of padding alone read nothing; they wait for those before them.
        let reads = side.plan.graph().nodes.iter().map(|node| node.needs.clone());
        let needs: Vec<Vec<u32>> = reads.collect();
        (side.work(), side.critical_path(), side.hash_blocks(), steps, elements, needs)
    };
    assert_eq!(side(of.0), side(of.1), "{} {operation:?}, {message} bytes", set.name);
}
