//! Figures of a unit with `boxes`: cells and longest paths of the joined netlist, or the sum of the
//! FPGA figures of its pieces.

use crate::core::cores::{Core, Param, Point, Unit};
use crate::core::options::Options;
use crate::core::row::{Asic, Fpga, Parts, round};
use crate::core::tool;
use crate::map::asic;
use crate::map::fanout;
use crate::map::flat::Flat;
use crate::map::flatten::Pieces;
use crate::map::fpga;
use crate::map::liberty::Liberty;
use crate::map::map_module::Mapper;
use crate::map::netlist::{Module, Wire};
use crate::map::wide;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The pieces of a unit, joined to one netlist.
pub struct Joined {
    flat: Flat,
    folder: PathBuf,
    ports: BTreeMap<String, Wire>,
}

impl Joined {
    /// Returns the netlist as a module with the ports of the unit.
    pub fn module(&self) -> Module {
        self.flat.module(&self.ports)
    }

    /// Returns the work folder of the netlist.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// A separately mapped module.
pub struct Piece {
    /// Unit of the module.
    pub unit: Unit,
    /// Parameters of the module.
    pub point: Point,
    /// Path of the netlist. The log is in the same folder.
    pub netlist: PathBuf,
}

/// Maps the pieces, or reuses kept ones, and joins them. Nets with many readers get buffers.
pub fn joined(
    core: &Core,
    unit: &Unit,
    point: &Point,
    library: &Liberty,
    file: &Path,
) -> Result<Joined, Failure> {
    let mut joined = without_buffers(core, unit, point, library, file)?;
    let flat = &mut joined.flat;
    let clock = flat.inputs.iter().find(|(name, _)| *name == unit.clock).map(|input| input.1);
    let clock = clock.ok_or_else(|| Failure::Tool(format!("{} has no clock", unit.top)))?;
    let each = unit.buffer_readers.unwrap_or(fanout::READERS).max(2);
    // A box that was mapped flat already has buffers.
    let least = if unit.mapped.is_empty() { fanout::READERS } else { each };
    fanout::buffer(flat, library, clock, (least, each))?;
    Ok(joined)
}

/// Like [`joined`], but without these buffers.
pub fn without_buffers(
    core: &Core,
    unit: &Unit,
    point: &Point,
    library: &Liberty,
    file: &Path,
) -> Result<Joined, Failure> {
    let (folder, pieces) = map(core, unit, point, (library, file), |_| ())?;
    wide::refuse(wide::missing_in(unit, &pieces, library))?;
    Ok(Joined { flat: pieces.flat(), folder, ports: pieces.ports() })
}

/// Returns the area and the longest paths in a library.
pub fn cells(
    core: &Core,
    unit: &Unit,
    point: &Point,
    library: &Liberty,
    file: &Path,
) -> Result<Asic, Failure> {
    let Joined { flat, folder, .. } = joined(core, unit, point, library, file)?;
    let stem = folder.join(format!("whole_{}_{}", unit.top, point.slug()));
    tool::write(&stem.with_extension("v"), &flat.verilog(&unit.top))?;
    let is_macro = |kind: &str| unit.macros.iter().any(|cell| cell == kind);
    let kinds = flat.gates.iter().map(|gate| gate.kind.as_str());
    let area = library.area(kinds.filter(|kind| !is_macro(kind)))?;
    let mut figures = asic::timed(&stem, unit, library, file)?.with(&area);
    figures.parts = areas(&flat, library, |kind| !is_macro(kind))?;
    let macros = areas(&flat, library, is_macro)?;
    if !macros.is_empty() {
        figures.memory_kge = Some(round(total(&macros), 3));
    }
    let said = read(&stem.with_extension("sta"))?;
    endpoints(&flat, &said, &mut figures.parts);
    figures.worst = worst(&flat, &said);
    Ok(figures)
}

/// Maps the pieces, or reuses kept ones, and returns each of them.
pub fn pieces(
    core: &Core,
    unit: &Unit,
    point: &Point,
    library: &Liberty,
    file: &Path,
) -> Result<Vec<Piece>, Failure> {
    let mut all = Vec::new();
    map(core, unit, point, (library, file), |piece| all.push(piece))?;
    Ok(all)
}

/// Maps the pieces, or reuses kept ones, and calls `each` for every piece. Returns their folder and
/// the pieces to join.
fn map(
    core: &Core,
    unit: &Unit,
    point: &Point,
    (library, file): (&Liberty, &Path),
    mut each: impl FnMut(Piece),
) -> Result<(PathBuf, Pieces), Failure> {
    macros_there(unit, library)?;
    let (folder, local) = asic::place("whole", library, file)?;
    let pieces = Pieces::map(unit, point, |piece, its_point| {
        let (unit, point, netlist) = match unit.mapped.get(&piece.top) {
            Some(description) => {
                let (core, unit) = Core::with_unit(description, &piece.top)?;
                let mapped = asic::kept(&core, &unit, point, library, file)?;
                (unit, point, mapped.stem.with_extension("json"))
            }
            None => {
                let maps = piece.adders.as_ref().map(|map| format!("-map +/techmap.v -map {map}"));
                let more = vec![
                    ("ABC", piece.abc.clone()),
                    ("ADDERS", maps.unwrap_or_default()),
                    ("LIBERTY", local.display().to_string()),
                ];
                let mapper = Mapper { folder: &folder, script: "piece.ys", more };
                (piece.clone(), its_point, mapper.piece(core, piece, its_point)?)
            }
        };
        each(Piece { unit, point: point.clone(), netlist: netlist.clone() });
        Ok(netlist)
    })?;
    Ok((folder, pieces))
}

/// Returns the core, unit and point of another description that maps a unit module by module. Of
/// the points with the numbers of `point`, the one that names the fewest other numbers is chosen.
pub fn described(
    description: &Path,
    unit: &Unit,
    point: &Point,
) -> Result<(Core, Unit, Point), Failure> {
    let root = checkout::root()?;
    let numbers = point.params.iter().filter_map(|(name, value)| match value {
        Param::Number(value) => Some((name.clone(), *value)),
        Param::Word(_) => None,
    });
    let options = Options {
        core_file: Some(root.join(description)),
        dir: Some(root),
        unit: Some(unit.top.clone()),
        point: numbers.collect(),
        ..Options::default()
    };
    for core in Core::chosen(&options)? {
        let whole = core.unit.first().cloned();
        let found = whole.and_then(|whole| Some((nearest(&whole.points, point)?.clone(), whole)));
        if let Some((point, whole)) = found {
            return Ok((core, whole, point));
        }
    }
    Err(Failure::Usage(format!("{}: no {} {}", description.display(), unit.top, point.slug())))
}

/// Returns the first of the points that name the fewest numbers in addition to those of `point`.
fn nearest<'p>(points: &'p [Point], point: &Point) -> Option<&'p Point> {
    let other = |(name, value): &(&String, &Param)| {
        matches!(value, Param::Number(value) if *value != 0) && !point.params.contains_key(*name)
    };
    points.iter().min_by_key(|found| found.params.iter().filter(other).count())
}

/// Returns an error if the library lacks a macro of the unit.
fn macros_there(unit: &Unit, library: &Liberty) -> Result<(), Failure> {
    let cells = library.cells();
    match unit.macros.iter().find(|name| !cells.contains_key(name.as_str())) {
        Some(name) => Err(Failure::Usage(format!("{name} needs its Liberty file: --macro FILE"))),
        None => Ok(()),
    }
}

/// Returns the FPGA figures: those of each piece, times the number of its instances.
pub fn luts(core: &Core, unit: &Unit, point: &Point, family: &str) -> Result<Fpga, Failure> {
    let folder = tool::work(&format!("whole/{family}"))?;
    let script = if family == "ecp5" { "ecp5-piece.ys" } else { "fpga.ys" };
    let pieces = Pieces::map(unit, point, |unit, point| {
        let more = vec![("FAMILY", family.into())];
        Mapper { folder: &folder, script, more }.piece(core, unit, point)
    })?;
    let mut sum = Fpga::default();
    for (_, count, module) in pieces.counted() {
        sum.add(&fpga::figures(module, script), count);
    }
    Ok(sum)
}

fn total(parts: &BTreeMap<String, Parts>) -> f64 {
    parts.values().map(|part| part.kge).sum()
}

/// Returns the area of the cells that `counts` accepts, in thousands of NAND2, by the module that
/// they come from.
fn areas(
    flat: &Flat,
    library: &Liberty,
    counts: impl Fn(&str) -> bool,
) -> Result<BTreeMap<String, Parts>, Failure> {
    let mut kinds: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for gate in flat.gates.iter().filter(|gate| counts(&gate.kind)) {
        kinds.entry(gate.part).or_default().push(&gate.kind);
    }
    let mut parts: BTreeMap<String, Parts> = BTreeMap::new();
    for (part, kinds) in kinds {
        let kge = library.area(kinds.into_iter())?.kge;
        parts.entry(flat.parts[part].clone()).or_default().kge += kge;
    }
    for part in parts.values_mut() {
        part.kge = round(part.kge, 3);
    }
    Ok(parts)
}

/// Sets the longest path into a register of each part, from OpenSTA's list of endpoints.
fn endpoints(flat: &Flat, said: &str, parts: &mut BTreeMap<String, Parts>) {
    for line in said.lines() {
        let slack = line.split_whitespace().rev().find_map(|word| word.parse::<f64>().ok());
        let end = line.split_whitespace().next().and_then(|end| end.rsplit_once('/'));
        let part = end.and_then(|(instance, _)| flat.part_of(instance));
        if let (Some(entry), Some(slack)) = (part.and_then(|part| parts.get_mut(part)), slack) {
            let ns = round(asic::PERIOD - slack, 3);
            entry.ns = Some(entry.ns.map_or(ns, |longest| longest.max(ns)));
        }
    }
}

/// Returns the start and the end of the longest path. OpenSTA reports one path for each group of
/// paths.
fn worst(flat: &Flat, said: &str) -> Option<String> {
    let slack = |path: &str| {
        let line = path.lines().find(|line| line.contains(" slack "))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let paths = said.split("Startpoint:").skip(1);
    let path = paths.min_by(|a, b| slack(a).unwrap_or(0.0).total_cmp(&slack(b).unwrap_or(0.0)))?;
    let point = |text: &str| {
        let instance = text.split_whitespace().next()?;
        Some(flat.part_of(instance).map_or(instance.into(), |part| format!("{part} ({instance})")))
    };
    Some(format!("{} to {}", point(path)?, point(path.split_once("Endpoint:")?.1)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::flat::Gate;

    #[test]
    fn of_points_with_the_same_numbers_the_nearest_is_taken() {
        let point = |text: &str| toml::from_str::<Point>(text).unwrap();
        let all = ["a = 1\nb = 1\nc = 1", "a = 1\nc = 0\nf = 'w'", "a = 1"].map(point);
        assert_eq!(nearest(&all, &point("a = 1")).unwrap().slug(), "a1_c0_fw");
        assert_eq!(nearest(&all[..1], &point("a = 1")).unwrap().slug(), "a1_b1_c1");
        assert!(nearest(&[], &point("a = 1")).is_none());
    }

    #[test]
    fn the_longest_path_into_each_part_is_found() {
        let mut flat = Flat::new();
        let part = flat.part("regs_n3");
        flat.gates.push(Gate { kind: "DFF".into(), name: "q".into(), part, pins: Vec::new() });
        let said = "Startpoint: q_c0 (rising edge)\nEndpoint: out (output)\n\nq_c0/D (DFF)  99.9 8.4 91.50 (MET)\nq_c0/D (DFF)  99.9 4.9 95.00 (MET)\nother/D  1.0\n";
        let mut parts = BTreeMap::from([("regs_n3".to_string(), Parts { kge: 1.0, ns: None })]);
        endpoints(&flat, said, &mut parts);
        assert_eq!(parts["regs_n3"].ns, Some(8.5));
        assert_eq!(worst(&flat, said).unwrap(), "regs_n3 (q_c0) to out");
        let path = |from: &str, slack: f64| {
            format!("Startpoint: {from} (port)\nEndpoint: q_c0 (flop)\n\n  {slack} slack (MET)\n")
        };
        let said = path("rst_ni", 99.3) + &path("go_i", 91.5) + &path("in_i", 92.0);
        assert_eq!(worst(&flat, &said).unwrap(), "go_i to regs_n3 (q_c0)");
    }
}
