//! `hw report` and the steps that are parts of it, which make rows of `results/hardware.json`.

use crate::core::cores::{Core, Param, Point, Unit};
use crate::core::kept;
use crate::core::options::Options;
use crate::core::row::{Asic, Fpga, Op, Row};
use crate::core::tool;
use crate::map::asic;
use crate::map::fpga;
use crate::map::liberty::{self, Liberty};
use crate::map::map_hierarchy;
use crate::report::plots;
use crate::run::sim;
use hasten_chore::failure::{self, Failure};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Figures of a point other than its operations.
type Figures = (Fpga, Vec<Asic>);

/// Runs `hw synth`: prints FPGA figures, or the area in each given library.
pub fn synth(options: &Options) -> Result<(), Failure> {
    each(options, |core, unit, point| {
        if options.liberty.is_empty() {
            let family = options.family.as_deref().unwrap_or("xc6v");
            return show(&fpga::map(core, unit, point, family)?);
        }
        for library in liberty::libraries(options)? {
            show(&cells(core, unit, point, &library)?)?;
        }
        Ok(())
    })
}

/// Runs `hw sta`: like [`synth`], but requires a library. OpenSTA's report of the worst path is
/// kept with the netlist.
pub fn sta(options: &Options) -> Result<(), Failure> {
    if options.liberty.is_empty() {
        return Err(Failure::Usage("hw sta needs --liberty FILE".into()));
    }
    synth(options)
}

/// Runs `hw report`: stores the rows of every chosen point, or compares them with the kept ones.
pub fn run(options: &Options) -> Result<(), Failure> {
    if options.labels {
        return label(options);
    }
    let mut differences = Vec::new();
    let mut count = 0;
    each(options, |core, unit, point| {
        println!("{} {}", unit.top, point.slug());
        let ops = sim::operations(core, unit, point)?;
        let figures = figures(core, unit, point, options)?;
        let mut rows = rows(core, unit, point, &ops, &figures)?;
        // If the files are elsewhere, their path is only valid on this machine.
        let here = options.dir.as_deref() == Some(Path::new("."));
        if let Some(file) = options.core_file.as_ref().filter(|_| here) {
            let file = file.display();
            rows.iter_mut().for_each(|row| {
                row.command =
                    format!("cargo xtask hw report --core-file {file} --dir . --unit {}", unit.top);
            });
        }
        if options.cycles {
            rows.iter_mut().for_each(|row| row.command += " --cycles");
        }
        count += rows.len();
        if options.check {
            differences.extend(compare(&kept::load()?, &rows));
            return Ok(());
        }
        kept::store(rows)
    })?;
    plots::run(options)?;
    failure::report("hw report", format!("{count} rows"), differences)
}

/// Updates the corner and `area_of` in the kept rows of the chosen units, from libraries and
/// descriptions. Nothing is mapped again.
fn label(options: &Options) -> Result<(), Failure> {
    let libraries: Vec<Liberty> =
        liberty::libraries(options)?.into_iter().map(|(library, _)| library).collect();
    let mut rows = kept::load()?;
    let mut count = 0;
    for core in Core::chosen(options)? {
        for unit in &core.unit {
            let name = kept::subject(&core, unit);
            let of_unit = rows.iter_mut().filter(|row| row.core == name);
            count += of_unit.filter_map(|row| labelled(row, unit.part, &libraries)).count();
        }
    }
    kept::save(&rows)?;
    plots::run(options)?;
    failure::report("hw report", format!("{count} rows labelled"), Vec::new())
}

/// Labels a row if its cells are from one of the libraries.
fn labelled(row: &mut Row, part: bool, libraries: &[Liberty]) -> Option<()> {
    let hash = row.asic.liberty_sha256.as_ref().filter(|_| row.asic.kge.is_some())?;
    let library = libraries.iter().find(|library| library.sha256 == *hash)?;
    row.asic.corner = library.corner();
    row.asic = std::mem::take(&mut row.asic).of(part);
    Some(())
}

fn each(
    options: &Options,
    mut visit: impl FnMut(&Core, &Unit, &Point) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for core in Core::chosen(options)? {
        for unit in &core.unit {
            for point in &unit.points {
                visit(&core, unit, point)?;
            }
        }
    }
    Ok(())
}

fn show(figures: &impl serde::Serialize) -> Result<(), Failure> {
    println!(
        "{}",
        serde_json::to_string(figures).map_err(|fault| Failure::Tool(fault.to_string()))?
    );
    Ok(())
}

fn cells(
    core: &Core,
    unit: &Unit,
    point: &Point,
    (library, file): &(Liberty, PathBuf),
) -> Result<Asic, Failure> {
    let figures = if unit.boxes.is_empty() {
        let mapped = asic::map(core, unit, point, library, file)?;
        asic::measure(&mapped, unit, library, file)?
    } else {
        map_hierarchy::cells(core, unit, point, library, file)?
    };
    Ok(figures.of(unit.part))
}

fn figures(core: &Core, unit: &Unit, point: &Point, options: &Options) -> Result<Figures, Failure> {
    if options.cycles {
        return Ok((Fpga::default(), vec![Asic::default()]));
    }
    let stated = unit.maps(point);
    let family = stated.or(options.family.as_deref()).unwrap_or("xc6v");
    let fpga = match family {
        "asic" => Fpga::default(),
        family => fpga::map(core, unit, point, family)?,
    };
    if stated.is_some() && family != "asic" {
        return Ok((fpga, vec![Asic::default()]));
    }
    let mut asics = Vec::new();
    for library in liberty::libraries(options)? {
        asics.push(cells(core, unit, point, &library)?);
    }
    Ok((fpga, asics))
}

fn rows(
    core: &Core,
    unit: &Unit,
    point: &Point,
    ops: &[Op],
    (fpga, asics): &Figures,
) -> Result<Vec<Row>, Failure> {
    let tools = tool::versions()?;
    let mut rows = Vec::new();
    for op in ops {
        let mut params = point.params.clone();
        for (name, word) in [("level", &op.level), ("alg", &op.alg)] {
            params.extend(word.iter().map(|word| (name.into(), Param::Word(word.clone()))));
        }
        for asic in asics {
            rows.push(Row {
                core: kept::subject(core, unit),
                params: params.clone(),
                op: op.clone(),
                fpga: *fpga,
                asic: asic.clone(),
                fmax_mhz: None,
                device: None,
                tools: tools.clone(),
                command: format!("cargo xtask hw report {} --unit {}", core.name, unit.top),
            });
        }
    }
    Ok(rows)
}

/// Returns the differences between fresh and kept rows. Figures that a check does not measure
/// (energy, routing) are not compared.
fn compare(kept: &[Row], fresh: &[Row]) -> Vec<String> {
    let mut differences = Vec::new();
    for row in fresh {
        let name = format!("{} {:?} {}", row.core, row.params, row.op.op);
        match kept.iter().find(|old| old.same_subject(row)) {
            None => differences.push(format!("{name}: not in the results")),
            Some(old) => {
                let mut row = row.clone();
                row.inherit(old);
                let (old, new) = (json!(old), json!(row));
                differences.extend(
                    changed(&old, &new)
                        .map(|key| format!("{name}: {key} was {}, is {}", old[key], new[key])),
                );
            }
        }
    }
    differences
}

fn changed<'v>(old: &'v Value, new: &'v Value) -> impl Iterator<Item = &'v String> {
    let keys = new.as_object().into_iter().flat_map(|object| object.keys());
    keys.filter(move |key| {
        !["tools", "command"].contains(&key.as_str()) && old[key.as_str()] != new[key.as_str()]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(lut: u64) -> Row {
        let text = json!({"core":"c","params":{"unroll":2},"op":"p","cycles":48,"cycles_max":48,"in_flight":4,"lut":lut,
            "pj_per_op":null,"liberty_sha256":"x","tools":"t","command":"m"});
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn a_changed_row_and_a_missing_row_are_found() {
        assert!(compare(&[row(1)], &[row(1)]).is_empty());
        let found = compare(&[row(1)], &[row(2)]);
        assert!(found.len() == 1 && found[0].contains("lut was 1, is 2"), "{found:?}");
        assert_eq!(compare(&[], &[row(1)]).len(), 1);
    }

    #[test]
    fn a_row_of_cells_is_labelled_by_its_library() {
        let mut top = crate::map::liberty::Group::default();
        let conditions = "default_operating_conditions".into();
        top.attributes.insert(conditions, "x_stdcell_slow".into());
        let library = Liberty { top, sha256: "x".into(), macros: Vec::new() };
        let mut cells = row(1);
        cells.asic.kge = Some(2.0);
        assert!(labelled(&mut row(1), false, std::slice::from_ref(&library)).is_none());
        assert!(labelled(&mut cells, false, &[]).is_none());
        labelled(&mut cells, false, &[library]).unwrap();
        assert_eq!(cells.asic.corner.as_deref(), Some("slow"));
        assert_eq!(cells.asic.area_of.as_deref(), Some("whole"));
    }

    #[test]
    fn energy_measured_before_is_kept() {
        let mut old = row(1);
        old.asic.pj_per_op = Some(5.0);
        assert!(compare(&[old], &[row(1)]).is_empty());
    }
}
