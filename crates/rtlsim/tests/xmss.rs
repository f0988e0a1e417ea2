//! Compares the simulated XMSS engine with `hasten-hbs`: random keys and messages, signed and
//! verified in both directions.
//!
//! `HASTEN_RTL_MESSAGES` sets the number of messages for XMSS-SHA2_10_256; each other set gets a
//! sixth of it. `HASTEN_RESULT=results/xmss-random.json` keeps the counts.

use hasten_hbs::{Set, SignerLevel, Verifier, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use hasten_report::keep;
use hasten_rtlsim::BUILT;
use hasten_rtlsim::xmss::{Hash, Kind, Refusal, Scheme, SecretKey, XmssCore};
use sha2::{Digest, Sha256};

/// Returns true if there are simulated cores.
fn has_cores() -> bool {
    hasten_report::is_built(BUILT, "simulated cores", &["rtl"])
}

fn bytes(label: &str, count: usize) -> Vec<u8> {
    let block = |i: usize| Sha256::digest(format!("{label} {i}"));
    (0..count.div_ceil(32)).flat_map(block).take(count).collect()
}

/// Returns the number of messages: HASTEN_RTL_MESSAGES, or 12.
fn messages() -> usize {
    std::env::var("HASTEN_RTL_MESSAGES").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

/// Returns a set by its name, and the engine's kind for it.
fn kind(name: &str) -> (&'static Set, Kind) {
    let set = Set::named(name).expect("it is in the table");
    let scheme = match (name.starts_with("XMSS"), name.ends_with("W8")) {
        (true, _) => Scheme::Xmss,
        (_, true) => Scheme::LmsW8,
        _ => Scheme::LmsW4,
    };
    let hash = match set.hash {
        hasten_hbs::params::Hash::Shake128 => Hash::Shake128,
        hasten_hbs::params::Hash::Shake256 => Hash::Shake256,
        _ => Hash::Sha256,
    };
    (set, Kind { scheme, hash, n: set.n, height: 10 })
}

/// Returns the key of a seed. The seed has three parts of n bytes for XMSS, and I and SEED for LMS.
/// The root is at the end of an LMS public key.
fn secret<'k>(kind: Kind, seed: &'k [u8], public: &'k [u8]) -> SecretKey<'k> {
    let n = kind.n;
    match kind.scheme {
        Scheme::Xmss => SecretKey {
            sk_seed: &seed[..n],
            sk_prf: &seed[n..2 * n],
            pub_seed: &seed[2 * n..],
            root: &public[4..4 + n],
        },
        _ => SecretKey {
            sk_seed: &seed[16..],
            sk_prf: &[],
            pub_seed: &seed[..16],
            root: &public[public.len() - n..],
        },
    }
}

/// Counts for a set. Everything that is counted agreed; otherwise the test has failed.
#[derive(Default)]
struct Seen {
    keys: usize,
    messages: usize,
    bytes: usize,
    sign: u64,
    verify: u64,
}

/// Prepares every second signature, and half of these with a table if the engine has one.
fn prepare(core: &XmssCore, kind: Kind, index: u32, i: usize) {
    match i % 4 {
        3 if kind.scheme == Scheme::LmsW8 => {
            assert_eq!(core.prepare_table(index), Err(Refusal::Refused));
        }
        3 => drop(core.prepare_table(index).expect("an index of the tree")),
        1 => drop(core.prepare(index, false).expect("an index of the tree")),
        _ => (),
    }
}

/// Signs `count` messages with one key of `set`, in software and in the engine.
fn one_key(name: &str, label: &str, count: usize, seen: &mut Seen) {
    let (set, kind) = kind(name);
    let core = XmssCore::of(kind).expect("the models were built");
    let (seed, kernels) = (bytes(label, set.seed_bytes()), Kernels::best());
    let mut signer = generate(set, &seed, kernels).expect("a seed of the right length");
    let public = signer.public_key().clone();
    core.load_key(&secret(kind, &seed, public.as_bytes()), 0).expect("a good key");
    let mut permits = Throwaway::new();
    let begins = if kind.scheme == Scheme::Xmss { 4 } else { 8 };
    seen.keys += 1;
    for i in 0..count {
        let length = (i * 37 + seen.messages) % 200;
        let message = bytes(&format!("{label} message {i}"), length);
        let prepared =
            signer.prepare(permits.permit(), SignerLevel::None).expect("an index is left");
        let index = u32::try_from(prepared.index()).expect("a low tree");
        let signature = prepared.finish(&message).expect("a permit is held");
        prepare(&core, kind, index, i);
        let made = core.sign(index, &message).expect("an index that has not signed");
        let (ours, cycles) = (made.value, u64::from(made.cycles));
        assert_eq!(ours, signature.as_bytes()[begins..begins + ours.len()], "{label}, message {i}");
        assert_eq!(core.sign(index, &message), Err(Refusal::Refused), "the index is used up");
        let good = core.verify(&message, signature.as_bytes()).expect("a good signature");
        seen.sign += cycles;
        seen.verify += u64::from(good.cycles);
        (seen.messages, seen.bytes) = (seen.messages + 1, seen.bytes + length);
        let mut joined = signature.as_bytes().to_vec();
        joined[begins..begins + ours.len()].copy_from_slice(&ours);
        Verifier::new(&public, kernels).verify(&message, &joined).expect("a good signature");
        let at = i * 131 % joined.len();
        joined[at] ^= 1 << (i % 8);
        // A changed index may be outside the tree.
        assert!(core.verify(&message, &joined).is_err(), "{label}, message {i}");
    }
}

const SETS: [&str; 9] = [
    "XMSS-SHA2_10_256",
    "XMSS-SHA2_10_192",
    "LMS_SHA256_M32_H10_W4",
    "LMS_SHA256_M32_H10_W8",
    "LMS_SHA256_M24_H10_W4",
    "LMS_SHA256_M24_H10_W8",
    "XMSS-SHAKE_10_256",
    "XMSS-SHAKE256_10_192",
    "XMSS-SHAKE256_10_256",
];

/// Signs six messages with each key until all messages are signed, and returns the row.
fn one_set(name: &str, messages: usize) -> String {
    let mut seen = Seen::default();
    while seen.messages < messages {
        let (label, count) =
            (format!("{name} key {}", seen.keys), (messages - seen.messages).min(6));
        one_key(name, &label, count, &mut seen);
    }
    let Seen { keys, messages, bytes, sign, verify } = seen;
    format!(
        r#"{{"alg":"{name}","keys":{keys},"messages":{messages},"agree":{messages},"refused":{messages},"bytes":{bytes},"sign_cycles":{sign},"verify_cycles":{verify}}}"#
    )
}

#[test]
fn random_messages_and_keys_as_in_software() {
    if !has_cores() {
        return;
    }
    let of_set = |(i, name): (usize, &&str)| {
        one_set(name, if i == 0 { messages() } else { messages().div_ceil(6) })
    };
    let rows: Vec<String> = SETS.iter().enumerate().map(of_set).collect();
    keep("xmss-random", &["HASTEN_RTL_MESSAGES"], "-p hasten-rtlsim --release --test xmss", &rows);
}

/// The message of the first set ends in the middle of a word. In the second set the length field
/// needs another block.
#[test]
fn messages_longer_than_64_kib_as_in_software() {
    if !has_cores() {
        return;
    }
    let long = [("XMSS-SHA2_10_256", 65_541), ("LMS_SHA256_M24_H10_W4", 65_536 + 14)];
    for (name, length) in long.into_iter().chain([("XMSS-SHAKE256_10_192", 66_000)]) {
        let (set, kind) = kind(name);
        let core = XmssCore::of(kind).expect("the models were built");
        let (seed, kernels) = (bytes(name, set.seed_bytes()), Kernels::best());
        let mut signer = generate(set, &seed, kernels).expect("a seed of the right length");
        let public = signer.public_key().clone();
        core.load_key(&secret(kind, &seed, public.as_bytes()), 0).expect("a good key");
        let mut permits = Throwaway::new();
        let prepared = signer.prepare(permits.permit(), SignerLevel::None).expect("index 0");
        let mut message = bytes(name, length);
        let signature = prepared.finish(&message).expect("a permit is held");
        let ours = core.sign(0, &message).expect("an index that has not signed").value;
        let begins = if kind.scheme == Scheme::Xmss { 4 } else { 8 };
        assert_eq!(ours, signature.as_bytes()[begins..begins + ours.len()], "{name}");
        core.verify(&message, signature.as_bytes()).expect("a good signature");
        message[length - 1] ^= 1;
        assert_eq!(core.verify(&message, signature.as_bytes()), Err(Refusal::Bad), "{name}");
    }
}

#[test]
fn a_leaf_is_the_neighbour_in_the_path_and_clear_forgets() {
    let Some(core) = has_cores().then(|| XmssCore::new(10).expect("the models were built")) else {
        return;
    };
    let (set, kind) = kind("XMSS-SHA2_10_256");
    let seed = bytes("leaf", 96);
    let mut signer = generate(set, &seed, Kernels::best()).expect("a seed");
    let public = signer.public_key().as_bytes().to_vec();
    let key = secret(kind, &seed, &public);
    core.load_key(&key, 0).expect("a good key");
    let prepared = signer.prepare(Throwaway::new().permit(), SignerLevel::None).expect("index 0");
    let signature = prepared.finish(b"m").expect("a permit is held");
    let path = 4 + 32 * 68;
    assert_eq!(core.leaf(1).expect("in the tree").value, signature.as_bytes()[path..path + 32]);
    // The neighbours of its ancestors in the tree: over leaves 2 and 3, and over leaves 4 to 7.
    for (height, from) in [(1, path + 32), (2, path + 64)] {
        let node = core.node(height, 1).expect("in the tree").value;
        assert_eq!(node, signature.as_bytes()[from..from + 32]);
    }
    assert_eq!(core.node(11, 0), Err(Refusal::Refused));
    core.clear();
    assert_eq!(core.leaf(1), Err(Refusal::Refused));
    core.load_public(key.pub_seed, key.root).expect("a good key");
    core.verify(b"m", signature.as_bytes()).expect("a good signature");
    assert_eq!(core.verify(b"n", signature.as_bytes()), Err(Refusal::Bad));
    assert_eq!(core.verify(b"m", &signature.as_bytes()[1..]), Err(Refusal::Refused));
}
