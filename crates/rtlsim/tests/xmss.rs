//! The simulated XMSS engine against `hasten-hbs`: random keys and messages, signed and verified both ways.

use hasten_hbs::{Set, SignerLevel, Throwaway, Verifier, xmss};
use hasten_kernels::Kernels;
use hasten_rtlsim::BUILT;
use hasten_rtlsim::xmss::{Refusal, SecretKey, XmssCore};
use sha2::{Digest, Sha256};

fn bytes(label: &str, count: usize) -> Vec<u8> {
    let block = |i: usize| Sha256::digest(format!("{label} {i}"));
    (0..count.div_ceil(32)).flat_map(block).take(count).collect()
}

/// Messages in all: HASTEN_RTL_MESSAGES, or 12.
fn messages() -> usize {
    std::env::var("HASTEN_RTL_MESSAGES").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

fn array(bytes: &[u8]) -> &[u8; 32] {
    bytes.try_into().expect("32 bytes")
}

/// Signs `count` messages with one key, in software and in the engine.
fn one_key(core: &XmssCore, name: &str, count: usize) {
    let set = Set::named("XMSS-SHA2_10_256").expect("it is in the table");
    let (seed, kernels) = (bytes(name, 96), Kernels::best());
    let mut signer = xmss::generate(set, &seed, kernels).expect("a seed of the right length");
    let public = signer.public_key().clone();
    let root = array(&public.as_bytes()[4..36]);
    let key = SecretKey {
        sk_seed: array(&seed[..32]),
        sk_prf: array(&seed[32..64]),
        pub_seed: array(&seed[64..]),
        root,
    };
    core.load_key(&key, 0).expect("a good key");
    let mut permits = Throwaway::new();
    for i in 0..count {
        let message = bytes(&format!("{name} message {i}"), i * 37 % 200);
        let prepared =
            signer.prepare(permits.permit(), SignerLevel::None).expect("an index is left");
        let signature = prepared.finish(&message).expect("a permit is held");
        let index = u32::from_be_bytes(signature.as_bytes()[..4].try_into().expect("four bytes"));
        if i % 2 == 1 {
            core.prepare(index, false).expect("an index of the tree");
        }
        let ours = core.sign(index, &message).expect("an index that has not signed").value;
        assert_eq!(ours, signature.as_bytes()[4..4 + ours.len()], "{name}, message {i}");
        assert_eq!(core.sign(index, &message), Err(Refusal::Refused), "the index is used up");
        core.verify(&message, signature.as_bytes()).expect("a good signature");
        let mut joined = signature.as_bytes().to_vec();
        joined[4..4 + ours.len()].copy_from_slice(&ours);
        Verifier::new(&public, kernels).verify(&message, &joined).expect("a good signature");
        joined[i * 131 % 2500] ^= 1 << (i % 8);
        // A changed index may lie beyond the tree.
        assert!(core.verify(&message, &joined).is_err(), "{name}, message {i}");
    }
}

#[test]
fn random_messages_and_keys_as_in_software() {
    if !BUILT {
        println!("NOTE: no Verilator, the simulated cores were left out (cargo xtask hw tools)");
        return;
    }
    let core = XmssCore::new(10).expect("the models were built");
    let messages = messages();
    for key in 0..messages.div_ceil(6) {
        one_key(&core, &format!("key {key}"), (messages - 6 * key).min(6));
    }
}

#[test]
fn a_leaf_is_the_neighbour_in_the_path_and_clear_forgets() {
    let Some(core) = BUILT.then(|| XmssCore::new(10).expect("the models were built")) else {
        return;
    };
    let set = Set::named("XMSS-SHA2_10_256").expect("it is in the table");
    let seed = bytes("leaf", 96);
    let mut signer = xmss::generate(set, &seed, Kernels::best()).expect("a seed");
    let root = signer.public_key().as_bytes()[4..36].to_vec();
    let key = SecretKey {
        sk_seed: array(&seed[..32]),
        sk_prf: array(&seed[32..64]),
        pub_seed: array(&seed[64..]),
        root: array(&root),
    };
    core.load_key(&key, 0).expect("a good key");
    let prepared = signer.prepare(Throwaway::new().permit(), SignerLevel::None).expect("index 0");
    let signature = prepared.finish(b"m").expect("a permit is held");
    let path = 4 + 32 * 68;
    assert_eq!(core.leaf(1).expect("in the tree").value, signature.as_bytes()[path..path + 32]);
    core.clear();
    assert_eq!(core.leaf(1), Err(Refusal::Refused));
    core.load_public(key.pub_seed, key.root).expect("a good key");
    core.verify(b"m", signature.as_bytes()).expect("a good signature");
    assert_eq!(core.verify(b"n", signature.as_bytes()), Err(Refusal::Bad));
    assert_eq!(core.verify(b"m", &signature.as_bytes()[1..]), Err(Refusal::Refused));
}
