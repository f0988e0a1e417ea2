//! The table of the standards used, `docs/standards.toml`.

use hasten_chore::failure::{Failure, read};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Every standard the repository cites.
#[derive(Debug, Deserialize)]
pub struct Standards {
    /// One entry each.
    pub standard: Vec<Standard>,
}

/// One standard in one edition, with those of its parts that are cited.
#[derive(Debug, Deserialize)]
pub struct Standard {
    /// `FIPS 205`, `RFC 8391`, `SP 800-208`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Date, and errata where there are any.
    pub edition: String,
    /// Number to name.
    #[serde(default)]
    pub algorithm: BTreeMap<String, String>,
    /// Number to heading.
    #[serde(default)]
    pub section: BTreeMap<String, String>,
    /// Number to caption.
    #[serde(default)]
    pub table: BTreeMap<String, String>,
    /// Letter to heading.
    #[serde(default)]
    pub appendix: BTreeMap<String, String>,
}

impl Standards {
    /// Reads the table.
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
    /// Returns the name of a part: `kind` is Algorithm, section, Table or Appendix in any case.
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
