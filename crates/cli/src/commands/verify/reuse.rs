//! An index that several good signatures of one call share.

use std::path::PathBuf;

use hasten_keys::scan::Index;
use serde::Serialize;

use crate::output::visible;
use crate::report;

/// The index and the signatures that have it.
#[derive(Clone, Serialize)]
pub struct Reused {
    /// Index, counted over the whole level.
    index: Option<u64>,
    /// Level of the tree. Level 0 is the lowest, which signs messages.
    level: u32,
    #[serde(serialize_with = "report::paths")]
    signature_files: Vec<PathBuf>,
}

impl Reused {
    /// Returns an index that the signatures in these files share.
    pub fn new(index: &Index, mut signature_files: Vec<PathBuf>) -> Self {
        signature_files.dedup();
        Self { index: index.index, level: index.level, signature_files }
    }

    /// Returns the verdict and the files as text.
    pub fn text(&self, alg: &str) -> String {
        let index = self.index.map_or("-".to_owned(), |index| index.to_string());
        let level =
            if self.level > 0 { format!(" of level {}", self.level) } else { String::new() };
        let files: Vec<_> = self.signature_files.iter().map(|file| visible(file)).collect();
        format!("REUSED index {index}{level}  {alg}  {}", files.join(" and "))
    }
}
