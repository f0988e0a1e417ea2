//! The reports that describe machines, identified by their schemas.

use std::fmt;

use hasten_report::{read_micros, show_micros};
use serde_json::Value;

use super::{cores, cpu, doubled, processors};
use crate::explore::Machine;

/// Report of `hasten analyze calibrate`.
pub const CALIBRATION: &str = "calibration";
/// Report of `hasten analyze compare`.
pub const COMPARED: &str = "compared";
/// Report of the programs on the RISC-V processor.
pub const ASIP: &str = "asip";
/// Report of the hardware flow.
pub const HARDWARE: &str = "hardware";

/// Maximum number of units of a machine.
const MOST: usize = 1 << 16;

/// A machine or a group of machines, as named in a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Named {
    /// The calibrated processor.
    Cpu,
    /// The cores of the hardware report. With a clock period in microseconds, these include
    /// simulated cores that have no timing of their own.
    Rtl(Option<f64>),
    /// The RISC-V processor, alone and with each of its units. The clock period is that of the
    /// critical path, or the given one in microseconds.
    Asip(Option<f64>),
    /// Generic units: the smallest and the largest number, and the microseconds per compression.
    Units(usize, usize, f64),
}

impl Named {
    /// The default machines of a search.
    pub const USUAL: [Self; 3] = [Self::Cpu, Self::Rtl(None), Self::Units(1, 256, 0.1)];

    /// Parses `cpu`, `rtl`, `rtl@10ns`, `asip`, `asip@10ns`, `8@100ns` or `1..256@100ns`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text {
            "cpu" => return Some(Self::Cpu),
            "rtl" => return Some(Self::Rtl(None)),
            "asip" => return Some(Self::Asip(None)),
            _ => {}
        }
        let (count, time) = text.split_once('@')?;
        let each = read_micros(time).filter(|us| *us > 0.0)?;
        match count {
            "rtl" => return Some(Self::Rtl(Some(each))),
            "asip" => return Some(Self::Asip(Some(each))),
            _ => {}
        }
        let (low, high) = count.split_once("..").unwrap_or((count, count));
        let count = |text: &str| text.parse().ok().filter(|count| (1..=MOST).contains(count));
        let (low, high) = (count(low)?, count(high)?);
        (low <= high).then_some(Self::Units(low, high, each))
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cpu => f.write_str("cpu"),
            Self::Rtl(None) => f.write_str("rtl"),
            Self::Rtl(Some(period)) => write!(f, "rtl@{}", show_micros(period)),
            Self::Asip(None) => f.write_str("asip"),
            Self::Asip(Some(period)) => write!(f, "asip@{}", show_micros(period)),
            Self::Units(low, high, each) if low == high => write!(f, "{low}@{}", show_micros(each)),
            Self::Units(low, high, each) => write!(f, "{low}..{high}@{}", show_micros(each)),
        }
    }
}

/// The given reports; a missing report is loaded by its name.
pub struct Reports<S> {
    given: Vec<Value>,
    has_processor: bool,
    shipped: S,
}

impl<E, S: Fn(&'static str) -> Result<Value, E>> Reports<S> {
    /// Collects the given reports: those of the processor, and others. `shipped` loads a report
    /// that ships with the tool.
    pub fn new(processor: Vec<Value>, others: Vec<Value>, shipped: S) -> Self {
        let is_calibration = |report: &Value| is(report, CALIBRATION);
        let has_processor = !processor.is_empty() || others.iter().any(is_calibration);
        Self { given: [processor, others].concat(), has_processor, shipped }
    }

    /// Returns the machines with this name.
    ///
    /// # Errors
    /// The error of `shipped` for a missing report.
    pub fn machines(&self, named: Named) -> Result<Vec<Machine>, E> {
        Ok(match named {
            Named::Cpu => vec![self.processor()?],
            Named::Rtl(clock) => cores(&self.one(HARDWARE)?, clock),
            Named::Asip(clock) => processors(&self.one(ASIP)?, clock),
            Named::Units(low, high, each) => doubled(low, high, each),
        })
    }

    /// Returns the processor: its calibration, followed by the rows of other reports about it.
    ///
    /// # Errors
    /// The error of `shipped` for a missing report.
    pub fn processor(&self) -> Result<Machine, E> {
        let of_processor = |report: &&Value| !is(report, HARDWARE) && !is(report, ASIP);
        let reports: Vec<Value> = match self.has_processor {
            true => self.given.iter().filter(of_processor).cloned().collect(),
            false => vec![self.one(CALIBRATION)?, self.one(COMPARED)?],
        };
        let mut all = reports[0].clone();
        let rows = reports.iter().filter_map(|report| report["rows"].as_array()).flatten();
        all["rows"] = rows.cloned().collect();
        Ok(cpu(&all))
    }

    fn one(&self, name: &'static str) -> Result<Value, E> {
        let given = self.given.iter().find(|report| is(report, name));
        given.map_or_else(|| (self.shipped)(name), |report| Ok(report.clone()))
    }
}

/// Returns true if the report has this schema.
fn is(report: &Value, name: &str) -> bool {
    report["schema"] == format!("hasten.{name}/1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn machines_by_their_names() {
        for (text, named) in [
            ("cpu", Named::Cpu),
            ("rtl", Named::Rtl(None)),
            ("rtl@10ns", Named::Rtl(Some(0.01))),
            ("asip", Named::Asip(None)),
            ("asip@10ns", Named::Asip(Some(0.01))),
            ("8@100ns", Named::Units(8, 8, 0.1)),
            ("1..65536@1us", Named::Units(1, 65536, 1.0)),
        ] {
            assert_eq!(Named::read(text), Some(named), "{text}");
            assert_eq!(named.to_string(), text);
        }
        let parts = Named::read("rtl@4.82ns").map(|named| named.to_string());
        assert_eq!(parts.as_deref(), Some("rtl@4.82ns"));
        for text in ["", "8", "0@1us", "2..1@1us", "1..65537@1us", "8@0", "rtl@", "asip@0", "x@1us"]
        {
            assert_eq!(Named::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_report_that_is_given_goes_before_the_shipped_one() {
        let machine = |backend: &str| json!({ "backend": backend });
        let given = json!({
            "schema": "hasten.calibration/1", "machine": machine("given"), "rows": []
        });
        let shipped = |name| match name {
            HARDWARE => Err(name),
            name => Ok(json!({
                "schema": format!("hasten.{name}/1"), "machine": machine("shipped"), "rows": []
            })),
        };
        let name = |reports: &[Value]| {
            let reports = Reports::new(vec![], reports.to_vec(), shipped);
            reports.processor().map(|machine| machine.name)
        };
        assert_eq!(name(&[given]).as_deref(), Ok("cpu (given)"));
        assert_eq!(name(&[]).as_deref(), Ok("cpu (shipped)"));
        let none = Reports::new(vec![], vec![], shipped);
        assert!(matches!(none.machines(Named::Rtl(None)), Err(HARDWARE)));
        assert_eq!(none.machines(Named::Units(1, 4, 0.1)).map(|all| all.len()), Ok(3));
    }
}
