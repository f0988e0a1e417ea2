//! Machines by their names, and the reports that describe them.

use hasten_model::explore::Machine;
use hasten_model::machines::Named;

use super::Args;
use super::reports;
use crate::error::{BadValue, Error};
use crate::output::note;
use crate::units;

/// Reads `cpu`, `rtl`, `rtl@10ns`, `8@100ns` or `1..256@100ns`.
pub fn parse(text: &str) -> Result<Named, BadValue> {
    match text {
        "cpu" => return Ok(Named::Cpu),
        "rtl" => return Ok(Named::Rtl(None)),
        _ => {}
    }
    let unknown = || BadValue::Name {
        what: "machine",
        given: text.to_owned(),
        near: vec!["cpu", "rtl", "rtl@10ns", "8@100ns", "1..256@100ns"],
    };
    let (count, time) = text.split_once('@').ok_or_else(unknown)?;
    let each = hasten_report::micros(units::positive_time(time)?);
    if count == "rtl" {
        return Ok(Named::Rtl(Some(each)));
    }
    let (low, high) = count.split_once("..").unwrap_or((count, count));
    let (low, high) = (units::count(low)?, units::count(high)?);
    if low > high || high > 1 << 16 { Err(unknown()) } else { Ok(Named::Units(low, high, each)) }
}

/// Returns the machines asked for; without a name those that there is a report of, and units.
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
