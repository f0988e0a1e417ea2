//! `hw lint`: Verilator's warnings are errors, and verible's format is the format.

use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::tool;
use hasten_chore::failure::{Failure, report};
use std::path::Path;
use std::process::Command;

/// Lints every unit at its first and last point, and checks format and licence of every file.
pub fn run(options: &Options) -> Result<(), Failure> {
    let (mut found, mut count) = (Vec::new(), 0);
    for core in Core::chosen(options)? {
        for unit in core.unit.iter().filter(|unit| !unit.foreign) {
            for point in ends(&unit.points) {
                count += 1;
                found
                    .extend(warnings(unit, point, &core.root).err().map(|fault| fault.to_string()));
            }
            for file in &unit.files {
                found.extend(misformatted(&core.root.join(file))?);
            }
        }
        found.extend(unlicensed(&core)?);
    }
    found.sort();
    found.dedup();
    report("hw lint", format!("{count} points of the cores, no warning"), found)
}

/// Returns the first point, and the last if that is another.
fn ends(points: &[Point]) -> impl Iterator<Item = &Point> {
    points.first().into_iter().chain(points.get(1..).and_then(<[Point]>::last))
}

fn warnings(unit: &Unit, point: &Point, root: &Path) -> Result<(), Failure> {
    let mut command = Command::new(tool::pinned("verilator")?);
    command.args(["--lint-only", "-Wall", "--top-module", &unit.top]);
    command.args(point.flags("-G")).args(unit.sources(root));
    tool::output(&mut command).map(drop)
}

fn misformatted(file: &Path) -> Result<Option<String>, Failure> {
    let mut command = Command::new(tool::pinned("verible-verilog-format")?);
    let formatted = tool::output(command.args(FORMAT).arg(file))?;
    let same = hasten_chore::failure::read(file)? == formatted;
    let name = file.display();
    Ok((!same).then(|| {
        format!(
            "{name}: run .tools/bin/verible-verilog-format {} --inplace {name}",
            FORMAT.join(" ")
        )
    }))
}

/// Returns a line for each of our files whose first line does not name the licence.
fn unlicensed(core: &Core) -> Result<Vec<String>, Failure> {
    let units = core.unit.iter().chain(&core.proof).filter(|unit| !unit.foreign);
    let mut found = Vec::new();
    for file in units.flat_map(|unit| &unit.files) {
        let text = hasten_chore::failure::read(&core.root.join(file))?;
        if text.lines().next() != Some(LICENCE) {
            found.push(format!("{file}: the first line is not `{LICENCE}`"));
        }
    }
    Ok(found)
}

const LICENCE: &str = "// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1";

/// Returns the text as the formatter leaves it.
pub fn formatted(text: &str) -> Result<String, Failure> {
    let file = tool::work("format")?.join("text.sv");
    tool::write(&file, text)?;
    let mut command = Command::new(tool::pinned("verible-verilog-format")?);
    tool::output(command.args(FORMAT).arg(&file))
}

const FORMAT: [&str; 1] = ["--column_limit=140"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_point_is_linted_once() {
        let points = vec![Point::default(); 3];
        let counts: Vec<usize> = (0..=3).map(|n| ends(&points[..n]).count()).collect();
        assert_eq!(counts, [0, 1, 2, 2]);
    }

    #[test]
    fn a_file_begins_with_its_licence_alone() {
        let root = std::env::temp_dir().join(format!("hasten-licence-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("good.sv"), format!("{LICENCE}\n\n// Words.\n")).unwrap();
        std::fs::write(root.join("bad.sv"), format!("{LICENCE} Words.\n")).unwrap();
        let text = "name='t'\n[[unit]]\ntop='t'\nfiles=['good.sv','bad.sv']";
        let core = Core { root: root.clone(), ..toml::from_str(text).unwrap() };
        let found = unlicensed(&core).unwrap();
        assert!(found.len() == 1 && found[0].starts_with("bad.sv"), "{found:?}");
        std::fs::remove_dir_all(root).unwrap();
    }
}
