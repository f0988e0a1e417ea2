//! Converts the known answers to bytes, and passes the linker script to the linker.

use std::path::Path;
use std::{env, fs};

/// Known answers: the name in the program, and the file.
const ANSWERS: [(&str, &str); 6] = [
    ("lms", "lms/LMS_SHA256_H5_W8.rsp"),
    ("hss", "lms/RFC8554_1.rsp"),
    ("xmss", "xmss/XMSS-SHA2_10_256.rsp"),
    ("slh_dsa", "slh-dsa/SLH-DSA-SHA2-192s.rsp"),
    ("rom_xmss", "xmss/XMSS-SHA2_10_192.rsp"),
    ("slh_dsa_limited", "slh-dsa/SLH-DSA-SHA2-128-24.rsp"),
];

/// Known answers of LMS for more sets, which belong to the core `hbs_verify`.
const CASES: &str = "../../rtl/hbs_verify/bench/vectors.txt";

/// The case that the programs for boot ROMs verify.
const CASE: &str = "case measured-LMS_SHA256_M24_H10_W4 lms good ";

fn main() {
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    for (name, file) in ANSWERS {
        let path = Path::new(&here).join("../../vectors").join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path).expect("a known answer");
        for key in ["pk", "msg", "sm"] {
            fs::write(Path::new(&out).join(format!("{name}.{key}")), field(&text, key))
                .expect("a place for what is built");
        }
    }
    write_case(&Path::new(&here).join(CASES), Path::new(&out));
    println!("cargo::rerun-if-changed=link.x");
    println!("cargo::rustc-link-arg-bins=-T{here}/link.x");
}

/// Writes the case both as LMS and as HSS with one level.
fn write_case(cases: &Path, out: &Path) {
    println!("cargo::rerun-if-changed={}", cases.display());
    let text = fs::read_to_string(cases).expect("known answers");
    let case = text.lines().find_map(|line| line.strip_prefix(CASE)).expect("the case");
    let fields: Vec<Vec<u8>> = case.split(' ').map(bytes).collect();
    let levels = [[0, 0, 0, 1].as_slice(), &[0; 4], &[]];
    for ((part, name), front) in fields.iter().zip(["pk", "sm", "msg"]).zip(levels) {
        let write = |form, bytes: &[u8]| fs::write(out.join(format!("rom_{form}.{name}")), bytes);
        write("lms", part).expect("a place for what is built");
        write("hss", &[front, part].concat()).expect("a place for what is built");
    }
}

/// Returns the bytes after `key = `.
fn field(text: &str, key: &str) -> Vec<u8> {
    let digits = text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(" = "));
    bytes(digits.expect("the field").trim())
}

/// Decodes hexadecimal digits.
fn bytes(digits: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).expect("hexadecimal digits") as u8;
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs.map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
