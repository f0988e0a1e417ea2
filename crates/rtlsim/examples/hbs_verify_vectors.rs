//! Prints keys and signatures for the bench of `rtl/hbs_verify`:
//! `cargo run -p hasten-rtlsim --example hbs_verify_vectors > rtl/hbs_verify/bench/vectors.txt`.
//!
//! A line is `case NAME FORM VERDICT KEY SIGNATURE MESSAGE`. The form is `lms`, `hss` or `xmss`,
//! and the verdict `good` or `bad`. The other fields are hexadecimal, with `-` for an empty one.

use hasten_hbs::{Error, Set, SignerLevel, generate, hazmat::Throwaway};
use hasten_kernels::Kernels;
use sha2::{Digest, Sha256};
use std::path::Path;

/// LMS sets with trees of 32 one-time keys, each with lengths of messages. They include the last
/// length before the padding needs another block, and the next one.
const LOW: [(&str, &[usize]); 8] = [
    ("LMS_SHA256_M24_H5_W1", &[0, 9]),
    ("LMS_SHA256_M24_H5_W2", &[10, 63]),
    ("LMS_SHA256_M24_H5_W4", &[1, 2, 3, 11, 12, 1000]),
    ("LMS_SHA256_M24_H5_W8", &[64]),
    ("LMS_SHA256_M32_H5_W1", &[1, 300]),
    ("LMS_SHA256_M32_H5_W2", &[2, 73]),
    ("LMS_SHA256_M32_H5_W4", &[0, 3, 4, 5, 66, 1001]),
    ("LMS_SHA256_M32_H5_W8", &[65]),
];

/// XMSS sets, each with lengths of messages. The last one-time keys of a tree of 1,024 sign, so
/// that nodes of the path are on both sides, and the messages end at different positions of their
/// last blocks. With n = 24 the message follows 76 bytes, with n = 32 it follows 128.
const XMSS: [(&str, &[usize]); 2] = [
    ("XMSS-SHA2_10_192", &[0, 42, 43, 44, 52, 1_001]),
    ("XMSS-SHA2_10_256", &[0, 55, 56, 62, 64, 1_003]),
];

/// Sets whose keys and messages are those for which the cycles of the engine in `rtl/xmss` are
/// stated.
const MEASURED: [(&str, &str); 6] = [
    ("lms", "LMS_SHA256_M24_H10_W4"),
    ("lms", "LMS_SHA256_M32_H10_W4"),
    ("lms", "LMS_SHA256_M24_H10_W8"),
    ("lms", "LMS_SHA256_M32_H10_W8"),
    ("xmss", "XMSS-SHA2_10_192"),
    ("xmss", "XMSS-SHA2_10_256"),
];

const LEVELS: [&[&str]; 4] = [
    &["LMS_SHA256_M24_H5_W4", "LMS_SHA256_M24_H5_W8"],
    &["LMS_SHA256_M32_H5_W2", "LMS_SHA256_M32_H10_W4"],
    &["LMS_SHA256_M32_H5_W8", "LMS_SHA256_M24_H5_W4"],
    &["LMS_SHA256_M24_H5_W4"],
];

fn main() -> Result<(), Error> {
    for (name, lengths) in LOW {
        sign(Set::named(name)?, name, "lms", lengths, 0)?;
    }
    for (form, name) in MEASURED {
        sign(Set::named(name)?, &format!("measured-{name}"), form, &[64; 8], 0)?;
    }
    for (name, lengths) in XMSS {
        sign(Set::named(name)?, name, "xmss", lengths, 1_018)?;
    }
    for names in LEVELS {
        let sets = names.iter().map(|name| Set::named(name)).collect::<Result<Vec<_>, _>>()?;
        let label = names.join("+");
        sign(Set::hss(&sets)?, &format!("hss-{label}"), "hss", &[0, 61], 0)?;
    }
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    for name in ["RFC8554_1", "RFC8554_2", "RFC9858_1"] {
        print_answer(name, "hss", &vectors.join(format!("lms/{name}.rsp")));
    }
    for name in ["SHA2_10_192", "SHA2_10_256", "SHA2_16_256", "SHA2_20_192"] {
        let name = format!("XMSS-{name}");
        print_answer(&format!("liboqs-{name}"), "xmss", &vectors.join(format!("xmss/{name}.rsp")));
    }
    print_acvp(&vectors.join("lms/acvp.json"));
    Ok(())
}

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

/// Signs a message of each length. The key is derived from the name, and the first signature uses
/// the one-time key `begin`.
fn sign(
    set: &'static Set,
    name: &str,
    form: &str,
    lengths: &[usize],
    begin: u64,
) -> Result<(), Error> {
    let label = name.trim_start_matches("measured-").trim_start_matches("hss-");
    let seed = bytes(&format!("{label}key"), set.seed_bytes());
    let mut signer = generate(set, &seed, Kernels::best())?;
    let mut permits = Throwaway::starting_at(begin);
    for (i, length) in lengths.iter().enumerate() {
        let message = bytes(&format!("{label}message {i}"), *length);
        let prepared = signer.prepare(permits.permit(), SignerLevel::None)?;
        let signature = prepared.finish(&message)?;
        let key = hex(signer.public_key().as_bytes());
        let signature = hex(signature.as_bytes());
        println!("case {name} {form} good {key} {signature} {}", hex(&message));
    }
    Ok(())
}

fn print_answer(name: &str, form: &str, path: &Path) {
    let text = std::fs::read_to_string(path).expect("a file of the repository");
    let field = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
        line.expect("pk, msg and sm").to_lowercase()
    };
    println!("case {name} {form} good {} {} {}", field("pk"), field("sm"), field("msg"));
}

/// Prints NIST's signatures, each with NIST's verdict.
fn print_acvp(path: &Path) {
    let text = std::fs::read_to_string(path).expect("a file of the repository");
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).expect("it is JSON");
    for case in cases.iter().filter(|case| case["signature"].is_string()) {
        let field = |key: &str| case[key].as_str().expect("it is text").to_lowercase();
        let name = format!("{}-{}", case["file"].as_str().expect("a name"), case["tcId"]);
        let verdict = if case["testPassed"].as_bool().unwrap_or(true) { "good" } else { "bad" };
        let (key, signature) = (field("publicKey"), field("signature"));
        println!("case {name} lms {verdict} {key} {signature} {}", field("message"));
    }
}
