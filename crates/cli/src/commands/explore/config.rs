//! Link rates by decades, and the TOML file of a study.

use std::path::Path;

use hasten_model::study::{File, Rates};

use super::{Args, machines};
use crate::error::{BadValue, Error};
use crate::files;
use crate::parse;
use crate::units;

/// Parses a link rate or a range of them: `1Gbit` or `100Mbit..10Gbit`.
pub fn rates(text: &str) -> Result<Rates, BadValue> {
    Rates::read(text).ok_or_else(|| BadValue::Rate(text.to_owned()))
}

/// Returns the arguments. Those that the command line does not give are taken from the file.
pub fn complete(mut args: Args) -> Result<Args, Error> {
    let Some(path) = args.config.clone() else { return Ok(args) };
    let file = read(&path)?;
    let value = |value| Error::Value { option: "--config", value };
    let File { workload, machines, links, schedules } = file;
    let time = |text: &Option<String>| text.as_deref().map(units::time).transpose().map_err(value);
    args.budget = args.budget.or(time(&workload.budget)?);
    args.commit = args.commit.or(time(&workload.commit)?);
    args.propagation = args.propagation.or(time(&links.propagation)?);
    args.message = args.message.or(workload.message);
    args.rate = args.rate.or(workload.rate);
    args.burst = args.burst.or(workload.burst);
    args.bare |= links.bare;
    args.commit_on_path |= schedules.commit_on_path;
    args.rested |= schedules.rested;
    fill(&mut args.alg, &workload.alg, parse::set).map_err(value)?;
    fill(&mut args.machine, &machines, machines::parse).map_err(value)?;
    fill(&mut args.link, &links.rates, rates).map_err(value)?;
    fill(&mut args.signer, &schedules.signer, parse::signer_level).map_err(value)?;
    fill(&mut args.verifier, &schedules.verifier, parse::verifier_level).map_err(value)?;
    fill(&mut args.delivery, &schedules.delivery, super::delivery).map_err(value)?;
    Ok(args)
}

fn read(path: &Path) -> Result<File, Error> {
    let failed = |cause| Error::File { path: path.to_owned(), doing: "reading", cause };
    let text = files::read_text(path)?;
    let wrong = |cause: toml::de::Error| failed(std::io::Error::other(cause.message().to_owned()));
    toml::from_str(&text).map_err(wrong)
}

fn fill<T>(
    given: &mut Vec<T>,
    file: &[String],
    parse: fn(&str) -> Result<T, BadValue>,
) -> Result<(), BadValue> {
    if given.is_empty() {
        *given = file.iter().map(|text| parse(text)).collect::<Result<_, _>>()?;
    }
    Ok(())
}
