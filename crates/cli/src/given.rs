//! Which options the user wrote, so that one that means nothing is refused and not ignored.

use std::sync::OnceLock;

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::error::Error;

/// The options of the command line, without those that have their default.
static GIVEN: OnceLock<Vec<String>> = OnceLock::new();

/// Options that say where the state of a key lies, and how it is opened, or made.
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

/// Keeps which options were written.
pub fn keep(matches: &ArgMatches) {
    let mut innermost = matches;
    while let Some((_, inner)) = innermost.subcommand() {
        innermost = inner;
    }
    let written = |id: &&str| innermost.value_source(id) == Some(ValueSource::CommandLine);
    let ids = innermost.ids().map(clap::Id::as_str).filter(written);
    let _ = GIVEN.set(ids.map(str::to_owned).collect());
}

/// Refuses options for a state, where no key has one.
pub fn no_state(alg: &str) -> Result<(), Error> {
    let mut given = GIVEN.get().into_iter().flatten();
    match given.find(|id| OF_STATE.contains(&id.as_str())) {
        Some(id) => Err(Error::NoState { option: id.replace('_', "-"), alg: alg.to_owned() }),
        None => Ok(()),
    }
}
