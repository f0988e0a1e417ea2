//! Generates the data of the programs: for each parameter set a key, its public nodes, and the
//! expected signatures. Passes the linker script to the linker, and with HASTEN_ORDER the file that
//! lists the functions to place first.

use hasten_hbs::hazmat::Throwaway;
use hasten_hbs::{Set, Signer, SignerLevel, generate};
use hasten_kernels::Kernels;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Name of a key in the program, its parameter set, and the length of its seed in bytes.
const KEYS: [(&str, &str, usize); 7] = [
    ("xmss_256", "XMSS-SHA2_10_256", 96),
    ("shake_256", "XMSS-SHAKE_10_256", 96),
    ("xmss_192", "XMSS-SHA2_10_192", 72),
    ("lms_192", "LMS_SHA256_M24_H10_W4", 40),
    ("lms_192_w8", "LMS_SHA256_M24_H10_W8", 40),
    ("lms_256", "LMS_SHA256_M32_H10_W4", 48),
    ("lms_256_w8", "LMS_SHA256_M32_H10_W8", 48),
];

/// The signed message.
const MESSAGE: &[u8] = b"The reactor is to be shut down.";

/// Number of signatures available to a program, from index 0 on.
const SIGNATURES: usize = 8;

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    write(&out, "message", MESSAGE);
    for (name, set, seed) in KEYS {
        let seed: Vec<u8> = (0..seed as u8).collect();
        let set = Set::named(set).expect("a set of the table");
        let signer = generate(set, &seed, Kernels::portable()).expect("the seed has its length");
        write(&out, &format!("{name}.seed"), &seed);
        keep(&out, name, signer);
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=link.x");
    println!("cargo::rustc-link-arg-bins=-T{here}/link.x");
    println!("cargo::rerun-if-env-changed=HASTEN_ORDER");
    if let Ok(order) = env::var("HASTEN_ORDER") {
        println!("cargo::rerun-if-changed={order}");
        println!("cargo::rustc-link-arg-bins=--symbol-ordering-file={order}");
    }
}

/// Writes the key's public data and its signatures.
fn keep(out: &Path, name: &str, mut signer: Signer<'_>) {
    write(out, &format!("{name}.public"), signer.public_key().as_bytes());
    write(out, &format!("{name}.cache"), &[signer.to_cache(), signer.to_leaves()].concat());
    let mut permits = Throwaway::new();
    let mut signed = || {
        let prepared =
            signer.prepare(permits.permit(), SignerLevel::None).expect("an index is left");
        prepared.finish(MESSAGE).expect("the permit holds").as_bytes().to_vec()
    };
    let signatures: Vec<u8> = (0..SIGNATURES).flat_map(|_| signed()).collect();
    write(out, &format!("{name}.signatures"), &signatures);
}

fn write(out: &Path, name: &str, bytes: &[u8]) {
    fs::write(out.join(name), bytes).expect("a place for what is built");
}
