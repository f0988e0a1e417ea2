//! Prints keys and signatures for the bench of `rtl/xmss`:
//! `cargo run -p hasten-rtlsim --example xmss_vectors`.
//!
//! The lines are `set NAME`, `key SK_SEED SK_PRF PUB_SEED ROOT` and
//! `signature INDEX MESSAGE SIGNATURE`, in hexadecimal, with `-` for an empty field. The fields of
//! an LMS key are SEED, nothing, I padded to n bytes, and the root. Indices grow. The signatures of
//! a set with w > 2 are followed by other keys of the set, with one signature each.

use hasten_hbs::{Error, Set, Signer, SignerLevel, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use sha2::{Digest, Sha256};

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".into();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns bytes that are derived from a label.
fn bytes(label: &str, count: usize) -> Vec<u8> {
    let block = |i: usize| Sha256::digest(format!("{label} {i}"));
    (0..count.div_ceil(32)).flat_map(block).take(count).collect()
}

/// Message lengths: eight of 64 bytes, for which the cycles are stated, and others, around the
/// lengths at which the padding needs another block.
const LENGTHS: [usize; 16] = [64, 64, 64, 64, 64, 64, 64, 64, 0, 1, 8, 55, 56, 63, 119, 300];

/// Message lengths for the other sets: eight of 64 bytes, and others, near the ends of blocks of
/// the message hash.
const FEWER: [usize; 12] = [64, 64, 64, 64, 64, 64, 64, 64, 0, 1, 12, 43];

const OTHERS: [&str; 5] = [
    "XMSS-SHA2_10_192",
    "LMS_SHA256_M32_H10_W4",
    "LMS_SHA256_M32_H10_W8",
    "LMS_SHA256_M24_H10_W4",
    "LMS_SHA256_M24_H10_W8",
];

/// Message lengths for w = 1 and 2, whose signatures are long: four of 64 bytes, and two others.
const FEWEST: [usize; 6] = [64, 64, 64, 64, 0, 43];

const NARROW: [&str; 4] = [
    "LMS_SHA256_M32_H10_W1",
    "LMS_SHA256_M32_H10_W2",
    "LMS_SHA256_M24_H10_W1",
    "LMS_SHA256_M24_H10_W2",
];

/// Message lengths for SHAKE, some of them around the end of the first block. This block has 168 or
/// 136 bytes, and the message follows 128 or 76 bytes in it.
const SHAKE: [usize; 16] = [64, 64, 64, 64, 64, 64, 64, 64, 0, 1, 8, 39, 40, 41, 208, 300];
const SHAKE256_192: [usize; 8] = [64, 64, 0, 55, 59, 60, 61, 196];
const SHAKE256_256: [usize; 8] = [64, 64, 0, 7, 8, 9, 143, 144];

/// Prefixes of the labels of other keys. If the bits of one key hide a fault, another key shows it.
const KEYS: [&str; 3] = ["second ", "third ", "fourth "];

fn main() -> Result<(), Error> {
    one("XMSS-SHA2_10_256", "", &LENGTHS)?;
    OTHERS.iter().try_for_each(|name| one(name, name, &FEWER))?;
    one("XMSS-SHAKE_10_256", "XMSS-SHAKE_10_256", &SHAKE)?;
    one("XMSS-SHAKE256_10_192", "XMSS-SHAKE256_10_192", &SHAKE256_192)?;
    one("XMSS-SHAKE256_10_256", "XMSS-SHAKE256_10_256", &SHAKE256_256)?;
    NARROW.iter().try_for_each(|name| set(name, name, &FEWEST))
}

fn one(name: &str, label: &str, lengths: &[usize]) -> Result<(), Error> {
    set(name, label, lengths)?;
    KEYS.iter().try_for_each(|other| key(name, &format!("{other}{name}"), &lengths[..1]))
}

fn set(name: &str, label: &str, lengths: &[usize]) -> Result<(), Error> {
    println!("set {name}");
    key(name, label, lengths)
}

fn key(name: &str, label: &str, lengths: &[usize]) -> Result<(), Error> {
    let set = Set::named(name)?;
    let seed = bytes(&format!("{label}key"), set.seed_bytes());
    let mut signer = generate(set, &seed, Kernels::best())?;
    print_key(set, &seed, &signer);
    let mut permits = Throwaway::new();
    for (i, length) in lengths.iter().enumerate() {
        let message = bytes(&format!("{label}message {i}"), *length);
        let prepared = signer.prepare(permits.permit(), SignerLevel::None)?;
        let index = prepared.index();
        let signature = prepared.finish(&message)?;
        println!("signature {index} {} {}", hex(&message), hex(signature.as_bytes()));
    }
    Ok(())
}

fn print_key(set: &Set, seed: &[u8], signer: &Signer<'_>) {
    let (n, public) = (set.n, signer.public_key().as_bytes());
    if name_is_xmss(set) {
        let part = |i: usize| hex(&seed[i * n..(i + 1) * n]);
        return println!("key {} {} {} {}", part(0), part(1), part(2), hex(&public[4..4 + n]));
    }
    let mut id = seed[..16].to_vec();
    id.resize(n, 0);
    println!("key {} - {} {}", hex(&seed[16..]), hex(&id), hex(&public[public.len() - n..]));
}

fn name_is_xmss(set: &Set) -> bool {
    set.name.starts_with("XMSS")
}
