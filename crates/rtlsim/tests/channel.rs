//! Messages of a channel on the simulated XMSS engine. It signs header and payload with the key of
//! a session tree, byte for byte as software does, and a subscriber delivers the signed message. It
//! also verifies the messages that a publisher has sealed.
//!
//! `HASTEN_RESULT=results/rtl-channel.json` keeps the clock cycles.

#[allow(dead_code)] // the tests of the channel use the rest
#[path = "../../channel/tests/all/memory.rs"]
mod memory;

use hasten_channel::{Identity, Subscriber};
use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::{PublicKey, Set, Signer, SignerLevel, generate};
use hasten_kernels::Kernels;
use hasten_report::keep;
use hasten_rtlsim::BUILT;
use hasten_rtlsim::xmss::{Hash, Kind, Refusal, Scheme, SecretKey, XmssCore};
use memory::{ABOVE, Ends, Memory, message};
use sha2::{Digest, Sha256};

/// Returns true if there are simulated cores.
fn has_cores() -> bool {
    hasten_report::is_built(BUILT, "simulated cores", &["rtl"])
}

/// Sets of session trees that the engine supports, all of one height.
const SETS: [&str; 4] = [
    "LMS_SHA256_M24_H10_W4",
    "LMS_SHA256_M32_H10_W4",
    "LMS_SHA256_M24_H10_W8",
    "LMS_SHA256_M32_H10_W8",
];

/// Number of messages per set, and bytes per message.
const MESSAGES: u32 = 16;
const BYTES: usize = 64;

/// A session tree whose key both the engine and software hold.
struct Tree {
    set: &'static Set,
    signer: Signer<'static>,
    permits: Throwaway,
    core: XmssCore,
}

/// Clock cycles of one message.
struct Cycles {
    sign: u32,
    verify: u32,
}

impl Tree {
    fn new(set: &'static Set) -> Self {
        let seed: Vec<u8> = (0..set.seed_bytes().div_ceil(32))
            .flat_map(|block| Sha256::digest(format!("{} {block}", set.name)))
            .take(set.seed_bytes())
            .collect();
        let signer = generate(set, &seed, Kernels::best()).expect("a seed of the right length");
        let core = XmssCore::of(kind(set)).expect("the models were built");
        let root = signer.public_key().as_bytes();
        let root = &root[root.len() - set.n..];
        let (pub_seed, sk_seed) = seed.split_at(16);
        let key = SecretKey { sk_seed, sk_prf: &[], pub_seed, root };
        core.load_key(&key, 0).expect("a good key");
        Self { set, signer, permits: Throwaway::new(), core }
    }

    /// Signs with the next index, which is prepared before the message is known. Checks that the
    /// engine makes the same signature as software. Returns the signature, and the engine's clock
    /// cycles for signing and verifying.
    fn sign(&mut self, message: &[u8]) -> (Vec<u8>, Cycles) {
        let level = SignerLevel::ChainTable;
        let ready = self.signer.prepare(self.permits.permit(), level).expect("an index is left");
        let index = u32::try_from(ready.index()).expect("a low tree");
        self.core.prepare(index, false).expect("an index of the tree");
        let signature = ready.finish(message).expect("a permit is held").into_bytes();
        let made = self.core.sign(index, message).expect("an index that has not signed");
        assert_eq!(made.value, signature[8..][..made.value.len()], "{}, {index}", self.set.name);
        assert_eq!(self.core.sign(index, message).err(), Some(Refusal::Refused));
        let verify = self.core.verify(message, &signature).expect("a good signature").cycles;
        (signature, Cycles { sign: made.cycles, verify })
    }
}

fn kind(set: &Set) -> Kind {
    let scheme = if set.w() == 16 { Scheme::LmsW4 } else { Scheme::LmsW8 };
    let height = u8::try_from(set.h).expect("a low tree");
    Kind { scheme, hash: Hash::Sha256, n: set.n, height }
}

/// Returns a subscriber that knows the tree, because an identity has signed the tree's
/// announcement.
fn announced(tree: &PublicKey) -> Subscriber<'static> {
    let mut identity = Memory::of(ABOVE, 3);
    let signed = identity.sign_tree(tree).expect("an index is left");
    let number = signed.number.to_be_bytes();
    let announcement = [b"hch\x12\0\0\0\0", &number[..], &signed.signed_keys].concat();
    let key = identity.public_key().expect("a key");
    let mut subscriber = Subscriber::new(&key, Kernels::best()).expect("the key of a channel");
    subscriber.open(&announcement).expect("a good announcement");
    subscriber
}

/// Returns the bytes with one bit changed, which the engine must not accept.
fn spoilt(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut spoilt = bytes.to_vec();
    spoilt[at % bytes.len()] ^= 1;
    spoilt
}

/// Seals messages, lets software and engine sign them, and returns the row.
fn one_set(name: &str) -> String {
    let set = Set::named(name).expect("it is in the table");
    let mut ends = Ends::over(Memory::of(ABOVE, 7), name);
    let mut tree = Tree::new(set);
    let mut subscriber = announced(tree.signer.public_key());
    let (mut sign, mut verify, mut bytes) = (Vec::new(), Vec::new(), 0);
    for number in 0..MESSAGES {
        let payload = [&number.to_be_bytes()[..], &[0x5a; BYTES - 4]].concat();
        let sealed = ends.seal(&payload);
        let (front, own) = sealed.split_at(sealed.len() - set.signature_bytes());
        let (signature, cycles) = tree.sign(front);
        let datagram = [front, &signature].concat();
        let delivered = message(&mut subscriber, &datagram).expect("the engine has signed it");
        assert_eq!((delivered.payload, delivered.sequence), (&payload[..], number.into()));
        let at = number as usize * 97;
        assert!(tree.core.verify(&spoilt(front, at), &signature).is_err());
        assert!(tree.core.verify(front, &spoilt(&signature, at)).is_err());
        of_the_publisher(&ends, set, front, own);
        bytes = datagram.len();
        sign.push(cycles.sign);
        verify.push(cycles.verify);
    }
    let [(sign, sign_max), (verify, verify_max)] = [sign, verify].map(|all| {
        let mean = all.iter().sum::<u32>() / MESSAGES;
        (mean, all.into_iter().max().unwrap_or_default())
    });
    format!(
        r#"{{"alg":"{}","core":"xmss/xmss_engine","params":{{"cores":4,"unroll":1}},"messages":{MESSAGES},"message_bytes":{BYTES},"bytes":{bytes},"sign_cycles":{sign},"sign_cycles_max":{sign_max},"verify_cycles":{verify},"verify_cycles_max":{verify_max}}}"#,
        set.name
    )
}

/// Verifies on the engine a message that the publisher has sealed, with the announced key.
fn of_the_publisher(ends: &Ends, set: &'static Set, front: &[u8], own: &[u8]) {
    let announced = ends.announcements().remove(0);
    let (pub_seed, root) = announced[announced.len() - 16 - set.n..].split_at(16);
    let core = XmssCore::of(kind(set)).expect("the models were built");
    core.load_public(pub_seed, root).expect("a good key");
    core.verify(front, own).expect("a good signature");
    assert!(core.verify(&spoilt(front, 5), own).is_err());
}

#[test]
fn messages_of_a_channel_are_signed_and_verified_as_in_software() {
    if !has_cores() {
        return;
    }
    let rows: Vec<String> = SETS.iter().map(|name| one_set(name)).collect();
    keep("rtl-channel", &[], "-p hasten-rtlsim --release --test channel", &rows);
}
