//! Rows about the netlist of a unit in a library, which `hw gates`, `hw lec`, `hw place` and
//! `hw tvla` keep.

use crate::core::cores::{Core, Param, Point, Unit};
use crate::core::options::Options;
use crate::core::results;
use crate::core::tool;
use crate::map::asic;
use crate::map::liberty::{self, Liberty};
use crate::map::map_hierarchy;
use crate::map::netlist::Module;
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_report::Unneeded;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The subject that a row is computed from: a unit at a point, and a library with its file.
#[derive(Clone, Copy)]
pub struct Mapping<'m> {
    pub core: &'m Core,
    pub unit: &'m Unit,
    pub point: &'m Point,
    pub library: &'m Liberty,
    pub file: &'m Path,
}

/// Calls `run` with each library for the first `most` chosen points of each unit that `wanted`
/// accepts. `--check` does not change the choice of points.
pub fn each(
    options: &Options,
    wanted: impl Fn(&Unit) -> bool,
    most: usize,
    run: impl Fn(&Mapping) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for core in &Core::chosen(&Options { check: false, ..options.clone() })? {
        for unit in core.unit.iter().filter(|unit| wanted(unit)) {
            for point in unit.points.iter().take(most) {
                for (library, file) in &liberty::libraries(options)? {
                    run(&Mapping { core, unit, point, library, file })?;
                }
            }
        }
    }
    Ok(())
}

/// Maps a unit at a point, or reuses the kept netlist. A unit that is mapped module by module is
/// joined. Returns the netlist and the stem of its files.
pub fn netlist(
    core: &Core,
    unit: &Unit,
    point: &Point,
    (library, file): (&Liberty, &Path),
) -> Result<(PathBuf, Module), Failure> {
    if let Some(description) = &unit.whole {
        let (core, unit, point) = map_hierarchy::described(description, unit, point)?;
        let joined = map_hierarchy::joined(&core, &unit, &point, library, file)?;
        return Ok((joined.folder().join(&unit.top), joined.module()));
    }
    let stem = asic::kept(core, unit, point, library, file)?.stem;
    let module = Module::load(&stem.with_extension("json"), &unit.top)?;
    Ok((stem, module))
}

/// Returns the netlist of a unit that is mapped module by module, without the buffers between
/// modules. Returns `None` for any other unit.
pub fn without_buffers(mapping: &Mapping) -> Result<Option<Module>, Failure> {
    let Mapping { unit, point, library, file, .. } = *mapping;
    let Some(description) = &unit.whole else { return Ok(None) };
    let (core, unit, point) = map_hierarchy::described(description, unit, point)?;
    map_hierarchy::without_buffers(&core, &unit, &point, library, file)
        .map(|one| Some(one.module()))
}

/// A unit at a point, in a library.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Subject {
    core: String,
    params: BTreeMap<String, Param>,
    liberty: String,
    liberty_sha256: String,
}

impl Subject {
    /// Returns the subject of a unit at a point in a library.
    pub fn new(unit: &Unit, point: &Point, library: &Liberty) -> Self {
        Self {
            core: unit.top.clone(),
            params: point.params.clone(),
            liberty: library.name().into(),
            liberty_sha256: library.sha256.clone(),
        }
    }

    fn key(&self) -> (String, String, String) {
        (self.core.clone(), format!("{:?}", self.params), self.liberty.clone())
    }
}

/// Writes a row of `hw NAME` to `results/rtl-NAME.json`, in place of the row with the same subject.
pub fn keep<R: Serialize + DeserializeOwned>(
    name: &str,
    why: &str,
    fresh: R,
    subject: impl Fn(&R) -> &Subject,
) -> Result<(), Failure> {
    let path = checkout::root()?.join(format!("results/rtl-{name}.json"));
    let key = |row: &R| subject(row).key();
    let rows = results::beside(&path, vec![fresh], key, key)?;
    let (schema, command) = (format!("hasten.rtl-{name}/1"), format!("cargo xtask hw {name}"));
    tool::write(&path, &results::document(&schema, Unneeded::because(why), &command, &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Row {
        #[serde(flatten)]
        subject: Subject,
        compared: u64,
    }

    #[test]
    fn a_row_has_its_subject_beside_the_rest() {
        let text = r#"{"core":"c","params":{"stage":"refined","unroll":2},"liberty":"l","liberty_sha256":"s","compared":3}"#;
        let row: Row = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&row).unwrap(), text);
        let others = [("refined", "unrolled"), ("2}", "4}"), ("\"l\"", "\"m\"")];
        for other in others.map(|(old, new)| text.replace(old, new)) {
            let other: Row = serde_json::from_str(&other).unwrap();
            assert_ne!(other.subject.key(), row.subject.key());
        }
    }
}
