//! Rates in decades, and a study as TOML.

use std::path::Path;

use serde::Deserialize;

use super::{Args, machines};
use crate::error::{BadValue, Error};
use crate::parse;
use crate::units::{self, Rate};

/// One rate, or the decades from one to another.
#[derive(Clone, Copy, Debug)]
pub struct Rates(Rate, Rate);

/// Reads `1Gbit`, or `100Mbit..10Gbit`.
pub fn rates(text: &str) -> Result<Rates, BadValue> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let (low, high) = (units::rate(low)?, units::rate(high)?);
    if low.bits() > high.bits() {
        return Err(BadValue::Rate(text.to_owned()));
    }
    Ok(Rates(low, high))
}

/// Returns all rates that are asked for, in bits per second.
pub fn decades(given: &[Rates]) -> Vec<f64> {
    let default = [Rates(Rate::per_second(1e8), Rate::per_second(1e10))];
    let given = if given.is_empty() { &default } else { given };
    let mut all = Vec::new();
    for Rates(low, high) in given {
        let mut bits = low.bits();
        while bits < high.bits() * 0.999 {
            all.push(bits);
            bits *= 10.0;
        }
        all.push(high.bits());
    }
    all
}

/// A study as a file has it; every value as on the command line.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    workload: FileWorkload,
    machines: Vec<String>,
    links: FileLinks,
    schedules: FileSchedules,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileWorkload {
    alg: Vec<String>,
    message: Option<usize>,
    rate: Option<usize>,
    burst: Option<usize>,
    budget: Option<String>,
    commit: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileLinks {
    rates: Vec<String>,
    propagation: Option<String>,
    bare: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileSchedules {
    signer: Vec<String>,
    verifier: Vec<String>,
    delivery: Vec<String>,
    commit_on_path: bool,
    rested: bool,
}

/// Returns the arguments, with what the command line leaves open taken from the file.
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
    let text = std::fs::read_to_string(path).map_err(failed)?;
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
