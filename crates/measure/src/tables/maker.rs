//! Making a table by its name, using measurements made for earlier tables.

use std::time::Duration;

use serde_json::Value;

use super::memory::Again;
use super::sheet::Sheet;
use super::wire::Known;
use super::{account, binary, bounds, connect, memory, names, sets, speed, stateful, wire};
use crate::Error;

/// Schema of a report of these tables.
pub const SCHEMA: &str = "hasten.tables/1";

/// Schema of `cargo xtask arm --operations --json`, whose rows the account uses too.
const COUNTED: &str = "hasten.arm-operations/1";

/// A maker of tables, with the measurements made so far.
pub struct Maker<'m> {
    /// Time limit of each measurement.
    pub time: Duration,
    /// Starts one side of a handshake in a separate process.
    pub again: &'m Again,
    /// Receives messages about the current step.
    pub tell: &'m dyn Fn(&str),
    known: Known,
    rows: Vec<Value>,
}

impl<'m> Maker<'m> {
    /// Returns a maker of tables; `rows` are those of earlier reports, for the account.
    pub fn new(time: Duration, rows: Vec<Value>, again: &'m Again, tell: &'m dyn Fn(&str)) -> Self {
        Self { time, again, tell, known: Known::default(), rows }
    }

    /// Makes the table with this name. With `compare` it includes the figures of the appendix.
    ///
    /// # Errors
    /// The error of a measurement, or [`Error::Table`] for an unknown name.
    pub fn make(&mut self, name: &str, compare: bool) -> Result<Sheet, Error> {
        let mut sheet = self.whole(name)?;
        self.rows.extend(sheet.json());
        if !compare {
            return Ok(sheet.without("theirs"));
        }
        sheet.notes.extend(account::absent(sheet.name));
        Ok(sheet)
    }

    fn whole(&mut self, name: &str) -> Result<Sheet, Error> {
        let (known, time) = (&mut self.known, self.time);
        Ok(match name {
            "names" => names::names(),
            "code-points" => names::code_points(),
            "oids" => names::oids(),
            "signature-sizes" => names::signature_sizes(),
            "kem-sizes" => names::kem_sizes(),
            "tls-bytes" => wire::sheet(known)?,
            "memory" => memory::sheet(known, self.again)?,
            "speed" => speed::operations(time)?,
            "connect" => connect::sheet(known, time)?,
            "binary-size" => binary::sheet(self.tell)?,
            "bounds" => bounds::sheet(known, time)?,
            "stateful-sets" => sets::sheet()?,
            "stateful" => stateful::sheet(time)?,
            "account" => account::sheet(&self.rows),
            _ => return Err(Error::Table("no table has this name")),
        })
    }
}

/// Returns true if the table with this name needs a checkout and there is none.
pub fn lacks_checkout(name: &str) -> bool {
    matches!(name, "binary-size" | "memory") && binary::checkout().is_none()
}

/// Returns the rows of a report if the account can use them.
pub fn rows_of(report: &Value) -> Option<&Vec<Value>> {
    let is_ours = report["schema"] == SCHEMA || report["schema"] == COUNTED;
    report["rows"].as_array().filter(|_| is_ours)
}
