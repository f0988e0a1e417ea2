//! Locations of known answers, and hexadecimal digits.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Converts hexadecimal digits to bytes.
pub fn from_hex(s: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap() as u8;
    s.trim().as_bytes().chunks_exact(2).map(|p| digit(p[0]) << 4 | digit(p[1])).collect()
}

/// Returns `vectors/` of this repository.
pub fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Returns the source folder of `package`, which cargo downloads for `checks/vectors-tools/FOLDER`.
pub fn source_of(folder: &str, package: &str) -> PathBuf {
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1", "--manifest-path"])
        .arg(vectors().join("../checks/vectors-tools").join(folder).join("Cargo.toml"))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut packages = json["packages"].as_array().unwrap().iter();
    let package = packages.find(|p| p["name"] == package).unwrap();
    Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}
