//! Standard cells: area with yosys and abc, the longest path with OpenSTA.

use crate::core::cores::{Core, Point, Unit};
use crate::core::row::{Asic, round};
use crate::core::tool;
use crate::map::fanout;
use crate::map::liberty::Liberty;
use crate::map::netlist::Module;
use crate::map::wide;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mapped netlist, which has several files (`.json`, `.v`).
pub struct Mapped {
    /// Path of the files without extension.
    pub stem: PathBuf,
}

/// Returns a work folder for netlists in a library, and a copy of the library in it. The copy is
/// necessary because the synthesizer sees nothing outside the checkout.
pub fn place(step: &str, library: &Liberty, file: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    let folder = tool::work(&format!("{step}/{}", library.name()))?;
    let local = folder.join("library.lib");
    std::fs::copy(file, &local).map_err(|error| Failure::Io(file.into(), error))?;
    Ok((folder, local))
}

/// Maps a unit to a library at a point.
pub fn map(
    core: &Core,
    unit: &Unit,
    point: &Point,
    library: &Liberty,
    file: &Path,
) -> Result<Mapped, Failure> {
    mapped(core, unit, point, (library, file), false)
}

/// Returns the kept netlist of a point if nothing that it depends on has changed. Otherwise the
/// point is mapped.
pub fn kept(
    core: &Core,
    unit: &Unit,
    point: &Point,
    library: &Liberty,
    file: &Path,
) -> Result<Mapped, Failure> {
    mapped(core, unit, point, (library, file), true)
}

fn mapped(
    core: &Core,
    unit: &Unit,
    point: &Point,
    (library, file): (&Liberty, &Path),
    keeps: bool,
) -> Result<Mapped, Failure> {
    let (folder, local) = place("asic", library, file)?;
    let stem = folder.join(format!("{}_{}", unit.top, point.slug()));
    let names = [
        ("FILES", unit.sources(&core.root).join(" ")),
        ("TOP", unit.top.clone()),
        ("PARAMS", point.flags("-G ").join(" ")),
        ("ADDERS", unit.adders.iter().map(|map| format!("-extra-map {map}")).collect()),
        ("ABC", unit.abc.clone()),
        ("DRIVE", drive(unit, library, &stem)?),
        ("LIBERTY", local.display().to_string()),
        ("OUT", stem.display().to_string()),
    ];
    let (key_file, key) = (stem.with_extension("key"), key(core, unit, &names)?);
    let is_there = stem.with_extension("json").is_file()
        && std::fs::read_to_string(&key_file).is_ok_and(|old| old == key);
    if !(keeps && is_there) {
        tool::yosys(SCRIPT, &names, &stem.with_extension("log"))?;
        tool::write(&key_file, &key)?;
    }
    has_wide(unit, &stem, library)?;
    Ok(Mapped { stem })
}

/// Returns an error if bits of `wide` share a flip-flop in the netlist.
fn has_wide(unit: &Unit, stem: &Path, library: &Liberty) -> Result<(), Failure> {
    if unit.wide.is_empty() {
        return Ok(());
    }
    let module = Module::load(&stem.with_extension("json"), &unit.top)?;
    wide::refuse(wide::missing(unit, &module, library))
}

/// Returns a digest of everything that a mapping depends on.
fn key(core: &Core, unit: &Unit, names: &[(&str, String)]) -> Result<String, Failure> {
    let root = checkout::root()?;
    let mut digest = Sha256::new();
    let tools = [format!("flow/{SCRIPT}"), "flow/requirements.txt".into(), unit.abc.clone()];
    for file in tools.iter().chain(&unit.adders) {
        digest.update(read(&root.join(file))?);
    }
    for file in unit.sources(&core.root) {
        digest.update(read(Path::new(&file))?);
    }
    for (name, value) in names {
        let value = if *name == "LIBERTY" { read(Path::new(value))? } else { value.clone() };
        digest.update(format!("{name}={value}\n"));
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Script that maps a unit flat.
const SCRIPT: &str = "asic.ys";

/// Returns the mapper option for a unit with `drive`, or an empty string for other units.
fn drive(unit: &Unit, library: &Liberty, stem: &Path) -> Result<String, Failure> {
    if !unit.drive {
        return Ok(String::new());
    }
    let none = || Failure::Tool("the library has no buffer".into());
    let cell = fanout::smallest(library).ok_or_else(none)?;
    let file = stem.with_extension("constr");
    tool::write(&file, &format!("set_driving_cell {cell}\n"))?;
    Ok(format!("-constr {} ", file.display()))
}

/// Returns the area and critical path of a mapped netlist.
pub fn measure(
    mapped: &Mapped,
    unit: &Unit,
    library: &Liberty,
    file: &Path,
) -> Result<Asic, Failure> {
    let module = Module::load(&mapped.stem.with_extension("json"), &unit.top)?;
    let area = library.area(module.cells.values().map(|cell| cell.kind.as_str()))?;
    Ok(timed(&mapped.stem, unit, library, file)?.with(&area))
}

/// Returns the figures of the netlist `stem.v` with its critical path, but without its area.
pub fn timed(stem: &Path, unit: &Unit, library: &Liberty, file: &Path) -> Result<Asic, Failure> {
    Ok(Asic {
        liberty: Some(library.name().into()),
        liberty_sha256: Some(library.sha256.clone()),
        corner: library.corner(),
        critical_path_ns: critical_path(stem, unit, library, file)?.map(|ns| round(ns, 3)),
        ..Asic::default()
    })
}

/// Returns the longest path from OpenSTA, or `None` if OpenSTA is not installed.
fn critical_path(
    stem: &Path,
    unit: &Unit,
    library: &Liberty,
    file: &Path,
) -> Result<Option<f64>, Failure> {
    if Command::new("sta").arg("-version").output().is_err() {
        hasten_report::skipped(
            "critical-path",
            "OpenSTA is not installed",
            "apt-get install opensta",
        );
        return Ok(None);
    }
    let names = [
        ("LIBERTY", whole_path(file)),
        ("MACROS", read_macros(library)),
        ("NETLIST", stem.with_extension("v").display().to_string()),
        ("TOP", unit.top.clone()),
        ("CLOCK", unit.clock.clone()),
        ("WIRES", String::new()),
        ("ENDPOINTS", if unit.boxes.is_empty() { "" } else { ENDPOINTS }.into()),
    ];
    sta(stem, &names).map(Some)
}

/// Runs OpenSTA on `flow/sta.tcl` after replacing these names, and returns the longest path in
/// nanoseconds.
pub fn sta(stem: &Path, names: &[(&str, String)]) -> Result<f64, Failure> {
    let script = stem.with_extension("tcl");
    let text = read(&checkout::root()?.join("flow/sta.tcl"))?;
    let text =
        names.iter().fold(text, |text, (name, value)| text.replace(&format!("@{name}@"), value));
    tool::write(&script, &text)?;
    let said = tool::output(Command::new("sta").args(["-no_splash", "-exit"]).arg(&script))?;
    tool::write(&stem.with_extension("sta"), &said)?;
    let worst =
        said.lines().find_map(|line| line.strip_prefix("worst ")?.trim().parse::<f64>().ok());
    worst
        .map(|slack| PERIOD - slack)
        .ok_or_else(|| Failure::Tool(format!("OpenSTA gave no slack:\n{said}")))
}

/// Returns a path that OpenSTA can read from any folder.
pub fn whole_path(file: &Path) -> String {
    file.canonicalize().unwrap_or(file.into()).display().to_string()
}

/// Returns OpenSTA commands that read the Liberty files of the macros.
pub fn read_macros(library: &Liberty) -> String {
    library.macros.iter().map(|file| format!("read_liberty {}\n", whole_path(file))).collect()
}

/// Command that lists every endpoint, for a netlist joined from pieces.
const ENDPOINTS: &str = "report_checks -path_delay max -format end -digits 4 -group_count 1000000";

/// Clock period of `flow/sta.tcl`, nanoseconds.
pub const PERIOD: f64 = 100.0;
