//! Results that a test keeps.

use std::path::Path;

/// Writes the rows into the file that `HASTEN_RESULT` names, if it does: `results/NAME.json`, made by `before HASTEN_RESULT=... cargo test` with
/// these arguments.
pub fn rows(name: &str, before: &str, test: &str, rows: &[String]) {
    let Some(file) = std::env::var_os("HASTEN_RESULT") else { return };
    let head = format!(
        r#"{{"schema":"hasten.{name}/1","machine":"none: cycles of simulation do not depend on one","command":"{before}HASTEN_RESULT=results/{name}.json cargo test {test}","rows":["#
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::write(root.join(file), format!("{head}\n{}\n]}}\n", rows.join(",\n"))).unwrap();
}
