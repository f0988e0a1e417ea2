//! Tells what is in the directory of a stateful key, which is not opened.

use std::{fs::File, io::Read, path::Path};

use hasten_store::Options;

use super::{Sealed, fleet_of};
use crate::{
    Error, KeyFile,
    inspect::{Finding, Value, inspect},
};

/// A public key is not longer than this, in bytes.
const MOST: u64 = 1 << 20;

/// Returns what the directory of a key holds: the key, and its public key if there is one.
///
/// # Errors
/// `State`, and those of the name of a fleet.
pub fn inspect_store(dir: &Path) -> Result<Vec<Finding>, Error> {
    let status = Options::new().peek(dir)?;
    let sealed = Sealed::of_store(dir).ok();
    let set = sealed.as_ref().map(|sealed| sealed.set().to_owned());
    let mut facts = match fleet_of(dir)? {
        Some(fleet) => vec![("fleet", Value::Text(fleet))],
        None => vec![
            ("next_index", Value::Number(status.next)),
            ("remaining", Value::Number(status.remaining)),
        ],
    };
    let encrypted = match sealed.map(|sealed| sealed.is_encrypted()) {
        Some(true) => "yes",
        Some(false) => "no",
        None => "no secret",
    };
    facts.push(("capacity", Value::Number(status.capacity)));
    facts.push(("encrypted", Value::Text(encrypted.to_owned())));
    let mut findings = vec![Finding::of_store(set, facts)];
    let mut pem = Vec::new();
    let public = File::open(dir.join(KeyFile::Public.name()));
    if public.and_then(|file| file.take(MOST).read_to_end(&mut pem)).is_ok() {
        findings.extend(inspect(&pem));
    }
    Ok(findings)
}
