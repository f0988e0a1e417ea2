//! Schedules compared with the table of counts by which the model was specified: steps of an
//! operation on P units, as means over eight digests. Those digests are not known, but the sum of
//! their digits is, because it follows from the work on one unit. Eight digests with the same sum
//! are used here.

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::{Digest, Function, Graph, Operation, Request, schedule};

const UNITS: [usize; 11] = [1, 2, 4, 8, 16, 32, 64, 67, 128, 256, 1 << 20];

const XMSS: &str = "XMSS-SHA2_10_256";
const XMSS_192: &str = "XMSS-SHA2_10_192";
const XMSS_512: &str = "XMSS-SHA2_10_512";
const SHAKE: &str = "XMSS-SHAKE_10_256";

/// A change of the recorded graph, for a row of the table.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// No change.
    No,
    /// The message hash has absorbed everything before the message.
    Absorbed,
    /// No prefix of a PRF is stored.
    Uncached,
    /// The first block of PRF_keygen is hashed again for each element, as in the table for n = 24.
    Elements,
    /// The randomizer is left out.
    NoRandomizer,
    /// Like `Absorbed`, and the tree is known.
    Tree,
    /// Like `Tree`, and the one-time public key is known.
    OtsKey,
}

fn digits(set: &Set, digest: &[u8]) -> Vec<u32> {
    let bits = |bytes: &[u8], count: usize| -> Vec<u32> {
        let each = set.lg_w as usize;
        let digit = |i: usize| {
            let at = i * each;
            u32::from(bytes[at / 8]) >> (8 - each - at % 8) & ((1 << each) - 1)
        };
        (0..count).map(digit).collect()
    };
    let mut all = bits(digest, set.len1());
    let sum: u32 = all.iter().map(|d| set.w() as u32 - 1 - d).sum();
    let width = set.len2() * set.lg_w as usize;
    let shifted = u64::from(sum) << (width.next_multiple_of(8) - width);
    let bytes = shifted.to_be_bytes();
    all.extend(bits(&bytes[8 - width.div_ceil(8)..], set.len2()));
    all
}

/// Returns pseudorandom bytes of sufficient quality to choose digests from.
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// Returns eight digests whose digits have the total sum `sum`.
fn eight(set: &Set, sum: u64) -> Vec<Vec<u8>> {
    let total = |digests: &[Vec<u8>]| -> u64 {
        digests.iter().flat_map(|d| digits(set, d)).map(u64::from).sum()
    };
    let groups = (0..200_000_u64).map(|g| (0..8).map(|i| bytes(g * 8 + i + 1, set.n)).collect());
    let found = groups.into_iter().find(|group: &Vec<Vec<u8>>| total(group) == sum);
    found.expect("some eight have that sum")
}

fn change(graph: &Graph, change: Change, steps_before: usize) -> Graph {
    let mut seen = 0;
    let absorbed: Vec<bool> = graph
        .nodes
        .iter()
        .map(|node| {
            let message = node.place.function == Function::Message;
            seen += usize::from(message);
            let randomizer = node.place.function == Function::Randomizer;
            let absorbs = matches!(change, Change::Absorbed | Change::Tree | Change::OtsKey);
            message && seen <= steps_before && absorbs
                || randomizer && change == Change::NoRandomizer
        })
        .collect();
    match change {
        Change::Uncached => return graph.clone().weighed(uncached),
        Change::Elements => return graph.clone().weighed(elements_anew),
        _ => {}
    }
    let at = std::cell::Cell::new(0);
    graph.without(|node| {
        let i = at.replace(at.get() + 1);
        let tree = matches!(node.place.function, Function::Node | Function::NodeMask);
        let ends = matches!(node.place.function, Function::Ends | Function::EndsMask);
        absorbed[i]
            || (tree && matches!(change, Change::Tree | Change::OtsKey))
            || (ends && change == Change::OtsKey)
    })
}

fn elements_anew(node: &hasten_model::Node) -> u32 {
    1 + u32::from(node.place.function == Function::Element)
}

fn uncached(node: &hasten_model::Node) -> u32 {
    use Function::{ChainMask, Element, EndsMask, NodeMask, Randomizer};
    match node.place.function {
        ChainMask | EndsMask | NodeMask | Randomizer => 2,
        Element if node.needs.is_empty() => 2,
        _ => 1,
    }
}

/// Returns the means over the eight digests, for every number of units.
fn steps(set: &'static Set, operation: Operation, how: Change, sum: u64) -> Vec<f64> {
    let block = match set.hash {
        hasten_hbs::params::Hash::Sha256 => 64,
        hasten_hbs::params::Hash::Sha512 => 128,
        _ => 168,
    };
    let before = (set.pad() + 3 * set.n) / block;
    let digests: Vec<Digest> = eight(set, sum).into_iter().map(Digest::Given).collect();
    let traces = Request::new(set, operation).message(32).record_each(&digests).unwrap();
    let graphs: Vec<Graph> =
        traces.iter().map(|trace| change(&trace.graph(), how, before)).collect();
    let mean = |units: usize| {
        graphs.iter().map(|graph| schedule::units(graph, units) as f64).sum::<f64>() / 8.0
    };
    UNITS.map(mean).to_vec()
}

/// Compares with a row of the table, in which blank entries are 0. Deviations of one step or 1.5
/// percent are allowed, for the rounding of the table and the choice of the digests.
fn check(name: &str, set: &str, operation: Operation, how: Change, sum: u64, row: [u64; 11]) {
    let got = steps(Set::named(set).unwrap(), operation, how, sum);
    for ((got, want), units) in got.iter().zip(row).zip(UNITS) {
        let slack = 1.01_f64.max(want as f64 * 0.015);
        let near = want == 0 || (got - want as f64).abs() <= slack;
        assert!(near, "{name} on {units} units: {got}, table {want}");
    }
}

const EARLY: Operation = Operation::Sign(SignerLevel::EarlyAuth);
const MASKS: Operation = Operation::Sign(SignerLevel::Masks);
const COLD: Operation = Operation::Verify(VerifierLevel::None);
const READY: Operation = Operation::Verify(VerifierLevel::Masks);

const S32: u64 = 3825;
const S24: u64 = 2925;
const S64: u64 = 7755;

#[test]
fn xmss_with_32_bytes() {
    let (sign, path) = (&[2051, 1025, 513, 257, 129, 65, 34, 33, 21, 21, 21], Change::No);
    check("sign cold", XMSS, EARLY, path, S32, *sign);
    let row = [479, 240, 121, 61, 31, 17, 16, 16, 16, 16, 16];
    check("sign prepared", XMSS, MASKS, Change::No, S32, row);
    let row = [2567, 1285, 649, 337, 181, 105, 70, 68, 55, 54, 54];
    check("verify cold", XMSS, COLD, Change::No, S32, row);
    let row = [680, 352, 189, 109, 70, 52, 50, 50, 50, 50, 50];
    check("verify prepared", XMSS, READY, Change::Absorbed, S32, row);
    let row = [660, 332, 169, 89, 50, 32, 30, 30, 30, 30, 30];
    check("verify, tree known", XMSS, READY, Change::Tree, S32, row);
    let row = [528, 265, 133, 67, 34, 18, 16, 16, 16, 16, 16];
    check("verify, key known", XMSS, READY, Change::OtsKey, S32, row);
}

#[test]
fn xmss_with_prefixes_hashed_again() {
    let row = [3075, 1537, 769, 385, 193, 97, 50, 49, 28, 23, 23];
    check("sign uncached", XMSS, EARLY, Change::Uncached, S32, row);
    let row = [3848, 1926, 964, 493, 259, 143, 87, 85, 62, 55, 55];
    check("verify uncached", XMSS, COLD, Change::Uncached, S32, row);
}

#[test]
fn xmss_with_24_bytes() {
    let row = [1934, 968, 484, 242, 121, 62, 33, 32, 21, 21, 21];
    check("sign cold", XMSS_192, EARLY, Change::Elements, S24, row);
    let row = [367, 184, 93, 47, 24, 16, 16, 16, 16, 16, 16];
    check("sign prepared", XMSS_192, MASKS, Change::No, S24, row);
    let row = [2479, 1241, 622, 323, 174, 101, 65, 64, 51, 51, 51];
    check("verify cold", XMSS_192, COLD, Change::No, S24, row);
    let row = [520, 272, 149, 88, 59, 48, 48, 48, 48, 48, 48];
    check("verify prepared", XMSS_192, READY, Change::Absorbed, S24, row);
}

#[test]
fn xmss_with_64_bytes() {
    let row = [4013, 2007, 1003, 502, 251, 126, 65, 62, 35, 21, 21];
    check("sign cold", XMSS_512, EARLY, Change::No, S64, row);
    let row = [970, 486, 244, 123, 62, 32, 17, 16, 16, 16, 16];
    check("sign prepared", XMSS_512, MASKS, Change::No, S64, row);
    let row = [4826, 2414, 1214, 619, 323, 176, 104, 101, 70, 56, 56];
    check("verify cold", XMSS_512, COLD, Change::No, S64, row);
    let row = [1277, 650, 338, 183, 107, 70, 53, 52, 52, 52, 52];
    check("verify prepared", XMSS_512, READY, Change::Absorbed, S64, row);
}

#[test]
fn xmss_with_shake() {
    let row = [1503, 752, 376, 189, 95, 47, 25, 24, 18, 18, 18];
    check("sign cold", SHAKE, EARLY, Change::No, S32, row);
    let row = [479, 240, 121, 61, 31, 17, 16, 16, 16, 16, 16];
    check("sign prepared", SHAKE, MASKS, Change::No, S32, row);
    let row = [1886, 944, 473, 242, 128, 71, 44, 43, 34, 34, 34];
    check("verify cold", SHAKE, COLD, Change::No, S32, row);
    let row = [604, 308, 161, 88, 52, 35, 33, 33, 33, 33, 33];
    check("verify prepared", SHAKE, READY, Change::Absorbed, S32, row);
}

/// The table's counts of signing leave the randomizer out.
#[test]
fn lms() {
    let rows: [(&str, u64, [u64; 11], [u64; 11]); 7] = [
        (
            "LMS_SHA256_M32_H10_W1",
            1032,
            [396, 198, 99, 50, 25, 13, 7, 6, 4, 3, 3],
            [292, 161, 157, 157, 157, 157, 157, 157, 157, 157, 157],
        ),
        (
            "LMS_SHA256_M32_H10_W2",
            1560,
            [330, 165, 83, 42, 21, 11, 6, 5, 5, 5, 5],
            [294, 159, 94, 92, 92, 92, 92, 92, 92, 92, 92],
        ),
        (
            "LMS_SHA256_M32_H10_W4",
            3825,
            [547, 274, 137, 69, 35, 18, 17, 17, 17, 17, 17],
            [584, 304, 165, 96, 70, 70, 70, 70, 70, 70, 70],
        ),
        (
            "LMS_SHA256_M32_H10_W8",
            33915,
            [4275, 2138, 1069, 535, 270, 248, 248, 248, 248, 248, 248],
            [4472, 2249, 1137, 582, 309, 280, 280, 280, 280, 280, 280],
        ),
        (
            "LMS_SHA256_M24_H10_W2",
            1185,
            [251, 126, 63, 32, 16, 8, 5, 5, 5, 5, 5],
            [217, 122, 74, 64, 64, 64, 64, 64, 64, 64, 64],
        ),
        (
            "LMS_SHA256_M24_H10_W4",
            2925,
            [419, 209, 105, 53, 26, 17, 17, 17, 17, 17, 17],
            [442, 234, 130, 78, 56, 56, 56, 56, 56, 56, 56],
        ),
        (
            "LMS_SHA256_M24_H10_W8",
            25500,
            [3216, 1608, 804, 402, 249, 249, 249, 249, 249, 249, 249],
            [3477, 1751, 889, 458, 278, 276, 276, 276, 276, 276, 276],
        ),
    ];
    for (set, sum, sign, verify) in rows {
        check("sign", set, EARLY, Change::NoRandomizer, sum, sign);
        check("verify", set, COLD, Change::No, sum, verify);
    }
}

/// Critical path, and work besides the chains, of verification at the two highest levels.
#[test]
fn levels_of_the_verifier() {
    let set = Set::named(XMSS).unwrap();
    for (level, path, work) in [(VerifierLevel::NodeCache, 34, 137), (VerifierLevel::OtsKey, 18, 3)]
    {
        let graph =
            Request::new(set, Operation::Verify(level)).message(32).record().unwrap().graph();
        let chains = graph.nodes.iter().filter(|n| n.place.function == Function::Chain).count();
        assert_eq!((graph.critical_path(), graph.work() - chains as u64), (path, work));
    }
}

/// Verification of stateless and layered signatures is serial over the layers.
#[test]
fn layers_come_one_after_the_other() {
    let path = |set| {
        let request = Request::new(Set::named(set).unwrap(), COLD).message(32);
        let graph = request.record().unwrap().graph();
        (graph.work(), graph.critical_path())
    };
    let (work, steps) = path("SLH-DSA-SHA2-128s");
    assert!((1900..2500).contains(&work) && (220..260).contains(&steps), "{work} {steps}");
    let (work, steps) = path("SLH-DSA-SHA2-128f");
    assert!((5800..7000).contains(&work) && (560..660).contains(&steps), "{work} {steps}");
    let (_, steps) = path("XMSSMT-SHA2_20/2_256");
    assert!((100..=105).contains(&steps), "{steps}");
}

/// The work that can be prepared, counted from the standard. For a signature: the randomizer, two
/// blocks of the message hash, and the secret elements. For a verification: the same two blocks,
/// and the keys and masks of tree and L-tree.
#[test]
fn what_the_message_does_not_decide() {
    let independent = |set: &str, operation| {
        let request = Request::new(Set::named(set).unwrap(), operation).message(32);
        let counts = request.record().unwrap().graph().independence();
        counts.key + counts.index
    };
    assert_eq!(independent(XMSS, EARLY), 1 + 2 + 67 * 2);
    assert_eq!(independent(XMSS, MASKS), 0);
    // KEY, its state and two masks for each of 76 nodes: four compressions each. The highest digit
    // of the checksum is at most 3, so the last twelve steps of its chain are always taken: KEY,
    // its state and the mask.
    assert_eq!(independent(XMSS, COLD), 2 + 76 * 4 + 12 * 3);
    assert_eq!(independent(XMSS, READY), 2);
    for w in [1_u32, 2, 4, 8] {
        let set = format!("LMS_SHA256_M32_H10_W{w}");
        assert_eq!(independent(&set, COLD), 0, "{set}");
        let chains = [265, 133, 67, 34][w.ilog2() as usize];
        assert_eq!(independent(&set, EARLY), 1 + chains, "{set}");
    }
}
