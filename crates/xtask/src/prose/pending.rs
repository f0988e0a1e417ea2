//! `tools/prose.toml`: the places whose prose is not rewritten yet, by rule.

use super::Finding;
use hasten_chore::failure::{Failure, read};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The list, which is to shrink to nothing.
#[derive(Debug, Deserialize)]
pub struct Pending {
    /// The commit after which subjects are checked.
    commits_after: String,
    /// For each rule, folders and files.
    #[serde(default)]
    pending: BTreeMap<String, Vec<String>>,
}

impl Pending {
    /// Reads the file.
    pub fn load(path: &Path) -> Result<Self, Failure> {
        toml::from_str(&read(path)?)
            .map_err(|error| Failure::Form(path.to_path_buf(), error.to_string()))
    }

    /// Returns the commit after which subjects are checked.
    pub fn commits_after(&self) -> &str {
        &self.commits_after
    }

    /// Counts the places.
    pub fn len(&self) -> usize {
        self.pending.values().map(Vec::len).sum()
    }

    /// Returns true if the finding lies in a place listed for its rule.
    pub fn allows(&self, finding: &Finding) -> bool {
        let places = self.pending.get(finding.rule);
        places.is_some_and(|places| places.iter().any(|place| is_under(&finding.file, place)))
    }

    /// Names the places that have no finding left, which are to be deleted.
    pub fn idle(&self, found: &[Finding]) -> Vec<String> {
        let all =
            self.pending.iter().flat_map(|(rule, places)| places.iter().map(move |p| (rule, p)));
        let used = |rule: &str, place: &str| {
            found.iter().any(|f| f.rule == rule && is_under(&f.file, place))
        };
        all.filter(|(rule, place)| !used(rule, place))
            .map(|(rule, place)| {
                format!("tools/prose.toml: {rule}: nothing left in {place}, delete it there")
            })
            .collect()
    }
}

/// Returns true if the file is that place, or lies in that folder.
pub fn is_under(file: &str, place: &str) -> bool {
    let rest = file.strip_prefix(place.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
