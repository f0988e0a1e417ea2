//! Faults of a bus, for tests of drivers.

/// A fault of the bus, which occurs once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// A write is lost without an error.
    Lost,
    /// An access is answered with an error, and has no effect.
    Refused,
    /// The core is reset before the access.
    Reset,
}
