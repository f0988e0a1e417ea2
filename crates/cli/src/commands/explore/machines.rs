//! Machines by name, with the reports that describe them.

use hasten_model::explore::Machine;
use hasten_model::machines::Named;

use super::Args;
use super::reports;
use crate::error::{BadValue, Error};
use crate::output::note;
use crate::units;

/// Parses the name of a machine: `cpu`, `rtl`, `rtl@10ns`, `asip`, `asip@10ns`, `8@100ns` or
/// `1..256@100ns`.
pub fn parse(text: &str) -> Result<Named, BadValue> {
    let unknown = || BadValue::Name {
        what: "machine",
        given: text.to_owned(),
        near: vec!["cpu", "rtl", "rtl@10ns", "asip", "asip@10ns", "8@100ns", "1..256@100ns"],
    };
    if let Some((_, time)) = text.split_once('@') {
        units::positive_time(time)?;
    }
    Named::read(text).ok_or_else(unknown)
}

/// Returns the selected machines. By default these are the usual ones, without those that lack a
/// report.
pub fn all(args: &Args) -> Result<Vec<Machine>, Error> {
    let reports = reports::given(&args.calibration, &args.machines)?;
    if !args.machine.is_empty() {
        let each = args.machine.iter().map(|named| reports.machines(*named));
        return Ok(each.collect::<Result<Vec<_>, _>>()?.concat());
    }
    let mut machines = Vec::new();
    for named in Named::USUAL {
        match reports.machines(named) {
            Err(error @ Error::NoReport(_)) => note(&format!("{error}: left out")),
            found => machines.extend(found?),
        }
    }
    Ok(machines)
}
