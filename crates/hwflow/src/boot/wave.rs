//! `hw boot wave`: writes the timing diagram of a boot to `rtl/soc/gen`, as `soc.json` and
//! `soc.svg`.
//!
//! Keys are fresh in every run, and compilers change, so cycle counts differ from run to run. The
//! check therefore compares only the order in which the signals change.

use super::images::Images;
use super::machine::{Model, Rom};
use super::{LMS, SMALL, VERSION};
use crate::core::generated;
use crate::core::options::Options;
use crate::draw::wavejson::Diagram;
use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use std::path::PathBuf;

/// Writes the samples and their drawing.
pub fn write(model: &Model, images: &Images, options: &Options) -> Result<(), Failure> {
    let wave = sampled(model, images)?;
    let svg = parsed(&wave)?.svg();
    let files = [(place("svg")?, svg), (place("json")?, wave)];
    generated::keep("hw boot wave", &files, "files, as a boot has them", options)
}

/// Returns a message if the kept drawing does not match the kept samples, and one if the signals of
/// a new boot change in another order than in the kept samples.
pub fn faults(model: &Model, images: &Images) -> Result<Vec<String>, Failure> {
    let kept = parsed(&read(&place("json")?)?)?;
    let now = parsed(&sampled(model, images)?)?;
    let mut found = Vec::new();
    if kept.svg() != read(&place("svg")?)? {
        found.push("rtl/soc/gen/soc.svg is not of soc.json".to_owned());
    }
    if kept.changes() != now.changes() {
        found.push("rtl/soc/gen/soc.json: a boot goes otherwise now".to_owned());
    }
    Ok(found.into_iter().map(|fault| format!("{fault}: run cargo xtask hw boot wave")).collect())
}

fn sampled(model: &Model, images: &Images) -> Result<String, Failure> {
    model.wave(Rom::Core, &images.signed(LMS, SMALL, VERSION)?)
}

fn parsed(wave: &str) -> Result<Diagram, Failure> {
    Diagram::parse(wave).map_err(|fault| Failure::Tool(format!("the wave of a boot: {fault}")))
}

fn place(ending: &str) -> Result<PathBuf, Failure> {
    let folder = generated::folder(&checkout::root()?.join("rtl/soc"));
    Ok(folder.join("soc").with_extension(ending))
}
