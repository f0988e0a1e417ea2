//! Files of `results/` as the steps of `hw` write them: a head, and one row per line.

use hasten_chore::checkout;
use hasten_chore::failure::{Failure, read};
use hasten_report::{Origin, Report, Unneeded};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;

/// Returns the text of a result file that names the checked-out commit.
pub fn document<R: Serialize>(
    schema: &str,
    machine: impl Serialize,
    command: &str,
    rows: &[R],
) -> String {
    Report::new(schema, command.to_owned(), Origin::checked_out(), machine, rows).by_line()
}

/// Returns the text of a file derived from `results/hardware.json`, with the commit that is named
/// there.
pub fn derived<R: Serialize>(schema: &str, command: &str, rows: &[R]) -> Result<String, Failure> {
    let path = checkout::root()?.join("results/hardware.json");
    let form = |fault: serde_json::Error| Failure::Form(path.clone(), fault.to_string());
    let source: Value = serde_json::from_str(&read(&path)?).map_err(form)?;
    let machine = Unneeded::because("made of results/hardware.json");
    let origin = Origin::named_in(&source);
    Ok(Report::new(schema, command.to_owned(), origin, machine, rows).by_line())
}

/// Returns the rows of a file, or no rows if the file does not exist.
pub fn rows<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, Failure> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let form = |fault: serde_json::Error| Failure::Form(path.into(), fault.to_string());
    let mut document: Value = serde_json::from_str(&read(path)?).map_err(form)?;
    serde_json::from_value(document["rows"].take()).map_err(form)
}

/// Returns the rows of a file sorted by `key`, with `fresh` in place of the rows of the same
/// subjects.
pub fn beside<R: DeserializeOwned, S: PartialEq, K: Ord>(
    path: &Path,
    fresh: Vec<R>,
    subject: impl Fn(&R) -> S,
    key: impl FnMut(&R) -> K,
) -> Result<Vec<R>, Failure> {
    let mut rows: Vec<R> = rows(path)?;
    rows.retain(|old| !fresh.iter().any(|new| subject(new) == subject(old)));
    rows.extend(fresh);
    rows.sort_by_key(key);
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let path = std::env::temp_dir().join(format!("hasten-results-{}", std::process::id()));
        assert_eq!(rows::<Value>(&path).unwrap(), Vec::<Value>::new());
        let fresh = [json!({"op": "a \"b\""}), json!({"op": "c"})];
        let why = Unneeded::because("a test");
        let text = document("hasten.x/1", why, "cargo xtask", &fresh);
        assert!(
            text.starts_with("{\"schema\":\"hasten.x/1\",\"command\":\"cargo xtask\",\"version\":")
        );
        std::fs::write(&path, &text).unwrap();
        assert_eq!(rows::<Value>(&path).unwrap(), fresh);
        std::fs::write(&path, "{").unwrap();
        assert!(rows::<Value>(&path).is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
