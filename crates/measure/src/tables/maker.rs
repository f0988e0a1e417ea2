//! Makes a table by its name, with what was measured for those before it.

use std::time::Duration;

use serde_json::Value;

use super::memory::Again;
use super::sheet::Sheet;
use super::wire::Known;
use super::{account, binary, bounds, connect, memory, names, sets, speed, stateful, wire};
use crate::Error;

/// Names the form of a report of these tables.
pub const SCHEMA: &str = "hasten.tables/1";

/// Names that of `cargo xtask arm --operations --json`, whose rows the account takes too.
const COUNTED: &str = "hasten.arm-operations/1";

/// Makes tables.
pub struct Maker<'m> {
    /// Time for each measurement.
    pub time: Duration,
    /// Starts one side of a handshake in a process of its own.
    pub again: &'m Again,
    /// Hears what is under way.
    pub tell: &'m dyn Fn(&str),
    known: Known,
    rows: Vec<Value>,
}

impl<'m> Maker<'m> {
    /// Returns what makes tables; `rows` are those of earlier reports, for the account.
    pub fn new(time: Duration, rows: Vec<Value>, again: &'m Again, tell: &'m dyn Fn(&str)) -> Self {
        Self { time, again, tell, known: Known::default(), rows }
    }

    /// Makes the table of this name, with the appendix's figures beside ours or without.
    ///
    /// # Errors
    /// Returns that of a measurement; [`Error::Table`] for a name that no table has.
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

/// Returns whether the table of this name is made in a checkout, and there is none.
pub fn lacks_checkout(name: &str) -> bool {
    matches!(name, "binary-size" | "memory") && binary::checkout().is_none()
}

/// Returns the rows of a report that the account takes.
pub fn rows_of(report: &Value) -> Option<&Vec<Value>> {
    let is_ours = report["schema"] == SCHEMA || report["schema"] == COUNTED;
    report["rows"].as_array().filter(|_| is_ours)
}
