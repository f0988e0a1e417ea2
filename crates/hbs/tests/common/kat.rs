//! Known-answer files: where they are and how they are read.

use crate::source::{from_hex, source_of};
use std::path::{Path, PathBuf};

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

/// The stateful signatures' directory in the source of the crate oqs-sys.
pub fn oqs() -> PathBuf {
    source_of("oqs", "oqs-sys").join("liboqs/tests/KATs/sig_stfl")
}
