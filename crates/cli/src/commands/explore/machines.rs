//! Machines by their names, and the reports that describe them.

use hasten_model::explore::Machine;
use hasten_model::machines::{cores, cpu, doubled};

use super::Args;
use super::reports::{self, Reports};
use crate::error::{BadValue, Error};
use crate::output::note;
use crate::units;

/// A machine as it is named on the command line.
#[derive(Clone, Debug)]
pub enum Named {
    /// The calibrated processor.
    Cpu,
    /// The cores of the hardware report; with a clock's period in microseconds, those too that have
    /// been simulated and have no timing of their own.
    Rtl(Option<f64>),
    /// Units, from so many to so many, and microseconds of a compression.
    Units(usize, usize, f64),
}

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
    let reports = Reports::given(&args.calibration, &args.machines)?;
    if !args.machine.is_empty() {
        let each = args.machine.iter().map(|named| one(named, &reports));
        return Ok(each.collect::<Result<Vec<_>, _>>()?.concat());
    }
    let mut machines = Vec::new();
    for named in [Named::Cpu, Named::Rtl(None), Named::Units(1, 256, 0.1)] {
        match one(&named, &reports) {
            Err(error @ Error::NoReport(_)) => note(&format!("{error}: left out")),
            found => machines.extend(found?),
        }
    }
    Ok(machines)
}

/// Returns the calibrated processor.
pub fn processor(reports: &Reports) -> Result<Machine, Error> {
    Ok(cpu(&reports.processor()?))
}

fn one(named: &Named, reports: &Reports) -> Result<Vec<Machine>, Error> {
    Ok(match named {
        Named::Cpu => vec![processor(reports)?],
        Named::Rtl(clock) => cores(&reports.one(reports::HARDWARE)?, *clock),
        Named::Units(low, high, each) => doubled(*low, *high, *each),
    })
}
