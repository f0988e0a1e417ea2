//! Known-answer files: where they are and how they are read.

use std::path::{Path, PathBuf};
use std::process::Command;

/// One entry of a `.rsp` file.
pub struct Answer {
    pub name: String,
    pub pk: Vec<u8>,
    pub sk: Vec<u8>,
    pub msg: Vec<u8>,
    pub sm: Vec<u8>,
}

impl Answer {
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let field = |key: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(" = "));
            from_hex(line.unwrap_or_else(|| panic!("{key} in {}", path.display())))
        };
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        Self { name, pk: field("pk"), sk: field("sk"), msg: field("msg"), sm: field("sm") }
    }

    /// SK_SEED ‖ SK_PRF ‖ PUB_SEED out of OID ‖ index ‖ SK_SEED ‖ SK_PRF ‖ root ‖ PUB_SEED.
    pub fn seed(&self, n: usize) -> Vec<u8> {
        [&self.sk[8..8 + 2 * n], &self.sk[8 + 3 * n..8 + 4 * n]].concat()
    }
}

fn from_hex(s: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap() as u8;
    s.trim().as_bytes().chunks_exact(2).map(|p| digit(p[0]) << 4 | digit(p[1])).collect()
}

/// The files of `dir` whose names begin with `prefix`, in order.
pub fn answers(dir: &Path, prefix: &str) -> Vec<Answer> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "rsp"))
        .filter(|p| p.file_name().unwrap().to_str().unwrap().starts_with(prefix))
        .collect();
    paths.sort();
    paths.iter().map(|p| Answer::read(p)).collect()
}

/// `vectors/` of this repository.
pub fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// The stateful signatures' directory in the source of the crate oqs-sys, which cargo downloads.
pub fn oqs() -> PathBuf {
    let manifest = vectors().join("oqs/Cargo.toml");
    let out = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut packages = json["packages"].as_array().unwrap().iter();
    let oqs = packages.find(|p| p["name"] == "oqs-sys").unwrap();
    let manifest = Path::new(oqs["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().join("liboqs/tests/KATs/sig_stfl")
}
