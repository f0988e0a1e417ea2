//! The faults of a bus that drivers are tried with.

/// A fault of the bus, which comes once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// A write does not arrive, and nothing says so.
    Lost,
    /// An access is answered with an error, and does nothing.
    Refused,
    /// The core is reset before it.
    Reset,
}
