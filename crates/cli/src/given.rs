//! The options that the user has written. An option without any effect is refused instead of being
//! ignored.

use std::sync::OnceLock;

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::error::Error;

/// Options on the command line, without defaults.
static GIVEN: OnceLock<Vec<String>> = OnceLock::new();

/// Options for the location of a key's state, and for making or opening it.
const OF_STATE: [&str; 12] = [
    "guard",
    "wait",
    "burn",
    "witness",
    "fleet",
    "join",
    "reserve",
    "sectors",
    "ack_exhaustion",
    "level",
    "request_id",
    "machine_id_file",
];

/// Stores which options were written.
pub fn keep(matches: &ArgMatches) {
    let mut innermost = matches;
    while let Some((_, inner)) = innermost.subcommand() {
        innermost = inner;
    }
    let written = |id: &&str| innermost.value_source(id) == Some(ValueSource::CommandLine);
    let ids = innermost.ids().map(clap::Id::as_str).filter(written);
    let _ = GIVEN.set(ids.map(str::to_owned).collect());
}

/// Returns an error if options for a state were written although no key has one.
pub fn no_state(alg: &str) -> Result<(), Error> {
    let mut given = GIVEN.get().into_iter().flatten();
    match given.find(|id| OF_STATE.contains(&id.as_str())) {
        Some(id) => Err(Error::NoState { option: id.replace('_', "-"), alg: alg.to_owned() }),
        None => Ok(()),
    }
}
