//! `hasten inspect`: identifies any file, and never shows a secret.

use std::process::ExitCode;

use hasten_keys::inspect::{Finding, Value, What, inspect, inspect_store};
use serde_json::{Map, Value as Json};

use crate::error::Error;
use crate::files;
use crate::named::Key;
use crate::report;

/// Arguments of `hasten inspect`.
#[derive(clap::Args)]
#[command(mut_arg("key", |file| file
    .help("A file, the directory of a key, or - for the standard input")
    .value_name("FILE")))]
#[command(mut_arg("store", |file| file
    .help("The file, where it is not the first argument")
    .value_name("FILE")))]
#[command(after_help = include_str!("inspect.txt"))]
pub struct Args {
    #[command(flatten)]
    file: Key,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Prints every possible reading of the file.
pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let findings = match args.file.is_dir() {
        true => inspect_store(&args.file).map_err(Error::key(&args.file))?,
        false => inspect(&files::read(&args.file)?),
    };
    let rows: Vec<_> = findings.iter().map(json).collect();
    report::show(args.json, "hasten.inspect/1", None, &rows, || {
        findings.iter().map(text).collect::<Vec<_>>().join("\n")
    })?;
    let known = findings.iter().any(|finding| finding.what != What::Unknown);
    if known { Ok(ExitCode::SUCCESS) } else { Err(Error::Unrecognised(args.file.to_path_buf())) }
}

pub(super) fn json(finding: &Finding) -> Json {
    let mut map = Map::new();
    map.insert("what".to_owned(), finding.what.name().into());
    map.insert("encoding".to_owned(), finding.encoding.as_str().into());
    map.insert("alg".to_owned(), finding.algorithm.as_deref().into());
    for (key, value) in &finding.facts {
        let value = match value {
            Value::Number(number) => Json::from(*number),
            Value::Text(text) => Json::from(text.as_str()),
        };
        match map.get_mut(*key) {
            Some(Json::Array(values)) => values.push(value),
            Some(first) => *first = Json::Array(vec![first.take(), value]),
            None => _ = map.insert((*key).to_owned(), value),
        }
    }
    if !finding.notes.is_empty() {
        map.insert("notes".to_owned(), finding.notes.clone().into());
    }
    map.into()
}

pub(super) fn text(finding: &Finding) -> String {
    let name = finding.algorithm.as_deref().map_or(String::new(), |name| format!("{name} "));
    let mut lines = vec![format!("{name}{}, {}", finding.what.name(), finding.encoding)];
    for (key, value) in &finding.facts {
        let key = key.replace('_', " ");
        lines.push(match value {
            Value::Number(number) => format!("  {key:<20} {number}"),
            Value::Text(text) => format!("  {key:<20} {text}"),
        });
    }
    lines.extend(finding.notes.iter().map(|sentence| format!("  note: {sentence}")));
    lines.join("\n")
}
