//! The table of standards, `docs/standards.toml`.

use hasten_chore::failure::{Failure, read};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Every standard that the repository cites.
#[derive(Debug, Deserialize)]
pub struct Standards {
    /// One entry per standard.
    pub standard: Vec<Standard>,
}

/// One standard in one edition, with the parts of it that are cited.
#[derive(Debug, Deserialize)]
pub struct Standard {
    /// Identifier, such as `FIPS 205`, `RFC 8391` or `SP 800-208`.
    pub id: String,
    /// Title of the standard.
    pub title: String,
    /// Date of the edition, and its errata if there are any.
    pub edition: String,
    /// Names of the cited algorithms by number.
    #[serde(default)]
    pub algorithm: BTreeMap<String, String>,
    /// Headings of the cited sections by number.
    #[serde(default)]
    pub section: BTreeMap<String, String>,
    /// Captions of the cited tables by number.
    #[serde(default)]
    pub table: BTreeMap<String, String>,
    /// Headings of the cited appendices by letter.
    #[serde(default)]
    pub appendix: BTreeMap<String, String>,
}

impl Standards {
    /// Reads the table and checks that every standard has a title and an edition.
    pub fn load(path: &Path) -> Result<Self, Failure> {
        let standards: Self = toml::from_str(&read(path)?)
            .map_err(|error| Failure::Form(path.to_path_buf(), error.to_string()))?;
        match standards.standard.iter().find(|one| one.title.is_empty() || one.edition.is_empty()) {
            Some(bare) => Err(Failure::Form(
                path.to_path_buf(),
                format!("{} lacks title or edition", bare.id),
            )),
            None => Ok(standards),
        }
    }

    /// Returns the standard with this id.
    pub fn get(&self, id: &str) -> Option<&Standard> {
        self.standard.iter().find(|standard| standard.id == id)
    }
}

impl Standard {
    /// Returns the name of a part. `kind` is "algorithm", "section", "table" or "appendix" in any
    /// case.
    pub fn name(&self, kind: &str, number: &str) -> Option<&str> {
        let parts = match kind.to_ascii_lowercase().as_str() {
            "algorithm" => &self.algorithm,
            "section" => &self.section,
            "table" => &self.table,
            _ => &self.appendix,
        };
        parts.get(number).map(String::as_str)
    }
}
