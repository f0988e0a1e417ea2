//! Reads, updates and writes the rows of `results/hardware.json`.

use crate::core::cores::{Core, Point, Unit};
use crate::core::row::{Row, round};
use crate::core::{results, tool};
use hasten_chore::checkout;
use hasten_chore::failure::Failure;
use hasten_report::Unneeded;
use std::path::{Path, PathBuf};

/// Stores a routed clock rate in the rows of a point.
pub fn set_fmax(
    core: &Core,
    unit: &Unit,
    point: &Point,
    fmax: f64,
    device: &str,
) -> Result<(), Failure> {
    let mut rows = load()?;
    let name = subject(core, unit);
    for row in rows.iter_mut().filter(|row| row.core == name && row.params == point.params) {
        row.fmax_mhz = Some(fmax);
        row.device = Some(device.into());
    }
    save(&rows)
}

/// Stores the energy of an operation in the row of a point and library.
pub fn set_energy(
    core: &Core,
    unit: &Unit,
    point: &Point,
    liberty_sha256: &str,
    op: &str,
    picojoules: f64,
) -> Result<(), Failure> {
    let mut rows = load()?;
    let (name, hash) = (subject(core, unit), Some(liberty_sha256));
    let mut of_point = rows.iter_mut().filter(|row| {
        row.core == name && row.params == point.params && row.asic.liberty_sha256.as_deref() == hash
    });
    let row = of_point.find(|row| row.op.op == op).ok_or_else(|| {
        Failure::Tool(format!("{name} {}: no row of {op}, run hw report first", point.slug()))
    })?;
    row.asic.pj_per_op = Some(round(picojoules, 1));
    save(&rows)
}

/// Returns the name of a unit in the rows.
pub fn subject(core: &Core, unit: &Unit) -> String {
    if core.name == unit.top { core.name.clone() } else { format!("{}/{}", core.name, unit.top) }
}

fn path() -> Result<PathBuf, Failure> {
    Ok(checkout::root()?.join("results/hardware.json"))
}

/// Returns the rows of `results/hardware.json`.
pub fn load() -> Result<Vec<Row>, Failure> {
    results::rows(&path()?)
}

/// Stores fresh rows in place of kept rows with the same subject.
pub fn store(fresh: Vec<Row>) -> Result<(), Failure> {
    let mut rows = load()?;
    for mut row in fresh {
        match rows.iter_mut().find(|old| old.same_subject(&row)) {
            Some(old) => {
                row.inherit(old);
                *old = row;
            }
            None => rows.push(row),
        }
    }
    rows.sort_by_key(key);
    save(&rows)
}

fn key(row: &Row) -> (String, String, String, Option<String>) {
    (row.core.clone(), format!("{:?}", row.params), row.op.op.clone(), row.asic.liberty.clone())
}

/// Writes the rows to `results/hardware.json`.
pub fn save(rows: &[Row]) -> Result<(), Failure> {
    let machine = Unneeded::because("figures of synthesis and simulation do not depend on one");
    let text = results::document("hasten.hardware/1", machine, "cargo xtask hw report", rows);
    let path = path()?;
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))
        .map_err(|error| Failure::Io(path.clone(), error))?;
    tool::write(&path, &text)
}
