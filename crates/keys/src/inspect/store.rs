//! Inspection of the directory of a stateful key without opening the key.

use std::path::Path;

use hasten_store::Options;

use super::{Finding, Value, inspect};
use crate::{
    Error, KeyFile,
    stateful::{Sealed, ailments, fleet_of},
};

/// Returns findings for the key in a directory, and for its public key if there is one. Notes
/// explain why the key cannot sign, and which of its files are damaged.
///
/// # Errors
/// `State`, and errors of reading the fleet's name.
pub fn inspect_store(dir: &Path) -> Result<Vec<Finding>, Error> {
    let status = Options::new().peek(dir)?;
    let sealed = Sealed::of_store(dir).ok();
    let set = sealed.as_ref().map(|sealed| sealed.set().to_owned());
    let fleet = fleet_of(dir)?;
    let refused = status.refused.filter(|_| fleet.is_none()).map(|refusal| refusal.to_string());
    let ailing = ailments(dir, &Options::new(), &status)?;
    let ailing = ailing.iter().map(|ailment| ailment.cause.to_string());
    let mut facts = match fleet {
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
    let mut store = Finding::of_store(set, facts);
    store.notes.extend(refused.into_iter().chain(ailing));
    let public = Options::new().peek_blob(dir, KeyFile::Public.name())?;
    Ok(std::iter::once(store).chain(public.iter().flat_map(|pem| inspect(pem))).collect())
}
