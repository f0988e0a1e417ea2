//! `hw lint`: treats Verilator's warnings as errors, requires verible's format, and checks that
//! modules reject the parameter points that they must refuse.

use crate::core::cores::{Core, Point, Unit};
use crate::core::options::Options;
use crate::core::tool;
use hasten_chore::checkout;
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
            for point in &unit.refused {
                found.extend(accepted(unit, point, &core.root));
            }
            for file in unit.texts() {
                found.extend(misformatted(&core.root.join(file))?);
            }
        }
        found.extend(unframed(&core)?);
    }
    found.sort();
    found.dedup();
    report("hw lint", format!("{count} points of the cores, no warning"), found)
}

/// Returns the first point, and the last one if it is another point.
fn ends(points: &[Point]) -> impl Iterator<Item = &Point> {
    points.first().into_iter().chain(points.get(1..).and_then(<[Point]>::last))
}

fn warnings(unit: &Unit, point: &Point, root: &Path) -> Result<(), Failure> {
    let mut command = Command::new(tool::pinned("verilator")?);
    command.args(["--lint-only", "-Wall", "--top-module", &unit.top]);
    if !unit.others.is_empty() {
        command.arg(checkout::root()?.join("flow/others.vlt"));
    }
    command.args(point.flags("-G")).args(unit.sources(root));
    tool::output(&mut command).map(drop)
}

/// Returns a message if the module does not reject the point with an error message of its own.
fn accepted(unit: &Unit, point: &Point, root: &Path) -> Option<String> {
    let said = warnings(unit, point, root).err().map(|fault| fault.to_string()).unwrap_or_default();
    let Point { params, .. } = point;
    (!said.contains("USERERROR")).then(|| format!("{}: {params:?} is not refused", unit.top))
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

/// Returns a message for each file of this project whose first line does not name the licence, or
/// whose last line does not restore the net type that files by other authors are compiled with.
fn unframed(core: &Core) -> Result<Vec<String>, Failure> {
    let units = core.unit.iter().chain(&core.proof).filter(|unit| !unit.foreign);
    let mut found = Vec::new();
    for file in units.flat_map(Unit::texts) {
        let text = hasten_chore::failure::read(&core.root.join(file))?;
        if text.lines().next() != Some(LICENCE) {
            found.push(format!("{file}: the first line is not `{LICENCE}`"));
        }
        if text.lines().last() != Some(END) {
            found.push(format!("{file}: the last line is not `{END}`"));
        }
    }
    Ok(found)
}

const LICENCE: &str = "// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1";

const END: &str = "`default_nettype wire";

/// Returns the text in verible's format.
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
    fn a_file_begins_with_its_licence_alone_and_ends_with_the_usual_net_type() {
        let root = std::env::temp_dir().join(format!("hasten-licence-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        let write = |name, text: String| std::fs::write(root.join(name), text).unwrap();
        write("good.sv", format!("{LICENCE}\n\n// Words.\n{END}\n"));
        write("words.sv", format!("{LICENCE} Words.\n{END}\n"));
        write("open.sv", format!("{LICENCE}\n"));
        let text = "name='t'\n[[unit]]\ntop='t'\nfiles=['good.sv','words.sv','open.sv']";
        let core = Core { root: root.clone(), ..toml::from_str(text).unwrap() };
        let found = unframed(&core).unwrap();
        let places: Vec<_> =
            found.iter().map(|line| line.split(" is not").next().unwrap()).collect();
        assert_eq!(places, ["words.sv: the first line", "open.sv: the last line"]);
        std::fs::remove_dir_all(root).unwrap();
    }
}
