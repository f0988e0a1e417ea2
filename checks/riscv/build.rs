//! Turns the known answers into bytes, and names the linker script.

use std::path::Path;
use std::{env, fs};

/// Known answers: the name in the program, and the file.
const ANSWERS: [(&str, &str); 5] = [
    ("lms", "lms/LMS_SHA256_H5_W8.rsp"),
    ("hss", "lms/RFC8554_1.rsp"),
    ("xmss", "xmss/XMSS-SHA2_10_256.rsp"),
    ("slh_dsa", "slh-dsa/SLH-DSA-SHA2-192s.rsp"),
    ("slh_dsa_limited", "slh-dsa/SLH-DSA-SHA2-128-24.rsp"),
];

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
    println!("cargo::rerun-if-changed=link.x");
    println!("cargo::rustc-link-arg-bins=-T{here}/link.x");
}

/// Returns the bytes after `key = `.
fn field(text: &str, key: &str) -> Vec<u8> {
    let digits = text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(" = "));
    let digits = digits.expect("the field").trim().as_bytes().chunks_exact(2);
    let digit = |c: u8| (c as char).to_digit(16).expect("hexadecimal digits") as u8;
    digits.map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
