//! `hw diagrams`: draws the diagrams of a core into `rtl/NAME/gen/`.
//!
//! A timing diagram shows the samples that the unit's bench prints as WaveJSON (`TOP.json`). A
//! block diagram is drawn from its text, `rtl/NAME/diagrams/*.blocks`.

use crate::core::cores::{Core, Unit};
use crate::core::generated;
use crate::core::options::Options;
use crate::core::tool;
use crate::draw::blocks::Blocks;
use crate::draw::wavejson::Diagram;
use crate::run::sim;
use hasten_chore::failure::{Failure, read};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Draws all diagrams, or names the stale files with `--check`.
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut files = Vec::new();
    let all = Options { check: false, ..options.clone() };
    for core in Core::chosen(&all)? {
        let folder = core.root.join("rtl").join(&core.name);
        for unit in core.unit.iter().filter(|unit| unit.wave) {
            files.extend(timing(&core, unit, &generated::folder(&folder))?);
        }
        if options.unit.is_none() {
            files.extend(blocks(&folder)?);
        }
    }
    generated::keep("hw diagrams", &files, "files, as benches and texts have them", options)
}

/// Returns the samples that the bench prints at the unit's first point, and their drawing.
fn timing(core: &Core, unit: &Unit, folder: &Path) -> Result<[(PathBuf, String); 2], Failure> {
    let point =
        unit.points.first().ok_or_else(|| Failure::Usage(format!("{}: no point", unit.top)))?;
    let program = sim::program(core, unit, point, "sim")?;
    let wave = tool::output(Command::new(program).arg("wave"))?;
    let file = folder.join(format!("{}.json", unit.top));
    let form = |fault| Failure::Form(file.clone(), fault);
    let svg = Diagram::parse(&wave).map_err(form)?.svg();
    Ok([(file.with_extension("svg"), svg), (file, wave)])
}

/// Returns a drawing for each block diagram in the core's folder.
fn blocks(core: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let Ok(entries) = std::fs::read_dir(core.join("diagrams")) else { return Ok(Vec::new()) };
    let texts = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut drawn = Vec::new();
    for path in texts.filter(|path| path.extension().is_some_and(|kind| kind == "blocks")) {
        let diagram =
            Blocks::parse(&read(&path)?).map_err(|fault| Failure::Form(path.clone(), fault))?;
        let name = path.with_extension("svg");
        let name = name.file_name().unwrap_or_default();
        drawn.push((generated::folder(core).join(name), diagram.svg()));
    }
    drawn.sort();
    Ok(drawn)
}
