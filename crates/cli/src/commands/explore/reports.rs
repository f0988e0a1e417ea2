//! The reports that describe machines: files named on the command line, or those that ship with the
//! tool.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Error;

/// Report of `hasten analyze calibrate`.
pub const CALIBRATION: &str = "calibration";
/// Report of `hasten analyze compare`.
const COMPARED: &str = "compared";
/// Report of the hardware flow.
pub const HARDWARE: &str = "hardware";

/// Names the folder of the shipped reports, where it is not found from the program.
const FOLDER: &str = "HASTEN_RESULTS";

/// Reports by what they are; one that was not given is looked for among the shipped ones.
pub struct Reports {
    given: Vec<Value>,
    has_processor: bool,
}

impl Reports {
    /// Reads the files: those of the processor, and others.
    pub fn given(processor: &[PathBuf], others: &[PathBuf]) -> Result<Self, Error> {
        let files = processor.iter().chain(others);
        let given: Vec<Value> = files.map(|file| read(file)).collect::<Result<_, _>>()?;
        let has_processor =
            !processor.is_empty() || given.iter().any(|report| is(report, CALIBRATION));
        Ok(Self { given, has_processor })
    }

    /// Returns the processor: its calibration, with the rows of other algorithms behind it.
    pub fn processor(&self) -> Result<Value, Error> {
        let hardware = |report: &&Value| !is(report, HARDWARE);
        let reports: Vec<Value> = match self.has_processor {
            true => self.given.iter().filter(hardware).cloned().collect(),
            false => vec![self.one(CALIBRATION)?, self.one(COMPARED)?],
        };
        let mut all = reports[0].clone();
        let rows = reports.iter().filter_map(|report| report["rows"].as_array()).flatten();
        all["rows"] = rows.cloned().collect();
        Ok(all)
    }

    /// Returns the report of this name.
    pub fn one(&self, name: &'static str) -> Result<Value, Error> {
        if let Some(report) = self.given.iter().find(|report| is(report, name)) {
            return Ok(report.clone());
        }
        let file = folders().map(|folder| folder.join(format!("{name}.json")));
        let file = file.into_iter().find(|file| file.is_file());
        read(&file.ok_or(Error::NoReport(name))?)
    }
}

/// Returns true if the report has this schema.
fn is(report: &Value, name: &str) -> bool {
    report["schema"] == format!("hasten.{name}/1")
}

/// Returns the folders where shipped reports may lie: the one that is named, `results` beside the
/// program or above it, as in a checkout, and `share/hasten` of the place it is installed in.
fn folders() -> impl Iterator<Item = PathBuf> {
    let named = std::env::var_os(FOLDER).map(PathBuf::from);
    let program = std::env::current_exe().unwrap_or_default();
    let above: Vec<PathBuf> = program.ancestors().skip(1).map(Path::to_owned).collect();
    let places =
        above.into_iter().flat_map(|dir| ["results", "share/hasten"].map(|at| dir.join(at)));
    named.into_iter().chain(places)
}

fn read(path: &Path) -> Result<Value, Error> {
    let failed = |cause| Error::File { path: path.to_owned(), doing: "reading", cause };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    serde_json::from_str(&text).map_err(|cause| failed(cause.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkout_ships_its_results() {
        let reports = Reports::given(&[], &[]).expect("no file is read");
        for name in [CALIBRATION, COMPARED, HARDWARE] {
            assert!(is(&reports.one(name).expect("it lies above the program"), name));
        }
        assert!(matches!(reports.one("nothing"), Err(Error::NoReport("nothing"))));
    }

    #[test]
    fn a_file_that_is_given_goes_before_the_shipped_one() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let text = r#"{"schema":"hasten.calibration/1","machine":{},"rows":[]}"#;
        std::fs::write(file.path(), text).expect("written");
        let reports = Reports::given(&[], &[file.path().to_owned()]).expect("read");
        assert_eq!(reports.processor().expect("a report")["rows"], serde_json::json!([]));
        assert!(reports.one(HARDWARE).expect("shipped")["rows"].is_array());
    }
}
