//! Reports that describe machines: files named on the command line, or the ones that ship with the
//! tool.

use std::path::PathBuf;

use hasten_model::machines::Reports;
use serde_json::Value;

use crate::error::Error;
use crate::report;

/// Reads the reports on the processor and on other machines. A missing one is replaced by the one
/// that ships with the tool.
pub fn given(
    processor: &[PathBuf],
    others: &[PathBuf],
) -> Result<Reports<impl Fn(&'static str) -> Result<Value, Error>>, Error> {
    let read = |files: &[PathBuf]| -> Result<Vec<_>, Error> {
        files.iter().map(|file| report::read(file)).collect()
    };
    Ok(Reports::new(read(processor)?, read(others)?, shipped))
}

/// Reads the shipped report with this name.
fn shipped(name: &'static str) -> Result<Value, Error> {
    let file = crate::shipped::find(&format!("{name}.json"));
    report::read(&file.ok_or(Error::NoReport(name))?)
}

#[cfg(test)]
mod tests {
    use hasten_model::machines::{ASIP, CALIBRATION, COMPARED, HARDWARE};

    use super::*;

    #[test]
    fn a_checkout_ships_its_results() {
        for name in [CALIBRATION, COMPARED, HARDWARE, ASIP] {
            let report = shipped(name).expect("it lies above the program");
            assert_eq!(report["schema"], format!("hasten.{name}/1"));
        }
        assert!(matches!(shipped("nothing"), Err(Error::NoReport("nothing"))));
    }
}
