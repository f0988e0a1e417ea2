//! `hw diagrams`: `rtl/NAME/diagrams/`. A timing diagram is what the unit's bench says it sampled (`TOP.json`, WaveJSON), drawn;
//! a block diagram is drawn from its text (`*.blocks`).

use crate::core::cores::{Core, Unit};
use crate::core::generated;
use crate::core::options::Options;
use crate::core::tool;
use crate::draw::blocks::Blocks;
use crate::draw::wavejson::Diagram;
use crate::failure::{Failure, read};
use crate::run::sim;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Draws everything, or with `--check` says what is stale.
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut files = Vec::new();
    let all = Options { check: false, ..options.clone() };
    for core in Core::chosen(&all)? {
        let folder = core.root.join("rtl").join(&core.name).join("diagrams");
        for unit in core.unit.iter().filter(|unit| unit.wave) {
            files.extend(timing(&core, unit, &folder)?);
        }
        if options.unit.is_none() {
            files.extend(blocks(&folder)?);
        }
    }
    generated::keep("hw diagrams", &files, "files, as benches and texts have them", options)
}

/// What the bench of the first point samples, and its drawing.
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

fn blocks(folder: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let texts = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut drawn = Vec::new();
    for path in texts.filter(|path| path.extension().is_some_and(|kind| kind == "blocks")) {
        let diagram =
            Blocks::parse(&read(&path)?).map_err(|fault| Failure::Form(path.clone(), fault))?;
        drawn.push((path.with_extension("svg"), diagram.svg()));
    }
    drawn.sort();
    Ok(drawn)
}
