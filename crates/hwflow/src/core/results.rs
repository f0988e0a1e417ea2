//! Files of `results/` as the steps of `hw` keep them: a head, and a row in each line.

use crate::failure::{Failure, read};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;

/// The text of such a file. The machine is a word why none is named, or what the figures depend on.
pub fn document(
    schema: &str,
    machine: &Value,
    command: &str,
    rows: &[impl Serialize],
) -> Result<String, Failure> {
    let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|fault| Failure::Tool(fault.to_string()))?.join(",\n");
    let (schema, command) = (json!(schema), json!(command));
    Ok(format!(
        "{{\"schema\":{schema},\"machine\":{machine},\"command\":{command},\"rows\":[\n{lines}\n]}}\n"
    ))
}

/// The rows of a file; none where there is no file.
pub fn rows<R: DeserializeOwned>(path: &Path) -> Result<Vec<R>, Failure> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let form = |fault: serde_json::Error| Failure::Form(path.into(), fault.to_string());
    let mut document: Value = serde_json::from_str(&read(path)?).map_err(form)?;
    serde_json::from_value(document["rows"].take()).map_err(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_were_written() {
        let path = std::env::temp_dir().join(format!("hasten-results-{}", std::process::id()));
        assert_eq!(rows::<Value>(&path).unwrap(), Vec::<Value>::new());
        let fresh = [json!({"op": "a \"b\""}), json!({"op": "c"})];
        let text = document("hasten.x/1", &json!("none"), "cargo xtask", &fresh).unwrap();
        assert!(text.starts_with("{\"schema\":\"hasten.x/1\",\"machine\":\"none\",\"command\":"));
        std::fs::write(&path, &text).unwrap();
        assert_eq!(rows::<Value>(&path).unwrap(), fresh);
        std::fs::write(&path, "{").unwrap();
        assert!(rows::<Value>(&path).is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
