//! Writes `vectors/conformance`: cases for any implementation of LMS, HSS, XMSS, XMSS^MT and
//! SLH-DSA.
//!
//! ```text
//! cargo run --release -p hasten-hbs --example conformance -- vectors/conformance
//! cargo run --release -p hasten-hbs --features toy --example conformance -- FOLDER limited
//! ```
//!
//! `docs/conformance.md` describes the files. The same command always writes the same bytes. With
//! `limited`, only the sets for a limited number of signatures are written; their keys take
//! minutes. A folder after `limited` is one written with `--keep` by the example `limited` of
//! hasten-measure. Keys and signatures are then read from it, and sets that it does not contain are
//! left out.

use hasten_hbs::params::{Hash, SETS, Scheme};
use hasten_hbs::slhdsa::{self, Context, LimitedGeneration, LimitedSigner};
use hasten_hbs::{Set, SignerLevel, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use serde_json::{Value, json};
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

/// Sets of HSS keys, with the highest level first.
const HSS: [&str; 7] = [
    "HSS(LMS_SHA256_M32_H5_W4)",
    "HSS(LMS_SHA256_M32_H5_W8,LMS_SHA256_M32_H5_W8)",
    "HSS(LMS_SHA256_M32_H10_W4,LMS_SHA256_M32_H5_W2)",
    "HSS(LMS_SHA256_M24_H5_W8,LMS_SHA256_M24_H10_W4)",
    "HSS(LMS_SHAKE_M32_H5_W8,LMS_SHA256_M24_H5_W4)",
    "HSS(LMS_SHAKE_M24_H5_W4,LMS_SHAKE_M24_H5_W8,LMS_SHAKE_M24_H5_W8)",
    "HSS(L1_H5_W8,L1_H5_W8,L1_H5_W8,L1_H5_W8,L1_H5_W8,L1_H5_W8,L1_H5_W8,L1_H5_W8)",
];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let written = match words[..] {
        [folder] => Some(write(Path::new(folder))),
        [folder, "limited"] => Some(write_limited(Path::new(folder), None)),
        [folder, "limited", rows] => Some(write_limited(Path::new(folder), Some(Path::new(rows)))),
        _ => None,
    };
    match written {
        Some(Ok(())) => return ExitCode::SUCCESS,
        Some(Err(error)) => eprintln!("{error}"),
        None => eprintln!("usage: conformance FOLDER [limited [ROWS]]"),
    }
    ExitCode::from(2)
}

fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let hss = HSS.iter().map(|name| Set::hss(&Set::named(name)?.levels()));
    let hss = hss.collect::<Result<Vec<_>, hasten_hbs::Error>>()?;
    for (name, sets) in [
        ("lms", of(|set| matches!(set.scheme, Scheme::Lms { .. }) && set.h <= 10)),
        ("hss", hss),
        ("xmss", of(|set| set.scheme == Scheme::Xmss && set.h == 10)),
        ("xmssmt", of(|set| set.scheme == Scheme::XmssMt && small(set))),
    ] {
        let groups = sets.into_iter().map(stateful).collect::<Result<Vec<_>, _>>()?;
        save(folder, name, &groups)?;
    }
    let sets = of(|set| matches!(set.scheme, Scheme::SlhDsa { .. }) && !set.draft);
    let groups = sets.into_iter().map(stateless).collect::<Result<Vec<_>, _>>()?;
    save(folder, "slh-dsa", &groups)
}

fn write_limited(folder: &Path, rows: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut sets = of(|set| set.limit.is_some());
    #[cfg(feature = "toy")]
    sets.extend(hasten_hbs::params::TOYS.iter().filter(|set| set.h < 10));
    let kept = |set: &&Set| rows.is_none_or(|rows| rows.join(format!("{}.sig", set.name)).exists());
    sets.retain(|set| set.h < 10 || kept(set));
    sets.sort_by_key(|set| set.h);
    let groups = sets.into_iter().map(|set| limited(set, rows));
    save(folder, "slh-dsa-limited", &groups.collect::<Result<Vec<_>, _>>()?)
}

fn of(take: fn(&Set) -> bool) -> Vec<&'static Set> {
    SETS.iter().filter(|set| take(set)).collect()
}

/// Returns true if the set has trees of 32 leaves and signatures below 40 kB.
fn small(set: &Set) -> bool {
    set.tree_height() == 5 && set.signature_bytes() < 40_000
}

fn save(folder: &Path, name: &str, groups: &[Value]) -> Result<(), Box<dyn Error>> {
    let file = json!({ "schema": "hasten.conformance/1", "scheme": name, "groups": groups });
    let text = serde_json::to_string_pretty(&file)? + "\n";
    Ok(fs::write(folder.join(format!("{name}.json")), text)?)
}

fn seed(set: &Set) -> Vec<u8> {
    let salt = set.name.bytes().fold(set.number.get() as u8, |sum, c| sum.rotate_left(3) ^ c);
    (0..set.seed_bytes()).map(|i| (i as u8).wrapping_mul(151) ^ salt).collect()
}

/// Returns the first index, the indices on both sides of the boundary of the first lowest tree, and
/// the last.
fn indices(set: &Set) -> Vec<u64> {
    let (width, last) = (1 << set.tree_height(), set.capacity() - 1);
    let mut indices = vec![0, width - 1, width, last];
    indices.retain(|index| *index <= last);
    indices.dedup();
    indices
}

fn stateful(set: &'static Set) -> Result<Value, Box<dyn Error>> {
    let mut signer = generate(set, &seed(set), Kernels::best())?;
    let key = signer.public_key().as_bytes().to_vec();
    let mut cases = Vec::new();
    for index in indices(set) {
        let message = format!("message {index} of {}", set.name).into_bytes();
        let permit = Throwaway::starting_at(index).permit();
        let signature = signer.prepare(permit, SignerLevel::EarlyAuth)?.finish(&message)?;
        cases.push(case(index, &message, signature.as_bytes()));
    }
    let width = set.index_bytes();
    let at = set.signature_bytes() - set.layer(0).signature_bytes();
    let at = if let Scheme::Hss { .. } = set.scheme { at } else { 0 };
    let mut edits = edits(set.signature_bytes());
    edits.push(edit("the counter of another one-time key", at + width - 1, &[1]));
    edits.push(edit("a counter past the last", at, &[0xff]));
    let keys = keys(&key, number_bytes(set));
    Ok(json!({
        "alg": set.name, "seed": hex(&seed(set)), "publicKey": hex(&key),
        "capacity": set.capacity(), "cases": cases, "edits": edits, "badKeys": keys,
    }))
}

/// Returns the number of bytes at the front of a public key that name the set and the levels.
fn number_bytes(set: &Set) -> usize {
    match set.scheme {
        Scheme::Hss { .. } => 12,
        Scheme::Lms { .. } => 8,
        Scheme::SlhDsa { .. } => 0,
        _ => 4,
    }
}

fn stateless(set: &'static Set) -> Result<Value, Box<dyn Error>> {
    let key = slhdsa::SigningKey::from_seed(&Kernels::best(), set, &seed(set))?;
    let message = format!("message of {}", set.name).into_bytes();
    let context = b"context";
    let signature = key.sign(Context::new(context)?, &message, None)?;
    let public = key.verifying_key().as_bytes();
    let mut case = case(0, &message, signature.as_bytes());
    case["context"] = hex(context).into();
    Ok(json!({
        "alg": set.name, "seed": hex(&seed(set)), "publicKey": hex(public),
        "cases": [case], "edits": edits(set.signature_bytes()), "badKeys": keys(public, 0),
    }))
}

/// Returns the signer of a set's key, from the kept row of its tree if there is one.
fn signer(
    set: &'static Set,
    rows: Option<&Path>,
) -> Result<LimitedSigner<'static>, Box<dyn Error>> {
    let mut generation = LimitedGeneration::new(set, &seed(set), Kernels::best())?;
    let row = rows.map(|folder| fs::read(folder.join(format!("{}.row", set.name))));
    if let Some(Ok(row)) = row {
        generation.resume(&row)?;
    }
    Ok(generation.run(2, &mut |_| ControlFlow::Continue(()))?)
}

fn limited(set: &'static Set, rows: Option<&Path>) -> Result<Value, Box<dyn Error>> {
    let (signer, message) = (signer(set, rows)?, b"message");
    let made = rows.and_then(|folder| fs::read(folder.join(format!("{}.sig", set.name))).ok());
    let signature = match made {
        Some(signature) => signature,
        None => {
            let signed =
                signer.sign_uncounted_beyond_any_limit(Context::EMPTY, message, None, 2)?;
            signed.into_bytes()
        }
    };
    let public = signer.verifying_key().as_bytes();
    let mut case = case(0, message, &signature);
    case["context"] = "".into();
    Ok(json!({
        "alg": set.name, "seed": hex(&seed(set)), "publicKey": hex(public),
        "capacity": set.capacity(), "geometry": geometry(set), "cases": [case],
        "edits": edits(set.signature_bytes()), "badKeys": keys(public, 0),
    }))
}

/// Returns the parameters of the set, for verifiers that know only other sets.
fn geometry(set: &Set) -> Value {
    let Scheme::SlhDsa { a, k } = set.scheme else { return Value::Null };
    let hash = if set.hash == Hash::Sha256 { "SHA2" } else { "SHAKE" };
    json!({ "hash": hash, "n": set.n, "h": set.h, "d": set.d, "a": a, "k": k, "lg_w": set.lg_w })
}

fn case(index: u64, message: &[u8], signature: &[u8]) -> Value {
    json!({ "index": index, "message": hex(message), "signature": hex(signature) })
}

/// Returns changes to the signature of the first case. None of the changed signatures may verify.
fn edits(length: usize) -> Vec<Value> {
    let mut edits: Vec<Value> = [0, length / 7, length / 3, length / 2, length - 40, length - 1]
        .into_iter()
        .map(|at| edit("one bit turned", at, &[0x10]))
        .collect();
    for (what, length) in [("nothing", 0), ("one byte short", length - 1)] {
        edits.push(json!({ "what": what, "length": length }));
    }
    edits.push(json!({ "what": "one byte more", "length": length + 1 }));
    edits
}

fn edit(what: &str, at: usize, xor: &[u8]) -> Value {
    json!({ "what": what, "at": at, "xor": hex(xor) })
}

/// Returns byte strings that are not valid public keys.
fn keys(key: &[u8], numbers: usize) -> Vec<Value> {
    let mut keys = vec![
        json!({ "what": "one byte short", "key": hex(&key[..key.len() - 1]) }),
        json!({ "what": "one byte more", "key": hex(&[key, &[0]].concat()) }),
        json!({ "what": "nothing", "key": "" }),
    ];
    for at in (0..numbers).step_by(4) {
        let mut other = key.to_vec();
        other[at..at + 4].copy_from_slice(&[0, 0, 1, 0]);
        keys.push(json!({ "what": "a number that no set has", "key": hex(&other) }));
    }
    keys
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
