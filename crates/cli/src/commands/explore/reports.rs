//! The reports that describe machines: files named on the command line, or those that ship with the
//! tool.

use std::path::{Path, PathBuf};

use hasten_model::machines::Reports;
use serde_json::Value;

use crate::error::Error;
use crate::report;

/// Names the folder of the shipped reports, where it is not found from the program.
const FOLDER: &str = "HASTEN_RESULTS";

/// Reads the files: those of the processor, and others.
pub fn given(
    processor: &[PathBuf],
    others: &[PathBuf],
) -> Result<Reports<impl Fn(&'static str) -> Result<Value, Error>>, Error> {
    let read = |files: &[PathBuf]| -> Result<Vec<_>, Error> {
        files.iter().map(|file| report::read(file)).collect()
    };
    Ok(Reports::new(read(processor)?, read(others)?, shipped))
}

/// Reads the shipped report of this name.
fn shipped(name: &'static str) -> Result<Value, Error> {
    let file = folders().map(|folder| folder.join(format!("{name}.json")));
    let file = file.into_iter().find(|file| file.is_file());
    report::read(&file.ok_or(Error::NoReport(name))?)
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

#[cfg(test)]
mod tests {
    use hasten_model::machines::{CALIBRATION, COMPARED, HARDWARE};

    use super::*;

    #[test]
    fn a_checkout_ships_its_results() {
        for name in [CALIBRATION, COMPARED, HARDWARE] {
            let report = shipped(name).expect("it lies above the program");
            assert_eq!(report["schema"], format!("hasten.{name}/1"));
        }
        assert!(matches!(shipped("nothing"), Err(Error::NoReport("nothing"))));
    }
}
