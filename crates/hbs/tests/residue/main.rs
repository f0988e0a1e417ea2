//! No secret of a key is in memory after the key, its prepared signatures and its signatures are
//! dropped.
//! |
//! Every case runs in a process of its own. It receives its seed and the needles (the secrets to
//! search for) in masked form, does everything that a signer does, drops everything and searches
//! its own memory. The process that computed the needles is not searched.
#![cfg(target_os = "linux")]

mod needles;
mod scan;

use hasten_hbs::params::{Hash, Scheme};
use hasten_hbs::slhdsa::{Context, SigningKey};
use hasten_hbs::{
    KeyGeneration, Sectors, Set, Signer, SignerLevel, generate, hazmat::Throwaway, load_levels,
};
use hasten_kernels::Kernels;
use scan::{MASK, Needles};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use zeroize::Zeroizing;

/// Sets with every hash function, with and without a midstate that is equivalent to the seed.
const SETS: [&str; 11] = [
    "XMSSMT-SHA2_20/4_256",
    "XMSSMT-SHA2_20/4_192",
    "XMSSMT-SHA2_20/4_512",
    "XMSSMT-SHAKE_20/4_256",
    "XMSSMT-SHAKE256_20/4_192",
    "LMS_SHA256_M32_H5_W4",
    "LMS_SHAKE_M24_H5_W8",
    "HSS(LMS_SHA256_M24_H5_W4,LMS_SHA256_M24_H5_W8)",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHA2-192f",
    "SLH-DSA-SHAKE-128f",
];

const MESSAGE: &[u8] = b"a message that is signed";
/// The first index whose signature is never finished.
const UNPUBLISHED: u64 = 1;
/// The environment variable that names the case for its process.
const CASE: &str = "HASTEN_RESIDUE";

#[test]
#[cfg_attr(debug_assertions, ignore = "the part residue runs it in a release build")]
fn nothing_secret_stays_in_memory() {
    if let Ok(case) = std::env::var(CASE) {
        return child(&case);
    }
    let mut dirty = Vec::new();
    for set in SETS.map(|name| Set::named(name).unwrap()) {
        let needles = masked_needles(set);
        for (backend, _) in Kernels::available() {
            for level in levels(set) {
                let case = format!("{} {backend} {}", set.name, level.name());
                let found = run_child(&case, &needles);
                if !found.is_empty() {
                    dirty.push(format!("{case}:\n{found}"));
                }
            }
        }
    }
    assert!(dirty.is_empty(), "{} cases leave secrets:\n{}", dirty.len(), dirty.join("\n"));
}

/// The search finds a secret that is present, on the heap and in lanes.
#[test]
fn the_search_finds_a_secret() {
    if std::env::var(CASE).is_ok() {
        return;
    }
    let secret: Vec<u8> = (0..32).map(|i: u8| i.wrapping_mul(91) ^ 0xc3).collect();
    let masked = secret.iter().map(|byte| byte ^ MASK).collect();
    let needles = Needles::new([("secret".into(), masked)].into_iter());
    assert!(needles.search().iter().any(|line| line.starts_with("secret at")));
    let mut lanes = vec![0; 1024];
    for (to, word) in lanes[12..].chunks_mut(64).zip(secret.chunks(4)) {
        to[..4].copy_from_slice(word);
    }
    let lanes = std::hint::black_box(lanes);
    let found = needles.search();
    assert!(found.iter().any(|line| line.starts_with("secret in lanes 64 apart")), "{found:?}");
    drop(lanes);
}

/// Returns every level for SHA-256 with n = 32. For the other stateful sets, returns the level at
/// which signing does everything, and the one at which it overwrites less of the stack.
fn levels(set: &Set) -> &'static [SignerLevel] {
    match set.scheme {
        Scheme::SlhDsa { .. } => &[SignerLevel::None],
        _ if set.hash == Hash::Sha256 && set.n == 32 => &SignerLevel::ALL,
        _ => &[SignerLevel::None, SignerLevel::Masks],
    }
}

fn seed(set: &Set) -> Vec<u8> {
    (0..set.seed_bytes() as u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8 ^ 0x71).collect()
}

/// Returns the seed and all secrets that no signature has revealed, masked and in hexadecimal.
fn masked_needles(set: &'static Set) -> String {
    let seed = seed(set);
    let shown = published(set, &seed);
    let secret = |bytes: &[u8]| !shown.windows(bytes.len()).any(|part| part == bytes);
    let needles = needles::of(set, &seed, UNPUBLISHED);
    let needles = needles.into_iter().filter(|(_, bytes)| secret(bytes));
    let lines = [("seed".to_owned(), seed.clone())].into_iter().chain(needles);
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{:02x}", b ^ MASK)).collect::<String>();
    lines.map(|(name, bytes)| format!("{}\t{name}\n", hex(&bytes))).collect()
}

/// Returns the signature that a key of `set` publishes in a case.
fn published(set: &'static Set, seed: &[u8]) -> Vec<u8> {
    if let Scheme::SlhDsa { .. } = set.scheme {
        let key = SigningKey::from_seed(&Kernels::best(), set, seed).unwrap();
        return key.sign(Context::EMPTY, MESSAGE, None).unwrap().into_bytes();
    }
    let mut signer = generate(set, seed, Kernels::best()).unwrap();
    let prepared = signer.prepare(Throwaway::new().permit(), SignerLevel::None).unwrap();
    prepared.finish(MESSAGE).unwrap().into_bytes()
}

/// Runs a case in a process of its own, and returns the findings of its search.
fn run_child(case: &str, needles: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "nothing_secret_stays_in_memory", "--nocapture"]);
    command.env(CASE, case).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(needles.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stdout));
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(lines.contains("searched"), "{case}: {lines}");
    lines
        .lines()
        .filter_map(|line| line.strip_prefix("FOUND "))
        .take(6)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Runs a case, and prints the findings of the search afterwards.
fn child(case: &str) {
    let mut parts = case.split(' ');
    let set = Set::named(parts.next().unwrap()).unwrap();
    let kernels = Kernels::named(parts.next().unwrap()).unwrap();
    let level = SignerLevel::named(parts.next().unwrap()).unwrap();
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut lines = text.lines().map(|line| line.split_once('\t').unwrap());
    let masked_seed = unhex(lines.next().unwrap().0);
    let needles = Needles::new(lines.map(|(hex, name)| (name.to_owned(), unhex(hex))));
    if let Scheme::SlhDsa { .. } = set.scheme {
        stateless(set, &masked_seed, kernels);
    } else {
        stateful(set, &masked_seed, kernels, level);
    }
    needles.search().iter().for_each(|line| println!("FOUND {line}"));
    println!("searched");
}

fn unhex(hex: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

fn unmask(masked: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(masked.iter().map(|byte| byte ^ MASK).collect())
}

/// Generates a key on two threads, loads it again, and signs and prepares with both.
fn stateful(set: &'static Set, masked: &[u8], kernels: Kernels<'static>, level: SignerLevel) {
    let seed = unmask(masked);
    let mut made = KeyGeneration::new(set, &seed, kernels).unwrap();
    let signer = made.run(2, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    drop(made);
    let (public, cache) = (signer.public_key().clone(), signer.to_cache());
    sign(signer, level);
    let signer =
        load_levels(set, &public, &Sectors::one(&seed), &cache, &Throwaway::new(), kernels)
            .unwrap();
    sign(signer, level);
}

/// Makes one signature, then prepares one index and gives it up, then announces one and gives it
/// up.
fn sign(mut signer: Signer<'_>, level: SignerLevel) {
    let mut permits = Throwaway::new();
    let prepared = signer.prepare(permits.permit(), level).unwrap();
    let signature = prepared.finish(MESSAGE).unwrap();
    drop(signature);
    drop(signer.prepare(permits.permit(), level).unwrap());
    let prepared = signer.prepare(permits.permit(), level).unwrap();
    drop(prepared.announcement());
}

fn stateless(set: &'static Set, masked: &[u8], kernels: Kernels<'static>) {
    let seed = unmask(masked);
    let key = SigningKey::from_seed(&kernels, set, &seed).unwrap();
    let bytes = key.to_bytes();
    let again = SigningKey::from_bytes(&kernels, set, &bytes).unwrap();
    for key in [key, again] {
        drop(key.sign(Context::EMPTY, MESSAGE, None).unwrap());
    }
}
