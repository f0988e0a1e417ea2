//! Reading of known-answer files.

use crate::source::from_hex;
use std::path::{Path, PathBuf};

/// One entry of a `.rsp` file.
pub struct Answer {
    /// The file that it was read from.
    pub path: PathBuf,
    pub name: String,
    pub pk: Vec<u8>,
    pub msg: Vec<u8>,
    pub sm: Vec<u8>,
}

impl Answer {
    pub fn read(path: &Path) -> Self {
        let field = |key: &str| field(path, key);
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        Self { path: path.to_owned(), name, pk: field("pk"), msg: field("msg"), sm: field("sm") }
    }
}

/// Returns the bytes after `key = ` in a file.
pub fn field(path: &Path, key: &str) -> Vec<u8> {
    let text = std::fs::read_to_string(path).unwrap();
    let line = text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(" = "));
    from_hex(line.unwrap_or_else(|| panic!("{key} in {}", path.display())))
}

/// Returns the answers in `dir` whose file names begin with `prefix`, in order.
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
